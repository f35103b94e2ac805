import Foundation

/// Parsed prompt: weighted texts and the requested LoRAs.
struct PromptText: Sendable, Equatable {
  /// Texts in order; a single one of weight 1 if nothing is weighted.
  private(set) var parts: [Part] = []
  /// LoRAs requested by `<lora:name:0.8>`.
  private(set) var loras: [LoRAName] = []

  struct Part: Sendable, Equatable {
    var text: String
    var weight: Double
  }

  struct LoRAName: Sendable, Equatable, Hashable {
    var name: String
    var strength: Double
  }

  /// Parses `(words:1.3)`, which may be nested, `\(` and `\)` for plain parentheses, and `<lora:name:0.8>`.
  ///
  /// Parentheses without a weight are text, as in diffusers.
  init(_ prompt: String) {
    let characters = Array(takeLoRAs(from: prompt))
    read(characters[...], weight: 1)
    if parts.isEmpty { parts = [Part(text: "", weight: 1)] }
  }

  /// Texts without weights and LoRAs.
  var plain: String { parts.map(\.text).joined() }
  /// Indicates whether any text has a weight other than 1.
  var isWeighted: Bool { parts.contains { $0.weight != 1 } }

  private static let maximumWeight = 10.0

  private mutating func takeLoRAs(from prompt: String) -> String {
    var (result, rest) = ("", prompt[...])
    while let start = rest.range(of: "<lora:") {
      guard let end = rest[start.upperBound...].firstIndex(of: ">") else { break }
      let words = rest[start.upperBound..<end].split(separator: ":", omittingEmptySubsequences: false)
      let strength = words.count > 1 ? Double(words[1].filter { $0 != " " }) : 1
      result += rest[..<start.lowerBound]
      if let name = words.first, !name.isEmpty, let strength, strength.isFinite,
        abs(strength) <= Self.maximumWeight
      {
        loras.append(LoRAName(name: String(name), strength: strength))
      } else {
        result += rest[start.lowerBound...end]
      }
      rest = rest[rest.index(after: end)...]
    }
    return result + rest
  }

  private mutating func read(_ text: ArraySlice<Character>, weight: Double, depth: Int = 0) {
    var place = text.startIndex
    var plain = ""
    while place < text.endIndex {
      if text[place] == "\\", place + 1 < text.endIndex, "()\\".contains(text[place + 1]) {
        plain.append(text[place + 1])
        place += 2
      } else if depth < 16, text[place] == "(", let group = Self.group(text[place...]) {
        add(plain, weight)
        plain = ""
        read(group.inner, weight: weight * group.weight, depth: depth + 1)
        place = group.end
      } else {
        plain.append(text[place])
        place += 1
      }
    }
    add(plain, weight)
  }

  /// Returns the group that begins at a parenthesis, if it ends with a weight.
  private static func group(
    _ text: ArraySlice<Character>
  ) -> (inner: ArraySlice<Character>, weight: Double, end: Int)? {
    var depth = 0
    var place = text.startIndex
    var colon: Int?
    while place < text.endIndex {
      switch text[place] {
      case "\\": place += 1
      case "(": depth += 1
      case ":" where depth == 1: colon = place
      case ")":
        depth -= 1
        guard depth == 0 else { break }
        guard let colon, let weight = Double(String(text[(colon + 1)..<place]).filter { $0 != " " }),
          (0...maximumWeight).contains(weight)
        else { return nil }
        return (text[(text.startIndex + 1)..<colon], weight, place + 1)
      default: break
      }
      place += 1
    }
    return nil
  }

  private mutating func add(_ text: String, _ weight: Double) {
    guard !text.isEmpty else { return }
    if let last = parts.last, last.weight == weight {
      parts[parts.count - 1].text += text
    } else {
      parts.append(Part(text: text, weight: weight))
    }
  }
}
