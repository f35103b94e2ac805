import Foundation
import JSON
import ModelStore
import Terminal

/// What a search of the hub found, for people and for programs.
struct HubListing {
  let files: [HubFile]
  let memory: MachineMemory

  /// A file's verdict by its size alone: its header is not here yet. A usual cache and work space take a quarter more.
  static func verdict(of byteCount: Int, memory: MachineMemory) -> Verdict {
    let needed = Double(byteCount) * 1.25 + 2e8
    let room = Double(memory.available)
    return needed * 1.5 <= room ? .fitsWell : needed * 1.1 <= room ? .fits : needed <= room ? .tight : .doesNotFit
  }

  /// The file to fetch where none is named: the usual form that fits best, of what is one file.
  static func pick(_ files: [HubFile], memory: MachineMemory) -> HubFile? {
    let whole = files.filter {
      let name = $0.file.lowercased()
      return name.hasSuffix(".gguf") && !name.contains("mmproj") && !SplitModel.isLaterPart($0.file)
    }.map { file in
      // The first part of a split model stands for all.
      var file = file
      let parts = Set(SplitModel.parts(file.file))
      if parts.count > 1 { file.bytes = files.reduce(0) { parts.contains($1.file) ? $0 + $1.bytes : $0 } }
      return file
    }
    return whole.min { left, right in
      func key(_ file: HubFile) -> (Verdict, Int, Int) {
        (
          max(verdict(of: file.bytes, memory: memory), .fits),
          Catalogue.rank(QuantizationName.find(in: file.file) ?? ""), file.bytes
        )
      }
      return key(left) < key(right)
    }
  }

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
      let best = Self.pick(files, memory: memory)
      for file in files.sorted(by: { ($0.bytes, $0.file) < ($1.bytes, $1.file) }) {
        table.add([
          (file.file == best?.file ? "* " : "  ") + file.file, QuantizationName.find(in: file.file) ?? "",
          Program.size(file.bytes), Self.verdict(of: file.bytes, memory: memory).rawValue,
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
                ("verdict", .string(Self.verdict(of: $0.bytes, memory: memory).rawValue)),
              ])
            })
        )
      ])
  }
}
