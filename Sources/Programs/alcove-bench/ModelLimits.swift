import Compute
import Foundation
import ModelFormats
import TextGeneration
import Threading

/// Work that a pass over a model asks of the machine, and the machine's limits to compare it with.
struct ModelLimits {
  /// Bytes of weights that one token reads.
  let weightBytes: Int
  /// Weights of the layers that one token is multiplied with.
  let layerWeights: Int
  private let pool: WorkerPool
  /// Of most of the weights.
  private let type: TensorType

  init(_ model: LanguageModel) throws { try self.init(model.file, threadCount: model.threadCount) }

  init(_ file: GGUFFile, threadCount: Int?) throws {
    // Vectors are few, and of an embedding table one row is read, unless it is the output layer too.
    let matrices = file.tensors.filter { $0.dimensions.count > 1 && $0.rowCount > 1 }
    let tables: Set<String> = ["token_embd.weight", "output.weight", "position_embd.weight"]
    let layers = matrices.filter { !tables.contains($0.name) }
    let output = matrices.first { $0.name == "output.weight" } ?? matrices.first { $0.name == "token_embd.weight" }
    // Of a layer's experts a token reads and meets those that it is sent to.
    let header = file.header
    let family = try header.string("general.architecture") ?? ""
    let experts = try header.integer("\(family).expert_count") ?? 0
    let used = try header.integer("\(family).expert_used_count") ?? 0
    func share(_ count: Int, _ tensor: GGUFTensor) -> Int {
      experts > 0 && tensor.name.contains("_exps.") ? count / experts * used : count
    }
    weightBytes = layers.reduce(output?.byteCount ?? 0) { $0 + share($1.byteCount, $1) }
    layerWeights = layers.reduce(0) { $0 + share($1.elementCount, $1) }
    type = layers.max { $0.byteCount < $1.byteCount }?.type ?? .f32
    pool = WorkerPool(threadCount: threadCount ?? ProcessorCount.usable)
  }

  /// Bytes read a second, to be measured again and again: on a shared machine the limits come and go.
  func reading() throws -> ReadRate { try ReadRate(pool: pool, instructionSet: .best) }

  /// Operations a second with the kind of numbers that the weights ask for: a mean over about as long as a prompt
  /// takes.
  func multiplyRate() throws -> Double {
    let rates = try (0..<4).map { _ in
      let limits = try Roofline.measure(pool: pool, instructionSet: .best, bufferByteCount: 64 << 20)
      return limits.operationsPerSecond(with: type)
    }
    return rates.reduce(0, +) / Double(rates.count)
  }
}
