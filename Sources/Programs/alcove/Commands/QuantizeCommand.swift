import Assistant
import Compute
import Foundation
import ModelFormats
import Terminal

extension Command {
  static let quantize = Command(
    name: "quantize", surface: .shell, summary: "write a model again with smaller weights",
    details: "TYPE is one of \(QuantizedFileType.allCases.map(\.name).joined(separator: ", ")). "
      + "Of a model in parts, name any part; the new file is one. It is best made from F32, F16 or BF16.",
    arguments: [
      Argument(name: "IN", kind: .path), Argument(name: "OUT", kind: .path), Argument(name: "TYPE", kind: .text),
    ],
    options: [
      Option(name: "force", letter: "f", help: "replace OUT if it is there"),
      Option(name: "threads", value: ("N", .integer(1...1024)), help: "threads that compute"),
    ], examples: ["alcove quantize model-F16.gguf model-Q4_K_M.gguf Q4_K_M"]
  ) { invocation, program in
    let name = try invocation.required("TYPE")
    guard let type = QuantizedFileType(name: name) else {
      let near = NearestName.of(name.uppercased(), among: QuantizedFileType.allCases.map(\.name))
      throw UsageError(
        message: "there is no type '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""),
        path: invocation.path)
    }
    let output = try invocation.required("OUT")
    let source = try GGUFFile(path: try invocation.required("IN"))
    let quantizer = try GGUFQuantizer(source, as: type)
    let (isForced, threads) = (invocation.has("force"), invocation.integer("threads"))
    let line = ProgressLine(output: program.errors, environment: program.environment)
    defer { line.clear() }
    try await program.interruptible {
      let (numbers, report) = AsyncStream.makeStream(of: Int.self)
      let work = Task.detached {
        defer { report.finish() }
        try quantizer.write(to: output, replacing: isForced, context: ComputeContext(threadCount: threads)) {
          report.yield($0)
        }
      }
      try await withTaskCancellationHandler {
        for await number in numbers {
          line.update(done: number, total: quantizer.steps.count, label: quantizer.steps[number].tensor.name)
        }
        try await work.value
      } onCancel: {
        work.cancel()
      }
    }
    line.clear()
    let written = quantizer.steps.reduce(0) { $0 + $1.byteCount }
    let size = written.formatted(.byteCount(style: .file))
    let before = source.byteCount.formatted(.byteCount(style: .file))
    program.output.writeLine(
      TextSanitizer.line("\(output): \(quantizer.steps.count) tensors, \(type.name), \(size) of \(before)"))
    return .ok
  }
}
