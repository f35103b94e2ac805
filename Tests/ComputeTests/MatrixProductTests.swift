import Compute
import Testing
import Threading

@Suite struct MatrixProductTests {
  static let types = TensorType.allCases.filter(\.isMultipliable)

  @Test(arguments: types, [(1, 256), (17, 512), (40, 768)])
  func agreesWithExactArithmetic(type: TensorType, shape: (Int, Int)) throws {
    let (rows, columns) = shape
    let weights = try RandomWeights(type, rows: rows, columns: columns, seed: 3)
    let context = ComputeContext(pool: WorkerPool(threadCount: 2))
    let input = RandomWeights.values(3 * columns, seed: 5)
    var output = [Float](repeating: .nan, count: 3 * rows)
    try context.multiply(weights.matrix, input, count: 3, into: &output)
    var row = [Float](repeating: 0, count: columns)
    var (error, power) = (0.0, 0.0)
    for r in 0..<rows {
      weights.matrix.dequantizeRow(r, into: &row)
      for token in 0..<3 {
        var exact = 0.0
        for k in 0..<columns { exact += Double(row[k]) * Double(input[token * columns + k]) }
        let difference = Double(output[token * rows + r]) - exact
        error += difference * difference
        power += exact * exact
      }
    }
    // F32 activations: rounding alone. 8-bit activations: a step of 1/127 of the largest of 32. BF16: eight bits of
    // each.
    let limit = type.isQuantized ? 5e-4 : type == .bf16 ? 1e-5 : 1e-11
    #expect(error / power < limit, "\(type.name): \(error / power)")
  }

  /// Rows that fill no whole register.
  @Test(arguments: [TensorType.f32, .f16, .bf16], InstructionSet.available)
  func rowsOfAnyLengthAreMultiplied(type: TensorType, set: InstructionSet) throws {
    let context = ComputeContext(pool: WorkerPool(threadCount: 1), instructionSet: set)
    let plain = ComputeContext(pool: WorkerPool(threadCount: 1), instructionSet: .scalar)
    for columns in [1, 2, 15, 16, 17, 31, 32, 33, 63, 65, 95] {
      for (rows, count) in [(1, 1), (5, 2), (9, 13)] {
        let weights = try RandomWeights(type, rows: rows, columns: columns, seed: 31)
        let input = RandomWeights.values(count * columns, seed: 32)
        var output = [Float](repeating: .nan, count: count * rows)
        var expected = output
        try context.multiply(weights.matrix, input, count: count, into: &output)
        try plain.multiply(weights.matrix, input, count: count, into: &expected)
        #expect(output.map(\.bitPattern) == expected.map(\.bitPattern), "\(rows) × \(columns), \(count) tokens")
        // The second laid them out.
        output = output.map { _ in .nan }
        try context.multiply(weights.matrix, input, count: count, into: &output)
        #expect(output.map(\.bitPattern) == expected.map(\.bitPattern), "laid out: \(rows) × \(columns), \(count)")
        var row = [Float](repeating: 0, count: columns)
        weights.matrix.dequantizeRow(rows - 1, into: &row)
        let last = input.suffix(columns)
        let exact = zip(row, last).reduce(0.0) { $0 + Double($1.0) * Double($1.1) }
        let size = zip(row, last).reduce(0.0) { $0 + abs(Double($1.0) * Double($1.1)) }
        let limit = size * (type == .bf16 ? 0x1p-8 : 1e-6)
        #expect(abs(Double(output[count * rows - 1]) - exact) <= limit, "\(rows) × \(columns), \(count) tokens")
      }
    }
  }

  @Test(arguments: types, InstructionSet.available)
  func threadsAndBatchesAndSetsAndLayoutChangeNoBit(type: TensorType, set: InstructionSet) throws {
    let (rows, columns, count) = (75, type.blockSize == 256 ? 512 : 544, 14)
    let input = RandomWeights.values(count * columns, seed: 9)
    var scalar = [Float](repeating: .nan, count: count * rows)
    let plain = ComputeContext(pool: WorkerPool(threadCount: 1), instructionSet: .scalar)
    let reference = try RandomWeights(type, rows: rows, columns: columns, seed: 7)
    try plain.multiply(reference.matrix, input, count: count, into: &scalar)
    for threads in 1...3 {
      let context = ComputeContext(pool: WorkerPool(threadCount: threads), instructionSet: set)
      for batch in [1, 2, 3, 4, 5, 6, 7, 9, count] {
        // The first product reads the weights as they are stored, those after it as they are laid out.
        let weights = try RandomWeights(type, rows: rows, columns: columns, seed: 7)
        var output = [Float](repeating: .nan, count: count * rows)
        for first in stride(from: 0, to: count, by: batch) {
          try input.withUnsafeBufferPointer { input in
            try output.withUnsafeMutableBufferPointer { output in
              try context.multiply(
                weights.matrix, input.baseAddress! + first * columns, count: min(batch, count - first),
                into: output.baseAddress! + first * rows)
            }
          }
        }
        #expect(output.map(\.bitPattern) == scalar.map(\.bitPattern), "\(threads) threads, \(batch) at once")
      }
    }
  }

  /// More tokens, rows and columns than any set multiplies at a time, and none of them a whole number of times as many.
  @Test(arguments: [TensorType.f32, .f16, .bf16, .q4_K, .q8_0], InstructionSet.available)
  func manyTokensHaveTheBitsOfEachAlone(type: TensorType, set: InstructionSet) throws {
    let (rows, columns, count) = (75, type.blockSize == 256 ? 1280 : 1120, type.isQuantized ? 515 : 199)
    let weights = try RandomWeights(type, rows: rows, columns: columns, seed: 41)
    let input = RandomWeights.values(count * columns, seed: 42)
    let context = ComputeContext(pool: WorkerPool(threadCount: 2), instructionSet: set)
    var output = [Float](repeating: .nan, count: count * rows)
    try context.multiply(weights.matrix, input, count: count, into: &output)
    for token in [0, 1, 46, 47, 48, 49, 95, 96, 97, 191, 192, count - 4, count - 3, count - 1] {
      var alone = [Float](repeating: .nan, count: rows)
      try context.multiply(weights.matrix, Array(input[token * columns..<(token + 1) * columns]), into: &alone)
      let found = output[token * rows..<(token + 1) * rows]
      #expect(alone.map(\.bitPattern) == found.map(\.bitPattern), "token \(token)")
    }
  }

  /// Weights and activations as large as they get: sums kept in few bits would overflow.
  @Test(arguments: types.filter(\.isQuantized), [UInt8(0xff), 0x80, 0x7f, 0])
  func endsOfTheRangeStayInBounds(type: TensorType, filling: UInt8) throws {
    let (rows, columns, count) = (48, 512, 13)
    let stored = try AlignedBuffer<UInt8>(count: type.byteCount(rows: rows, columns: columns)!)
    for index in 0..<stored.count { stored[index] = filling }
    for block in stride(from: 0, to: stored.count, by: type.bytesPerBlock) {
      for offset in RandomWeights.halfOffsets(type) {
        (stored[block + offset], stored[block + offset + 1]) = (0, 0x24)
      }
    }
    let bytes = UnsafeRawBufferPointer(stored.buffer)
    // Every value of a token is as large as its largest, with either sign.
    let input = (0..<count * columns).map { index -> Float in
      index / columns % 3 == 0 ? 2 : index / columns % 3 == 1 ? -2 : index % 2 == 0 ? 2 : -2
    }
    var results: Set<[UInt32]> = []
    for set in InstructionSet.available {
      let context = ComputeContext(pool: WorkerPool(threadCount: 1), instructionSet: set)
      let matrix = try QuantizedMatrix(type: type, rows: rows, columns: columns, bytes: bytes, owner: stored)
      // A few tokens are multiplied in other ways than many; the first product reads the weights as they are stored.
      for batch in [count, count, 10, 4, 1] {
        var output = [Float](repeating: .nan, count: count * rows)
        for first in stride(from: 0, to: count, by: batch) {
          try input.withUnsafeBufferPointer { input in
            try output.withUnsafeMutableBufferPointer { output in
              try context.multiply(
                matrix, input.baseAddress! + first * columns, count: min(batch, count - first),
                into: output.baseAddress! + first * rows)
            }
          }
        }
        // Some fillings make scales that are no numbers.
        results.insert(output.map { $0.isNaN ? 0 : $0.bitPattern })
      }
    }
    #expect(results.count == 1, "\(type.name)")
  }

  /// From 2^100 on all scales of MXFP4 count alike, and those below do not, with one token and with many.
  @Test(arguments: InstructionSet.available)
  func hugeScalesCountAsTheLargest(set: InstructionSet) throws {
    let (rows, columns) = (16, 512), type = TensorType.mxfp4
    let context = ComputeContext(pool: WorkerPool(threadCount: 1), instructionSet: set)
    // Small inputs, so that no result is too large for F32.
    let input = RandomWeights.values(13 * columns, seed: 51).map { $0 * 0x1p-20 }
    func product(exponent: UInt8, count: Int) throws -> [Float] {
      let stored = try AlignedBuffer<UInt8>(count: type.byteCount(rows: rows, columns: columns)!)
      for index in 0..<stored.count {
        stored[index] = index % type.bytesPerBlock == 0 ? exponent : UInt8(truncatingIfNeeded: index &* 91 &+ 7)
      }
      let bytes = UnsafeRawBufferPointer(stored.buffer)
      let matrix = try QuantizedMatrix(type: type, rows: rows, columns: columns, bytes: bytes, owner: stored)
      var output = [Float](repeating: .nan, count: count * rows)
      try context.multiply(matrix, Array(input.prefix(count * columns)), count: count, into: &output)
      return output
    }
    for count in [1, 13] {
      let largest = try product(exponent: 228, count: count)
      #expect(largest.allSatisfy(\.isFinite) && largest.contains { abs($0) > 0x1p80 }, "\(count) tokens")
      #expect(try product(exponent: 255, count: count) == largest, "\(count) tokens")
      #expect(try product(exponent: 229, count: count) == largest, "\(count) tokens")
      #expect(try product(exponent: 227, count: count).map { $0 * 2 } == largest, "\(count) tokens")
    }
    #expect(try product(exponent: 255, count: 13).prefix(rows) == product(exponent: 255, count: 1)[...])
  }

  /// A context tries both ways of reading the weights with its first products of one token, and with those of a few,
  /// and then keeps to the way that was the faster here.
  @Test(arguments: types, InstructionSet.available)
  func askingForWeightsAheadChangesNoBit(type: TensorType, set: InstructionSet) throws {
    let (rows, columns, count) = (75, type.blockSize == 256 ? 768 : 800, 5)
    let weights = try RandomWeights(type, rows: rows, columns: columns, seed: 13)
    let input = RandomWeights.values(count * columns, seed: 14)
    let context = ComputeContext(pool: WorkerPool(threadCount: 2), instructionSet: set)
    func results(tokens: Int, rounds: Int) throws -> Set<[UInt32]> {
      var results: Set<[UInt32]> = []
      for _ in 0..<rounds {
        var output = [Float](repeating: .nan, count: tokens * rows)
        try context.multiply(weights.matrix, input, count: tokens, into: &output)
        results.insert(output.map(\.bitPattern))
      }
      return results
    }
    let few = try results(tokens: count, rounds: 30)
    #expect(few.count == 1)
    let one = try results(tokens: 1, rounds: 30)
    #expect(one.count == 1)
    #expect(one.first.map { Array($0) } == few.first.map { Array($0.prefix(rows)) })
  }

  /// Laid out by several threads and a part of the file at a time; the last group of rows has none to go with.
  @Test(arguments: [TensorType.q8_0, .q4_K])
  func largeMatricesAreLaidOutPieceByPiece(type: TensorType) throws {
    let (rows, copies, columns) = (25, type == .q8_0 ? 44 : 85, 16384)
    let small = try RandomWeights(type, rows: rows, columns: columns, seed: 17)
    let stored = try small.withBytes { bytes in
      let stored = try AlignedBuffer<UInt8>(count: bytes.count * copies)
      for copy in 0..<copies {
        UnsafeMutableRawPointer(stored.base + copy * bytes.count).copyMemory(
          from: bytes.baseAddress!, byteCount: bytes.count)
      }
      return stored
    }
    let matrix = try QuantizedMatrix(
      type: type, rows: rows * copies, columns: columns, bytes: UnsafeRawBufferPointer(stored.buffer),
      owner: stored)
    #expect(matrix.byteCount > 16 << 20 && (matrix.rows + 15) / 16 % 2 == 1)
    let input = RandomWeights.values(columns, seed: 18)
    var expected = [Float](repeating: .nan, count: rows)
    try ComputeContext(threadCount: 1).multiply(small.matrix, input, into: &expected)
    let context = ComputeContext(pool: WorkerPool(threadCount: 2))
    for _ in 0..<2 {
      var output = [Float](repeating: .nan, count: rows * copies)
      try context.multiply(matrix, input, into: &output)
      let isSame = output.indices.allSatisfy { output[$0].bitPattern == expected[$0 % rows].bitPattern }
      #expect(isSame)
    }
  }

  @Test(arguments: types.filter(\.isQuantized))
  func fineActivationsAreBelowTheRoundingOfWeights(type: TensorType) throws {
    let (rows, columns, count) = (75, type.blockSize == 256 ? 512 : 544, 9)
    let weights = try RandomWeights(type, rows: rows, columns: columns, seed: 21)
    let input = try RandomWeights.buffer(count * columns, seed: 22)
    let (output, one) = (try AlignedBuffer<Float>(count: count * rows), try AlignedBuffer<Float>(count: rows))
    var results: [[Float]] = []
    for set in InstructionSet.available {
      let context = ComputeContext(pool: WorkerPool(threadCount: 2), instructionSet: set)
      try context.multiply(
        [ComputeContext.Product(weights.matrix, input.base, count: count, into: output.base)], precision: .fine)
      let all = Array(output.buffer)
      results.append(all)
      for token in 0..<count {
        let place = input.base + token * columns
        try context.multiply([ComputeContext.Product(weights.matrix, place, into: one.base)], precision: .fine)
        #expect(Array(one.buffer) == Array(all[token * rows..<(token + 1) * rows]), "\(set)")
      }
    }
    #expect(results.allSatisfy { $0.map(\.bitPattern) == results[0].map(\.bitPattern) })
    var row = [Float](repeating: 0, count: columns)
    var (error, power) = (0.0, 0.0)
    for r in 0..<rows {
      weights.matrix.dequantizeRow(r, into: &row)
      for token in 0..<count {
        let exact = (0..<columns).reduce(0.0) { $0 + Double(row[$1]) * Double(input[token * columns + $1]) }
        let difference = Double(results[0][token * rows + r]) - exact
        error += difference * difference
        power += exact * exact
      }
    }
    // A step of 1/32767 of the largest of 32.
    #expect(error / power < 1e-8, "\(type.name): \(error / power)")
  }

  /// Of every way to multiply: one token, few, several blocks of many, and types that are laid out or not.
  @Test(arguments: [TensorType.q8_0, .q4_K, .iq2_XXS, .f16, .bf16], InstructionSet.available)
  func biasAndActivationComeAfterTheProduct(type: TensorType, set: InstructionSet) throws {
    let (rows, columns, stride) = (75, 512, 80)
    let weights = try RandomWeights(type, rows: rows, columns: columns, seed: 23)
    let bias = try RandomWeights.buffer(rows, seed: 25)
    let context = ComputeContext(pool: WorkerPool(threadCount: 2), instructionSet: set)
    for (count, precision) in [
      (1, ComputeContext.Precision.usual), (5, .usual), (18, .usual), (530, .usual), (5, .fine),
    ] {
      let input = try RandomWeights.buffer(count * columns, seed: 24)
      func product(bias: AlignedBuffer<Float>? = nil, activation: Activation? = nil) throws -> [Float] {
        var output = [Float](repeating: 7, count: count * stride)
        try output.withUnsafeMutableBufferPointer {
          let product = ComputeContext.Product(
            weights.matrix, input.base, count: count, into: $0.baseAddress!, outputStride: stride, bias: bias,
            activation: activation)
          try context.multiply([product], precision: precision)
        }
        return output
      }
      var expected = try product()
      /// Applies a step to the rows of every token.
      func apply(_ step: (UnsafeMutablePointer<Float>) -> Void) {
        expected.withUnsafeMutableBufferPointer {
          for token in 0..<count { step($0.baseAddress! + token * stride) }
        }
      }
      #expect(
        (0..<count * stride).allSatisfy { $0 % stride < rows || expected[$0] == 7 }, "written next to the rows")
      apply { set.add($0, bias.base, count: rows, into: $0) }
      #expect(try product(bias: bias) == expected, "\(count) tokens, \(precision)")
      apply { set.activate(.gelu, $0, count: rows, into: $0) }
      #expect(try product(bias: bias, activation: .gelu) == expected, "\(count) tokens, \(precision)")
      withExtendedLifetime(input) {}
    }
  }

  @Test func productsOfOneListShareTheirInput() throws {
    let (columns, counts) = (256, [3, 1, 2, 3, 1, 3])
    let types: [TensorType] = [.q4_K, .q6_K, .f16, .q8_0, .bf16, .bf16]
    let weights = try types.map { try RandomWeights($0, rows: 20, columns: columns, seed: 11) }
    let input = RandomWeights.values(3 * columns, seed: 12)
    let context = ComputeContext(pool: WorkerPool(threadCount: 2))
    let output = try AlignedBuffer<Float>(count: types.count * 3 * 32)
    try input.withUnsafeBufferPointer { input in
      try context.multiply(
        zip(weights, counts).enumerated().map { index, product in
          ComputeContext.Product(
            product.0.matrix, input.baseAddress!, count: product.1, into: output.base + index * 96,
            outputStride: 32)
        })
    }
    for (index, count) in counts.enumerated() {
      var alone = [Float](repeating: .nan, count: 20 * count)
      try context.multiply(weights[index].matrix, input, count: count, into: &alone)
      for token in 0..<count {
        let first = index * 96 + token * 32
        let shared = Array(output.buffer[first..<first + 20])
        #expect(Array(alone[token * 20..<token * 20 + 20]) == shared)
      }
    }
  }

  @Test func expertsAreTheirOwnMatrices() throws {
    let tensor = try RandomWeights(.q5_K, rows: 3 * 20, columns: 256, seed: 13)
    let experts = try tensor.matrix.split(into: 3)
    let input = RandomWeights.values(256, seed: 14)
    let context = ComputeContext(pool: WorkerPool(threadCount: 1))
    var whole = [Float](repeating: .nan, count: 60)
    try context.multiply(tensor.matrix, input, into: &whole)
    for (index, expert) in experts.enumerated() {
      var output = [Float](repeating: .nan, count: 20)
      try context.multiply(expert, input, into: &output)
      #expect(output == Array(whole[index * 20..<index * 20 + 20]))
    }
    #expect(throws: ComputeError.self) { try tensor.matrix.split(into: 7) }
  }
}
