import Foundation
import Images

/// Vocabulary of the sketcher: all its drawings, read from the files of `Resources/Sketches`.
package struct SketchVocabulary: Sendable {
  struct Entry: Sendable {
    let name: String
    let settings: [String: String]
    let lines: [String]
    let file: String
    let line: Int
  }

  private let entries: [String: Entry]
  /// Subjects by name, including synonyms.
  private let canonical: [String: String]
  /// Number of words of the longest name.
  let longestName: Int

  /// Names of the subjects without synonyms, in alphabetical order.
  package var subjects: [String] { entries.keys.sorted() }

  /// Names of the subjects with synonyms, in alphabetical order.
  package var names: [String] { canonical.keys.sorted() }

  /// Reads all files of a folder whose names end in `.sketch`.
  /// - Throws: ``ImageError/badSketchFile(file:line:reason:)``.
  package init(folder: URL) throws(ImageError) {
    var entries: [String: Entry] = [:]
    var canonical: [String: String] = [:]
    let files: [String]
    do { files = try FileManager.default.contentsOfDirectory(atPath: folder.path) } catch {
      throw .badSketchFile(file: folder.path, line: 0, reason: "the folder cannot be read")
    }
    for file in files.sorted() where file.hasSuffix(".sketch") {
      guard let data = FileManager.default.contents(atPath: folder.appending(path: file).path) else {
        throw .badSketchFile(file: file, line: 0, reason: "the file cannot be read")
      }
      for (entry, names) in try Self.entries(in: String(decoding: data, as: UTF8.self), file: file) {
        for name in names {
          guard canonical.updateValue(entry.name, forKey: name) == nil else {
            throw .badSketchFile(file: file, line: entry.line, reason: "'\(name)' names two drawings")
          }
        }
        entries[entry.name] = entry
      }
    }
    self.entries = entries
    self.canonical = canonical
    longestName = canonical.keys.map { $0.split(separator: " ").count }.max() ?? 1
  }

  /// Finds the subject that some words name, in the singular or plural.
  func subject(named words: String) -> (name: String, isPlural: Bool)? {
    if let name = canonical[words] { return (name, false) }
    for singular in EnglishPlural.singulars(of: words) {
      if let name = canonical[singular] { return (name, true) }
    }
    return nil
  }

  /// Builds a subject with its drawing.
  func subject(_ name: String) throws(ImageError) -> SketchSubject {
    guard let entry = entries[name] else {
      throw .badSketchFile(file: name, line: 0, reason: "there is no such subject")
    }
    return try build(entry, depth: 0)
  }

  /// Returns the place of a subject in scenes, without reading its drawing.
  func place(of name: String) -> SketchSubject.Place {
    entries[name]?.settings["at"].flatMap(SketchSubject.Place.init) ?? .ground
  }

  /// Returns the landscape a word stands for, and the things that belong to it.
  func scene(of name: String) -> (scene: SketchSetting.Scene, adds: [String])? {
    guard let entry = entries[name], let scene = entry.settings["scene"].flatMap(SketchSetting.Scene.init) else {
      return nil
    }
    return (scene, entry.settings["adds"]?.split(separator: ",").map(String.init) ?? [])
  }

  /// Indicates whether a subject has an anchor, such as a head.
  func hasAnchor(_ anchor: String, _ name: String) -> Bool { hasSlot(anchor, in: name) }

  /// Indicates whether a subject has a colour slot.
  func hasSlot(_ slot: String, in name: String) -> Bool {
    guard let entry = entries[name] else { return false }
    return entry.settings[slot] != nil || entry.settings["like"].map { hasSlot(slot, in: $0) } ?? false
  }

  private func build(_ entry: Entry, depth: Int) throws(ImageError) -> SketchSubject {
    var base: SketchSubject?
    if let model = entry.settings["like"], let other = entries[model] {
      guard depth < 4 else {
        throw .badSketchFile(
          file: entry.file, line: entry.line, reason: "its chain of 'like' is longer than 4 or a circle")
      }
      base = try build(other, depth: depth + 1)
    }
    var slots = base?.slots ?? [:]
    var anchors = base?.anchors ?? [:]
    for (key, value) in entry.settings where !["at", "h", "like", "scene", "adds"].contains(key) {
      if Self.anchorNames.contains(key) {
        anchors[key] = value.split(separator: ",").compactMap { Double($0) }
      } else {
        slots[key] = try colour(value, entry)
      }
    }
    var drawing = base?.drawing ?? Drawing()
    if !entry.lines.isEmpty {
      do { drawing.steps += try DrawingReader.read(entry.lines.map { $0[...] }).steps } catch {
        throw .badSketchFile(file: entry.file, line: entry.line, reason: error.reason)
      }
    }
    return SketchSubject(
      name: entry.name, place: place(of: entry.name),
      height: entry.settings["h"].flatMap { Double($0) } ?? base?.height ?? 40, slots: slots, anchors: anchors,
      drawing: drawing, bounds: drawing.bounds { part($0)?.drawing })
  }

  static let anchorNames: Set<String> = ["head", "face", "hand", "seat", "inside"]

  /// Returns a drawing used as a part of another one, with its own colours; `-` in the name stands for a space.
  func part(_ name: String) -> (drawing: Drawing, slots: [String: Colour])? {
    guard let entry = entries[name] ?? entries[name.replacing("-", with: " ")] else { return nil }
    var slots: [String: Colour] = [:]
    for (key, value) in entry.settings {
      if let name = try? DrawingReader.colour(value[...]), let colour = Self.fixedColour(name.base) {
        slots[key] = colour
      }
    }
    guard let drawing = try? DrawingReader.read(entry.lines.map { $0[...] }) else { return nil }
    return (drawing, slots)
  }

  private func colour(_ word: String, _ entry: Entry) throws(ImageError) -> Colour {
    guard let name = try? DrawingReader.colour(word[...]), let base = Self.fixedColour(name.base) else {
      throw .badSketchFile(file: entry.file, line: entry.line, reason: "'\(word)' is not a colour")
    }
    return name.steps > 0
      ? base.lighter(0.28 * Double(name.steps)) : base.darker(-0.22 * Double(name.steps))
  }

  /// Parses a colour: a name, or six hexadecimal digits after `#`.
  static func fixedColour(_ name: String) -> Colour? {
    if name.hasPrefix("#") { return UInt32(name.dropFirst(), radix: 16).map { Colour($0) } }
    return (ColourTable.drawn[name] ?? ColourTable.named[name] ?? ColourTable.materials[name]).map { Colour($0) }
  }

  // MARK: Reading

  private static func entries(in text: String, file: String) throws(ImageError) -> [(Entry, [String])] {
    var found: [(Entry, [String])] = []
    var open: (names: [String], settings: [String: String], lines: [String], line: Int)?
    func close() {
      guard let open, let name = open.names.first else { return }
      let entry = Entry(name: name, settings: open.settings, lines: open.lines, file: file, line: open.line)
      found.append((entry, open.names))
    }
    for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      let bare = line.trimmedSpaces
      if bare.isEmpty || bare.hasPrefix("//") { continue }
      guard bare.hasPrefix("=") else {
        if open == nil {
          throw .badSketchFile(file: file, line: index + 1, reason: "a drawing begins with '= NAME'")
        }
        open?.lines.append(bare)
        continue
      }
      close()
      let parts = bare.dropFirst().split(separator: ":", maxSplits: 1)
      let names = (parts.first ?? "").split(separator: ",").map(\.trimmedSpaces)
      var settings: [String: String] = [:]
      for word in (parts.count > 1 ? parts[1] : "").split(separator: " ") {
        let pair = word.split(separator: "=", maxSplits: 1)
        guard pair.count == 2 else {
          throw .badSketchFile(file: file, line: index + 1, reason: "'\(word)' is not KEY=VALUE")
        }
        settings[String(pair[0])] = String(pair[1])
      }
      if names.contains("") || names.isEmpty {
        throw .badSketchFile(file: file, line: index + 1, reason: "a name is empty")
      }
      open = (names, settings, [], index + 1)
    }
    close()
    return found
  }
}

extension Substring {
  /// Text without spaces at both ends.
  fileprivate var trimmedSpaces: String {
    var text = self
    while text.first == " " || text.first == "\t" { text.removeFirst() }
    while text.last == " " || text.last == "\t" || text.last == "\r" { text.removeLast() }
    return String(text)
  }
}

/// English plurals.
enum EnglishPlural {
  private static let irregular = [
    "men": "man", "women": "woman", "children": "child", "people": "person", "mice": "mouse", "geese": "goose",
    "feet": "foot", "teeth": "tooth", "wolves": "wolf", "leaves": "leaf", "knives": "knife", "calves": "calf",
    "loaves": "loaf", "shelves": "shelf", "scarves": "scarf", "oxen": "ox", "cacti": "cactus", "fungi": "fungus",
    "octopi": "octopus", "snowmen": "snowman", "firemen": "fireman", "policemen": "policeman", "kids": "kid",
    "gentlemen": "gentleman", "dwarves": "dwarf", "elves": "elf", "thieves": "thief", "wives": "wife",
    "fishes": "fish", "sheep": "sheep", "buses": "bus", "butterflies": "butterfly",
  ]
  /// Returns the possible singulars of a word, likeliest first; only the last word changes.
  static func singulars(of words: String) -> [String] {
    let parts = words.split(separator: " ")
    guard let last = parts.last.map(String.init) else { return [] }
    let lead = parts.dropLast().map { $0 + " " }.joined()
    var found: [String] = []
    if let known = irregular[last] { found.append(known) }
    if last.hasSuffix("ies"), last.count > 4 { found.append(last.dropLast(3) + "y") }
    if last.hasSuffix("s"), !last.hasSuffix("ss"), last.count > 2 { found.append(String(last.dropLast())) }
    if last.hasSuffix("es"), last.count > 3 { found.append(String(last.dropLast(2))) }
    if last.hasSuffix("ves"), last.count > 4 { found += [last.dropLast(3) + "f", last.dropLast(3) + "fe"] }
    return found.map { lead + $0 }
  }
}
