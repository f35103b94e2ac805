import Compute
import Foundation

/// A safetensors model: one file, or several with an index (`….safetensors.index.json`).
package struct ShardedSafetensors: Sendable {
  /// The files.
  package let files: [SafetensorsFile]
  private let places: [String: Place]

  private struct Place: Sendable {
    let file: Int
    let tensor: Int
  }

  /// Opens a single file or, by its index, a sharded model.
  package init(path: String) throws(SafetensorsError) {
    guard path.hasSuffix(".index.json") else {
      try self.init(files: [SafetensorsFile(path: path)])
      return
    }
    let index: Index
    do {
      index = try JSONDecoder().decode(Index.self, from: Data(contentsOf: URL(filePath: path)))
    } catch {
      throw .unusableFile(path: path, reason: error.localizedDescription)
    }
    let folder = URL(filePath: path).deletingLastPathComponent()
    var files: [SafetensorsFile] = []
    for name in Set(index.weight_map.values).sorted() {
      guard !name.isEmpty, !name.contains("/"), name != ".." else { throw .badPartName(name) }
      files.append(try SafetensorsFile(path: folder.appending(path: name).path(percentEncoded: false)))
    }
    try self.init(files: files)
    for (tensor, file) in index.weight_map.sorted(by: { $0.key < $1.key }) where places[tensor] == nil {
      throw .missingTensor(tensor: tensor, file: file)
    }
  }

  private init(files: [SafetensorsFile]) throws(SafetensorsError) {
    var places: [String: Place] = [:]
    for (fileIndex, file) in files.enumerated() {
      for (tensorIndex, tensor) in file.tensors.enumerated() {
        guard places.updateValue(Place(file: fileIndex, tensor: tensorIndex), forKey: tensor.name) == nil
        else { throw .duplicateTensor(tensor.name) }
      }
    }
    self.files = files
    self.places = places
  }

  /// All tensors' names.
  package var names: [String] { places.keys.sorted() }

  /// A tensor by name, with the mapped file that holds it.
  package func tensor(_ name: String) -> (tensor: SafetensorsTensor, file: MappedFile)? {
    guard let place = places[name] else { return nil }
    return (files[place.file].tensors[place.tensor], files[place.file].file)
  }

  private struct Index: Decodable {
    let weight_map: [String: String]  // swift-format-ignore: AlwaysUseLowerCamelCase
  }
}
