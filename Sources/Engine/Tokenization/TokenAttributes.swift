/// Kinds of a token.
package struct TokenAttributes: OptionSet, Sendable {
  /// The attributes as bits.
  package let rawValue: UInt16

  /// Creates attributes from their bits.
  package init(rawValue: UInt16) { self.rawValue = rawValue }

  /// Stands for what the vocabulary cannot spell.
  package static let unknown = TokenAttributes(rawValue: 1)
  /// Never written by the model.
  package static let unused = TokenAttributes(rawValue: 2)
  /// Ordinary text.
  package static let normal = TokenAttributes(rawValue: 4)
  /// Structure, not text: begins, ends and separates.
  package static let control = TokenAttributes(rawValue: 8)
  /// Text that is one token wherever it stands.
  package static let userDefined = TokenAttributes(rawValue: 16)
  /// One byte.
  package static let byte = TokenAttributes(rawValue: 32)
  /// Takes the spaces to its left along.
  package static let stripsLeft = TokenAttributes(rawValue: 64)
  /// Takes the spaces to its right along.
  package static let stripsRight = TokenAttributes(rawValue: 128)

  /// The attributes of a token type as GGUF numbers them.
  init(fileType: Int32) {
    self =
      switch fileType {
      case 1: .normal
      case 2: .unknown
      case 3: .control
      case 4: .userDefined
      case 5: .unused
      case 6: .byte
      default: []
      }
  }
}
