import CGLib
import CPoppler
import Documents

/// Outline ("bookmarks") of a PDF, flattened in order.
struct PDFOutline {
  /// Entry of the outline.
  struct Entry {
    var title: String
    /// Level, from 1, the outermost.
    var level: Int
    /// Target page, from 1.
    var page: Int
  }

  private(set) var entries: [Entry] = []
  private let document: OpaquePointer

  /// Largest number of entries, beyond any real outline; a damaged one can contain itself.
  private static let maximumCount = 20_000
  private static let maximumDepth = 32

  init(_ document: borrowing PopplerFile) {
    self.document = document.document
    guard let root = poppler_index_iter_new(document.document) else { return }
    var visited = 0
    collect(root, level: 1, visited: &visited)
  }

  /// Collects the entries of an iterator and frees it.
  private mutating func collect(_ iterator: OpaquePointer, level: Int, visited: inout Int) {
    defer { poppler_index_iter_free(iterator) }
    repeat {
      visited += 1
      if visited > Self.maximumCount { return }
      if let action = poppler_index_iter_get_action(iterator) {
        if let entry = entry(of: action.pointee, level: level) { entries.append(entry) }
        poppler_action_free(action)
      }
      if level < Self.maximumDepth, let child = poppler_index_iter_get_child(iterator) {
        collect(child, level: level + 1, visited: &visited)
      }
    } while poppler_index_iter_next(iterator) != 0
  }

  private func entry(of action: PopplerAction, level: Int) -> Entry? {
    guard action.type == POPPLER_ACTION_GOTO_DEST, let title = action.any.title,
      let destination = action.goto_dest.dest
    else { return nil }
    let name = LineText.collapsed(String(cString: title))
    if name.isEmpty { return nil }
    var page = Int(destination.pointee.page_num)
    if destination.pointee.type == POPPLER_DEST_NAMED, let named = destination.pointee.named_dest,
      let found = poppler_document_find_dest(document, named)
    {
      page = Int(found.pointee.page_num)
      poppler_dest_free(found)
    }
    return page > 0 ? Entry(title: name, level: level, page: page) : nil
  }
}

extension PDFOutline {
  /// Marks the lines that print an outline entry as headings, on the page that the entry names.
  /// - Returns: the number of entries found in print.
  func mark(_ pages: inout [PrintedPage]) -> Int {
    var found = 0
    let places = Dictionary(pages.indices.map { (pages[$0].number, $0) }, uniquingKeysWith: { first, _ in first })
    for entry in entries {
      guard let place = places[entry.page] else { continue }
      let wanted = Self.folded(entry.title)
      if wanted.isEmpty { continue }
      if let lines = Self.find(wanted, in: pages[place].lines) {
        for (offset, line) in lines.enumerated() {
          pages[place].lines[line].role = .heading(level: min(entry.level, 6))
          pages[place].lines[line].startsBlock = offset == 0
        }
        found += 1
      }
    }
    return found
  }

  /// Finds the lines, up to three in a row, that together are the title; a number before it may be missing on either
  /// side.
  private static func find(_ wanted: String, in lines: [PrintedLine]) -> ClosedRange<Int>? {
    for start in lines.indices where lines[start].role == .body {
      var text = ""
      for end in start...min(start + 2, lines.count - 1) {
        text += folded(lines[end].text)
        if text == wanted || withoutNumber(text) == withoutNumber(wanted), text.count >= 2 {
          return start...end
        }
        if text.utf8.count > wanted.utf8.count + 12 { break }
      }
    }
    return nil
  }

  /// Returns letters and digits alone, in lower case: titles differ from print in spaces, dots and ligatures.
  static func folded(_ text: String) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in text.unicodeScalars where scalar.properties.isAlphabetic || scalar.properties.numericType != nil
    {
      kept.append(contentsOf: scalar.properties.lowercaseMapping.unicodeScalars)
    }
    guard String(kept).utf8.contains(where: { $0 >= 0x80 }),
      let normal = g_utf8_normalize(String(kept), -1, G_NORMALIZE_NFKC)
    else { return String(kept) }
    defer { g_free(normal) }
    return String(cString: normal)
  }

  private static func withoutNumber(_ folded: String) -> Substring {
    let rest = folded.drop { $0.isNumber }
    return rest.isEmpty ? folded[...] : rest
  }
}
