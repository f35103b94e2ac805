import Foundation
import ModelFormats
import ModelStore

/// A model file in the folder of models.
package struct ModelFileEntry: Sendable, Equatable {
  /// The file's name.
  package let name: String
  /// The file's path.
  package let path: String
  /// The file's size.
  package let byteCount: Int

  /// The name without its quantization, which all quantizations of one model share.
  package var family: String { Self.family(name) }

  static func family(_ name: String) -> String {
    let lowered = name.lowercased()
    guard let form = QuantizationName.find(in: name)?.lowercased(), let place = lowered.range(of: form) else {
      return lowered
    }
    return String(lowered[..<place.lowerBound])
  }
}

extension ModelHost {
  /// Returns the file of a model named by its path, or by its name in the folder of models.
  /// - Throws: ``ModelHostError/noModelFile(name:known:folder:)``.
  package func file(ofModel name: String) throws -> String {
    let path = directories.absolutePath(name)
    if FileManager.default.fileExists(atPath: path) { return path }
    let known = files()
    let sought = name.lowercased()
    if let file = known.first(where: { [sought, sought + ".gguf"].contains($0.name.lowercased()) }) {
      return file.path
    }
    let beginning = known.filter { $0.name.lowercased().hasPrefix(sought) }
    // Several quantizations of one model: the one that suits the memory.
    if Set(beginning.map(\.family)).count == 1, let path = fittingForm(beginning) { return path }
    throw ModelHostError.noModelFile(name: name, known: known.map(\.name), folder: directories.models.path)
  }

  /// Returns the GGUF files in the folder of models, by name.
  package func files() -> [ModelFileEntry] {
    // A missing folder means that there are no models.
    guard let found = FileManager.default.enumerator(at: directories.models, includingPropertiesForKeys: [])
    else { return [] }
    return found.compactMap { $0 as? URL }.filter { $0.pathExtension.lowercased() == "gguf" }.compactMap { url in
      var facts = stat()
      // A link counts as its target; one without a target is no model.
      guard stat(url.path, &facts) == 0, facts.st_mode & S_IFMT == S_IFREG else { return nil }
      return ModelFileEntry(name: url.lastPathComponent, path: url.path, byteCount: Int(facts.st_size))
    }.sorted { $0.name < $1.name }
  }

  /// Returns the picture model's path: the one asked for, else the setting's, else one in the folder of models; nil
  /// where the sketcher draws.
  /// - Throws: ``ModelHostError/noPictureModel(name:known:folder:)``.
  package func pictureModelPath() throws -> String? {
    let named = try requestedPictureModel ?? settings.current().text("image.model")
    switch named {
    case "off": return nil
    case "": return pictureModels().first
    default: break
    }
    let path = directories.absolutePath(named)
    if FileManager.default.fileExists(atPath: path) { return path }
    let sought = named.lowercased()
    let known = pictureModels()
    func name(_ path: String) -> String { URL(filePath: path).lastPathComponent.lowercased() }
    let endings = ["", ".safetensors", ".gguf"]
    if let found = known.first(where: { path in endings.contains { name(path) == sought + $0 } }) { return found }
    // The name of a GGUF file does not tell which kind of model it holds.
    if let file = files().first(where: { [sought, sought + ".gguf"].contains($0.name.lowercased()) }) {
      return file.path
    }
    throw ModelHostError.noPictureModel(
      name: named, known: known.map { URL(filePath: $0).lastPathComponent }, folder: directories.models.path)
  }

  /// Returns the picture models in the folder of models: folders as diffusers writes them, and whole checkpoints.
  private func pictureModels() -> [String] { pictureModels(in: directories.models, depth: 4).sorted() }

  /// Finds picture models down to a depth. Imported models may be links: their targets are searched under the link's
  /// name.
  private func pictureModels(in place: URL, depth: Int) -> [String] {
    let manager = FileManager.default
    let target = place.resolvingSymlinksInPath()
    // A folder that is gone or may not be read holds no model to choose.
    guard depth > 0, let values = try? target.resourceValues(forKeys: [.isDirectoryKey, .fileSizeKey]) else {
      return []
    }
    guard values.isDirectory == true else {
      let isCheckpoint = place.pathExtension == "safetensors" && (values.fileSize ?? 0) > Self.leastCheckpoint
      return isCheckpoint ? [place.path] : []
    }
    if manager.fileExists(atPath: place.appending(path: "model_index.json").path) { return [place.path] }
    let names = (try? manager.contentsOfDirectory(atPath: target.path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.flatMap {
      pictureModels(in: place.appending(path: $0), depth: depth - 1)
    }
  }

  /// Size of the smallest checkpoint, in bytes; smaller files are LoRAs and autoencoders.
  private static let leastCheckpoint = 1_000_000_000
}
