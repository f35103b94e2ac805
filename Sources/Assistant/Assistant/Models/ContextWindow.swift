import ModelFormats

/// Length of a model's context window on this machine, and the reason for it.
package struct ContextWindow: Sendable, Equatable {
  /// Reasons for the length.
  package enum Reason: String, Sendable {
    /// The setting `model.context` gives it.
    case setting
    /// The model was trained on no longer contexts.
    case trained
    /// It is the usual length for conversations over documents.
    case usual
    /// A longer window would not fit into memory.
    case memory
  }

  /// Length in tokens.
  package var length: Int
  /// Reason for the length.
  package var reason: Reason

  /// Length of the window of a conversation where nothing else is said, in tokens.
  package static let usual = 8192
  private static let minimum = 1024

  /// The window for a model file.
  /// - Parameters:
  ///   - setting: the user's setting; 0 for none.
  ///   - availableBytes: memory for weights and KV cache; nil for no limit.
  package static func choose(for file: GGUFFile, setting: Int, availableBytes: Int?) -> ContextWindow {
    let reader = try? MetadataReader(file.header)
    // Products of these stay in bounds, whatever a file says.
    func number(_ key: String) -> Int? {
      (try? reader?.integer(key, in: .min ... .max)).map { min(max($0, 0), 1 << 30) }
    }
    let trained = number("context_length") ?? usual
    if setting > 0 {
      return ContextWindow(length: min(setting, trained), reason: setting > trained ? .trained : .setting)
    }
    var window = ContextWindow(length: usual, reason: .usual)
    if trained < window.length { window = ContextWindow(length: trained, reason: .trained) }
    // Keys and values of every layer in half precision. The header's reader gives no lists of head counts; width
    // decides there.
    let heads = number("attention.head_count") ?? 1
    let width = number("embedding_length") ?? 0
    let headLength = number("attention.key_length").flatMap { $0 > 0 ? $0 : nil } ?? width / max(1, heads)
    let sizes = [number("block_count") ?? 0, number("attention.head_count_kv") ?? heads, headLength, 4]
    let size = sizes.reduce(1) { $0 * min($1, 1 << 13) }
    guard size > 0, let availableBytes else { return window }
    let spare = availableBytes - file.byteCount - (256 << 20)
    let fitting = max(minimum, max(0, spare) / size / 256 * 256)
    return fitting < window.length ? ContextWindow(length: fitting, reason: .memory) : window
  }
}
