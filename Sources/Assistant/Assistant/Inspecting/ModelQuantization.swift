import Compute
import ModelFormats

/// Writing of a model again with smaller weights, as `alcove quantize` does it.
package struct ModelQuantization: Sendable {
  /// Names of the types that a file can be written as, as in Q4_K_M.
  package static var typeNames: [String] { QuantizedFileType.allCases.map(\.name) }

  /// Returns the type that a name stands for, in any case and without `_M` too; nil where there is none.
  package static func typeName(for name: String) -> String? { QuantizedFileType(name: name)?.name }

  /// Name of the type, one of ``typeNames``.
  package let typeName: String
  /// Size of the model that is read, in bytes.
  package let sourceByteCount: Int
  private let quantizer: GGUFQuantizer

  /// Prepares the work; returns nil where there is no type of that name.
  /// - Throws: `GGUFError`, `QuantizationError`
  package init?(of path: String, as name: String) throws {
    guard let type = QuantizedFileType(name: name) else { return nil }
    let source = try GGUFFile(path: path)
    typeName = type.name
    sourceByteCount = source.byteCount
    quantizer = try GGUFQuantizer(source, as: type)
  }

  /// Number of tensors.
  package var tensorCount: Int { quantizer.steps.count }
  /// Size of the weights that are written, in bytes.
  package var byteCount: Int { quantizer.steps.reduce(0) { $0 + $1.byteCount } }

  /// Writes the new file. A file that was not finished is removed.
  /// - Parameters:
  ///   - replaces: whether a file of that name is replaced.
  ///   - tell: called with the number and the name of each tensor when it is begun.
  /// - Throws: `QuantizationError`, `CancellationError`
  @MainActor package func write(
    to output: String, replaces: Bool, threadCount: Int?, tell: (Int, String) -> Void
  ) async throws {
    let (numbers, report) = AsyncStream.makeStream(of: Int.self)
    let work = Task.detached { [quantizer] in
      defer { report.finish() }
      try quantizer.write(to: output, replacing: replaces, context: ComputeContext(threadCount: threadCount)) {
        report.yield($0)
      }
    }
    try await withTaskCancellationHandler {
      for await number in numbers { tell(number, quantizer.steps[number].tensor.name) }
      try await work.value
    } onCancel: {
      work.cancel()
    }
  }
}
