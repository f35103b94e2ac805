import Compute
import Foundation
import ModelFormats
import TestSupport

/// Small model files that are sound, of any size.
enum SampleModel {
  /// Writes a GGUF file with the keys of a small llama and one tensor that makes it about as large as asked for.
  @discardableResult
  static func write(_ name: String, in folder: TemporaryFolder, byteCount: Int, seed: UInt64 = 1) throws -> URL {
    var writer = GGUFWriter()
    let numbers: [(String, UInt32)] = [
      ("llama.block_count", 2), ("llama.context_length", 2048), ("llama.embedding_length", 64),
      ("llama.feed_forward_length", 128), ("llama.attention.head_count", 4), ("llama.attention.head_count_kv", 2),
    ]
    writer.set("general.architecture", .string("llama"))
    writer.set("general.name", .string(name))
    for (key, value) in numbers { writer.set(key, .uint32(value)) }
    var generator = SeededGenerator(seed: seed)
    let rows = max(1, byteCount / 256)
    var bytes: [UInt8] = []
    bytes.reserveCapacity(rows * 256)
    for _ in 0..<rows * 32 { withUnsafeBytes(of: generator.next()) { bytes += $0 } }
    writer.add("token_embd.weight", dimensions: [64, rows], type: .f32, bytes: bytes)
    let file = folder.url.appending(path: name)
    try writer.write(to: file.path)
    return file
  }
}
