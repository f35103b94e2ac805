import Compute
import Foundation

/// A model file, or all parts of a split one, mapped and not read: opening costs the header's size, not the file's.
package struct GGUFFile: Sendable {
  /// The headers of the parts in order; most files have one.
  package let parts: [Part]
  private let tensorIndex: [String: TensorPlace]

  /// One file of a model.
  package struct Part: Sendable {
    /// Path of the file.
    package let path: String
    /// Its metadata and tensors.
    package let header: GGUFHeader
    /// Its bytes.
    package let file: MappedFile
  }

  private struct TensorPlace: Sendable {
    let part: Int
    let tensor: Int
  }

  /// Opens a file; of a split model any part's name will do.
  /// - Parameter nameLimit: bytes that a tensor's name may have.
  package init(path: String, nameLimit: Int = GGUFLimits.tensorNameLength) throws(GGUFError) {
    let first: Part
    if let split = SplitName(path: path) {
      first = try Self.open(split.path(of: 1), nameLimit)
      parts = try Self.openSplit(first, split, nameLimit)
    } else {
      first = try Self.open(path, nameLimit)
      parts = [first]
    }
    var index: [String: TensorPlace] = [:]
    for (partIndex, part) in parts.enumerated() {
      for (tensorIndex, tensor) in part.header.tensors.enumerated() {
        let place = TensorPlace(part: partIndex, tensor: tensorIndex)
        guard index.updateValue(place, forKey: tensor.name) == nil else {
          throw .duplicateTensor(tensor.name)
        }
      }
    }
    tensorIndex = index
  }

  /// The header whose metadata count: that of the first part.
  package var header: GGUFHeader { parts[0].header }

  /// All tensors, part by part.
  package var tensors: [GGUFTensor] { parts.flatMap(\.header.tensors) }

  /// The bytes of all parts together.
  package var byteCount: Int { parts.reduce(0) { $0 + $1.file.bytes.count } }

  /// A tensor by name, with the mapped file that holds it.
  package func tensor(_ name: String) -> (tensor: GGUFTensor, file: MappedFile)? {
    guard let place = tensorIndex[name] else { return nil }
    return (parts[place.part].header.tensors[place.tensor], parts[place.part].file)
  }

  private static func open(_ path: String, _ nameLimit: Int) throws(GGUFError) -> Part {
    do {
      let file = try MappedFile(path: path)
      let header = try GGUFHeader(parsing: file.bytes, fileSize: file.bytes.count, nameLimit: nameLimit)
      try file.check()
      return Part(path: path, header: header, file: file)
    } catch let error as GGUFError {
      throw .inFile(path: path, error)
    } catch {
      throw .unusableFile(path: path, reason: (error as? ComputeError)?.reason ?? "\(error)")
    }
  }

  private static func openSplit(
    _ first: Part, _ split: SplitName, _ nameLimit: Int
  ) throws(GGUFError) -> [Part] {
    var parts = [first]
    for number in 1...split.count {
      let path = split.path(of: number)
      if number > 1 {
        guard FileManager.default.fileExists(atPath: path) else {
          throw .badSplit(path: path, reason: .missing)
        }
        parts.append(try open(path, nameLimit))
      }
      let header = parts[number - 1].header
      let found = try header.integer("split.no") ?? -1
      guard found == number - 1 else {
        throw .badSplit(path: path, reason: .number(expected: number - 1, found: found))
      }
      let count = try header.integer("split.count") ?? -1
      guard count == split.count else {
        throw .badSplit(path: path, reason: .count(expected: split.count, found: count))
      }
    }
    let tensorCount = parts.reduce(0) { $0 + $1.header.tensors.count }
    if let promised = try first.header.integer("split.tensors.count"), promised != tensorCount {
      throw .badSplit(path: first.path, reason: .tensorCount(expected: promised, found: tensorCount))
    }
    return parts
  }
}

/// The name of a part of a split model: `NAME-00002-of-00005.gguf`.
struct SplitName {
  let prefix: String
  let count: Int

  /// Nil if the path does not name a part.
  init?(path: String) {
    let suffixLength = "-00001-of-00001.gguf".utf8.count
    guard path.hasSuffix(".gguf"), path.utf8.count > suffixLength else { return nil }
    let suffix = path.utf8.suffix(suffixLength)
    let text = Array(suffix)
    guard text[0] == UInt8(ascii: "-"), text[6..<10].elementsEqual("-of-".utf8),
      let number = Int(String(decoding: text[1..<6], as: UTF8.self)),
      let count = Int(String(decoding: text[10..<15], as: UTF8.self)), number >= 1, number <= count
    else { return nil }
    prefix = String(decoding: path.utf8.dropLast(suffixLength), as: UTF8.self)
    self.count = count
  }

  func path(of number: Int) -> String { "\(prefix)-\(padded(number))-of-\(padded(count)).gguf" }

  private func padded(_ number: Int) -> String {
    let digits = String(number)
    return String(repeating: "0", count: max(0, 5 - digits.count)) + digits
  }
}
