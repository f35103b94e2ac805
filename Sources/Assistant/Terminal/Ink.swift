/// Style of text on a terminal.
package struct Style: Sendable, Equatable {
  /// Parameters of the SGR sequence that begins it.
  package let codes: [UInt8]

  /// Makes a style from SGR parameters (ECMA-48).
  package init(codes: [UInt8]) { self.codes = codes }

  /// Plain text.
  package static let plain = Style(codes: [])
  /// Bold.
  package static let bold = Style(codes: [1])
  /// Dim, for less important text.
  package static let dim = Style(codes: [2])
  /// Program text.
  package static let code = Style(codes: [36])
  /// Headings.
  package static let heading = Style(codes: [1, 4])
  /// Citations and other references.
  package static let reference = Style(codes: [34])
  /// Warnings.
  package static let warning = Style(codes: [33])
  /// Failures.
  package static let failure = Style(codes: [31])
  /// Prompt.
  package static let prompt = Style(codes: [1, 32])

  /// Returns both styles combined.
  package func and(_ other: Style) -> Style { Style(codes: codes + other.codes) }
}

/// Writes styles, or leaves them out.
package struct Ink: Sendable, Equatable {
  /// Indicates whether styles are written.
  package let isColoured: Bool

  /// Makes an ink that writes styles or not.
  package init(isColoured: Bool) { self.isColoured = isColoured }

  /// Returns the text in a style.
  package func callAsFunction(_ text: String, _ style: Style) -> String {
    guard isColoured, !style.codes.isEmpty, !text.isEmpty else { return text }
    return begin(style) + text + end
  }

  /// Returns the sequence that begins a style.
  package func begin(_ style: Style) -> String {
    isColoured && !style.codes.isEmpty ? "\u{1B}[\(style.codes.map(String.init).joined(separator: ";"))m" : ""
  }

  /// Sequence that ends every style.
  package var end: String { isColoured ? "\u{1B}[0m" : "" }
}

/// User's choice of colours.
package enum ColorChoice: String, Sendable, CaseIterable {
  /// Colours on a terminal that can show them, unless the environment says otherwise.
  case auto
  /// Colours always.
  case always
  /// No colours.
  case never

  /// Decides for one output.
  ///
  /// `auto` obeys, in this order: `NO_COLOR` (not empty: no), `CLICOLOR_FORCE` (neither empty nor 0: yes), no
  /// terminal, `TERM=dumb` or unset, `CLICOLOR=0` (no).
  package func isColoured(isTerminal: Bool, environment: [String: String]) -> Bool {
    switch self {
    case .always: return true
    case .never: return false
    case .auto:
      if !(environment["NO_COLOR"] ?? "").isEmpty { return false }
      if !["", "0"].contains(environment["CLICOLOR_FORCE"] ?? "") { return true }
      if !isTerminal || ["", "dumb"].contains(environment["TERM"] ?? "") { return false }
      return environment["CLICOLOR"] != "0"
    }
  }
}
