import Compute
import Foundation
import Platform

/// Writes a model again with its weights in other types, one piece of one tensor in memory at a time.
package struct GGUFQuantizer: Sendable {
  /// Conversion of one tensor.
  package struct Step: Sendable, Equatable {
    /// The tensor as the source has it.
    package let tensor: GGUFTensor
    /// The type it is written in.
    package let type: TensorType
    /// The bytes it then takes.
    package let byteCount: Int
  }

  /// Conversions of the tensors, in the order they are written.
  package let steps: [Step]
  private let source: GGUFFile
  private let fileType: QuantizedFileType

  /// Values encoded at once: whole blocks of every type, and 16 MiB at most.
  private static let pieceLength = 1 << 22

  /// Chooses the types; nothing is written yet.
  package init(_ source: GGUFFile, as fileType: QuantizedFileType) throws(QuantizationError) {
    self.source = source
    self.fileType = fileType
    let types = QuantizationMix.types(fileType, of: source)
    var steps: [Step] = []
    for tensor in source.tensors {
      let type = types[tensor.name] ?? tensor.type
      let isPossible = type == tensor.type || tensor.type.isMultipliable && type.isQuantizable
      guard isPossible, let bytes = type.byteCount(rows: tensor.rowCount, columns: tensor.columnCount) else {
        throw .unconvertible(tensor: tensor.name, from: tensor.type, to: type)
      }
      steps.append(Step(tensor: tensor, type: type, byteCount: bytes))
    }
    self.steps = steps
  }

  /// Writes the file under another name, and gives it its own when it is whole and on the disk.
  /// - Parameters:
  ///   - replacing: whether a file of that name may be replaced; never one of the source's.
  ///   - context: the threads that compute.
  ///   - progress: called before each tensor with its number.
  /// - Throws: also when the task is cancelled; nothing is left then.
  package func write(
    to path: String, replacing: Bool = false, context: ComputeContext = ComputeContext(),
    progress: (Int) -> Void = { _ in }
  ) throws(QuantizationError) {
    try check(path, replacing: replacing)
    let place = URL(filePath: path)
    let temporary = place.deletingLastPathComponent()
      .appending(path: ".\(place.lastPathComponent.prefix(64)).\(UUID().uuidString).part").path
    do {
      try withoutActuallyEscaping(progress) { progress in
        try write(temporary: temporary, as: path, context, progress)
      }
      try check(path, replacing: replacing)
      guard rename(temporary, path) == 0 else {
        throw QuantizationError.unwritable(path: path, tensor: nil, reason: Self.reason(errno))
      }
    } catch {
      unlink(temporary)
      throw error as? QuantizationError ?? .unwritable(path: path, tensor: nil, reason: Self.reason(error))
    }
    // The file is whole either way; this only makes its name outlast a loss of power.
    let folder = open(place.deletingLastPathComponent().path, O_RDONLY | O_CLOEXEC)
    if folder >= 0 {
      fsync(folder)
      close(folder)
    }
  }

  private func write(
    temporary: String, as path: String, _ context: ComputeContext, _ progress: @escaping (Int) -> Void
  ) throws {
    var writer = GGUFWriter(version: source.header.version, alignment: source.header.alignment)
    let split: Set = ["split.no", "split.count", "split.tensors.count"]
    for key in source.header.keys where key != "general.alignment" && !split.contains(key) {
      if let value = source.header[key] { writer.set(key, value) }
    }
    writer.set("general.file_type", .uint32(fileType.rawValue))
    writer.set("general.quantization_version", .uint32(2))
    var current: String?
    for (number, step) in steps.enumerated() {
      writer.add(step.tensor.name, dimensions: step.tensor.dimensions, type: step.type) { sink in
        current = step.tensor.name
        progress(number)
        try encode(step, context, sink)
      }
    }
    do {
      try writer.write(to: temporary)
    } catch let error as QuantizationError {
      throw error
    } catch {
      throw QuantizationError.unwritable(path: path, tensor: current, reason: Self.reason(error))
    }
  }

  /// Hands over a tensor's new bytes piece by piece.
  private func encode(
    _ step: Step, _ context: ComputeContext, _ sink: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let tensor = step.tensor
    guard let file = source.tensor(tensor.name)?.file else { return }
    var buffer: [UInt8] = []
    for first in stride(from: 0, to: tensor.elementCount, by: Self.pieceLength) {
      if Task.isCancelled { throw QuantizationError.stopped }
      let count = min(Self.pieceLength, tensor.elementCount - first)
      let start = tensor.offset + first / tensor.type.blockSize * tensor.type.bytesPerBlock
      let size = count / tensor.type.blockSize * tensor.type.bytesPerBlock
      let stored = UnsafeRawBufferPointer(rebasing: file.bytes[start..<start + size])
      if step.type == tensor.type {
        try sink(stored)
      } else if let blocks = stored.baseAddress {
        let newSize = count / step.type.blockSize * step.type.bytesPerBlock
        if buffer.count < newSize { buffer = [UInt8](repeating: 0, count: newSize) }
        try buffer.withUnsafeMutableBytes { bytes in
          guard let output = bytes.baseAddress else { return }
          try step.type.encode(blocks, of: tensor.type, count: count, into: output, pool: context.pool)
          try sink(UnsafeRawBufferPointer(rebasing: bytes[..<newSize]))
        }
      }
      file.release(start..<start + size)
    }
    do { try file.check() } catch { throw QuantizationError.unreadable(path: file.path, tensor: tensor.name) }
  }

  private func check(_ path: String, replacing: Bool) throws(QuantizationError) {
    var target = stat()
    if stat(path, &target) == 0 {
      for part in source.parts {
        var own = stat()
        guard stat(part.path, &own) != 0 || own.st_dev != target.st_dev || own.st_ino != target.st_ino else {
          throw .isSource(path: path)
        }
      }
    }
    guard lstat(path, &target) == 0 else { return }
    let isFile = [S_IFREG, S_IFLNK].contains(target.st_mode & S_IFMT)
    guard replacing, isFile else { throw .exists(path: path, isFile: isFile) }
  }

  private static func reason(_ error: any Error) -> String {
    if case GGUFError.unusableFile(_, let reason) = error { return reason }
    let error = error as NSError
    let cause = error.userInfo[NSUnderlyingErrorKey] as? NSError ?? error
    return cause.domain == NSPOSIXErrorDomain ? reason(Int32(cause.code)) : error.localizedDescription
  }

  private static func reason(_ number: Int32) -> String { SystemMessage.of(number) }
}
