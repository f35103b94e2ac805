import Documents

/// Headings and lists defined by the styles of a DOCX.
struct WordStyles {
  private struct Style {
    var name = ""
    var parent: String?
    var outlineLevel: Int?
    var list: WordNumbering.Place?
  }

  private var styles: [String: Style] = [:]

  init(_ content: [UInt8]?) throws(ReadingFailure) {
    guard let content else { return }
    var scanner = try XMLScanner(content, part: "styles.xml")
    var (id, style) = ("", Style())
    while let token = try scanner.next() {
      switch token {
      case .start(let element):
        switch element.name {
        case "style": (id, style) = (element["styleId"] ?? "", Style())
        case "name": style.name = element["val"]?.lowercased() ?? ""
        case "basedOn": style.parent = element["val"]
        case "outlineLvl": style.outlineLevel = element["val"].flatMap { Int($0) }
        case "numId": style.list = .init(list: element["val"] ?? "", level: style.list?.level ?? 0)
        case "ilvl":
          style.list = .init(list: style.list?.list ?? "", level: element["val"].flatMap { Int($0) } ?? 0)
        default: break
        }
      case .end("style"): styles[id] = style
      default: break
      }
    }
  }

  /// Returns the heading level of a style, from 1; nil for body text.
  func headingLevel(_ id: String) -> Int? {
    for style in chain(id) {
      if style.name == "title" { return 1 }
      if style.name.hasPrefix("heading "), let level = Int(style.name.dropFirst(8)) {
        return min(max(level, 1), 6)
      }
      if let level = style.outlineLevel { return (0..<9).contains(level) ? min(level + 1, 6) : nil }
    }
    return nil
  }

  /// Returns the list and level of a style.
  func list(_ id: String) -> WordNumbering.Place? {
    chain(id).lazy.compactMap(\.list).first { !$0.list.isEmpty }
  }

  /// Returns the style and those that it is based on, nearest first; a cycle is cut.
  private func chain(_ id: String) -> [Style] {
    var (chain, next) = ([Style](), Optional(id))
    while let id = next, let style = styles[id], chain.count < 20 {
      chain.append(style)
      next = style.parent
    }
    return chain
  }
}

/// List marks of a DOCX, which are counted instead of stored.
struct WordNumbering {
  /// Level of a list.
  struct Place: Equatable {
    var list: String
    var level: Int
  }

  private struct Level {
    var format = "decimal"
    var text = "%1."
    var start = 1
  }

  private var kinds: [String: [Int: Level]] = [:]
  private var lists: [String: String] = [:]
  private var counters: [String: [Int: Int]] = [:]

  init(_ content: [UInt8]?) throws(ReadingFailure) {
    guard let content else { return }
    var scanner = try XMLScanner(content, part: "numbering.xml")
    var (kind, list, level) = ("", "", 0)
    while let token = try scanner.next() {
      guard case .start(let element) = token else { continue }
      let value = element["val"] ?? ""
      switch element.name {
      case "abstractNum": (kind, list) = (element["abstractNumId"] ?? "", "")
      case "num": (kind, list) = ("", element["numId"] ?? "")
      case "abstractNumId": if !list.isEmpty { lists[list] = value }
      case "lvl":
        level = element["ilvl"].flatMap { Int($0) } ?? 0
        if !kind.isEmpty { kinds[kind, default: [:]][level] = Level() }
      case "numFmt": if !kind.isEmpty { kinds[kind]?[level]?.format = value }
      case "lvlText": if !kind.isEmpty { kinds[kind]?[level]?.text = value }
      case "start": if !kind.isEmpty { kinds[kind]?[level]?.start = Int(value) ?? 1 }
      default: break
      }
    }
  }

  /// Returns the mark of the next paragraph at that level, with a space behind it; nil where none is printed.
  mutating func mark(_ place: Place) -> String? {
    guard place.list != "0", let kind = lists[place.list], let levels = kinds[kind],
      let level = levels[place.level]
    else { return nil }
    if level.format == "none" { return nil }
    if level.format == "bullet" { return "• " }
    // Lists of one kind continue the count of the last one.
    var numbers = counters[kind] ?? [:]
    let next = numbers[place.level].map { $0 &+ 1 } ?? level.start
    numbers[place.level] = next
    for deeper in numbers.keys where deeper > place.level { numbers[deeper] = nil }
    counters[kind] = numbers
    var text = level.text
    for upper in 0...max(min(place.level, 8), 0) {
      let number = numbers[upper] ?? levels[upper]?.start ?? 1
      let format = upper == place.level ? level.format : levels[upper]?.format ?? "decimal"
      text = Self.replacing("%\(upper + 1)", in: text, with: Ordinal.text(number, format: format))
    }
    return text.isEmpty ? nil : text + " "
  }

  private static func replacing(_ mark: String, in text: String, with replacement: String) -> String {
    text.split(separator: mark, omittingEmptySubsequences: false).joined(separator: replacement)
  }
}

/// Formats the numbers of list marks.
enum Ordinal {
  /// - Parameter format: as DOCX names it: `decimal`, `lowerLetter`, `upperRoman` and so on.
  static func text(_ number: Int, format: String) -> String {
    switch format {
    case "lowerLetter": letters(number)
    case "upperLetter": letters(number).uppercased()
    case "lowerRoman": roman(number).lowercased()
    case "upperRoman": roman(number)
    case "decimalZero": number < 10 ? "0\(number)" : "\(number)"
    default: "\(number)"
    }
  }

  private static func letters(_ number: Int) -> String {
    guard (1...702).contains(number), let letter = Unicode.Scalar(UInt32(97 + (number - 1) % 26)) else {
      return "\(number)"
    }
    // Word repeats the letter: z, aa, bb.
    return String(repeating: String(letter), count: (number - 1) / 26 + 1)
  }

  private static func roman(_ number: Int) -> String {
    guard (1...3999).contains(number) else { return "\(number)" }
    var (rest, text) = (number, "")
    let steps = [
      (1000, "M"), (900, "CM"), (500, "D"), (400, "CD"), (100, "C"), (90, "XC"), (50, "L"), (40, "XL"), (10, "X"),
      (9, "IX"), (5, "V"), (4, "IV"), (1, "I"),
    ]
    for (value, mark) in steps {
      while rest >= value {
        text += mark
        rest -= value
      }
    }
    return text
  }
}
