import JSON
import Terminal

extension JSON {
  /// The value on one line. Characters that a terminal might obey are escaped, so that it is exact and harmless at
  /// once.
  var text: String { written(Escapes(hasShortForms: false, isEscaped: TextSanitizer.isUnsafe)) }
}
