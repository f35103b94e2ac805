/// The names that files of models may have.
package enum ModelName {
  /// Indicates whether a name is that of a file in a form of models.
  package static func isModel(_ name: String) -> Bool {
    let lowered = name.lowercased()
    return lowered.hasSuffix(".gguf") || lowered.hasSuffix(".safetensors")
  }

  /// Indicates whether a name is that of one plain, visible file: no folders, no control characters, not too long.
  package static func isFit(_ name: String) -> Bool {
    !name.isEmpty && name.utf8.count <= 200 && !name.hasPrefix(".") && !name.contains("/")
      && name.unicodeScalars.allSatisfy {
        $0.value >= 0x20 && $0.value != 0x7f && !(0x80...0x9f).contains($0.value)
      }
  }
}
