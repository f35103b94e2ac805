import ModelFormats

/// How many tokens a model's window holds on this machine, and what decided it.
package struct ContextWindow: Sendable, Equatable {
  /// What decided.
  package enum Reason: String, Sendable {
    /// The setting `model.context`.
    case setting
    /// The model was trained on no more.
    case trained
    /// What conversations over documents need.
    case usual
    /// More would not fit into memory.
    case memory
  }

  /// The tokens.
  package var length: Int
  /// What decided it.
  package var reason: Reason

  /// The window of a conversation where nothing else is said.
  package static let usual = 8192
  private static let least = 1024

  /// The window for a model file.
  /// - Parameters:
  ///   - setting: what the user wants; 0 for no wish.
  ///   - availableBytes: the memory for weights and window; nil for no limit.
  package static func choose(for file: GGUFFile, setting: Int, availableBytes: Int?) -> ContextWindow {
    let reader = try? MetadataReader(file.header)
    // Whatever a file says, products of these stay in bounds.
    func number(_ key: String) -> Int? {
      (try? reader?.integer(key, in: .min ... .max)).map { min(max($0, 0), 1 << 30) }
    }
    let trained = number("context_length") ?? usual
    if setting > 0 {
      return ContextWindow(length: min(setting, trained), reason: setting > trained ? .trained : .setting)
    }
    var window = ContextWindow(length: usual, reason: .usual)
    if trained < window.length { window = ContextWindow(length: trained, reason: .trained) }
    // Half-precision keys and values of every layer; of lists of head counts, the header's reader gives none, and width decides.
    let heads = number("attention.head_count") ?? 1
    let width = number("embedding_length") ?? 0
    let headLength = number("attention.key_length").flatMap { $0 > 0 ? $0 : nil } ?? width / max(1, heads)
    let sizes = [number("block_count") ?? 0, number("attention.head_count_kv") ?? heads, headLength, 4]
    let size = sizes.reduce(1) { $0 * min($1, 1 << 13) }
    guard size > 0, let availableBytes else { return window }
    let spare = availableBytes - file.byteCount - (256 << 20)
    let fitting = max(least, max(0, spare) / size / 256 * 256)
    return fitting < window.length ? ContextWindow(length: fitting, reason: .memory) : window
  }
}
