import JSON
import ModelStore

/// Files that a search of the hub found, for people and for programs.
package struct HubListing {
  private let files: [HubFile]
  private let memory: MachineMemory

  /// Judges files by the memory that is free.
  @MainActor
  package init(_ files: [HubFile], _ host: ModelHost) { (self.files, memory) = (files, host.memory()) }

  /// A repository: its title, how often it was fetched of late, and the name, form, size and verdict of each file.
  package struct Section {
    package let title: String
    package let note: String
    package let rows: [[String]]
  }

  /// The repositories in the order they were found.
  package var sections: [Section] {
    grouped.map { repository, files in
      let best = HubChoice.pick(files, memory: memory)
      return Section(
        title: "hf:\(repository)",
        note: files.first?.downloads.map { "  (fetched \($0) times of late)" } ?? "",
        rows: files.sorted { ($0.bytes, $0.file) < ($1.bytes, $1.file) }.map { file in
          [
            (file.file == best?.file ? "* " : "  ") + file.file, QuantizationName.find(in: file.file) ?? "",
            file.bytes.memorySize, HubChoice.verdict(of: file.bytes, memory: memory).rawValue,
          ]
        })
    }
  }

  private var grouped: [(String, [HubFile])] {
    var order: [String] = []
    for file in files where !order.contains(file.repository) { order.append(file.repository) }
    return order.map { name in (name, files.filter { $0.repository == name }) }
  }

  /// The listing as a document.
  package var json: JSON {
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
