import Assistant
import Foundation
import JSON
import ModelStore
import Terminal

/// What a search of the hub found, for people and for programs.
struct HubListing {
  let files: [HubFile]
  let memory: MachineMemory

  @MainActor
  func text(_ program: Program) -> String {
    if files.isEmpty { return "Nothing was found.\n" }
    var text = ""
    for (repository, files) in grouped {
      text += program.output.ink(TextSanitizer.line("hf:\(repository)"), .bold)
      if let downloads = files.first?.downloads { text += "  (fetched \(downloads) times of late)" }
      text += "\n"
      var table = Table(columns: [
        .init("  file", isFlexible: true), .init("form"), .init("size", isRightAligned: true), .init("verdict"),
      ])
      let best = HubChoice.pick(files, memory: memory)
      for file in files.sorted(by: { ($0.bytes, $0.file) < ($1.bytes, $1.file) }) {
        table.add([
          (file.file == best?.file ? "* " : "  ") + file.file, QuantizationName.find(in: file.file) ?? "",
          Program.size(file.bytes), HubChoice.verdict(of: file.bytes, memory: memory).rawValue,
        ])
      }
      text += table.text(width: program.output.columns, ink: program.output.ink)
    }
    return text
  }

  private var grouped: [(String, [HubFile])] {
    var order: [String] = []
    for file in files where !order.contains(file.repository) { order.append(file.repository) }
    return order.map { name in (name, files.filter { $0.repository == name }) }
  }

  var json: JSON {
    .document(
      "models-search",
      [
        (
          "files",
          .array(
            files.map {
              .object([
                ("repository", .string($0.repository)), ("file", .string($0.file)), ("bytes", .int($0.bytes)),
                ("sha256", .optional($0.sha256)), ("quantization", .optional(QuantizationName.find(in: $0.file))),
                ("verdict", .string(HubChoice.verdict(of: $0.bytes, memory: memory).rawValue)),
              ])
            })
        )
      ])
  }
}
