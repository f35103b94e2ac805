/// Writes an answer as it streams: on a terminal with light Markdown and word wrap; elsewhere unchanged.
///
/// Text is made safe for a terminal first. Headings, lists, quotes, fenced code, `**bold**`, `` `code` `` and
/// citations such as `[1]` are rendered; anything else is text.
package final class AnswerRenderer {
  private let output: OutputChannel
  private var sanitizer = TextSanitizer()
  private var wrapper: WrappingWriter
  private let isRaw: Bool
  private var block = Block.undecided
  /// Beginning of a line whose kind is not known yet.
  private var head = ""
  /// Text of the line whose marks are not known yet.
  private var held = ""
  private var lastRaw: Unicode.Scalar?

  private enum Block: Equatable {
    case undecided, text, heading, preformatted
    case openingFence, closingFence
    case code(isLineBegun: Bool)
  }

  /// Longest bold or code text that is held back until its end, in characters.
  private static let longestMark = 240

  /// Makes a renderer that writes to a channel; Markdown is rendered where that is a terminal.
  package init(output: OutputChannel) {
    self.output = output
    isRaw = !output.isTerminal
    wrapper = WrappingWriter(output: output)
  }

  /// Indicates whether anything was written.
  package private(set) var hasWritten = false

  /// Writes the next piece, which may end anywhere.
  package func write(_ piece: String) { show(sanitizer.clean(piece)) }

  /// Writes the text held back and ends the line.
  package func finish() {
    show(sanitizer.finish())
    if isRaw {
      if let lastRaw, lastRaw != "\n" { output.write("\n") }
      lastRaw = nil
      return
    }
    endLine(isLast: true)
    block = .undecided
  }

  private func show(_ text: String) {
    guard !text.isEmpty else { return }
    hasWritten = true
    if isRaw {
      lastRaw = text.unicodeScalars.last
      output.write(text)
      return
    }
    for part in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
      if part.offset > 0 { endLine(isLast: false) }
      if !part.element.isEmpty { showInLine(String(part.element)) }
    }
    output.flush()
  }

  private func showInLine(_ text: String) {
    switch block {
    case .undecided:
      head += text
      decide(isWhole: false)
    case .code(isLineBegun: false):
      head += text
      beginCodeLine(isWhole: false)
    case .code(isLineBegun: true): output.write(output.ink(text, .code))
    case .preformatted: output.write(text)
    case .openingFence, .closingFence: break
    case .text, .heading:
      held += text
      release(isWhole: false)
    }
  }

  // MARK: Lines

  /// Tells a line of code from the closing fence, once enough of it has arrived.
  private func beginCodeLine(isWhole: Bool) {
    let body = head.drop { $0 == " " }
    if body.hasPrefix("```") {
      block = .closingFence
    } else if isWhole || !"```".hasPrefix(body) {
      block = .code(isLineBegun: true)
      output.write("  " + output.ink(head, .code))
    } else {
      return
    }
    head = ""
  }

  private func endLine(isLast: Bool) {
    if block == .undecided, !head.isEmpty { decide(isWhole: true) }
    if case .code(isLineBegun: false) = block, !head.isEmpty { beginCodeLine(isWhole: true) }
    switch block {
    case .undecided, .code(isLineBegun: false): if !isLast { output.write("\n") }
    case .code(isLineBegun: true):
      output.write("\n")
      block = .code(isLineBegun: false)
    case .preformatted:
      output.write("\n")
      block = .undecided
    case .text, .heading:
      release(isWhole: true)
      wrapper.endLine()
      block = .undecided
    case .openingFence: block = .code(isLineBegun: false)
    case .closingFence: block = .undecided
    }
  }

  /// Determines the kind of the line, once enough of it has arrived.
  private func decide(isWhole: Bool) {
    guard let start = LineStart(head, isWhole: isWhole) else { return }
    head = ""
    switch start.kind {
    case .fence:
      block = .openingFence
    case .table:
      block = .preformatted
      output.write(start.rest)
    case .heading:
      block = .heading
      wrapper.begin(first: "", indent: 0, style: .heading)
      held = start.rest
    case .text(let first):
      block = .text
      wrapper.begin(first: first, indent: CharacterWidth.columns(of: first), style: .plain)
      held = start.rest
    }
    if block == .text || block == .heading { release(isWhole: false) }
  }

  // MARK: Marks within a line

  /// Writes the part of the held text that is certain; all of it when the line has ended.
  private func release(isWhole: Bool) {
    while let mark = held.firstIndex(where: { "*`[".contains($0) }) {
      wrapper.add(String(held[..<mark]), .plain)
      held = String(held[mark...])
      guard let found = InlineMark(held, isWhole: isWhole || held.count > Self.longestMark) else { return }
      wrapper.add(found.text, found.style)
      held = String(held.dropFirst(found.length))
    }
    // The last cluster may continue in the next piece.
    let certain = isWhole ? held.count : max(0, held.count - 1)
    wrapper.add(String(held.prefix(certain)), .plain)
    held = String(held.dropFirst(certain))
  }
}
