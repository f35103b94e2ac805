import Foundation

/// The models worth fetching: those that come with the program, and those a user adds or changes.
package struct Catalogue: Sendable, Equatable {
  /// The entries, in the order of the files.
  package let entries: [CatalogueEntry]

  private struct Document: Codable {
    var version: Int
    var models: [CatalogueEntry]
  }

  /// Makes a catalogue of entries.
  package init(entries: [CatalogueEntry]) { self.entries = entries }

  /// Reads the program's catalogue and lays the user's over it: an entry of the same name takes the other's place.
  package init(_ file: URL, user: URL? = nil) throws(ModelStoreError) {
    var entries = try Self.read(file)
    if let user, FileManager.default.fileExists(atPath: user.path) {
      for entry in try Self.read(user) {
        if let index = entries.firstIndex(where: { $0.name == entry.name }) {
          entries[index] = entry
        } else {
          entries.append(entry)
        }
      }
    }
    self.entries = entries
  }

  /// The entry of a name, in any case; the name may be followed by `:` and a quantization.
  package func entry(_ name: String) -> CatalogueEntry? {
    let base = (name.split(separator: ":").first.map(String.init) ?? name).lowercased()
    return entries.first { $0.name.lowercased() == base }
  }

  /// An entry with the form of it that suits a machine.
  package struct Choice: Sendable, Equatable {
    /// The model.
    package var entry: CatalogueEntry
    /// The form picked.
    package var file: CatalogueEntry.File
    /// Verdict on its fit with the memory of this machine.
    package var verdict: Verdict
    /// Indicates whether it is the one to begin with.
    package var isRecommended = false
  }

  /// Every entry with its form picked for a machine, the recommended one first, then what fits, the most capable first.
  package func choices(memory: MachineMemory) -> [Choice] {
    var choices = entries.compactMap { Self.pick($0, memory: memory) }
    choices.sort {
      ($0.entry.kind != .text ? 1 : 0, $0.verdict, -$0.entry.parameters, $0.entry.name)
        < ($1.entry.kind != .text ? 1 : 0, $1.verdict, -$1.entry.parameters, $1.entry.name)
    }
    if let best = Self.recommended(choices, memory: memory) {
      var choice = choices.remove(at: best)
      choice.isRecommended = true
      choices.insert(choice, at: 0)
    }
    return choices
  }

  /// The form of a model to fetch: the first of the usual order that fits at least as well as any other, so that a
  /// finer one is never picked at the price of a worse fit.
  package static func pick(_ entry: CatalogueEntry, memory: MachineMemory) -> Choice? {
    let judged = entry.files.map { Choice(entry: entry, file: $0, verdict: entry.verdict(of: $0, memory: memory)) }
    // Of pictures, eight bits take little more than four.
    func place(_ file: CatalogueEntry.File) -> Int {
      entry.kind == .diffusion && file.quantization == "Q8_0" ? -1 : rank(file.quantization)
    }
    return judged.min { left, right in
      (max(left.verdict, .fits), place(left.file), entry.byteCount(of: left.file))
        < (max(right.verdict, .fits), place(right.file), entry.byteCount(of: right.file))
    }
  }

  /// Judges by memory: up to 3 B parameters with 8 GB, up to 7 B with less than 12 GB, more beyond.
  private static func recommended(_ choices: [Choice], memory: MachineMemory) -> Int? {
    let gibibytes = Double(memory.available) / Double(1 << 30)
    let most = gibibytes < 3 ? 1.3e9 : gibibytes < 8 ? 3.3e9 : gibibytes < 12 ? 8.3e9 : 1.5e10
    return choices.indices.first {
      choices[$0].entry.kind == .text && choices[$0].verdict <= .fits
        && Double(choices[$0].entry.parameters) <= most
    }
  }

  /// A form's place in the usual order; unknown ones come last.
  package static func rank(_ quantization: String) -> Int {
    QuantizationName.preference.firstIndex(of: quantization.uppercased()) ?? QuantizationName.preference.count
  }

  private static func read(_ file: URL) throws(ModelStoreError) -> [CatalogueEntry] {
    do {
      let document = try JSONDecoder().decode(Document.self, from: Data(contentsOf: file))
      guard document.version == 1 else {
        throw ModelStoreError.catalogue(path: file.path, fault: .unknownVersion(document.version))
      }
      for entry in document.models {
        guard !entry.files.isEmpty, entry.parameters > 0, entry.context > 0,
          entry.files.allSatisfy({ ($0.bytes ?? 1) > 0 })
        else { throw ModelStoreError.catalogue(path: file.path, fault: .incompleteEntry(name: entry.name)) }
      }
      return document.models
    } catch let error as ModelStoreError {
      throw error
    } catch {
      throw .catalogue(path: file.path, fault: .unreadable(detail: "\(error)"))
    }
  }
}
