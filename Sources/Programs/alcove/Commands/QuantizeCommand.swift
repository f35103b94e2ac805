import Assistant
import Foundation
import Terminal

extension Command {
  static let quantize = Command(
    name: "quantize", surface: .shell, summary: "write a model again with smaller weights",
    details: "TYPE is one of \(ModelQuantization.typeNames.joined(separator: ", ")). "
      + "Of a model in parts, name any part; the new file is one. It is best made from F32, F16 or BF16.",
    arguments: [
      Argument(name: "IN", kind: .path), Argument(name: "OUT", kind: .path), Argument(name: "TYPE", kind: .text),
    ],
    options: [
      Option(name: "force", letter: "f", help: "replace OUT if it is there"),
      Option(name: "threads", value: ("N", .integer(1...1024)), help: "number of threads"),
    ], examples: ["alcove quantize model-F16.gguf model-Q4_K_M.gguf Q4_K_M"]
  ) { invocation, program in
    let name = try invocation.required("TYPE")
    guard let type = ModelQuantization.typeName(for: name) else {
      let near = NearestName.of(name.uppercased(), among: ModelQuantization.typeNames)
      throw UsageError(
        message: "there is no type '\(name)'" + (near.map { "; did you mean '\($0)'?" } ?? ""),
        path: invocation.path)
    }
    let output = try invocation.required("OUT")
    guard let quantization = try ModelQuantization(of: try invocation.required("IN"), as: type) else {
      return .usage
    }
    let (isForced, threads) = (invocation.has("force"), invocation.integer("threads"))
    let line = ProgressLine(output: program.errors, environment: program.environment)
    defer { line.clear() }
    try await program.interruptible {
      try await quantization.write(to: output, replaces: isForced, threadCount: threads) { number, tensor in
        line.update(done: number, total: quantization.tensorCount, label: tensor)
      }
    }
    line.clear()
    let size = quantization.byteCount.formatted(.byteCount(style: .file))
    let before = quantization.sourceByteCount.formatted(.byteCount(style: .file))
    program.output.writeLine(
      TextSanitizer.line(
        "\(output): \(quantization.tensorCount) tensors, \(quantization.typeName), \(size) of \(before)"))
    return .ok
  }
}
