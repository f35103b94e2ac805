import Documents

/// Splits a document into passages, by its structure first (sections, paragraphs, lists, tables, code), then by
/// sentences.
///
/// Every passage is a contiguous range of the ``RunningText`` of the document's pages, so that its text can be read
/// again from its span. A sentence is divided only where it alone is longer than a passage. Takes time linear in the
/// text.
package struct Chunker: Sendable {
  private let target: Int
  private let overlap: Int

  /// Makes a chunker.
  package init(settings: ChunkingSettings = .standard) {
    target = settings.wordCount * WordLength.word
    overlap = settings.overlapWordCount * WordLength.word
  }

  /// Returns the passages of a document in order.
  package func passages(of document: ExtractedDocument) -> [Passage] {
    let running = RunningText(pages: document.pages)
    let outline = Outline(running: running, document: document, longestUnit: target)
    var passages: [Passage] = []
    for group in groups(of: outline.units) {
      let units = outline.units[group]
      guard let first = units.first, let last = units.last else { continue }
      let range = first.range.lowerBound..<last.range.upperBound
      passages.append(
        Passage(
          text: running[range], headings: outline.headings(of: units), span: running.span(of: range),
          form: Self.form(of: units)))
    }
    return passages
  }

  // MARK: Packing

  /// Returns the range of units of each passage; neighbouring ranges overlap where passages do.
  private func groups(of units: [OutlineUnit]) -> [Range<Int>] {
    var groups: [Range<Int>] = []
    // Prefix sums of the lengths.
    var sums = [0]
    sums.reserveCapacity(units.count + 1)
    for unit in units { sums.append(sums[sums.count - 1] + unit.length) }
    func length(_ range: Range<Int>) -> Int { sums[range.upperBound] - sums[range.lowerBound] }

    var start = 0
    // The first unit that no passage holds yet.
    var fresh = 0
    var index = 0
    while index < units.count {
      let unit = units[index]
      if index > start {
        let open = length(start..<index)
        if breaksSection(units, at: index, open: open) {
          groups.append(start..<index)
          (start, fresh) = (index, index)
        } else if !fits(unit, open: open, length(index..<unit.blockEnd), length(index..<unit.sectionEnd)) {
          var end = index
          // A heading belongs to what follows it.
          while end > fresh + 1, units[end - 1].isHeading { end -= 1 }
          if units[end - 1].isHeading { end = index }
          groups.append(start..<end)
          fresh = end
          start = overlapStart(units, in: start..<end, before: unit.length, length: length)
        }
      }
      index += 1
    }
    if start < units.count { groups.append(start..<units.count) }
    return groups
  }

  private func breaksSection(_ units: [OutlineUnit], at index: Int, open: Int) -> Bool {
    if units[index].startsPart { return true }
    return units[index].isHeading && !units[index - 1].isHeading && open * 4 >= target
  }

  /// Indicates whether a unit fits the open passage.
  private func fits(_ unit: OutlineUnit, open: Int, _ restOfBlock: Int, _ restOfSection: Int) -> Bool {
    if open + restOfSection <= target + target / 8 { return true }
    if unit.startsBlock, open * 2 >= target, restOfBlock <= target { return open + restOfBlock <= target }
    return open + unit.length <= target
  }

  /// Returns the first unit of the next passage, so that it repeats the end of the last.
  private func overlapStart(
    _ units: [OutlineUnit], in group: Range<Int>, before next: Int, length: (Range<Int>) -> Int
  ) -> Int {
    var start = group.upperBound
    while start - 1 > group.lowerBound, units[start - 1].repeats,
      length(start - 1..<group.upperBound) <= overlap,
      length(start - 1..<group.upperBound) + next <= target
    {
      start -= 1
    }
    return start
  }

  private static func form(of units: ArraySlice<OutlineUnit>) -> PassageForm {
    var lengths: [PassageForm: Int] = [:]
    for unit in units { lengths[unit.form, default: 0] += unit.length }
    let order: [PassageForm] = [.prose, .list, .table, .code]
    return order.max { lengths[$0, default: 0] < lengths[$1, default: 0] } ?? .prose
  }
}
