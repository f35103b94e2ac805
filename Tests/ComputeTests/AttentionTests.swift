import Compute
import Foundation
import Testing
import Threading

/// One shape of attention to check.
struct AttentionCase: Sendable, CustomTestStringConvertible {
  var type = TensorType.f32
  var dim = 64
  var heads = 2
  var group = 4
  var length = 150
  var window = Int.max
  var softCap: Float = 0
  var hasSinks = false
  var isCausal = true
  var testDescription: String {
    "\(type.name) dim \(dim) heads \(heads)x\(group) length \(length) window \(window == .max ? 0 : window) "
      + "cap \(softCap) \(hasSinks ? "sinks " : "")\(isCausal ? "causal" : "full")"
  }

  static let all: [AttentionCase] = [
    AttentionCase(), AttentionCase(type: .f16), AttentionCase(type: .q8_0), AttentionCase(dim: 80, group: 1),
    AttentionCase(dim: 128, length: 64), AttentionCase(dim: 256, heads: 1, group: 2, length: 65),
    AttentionCase(type: .f16, dim: 40, length: 33), AttentionCase(window: 32), AttentionCase(softCap: 5),
    AttentionCase(group: 7, hasSinks: true), AttentionCase(type: .f16, window: 100, softCap: 30, hasSinks: true),
    AttentionCase(isCausal: false), AttentionCase(length: 1),
    AttentionCase(type: .q8_0, dim: 96, group: 3, length: 200), AttentionCase(type: .f16, group: 5),
    AttentionCase(group: 6, length: 100),
  ]

  func visible(_ query: Int) -> Range<Int> {
    isCausal ? max(0, query + 1 - min(window, query + 1))..<query + 1 : 0..<length
  }
}

@Suite struct AttentionTests {
  private func filled(_ c: AttentionCase) throws -> AttentionCache {
    let cache = try AttentionCache(
      headCount: c.heads, keyDim: c.dim, valueDim: c.dim, capacity: c.length, type: c.type)
    for position in 0..<c.length {
      let keys = RandomWeights.values(c.heads * c.dim, seed: UInt64(2 * position))
      let values = RandomWeights.values(c.heads * c.dim, seed: UInt64(2 * position + 1))
      cache.store([position], keys: keys, values: values)
    }
    return cache
  }

  /// Positions stored some at a time, one after another or here and there, are read back up to the rounding of their
  /// type.
  @Test(
    arguments: [AttentionCase(dim: 40), AttentionCase(type: .f16), AttentionCase(type: .q8_0, dim: 96)], [1, 3])
  func positionsStoredTogetherAreReadBack(c: AttentionCase, step: Int) throws {
    let error: Float = c.type == .f32 ? 0 : c.type == .f16 ? 0x1p-11 : 1.0 / 200
    let cache = try AttentionCache(
      headCount: c.heads, keyDim: c.dim, valueDim: c.dim, capacity: c.length, type: c.type)
    let width = c.heads * c.dim
    func stored(_ position: Int) -> (keys: [Float], values: [Float]) {
      let values = RandomWeights.values(2 * width, seed: UInt64(position))
      return (Array(values.prefix(width)), Array(values.suffix(width)))
    }
    let order = (0..<c.length).sorted { ($0 % step, $0) < ($1 % step, $1) }
    // 19 from within a group of 16 end in the next one or the one after.
    for start in stride(from: 0, to: c.length, by: 19) {
      let positions = order[start..<min(c.length, start + 19)]
      cache.store(
        positions, keys: positions.flatMap { stored($0).keys }, values: positions.flatMap { stored($0).values })
    }
    for position in 0..<c.length {
      var keys = [Float](repeating: .nan, count: width)
      var values = keys
      cache.load(position, keys: &keys, values: &values)
      let expected = stored(position)
      for (read, wanted) in [(keys, expected.keys), (values, expected.values)] {
        let bound = error * (wanted.map(abs).max() ?? 0)
        #expect(zip(read, wanted).allSatisfy { abs($0 - $1) <= bound }, "\(position)")
      }
    }
  }

  private func run(
    _ c: AttentionCase, _ cache: AttentionCache, _ context: ComputeContext, queries: Range<Int>
  ) -> [Float] {
    let width = c.heads * c.group * c.dim
    let input = RandomWeights.values(c.length * width, seed: 77)
    let sinks = RandomWeights.values(c.heads * c.group, seed: 78)
    var output = [Float](repeating: .nan, count: queries.count * width)
    input.withUnsafeBufferPointer { input in
      sinks.withUnsafeBufferPointer { sinks in
        context.attend(
          cache, queries: input.baseAddress! + queries.lowerBound * width, queryHeadCount: c.heads * c.group,
          visible: queries.map(c.visible), options: AttentionOptions(scale: 0.3, softCap: c.softCap),
          sinks: c.hasSinks ? sinks.baseAddress : nil, into: &output)
      }
    }
    return output
  }

  /// Softmax attention in doubles over what the cache holds.
  private func exact(_ c: AttentionCase, _ cache: AttentionCache) -> [Double] {
    let width = c.heads * c.dim
    let input = RandomWeights.values(c.length * width * c.group, seed: 77)
    let sinks = RandomWeights.values(c.heads * c.group, seed: 78)
    var keys = [Float](repeating: 0, count: c.length * width)
    var values = keys
    for position in 0..<c.length {
      keys.withUnsafeMutableBufferPointer { keys in
        values.withUnsafeMutableBufferPointer { values in
          cache.load(
            position, keys: keys.baseAddress! + position * width, values: values.baseAddress! + position * width)
        }
      }
    }
    var output: [Double] = []
    for query in 0..<c.length {
      for head in 0..<c.heads * c.group {
        let kept = head / c.group * c.dim
        let scores = c.visible(query).map { position in
          var sum = 0.0
          for i in 0..<c.dim {
            sum +=
              Double(input[(query * c.heads * c.group + head) * c.dim + i])
              * Double(keys[position * width + kept + i])
          }
          sum *= Double(Float(0.3))
          return c.softCap == 0 ? sum : Double(c.softCap) * tanh(sum / Double(c.softCap))
        }
        let top = max(scores.max() ?? -.infinity, c.hasSinks ? Double(sinks[head]) : -.infinity)
        let total = scores.reduce(c.hasSinks ? exp(Double(sinks[head]) - top) : 0) { $0 + exp($1 - top) }
        for i in 0..<c.dim {
          var sum = 0.0
          for (score, position) in zip(scores, c.visible(query)) {
            sum += exp(score - top) / total * Double(values[position * width + kept + i])
          }
          output.append(sum)
        }
      }
    }
    return output
  }

  @Test(arguments: InstructionSet.available, AttentionCase.all)
  func agreesWithSoftmax(set: InstructionSet, shape: AttentionCase) throws {
    let context = ComputeContext(pool: WorkerPool(threadCount: 2), instructionSet: set)
    let cache = try filled(shape)
    let output = run(shape, cache, context, queries: 0..<shape.length)
    let reference = exact(shape, cache)
    var (error, power) = (0.0, 0.0)
    for (a, b) in zip(output, reference) {
      error += (Double(a) - b) * (Double(a) - b)
      power += b * b
    }
    #expect(error / power < 1e-11, "\(error / power)")
  }

  @Test(arguments: InstructionSet.available, AttentionCase.all)
  func piecesAndThreadsAndSetsChangeNoBit(set: InstructionSet, shape: AttentionCase) throws {
    let cache = try filled(shape)
    let scalar = ComputeContext(pool: WorkerPool(threadCount: 1), instructionSet: .scalar)
    let whole = run(shape, cache, scalar, queries: 0..<shape.length).map(\.bitPattern)
    let context = ComputeContext(pool: WorkerPool(threadCount: 3), instructionSet: set)
    for piece in [1, 7, 64] {
      var pieces: [UInt32] = []
      for first in stride(from: 0, to: shape.length, by: piece) {
        let queries = first..<min(first + piece, shape.length)
        pieces += run(shape, cache, context, queries: queries).map(\.bitPattern)
      }
      #expect(pieces == whole)
    }
  }

  /// Positions that nothing has been stored at, in the last block or in its last group of 16, change no bit.
  @Test(arguments: InstructionSet.available, [TensorType.f32, .f16, .q8_0])
  func whatIsNotSeenMayHoldAnything(set: InstructionSet, type: TensorType) throws {
    let context = ComputeContext(pool: WorkerPool(threadCount: 1), instructionSet: set)
    for length in [1, 17, 40, 65] {
      let shape = AttentionCase(type: type, length: length, isCausal: false)
      let width = shape.heads * shape.dim
      let cache = try AttentionCache(
        headCount: shape.heads, keyDim: shape.dim, valueDim: shape.dim, capacity: 128, type: type)
      // Keys that some queries would prefer to all others, and values that spoil every sum: blocks of bytes have no
      // NaN, but their scales can be infinite.
      let preferred = [Float](repeating: 1000, count: 128 * width)
      let spoiling = [Float](repeating: type == .q8_0 ? .infinity : .nan, count: 128 * width)
      cache.store(ArraySlice(0..<128), keys: preferred, values: spoiling)
      for position in 0..<length {
        let keys = RandomWeights.values(width, seed: UInt64(2 * position))
        let values = RandomWeights.values(width, seed: UInt64(2 * position + 1))
        cache.store([position], keys: keys, values: values)
      }
      for count in Set([1, min(length, 9), length]) {
        let expected = run(shape, try filled(shape), context, queries: 0..<count)
        #expect(expected.allSatisfy { $0.isFinite } && expected.contains { $0 != 0 })
        #expect(run(shape, cache, context, queries: 0..<count).map(\.bitPattern) == expected.map(\.bitPattern))
      }
    }
  }

  @Test func aQueryThatSeesNothingGivesZeros() throws {
    let cache = try AttentionCache(headCount: 1, keyDim: 16, valueDim: 16, capacity: 16, type: .f16)
    var output = [Float](repeating: 1, count: 16)
    ComputeContext(pool: WorkerPool(threadCount: 1)).attend(
      cache, queries: RandomWeights.values(16, seed: 1), queryHeadCount: 1, visible: [0..<0],
      options: AttentionOptions(scale: 1), into: &output)
    #expect(output.allSatisfy { $0 == 0 })
  }

  @Test(arguments: [TensorType.f32, .f16, .q8_0])
  func storageRestoresAnotherCache(type: TensorType) throws {
    var shape = AttentionCase()
    shape.type = type
    let cache = try filled(shape)
    let copy = try AttentionCache(headCount: 2, keyDim: 64, valueDim: 64, capacity: 400, type: type)
    for (from, to) in zip(cache.storage(ofFirst: 150), copy.storage(ofFirst: 150)) {
      to.copyMemory(from: UnsafeRawBufferPointer(from))
    }
    let context = ComputeContext(pool: WorkerPool(threadCount: 1))
    #expect(run(shape, cache, context, queries: 100..<150) == run(shape, copy, context, queries: 100..<150))
  }
}
