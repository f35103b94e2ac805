/// A style of text on a terminal.
package struct Style: Sendable, Equatable {
  /// The numbers of the SGR sequence that begins it.
  package let codes: [UInt8]

  /// A style of SGR numbers (ECMA-48).
  package init(codes: [UInt8]) { self.codes = codes }

  /// Plain text.
  package static let plain = Style(codes: [])
  /// Bold.
  package static let bold = Style(codes: [1])
  /// Less bright, for what matters less.
  package static let dim = Style(codes: [2])
  /// Program text.
  package static let code = Style(codes: [36])
  /// Headings.
  package static let heading = Style(codes: [1, 4])
  /// Citations and other references.
  package static let reference = Style(codes: [34])
  /// What the reader should beware of.
  package static let warning = Style(codes: [33])
  /// What went wrong.
  package static let failure = Style(codes: [31])
  /// The prompt.
  package static let prompt = Style(codes: [1, 32])

  /// Both styles together.
  package func and(_ other: Style) -> Style { Style(codes: codes + other.codes) }
}

/// Writes styles, or leaves them out where they are not wanted.
package struct Ink: Sendable, Equatable {
  /// Whether styles are written.
  package let isColoured: Bool

  /// An ink that writes styles or not.
  package init(isColoured: Bool) { self.isColoured = isColoured }

  /// The text in a style.
  package func callAsFunction(_ text: String, _ style: Style) -> String {
    guard isColoured, !style.codes.isEmpty, !text.isEmpty else { return text }
    return begin(style) + text + end
  }

  /// The sequence that begins a style.
  package func begin(_ style: Style) -> String {
    isColoured && !style.codes.isEmpty ? "\u{1B}[\(style.codes.map(String.init).joined(separator: ";"))m" : ""
  }

  /// The sequence that ends every style.
  package var end: String { isColoured ? "\u{1B}[0m" : "" }
}

/// Whether the user wants colours.
package enum ColorChoice: String, Sendable, CaseIterable {
  /// On a terminal that can show them, unless the environment says otherwise.
  case auto
  /// Everywhere.
  case always
  /// Nowhere.
  case never

  /// The decision for one output.
  ///
  /// `auto` obeys, in this order: `NO_COLOR` (not empty: none), `CLICOLOR_FORCE` (neither empty nor 0: yes), no
  /// terminal, `TERM=dumb` or unset, `CLICOLOR=0` (none).
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
