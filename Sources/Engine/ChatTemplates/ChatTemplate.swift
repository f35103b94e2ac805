/// A chat template as model files carry them: Jinja, run in a sandbox of steps, sizes and depth.
///
/// It behaves as jinja2's immutable sandbox in the set-up of Hugging Face transformers: `trim_blocks`,
/// `lstrip_blocks`, loop controls, `generation` blocks, `tojson` that keeps what is not ASCII,
/// `raise_exception` and `strftime_now`.
package struct ChatTemplate: Sendable {
  /// The template's text.
  package let source: String
  private let statements: [Statement]

  /// Largest template that is read, in bytes.
  package static let longest = 1 << 20

  /// Reads a template.
  package init(_ source: String) throws(TemplateError) {
    guard source.utf8.count <= Self.longest else {
      throw TemplateError(.limit, "the template has more than \(Self.longest) bytes")
    }
    let parsed = try Parser.parse(source)
    try NameCheck.check(parsed)
    self.source = source
    statements = parsed
  }

  /// Renders the template.
  /// - Returns: the text in pieces that tell what the template wrote from what came out of
  ///   ``TemplateContext/variables``.
  package func render(
    _ context: TemplateContext, limits: TemplateLimits = TemplateLimits()
  ) throws(TemplateError) -> RenderedText {
    var variables: [String: Value] = [:]
    for member in context.variables { variables[member.key] = try Value(member.value, isTrusted: false) }
    for member in context.trusted { variables[member.key] = try Value(member.value, isTrusted: true) }
    let renderer = Renderer(limits: limits, time: context.time)
    return RenderedText(try renderer.render(statements, variables: variables))
  }
}

/// Input of rendering a template.
package struct TemplateContext: Sendable {
  /// Variables from users, documents and models: their text comes out marked as not trusted.
  package var variables: [TemplateValue.Member]
  /// Variables from the program and the model file, such as `bos_token` and `add_generation_prompt`.
  package var trusted: [TemplateValue.Member]
  /// Time that `strftime_now` returns.
  package var time: TemplateTime

  /// Creates a context.
  package init(
    variables: [TemplateValue.Member] = [], trusted: [TemplateValue.Member] = [], time: TemplateTime = .now
  ) {
    self.variables = variables
    self.trusted = trusted
    self.time = time
  }
}

/// A rendered chat, in pieces by where their text comes from.
package struct RenderedText: Sendable, Equatable {
  /// A stretch of text of one origin.
  package struct Piece: Sendable, Equatable {
    /// The text.
    package let text: String
    /// Indicates whether the template wrote it, so that special tokens in it are meant.
    package let isTrusted: Bool

    /// Creates a piece.
    package init(_ text: String, isTrusted: Bool) {
      self.text = text
      self.isTrusted = isTrusted
    }
  }

  /// The pieces in order; neighbours differ in origin.
  package let pieces: [Piece]

  /// The whole text.
  package var text: String { pieces.map(\.text).joined() }

  init(_ text: Text) {
    var pieces: [Piece] = []
    var start = 0
    while start < text.count {
      let mark = text.units[start] & Text.outside
      var end = start + 1
      while end < text.count, text.units[end] & Text.outside == mark { end += 1 }
      pieces.append(Piece(text[start..<end].string, isTrusted: mark == 0))
      start = end
    }
    self.pieces = pieces
  }
}
