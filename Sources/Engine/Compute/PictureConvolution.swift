import CKernels
import Threading

/// Precision of the products of a picture model.
package enum PicturePrecision: Sendable {
  /// F32 weights, activations and sums.
  case exact
  /// BF16 weights and activations, F32 sums.
  case fast

  var form: Int32 { Int32((self == .exact ? CK_FORM_F32 : CK_FORM_BF16).rawValue) }
  /// Size of a packed weight or activation, in bytes.
  var valueByteCount: Int { self == .exact ? 4 : 2 }
}

/// Weights of a convolution, packed for the kernels; a linear layer is a convolution with kernel 1.
///
/// The stored bytes are not needed after initialization.
package final class Convolution: Sendable {
  /// Zero padding around a picture.
  package struct Padding: Equatable, Sendable {
    /// Rows above.
    package var top: Int
    /// Columns before.
    package var left: Int
    /// Rows below.
    package var bottom: Int
    /// Columns after.
    package var right: Int

    /// Makes padding.
    package init(top: Int, left: Int, bottom: Int, right: Int) {
      self.top = top
      self.left = left
      self.bottom = bottom
      self.right = right
    }

    /// No padding.
    package static let none = Padding(top: 0, left: 0, bottom: 0, right: 0)
    /// One row or column on each side.
    package static let one = Padding(top: 1, left: 1, bottom: 1, right: 1)
    /// One row below and one column right.
    package static let trailing = Padding(top: 0, left: 0, bottom: 1, right: 1)
  }

  /// Rows of weights stored as one tensor; a layer may consist of several.
  package struct Part {
    let type: TensorType
    let bytes: UnsafeRawBufferPointer
    let outputChannels: Int
    let bias: [Float]?

    /// Describes stored weights.
    /// - Parameters:
    ///   - bytes: `(outputChannels, inputChannels, kernelSize, kernelSize)` in blocks of the type.
    ///   - bias: `(outputChannels,)`; nil counts as zeros.
    package init(
      type: TensorType, bytes: UnsafeRawBufferPointer, outputChannels: Int, bias: [Float]? = nil
    ) {
      self.type = type
      self.bytes = bytes
      self.outputChannels = outputChannels
      self.bias = bias
    }
  }

  /// Number of channels of the input.
  package let inputChannels: Int
  /// Number of channels of the result; half the stored rows where there is a gate.
  package let outputChannels: Int
  /// Number of rows, and of columns, of the kernel.
  package let kernelSize: Int
  /// Step of the kernel, in pixels.
  package let stride: Int
  /// Zero padding around the input.
  package let padding: Padding
  /// Activation of the gate, which is the second half of the stored rows; nil: no gate.
  package let gate: Activation?
  /// Indicates whether the input is upsampled by 2 to the nearest neighbour before the convolution.
  package let upsamples: Bool
  /// Precision of the products.
  package let precision: PicturePrecision

  let groupByteCount: Int
  let weights: AlignedBuffer<UInt8>
  /// `(groups, 16)`
  let bias: AlignedBuffer<Float>

  /// Packs stored weights.
  /// - Parameters:
  ///   - parts: rows of weights, one tensor after another.
  ///   - padding: nil means one pixel on each side for kernel 3 and none for kernel 1.
  ///   - upsamples: every input of the layer is to be upsampled (kernel 3, all padding 1). Four kernels of two by two
  ///     pixels, one for each of the four pixels that a pixel becomes, then save more than half of the work.
  ///   - gate: the first half of all rows are values, the second half gates: results are `value · gate(gateRow)`.
  ///   - pool: threads that share the packing.
  /// - Throws: ``ComputeError/notMultipliable(_:)``, ``ComputeError/badShape(type:rows:columns:)``,
  ///   ``ComputeError/tooFewBytes(needed:available:)`` or ``ComputeError/outOfMemory(byteCount:)``.
  package init(
    parts: [Part], inputChannels: Int, kernelSize: Int = 1, stride: Int = 1,
    padding: Padding? = nil,
    upsamples: Bool = false, gate: Activation? = nil, precision: PicturePrecision,
    pool: WorkerPool? = nil
  ) throws(ComputeError) {
    let rows = parts.reduce(0) { $0 &+ max(0, min($1.outputChannels, 1 << 24)) }
    let padding = padding ?? (kernelSize == 3 ? .one : .none)
    let sides = [padding.top, padding.left, padding.bottom, padding.right]
    guard (1...1 << 20).contains(inputChannels), (1...1 << 20).contains(rows),
      (1...7).contains(kernelSize),
      (1...4).contains(stride), sides.allSatisfy({ (0..<kernelSize).contains($0) }),
      gate == nil || rows % 2 == 0,
      !upsamples || (kernelSize == 3 && stride == 1 && padding == .one)
    else { throw .badShape(type: parts.first?.type ?? .f32, rows: rows, columns: inputChannels) }
    let columns = inputChannels * kernelSize * kernelSize
    for part in parts { try part.check(columns: columns) }
    self.inputChannels = inputChannels
    self.kernelSize = kernelSize
    self.stride = stride
    self.padding = padding
    self.upsamples = upsamples
    self.gate = gate
    self.precision = precision
    outputChannels = gate == nil ? rows : rows / 2
    let even = inputChannels + inputChannels % 2
    let taps = upsamples ? 16 : kernelSize * kernelSize
    groupByteCount = even * taps * 16 * precision.valueByteCount
    let halves = gate == nil ? [0..<rows] : [0..<rows / 2, rows / 2..<rows]
    // Values and gates begin with a group of their own.
    let groups = halves.flatMap { half in
      Swift.stride(from: half.lowerBound, to: half.upperBound, by: 16).map {
        $0..<min($0 + 16, half.upperBound)
      }
    }
    weights = try AlignedBuffer(count: groups.count * groupByteCount)
    bias = try AlignedBuffer(count: groups.count * 16)
    let source = StoredRows(parts: parts, columns: columns)
    for (group, rows) in groups.enumerated() {
      for row in rows { bias[group * 16 + row - rows.lowerBound] = source.bias(of: row) }
    }
    let pack = { (range: Range<Int>) in
      var scratch = StoredRows.Scratch(rows: 16, columns: columns, kernels: taps == 16 ? columns / 9 : 0)
      for group in range {
        let count = groups[group].count
        ck_picture_pack(
          InstructionSet.best.rawValue, precision.form, source.dequantized(groups[group], &scratch),
          Int64(count),
          Int64(inputChannels), Int64(taps), self.weights.base + group * self.groupByteCount)
      }
    }
    // A few pieces for each thread, as each allocates memory for dequantized rows.
    if let pool {
      pool.run(groups.count, grain: max(1, groups.count / (4 * pool.threadCount)), pack)
    } else {
      pack(groups.indices)
    }
  }

  /// Packs one stored tensor; see
  /// ``init(parts:inputChannels:kernelSize:stride:padding:upsamples:gate:precision:pool:)``.
  package convenience init(
    type: TensorType, bytes: UnsafeRawBufferPointer, outputChannels: Int, inputChannels: Int,
    kernelSize: Int = 1,
    stride: Int = 1, padding: Padding? = nil, bias: [Float]? = nil, upsamples: Bool = false,
    gate: Activation? = nil, precision: PicturePrecision, pool: WorkerPool? = nil
  ) throws(ComputeError) {
    try self.init(
      parts: [Part(type: type, bytes: bytes, outputChannels: outputChannels, bias: bias)],
      inputChannels: inputChannels, kernelSize: kernelSize, stride: stride, padding: padding,
      upsamples: upsamples, gate: gate, precision: precision, pool: pool)
  }

  /// Size of the packed weights and biases, in bytes.
  package var byteCount: Int { weights.count + bias.count * 4 }

  /// Returns the size of the result for an input, after upsampling; not positive where the kernel does not fit.
  package func outputSize(height: Int, width: Int) -> (height: Int, width: Int) {
    let (rows, columns) = (
      height + padding.top + padding.bottom, width + padding.left + padding.right
    )
    guard rows >= kernelSize, columns >= kernelSize else { return (0, 0) }
    return ((rows - kernelSize) / stride + 1, (columns - kernelSize) / stride + 1)
  }

  /// Number of rows of weights, including those of gates.
  var rowCount: Int { gate == nil ? outputChannels : 2 * outputChannels }
  /// Number of groups of 16 rows that are results.
  var groupCount: Int { (outputChannels + 15) / 16 }
}

extension Convolution.Part {
  func check(columns: Int) throws(ComputeError) {
    guard type.isMultipliable else { throw .notMultipliable(type) }
    let (values, overflow) = max(0, outputChannels).multipliedReportingOverflow(by: columns)
    guard outputChannels > 0, !overflow, let needed = type.rowByteCount(columns: values),
      bias.map({ $0.count == outputChannels }) ?? true
    else { throw .badShape(type: type, rows: outputChannels, columns: columns) }
    guard bytes.count >= needed else { throw .tooFewBytes(needed: needed, available: bytes.count) }
  }
}

/// Rows of several tensors, dequantized on demand.
private struct StoredRows: @unchecked Sendable {
  let parts: [Convolution.Part]
  let columns: Int

  func bias(of row: Int) -> Float {
    var row = row
    for part in parts {
      if row < part.outputChannels { return part.bias?[row] ?? 0 }
      row -= part.outputChannels
    }
    return 0
  }

  /// Reusable memory for dequantized rows.
  struct Scratch: ~Copyable {
    /// Blocks may begin before a row and end after it.
    fileprivate static let slack = 256
    fileprivate let blocks: UnsafeMutablePointer<Float>
    fileprivate let rows: UnsafeMutablePointer<Float>
    fileprivate let quarters: UnsafeMutablePointer<Float>
    fileprivate let hasQuarters: Bool

    /// - Parameter kernels: in a row, where they become quarters.
    init(rows count: Int, columns: Int, kernels: Int) {
      blocks = .allocate(capacity: count * columns + 2 * Scratch.slack)
      rows = .allocate(capacity: count * columns)
      quarters = .allocate(capacity: count * kernels * 16)
      hasQuarters = kernels > 0
    }

    deinit {
      blocks.deallocate()
      rows.deallocate()
      quarters.deallocate()
    }
  }

  /// Dequantizes rows to `(rows, columns)`, or to `(rows, columns / 9, 16)` as ``quartered(_:into:)`` makes them.
  func dequantized(_ rows: Range<Int>, _ scratch: inout Scratch) -> UnsafeMutablePointer<Float> {
    var (first, filled) = (0, 0)
    for part in parts {
      let own = rows.clamped(to: first..<first + part.outputChannels)
      if !own.isEmpty, let base = part.bytes.baseAddress {
        let values = (own.lowerBound - first) * columns..<(own.upperBound - first) * columns
        let size = part.type.blockSize
        let (start, end) = (
          values.lowerBound / size * size, (values.upperBound + size - 1) / size * size
        )
        let bytes = base + start / size * part.type.bytesPerBlock
        let place = scratch.rows + filled
        if part.type == .f16, Int(bitPattern: bytes) % 2 == 0 {
          InstructionSet.best.widen(
            bytes.assumingMemoryBound(to: UInt16.self), count: values.count, into: place)
        } else {
          part.type.dequantize(bytes, count: end - start, into: scratch.blocks)
          place.update(from: scratch.blocks + (values.lowerBound - start), count: values.count)
        }
        filled += values.count
      }
      first += part.outputChannels
    }
    guard scratch.hasQuarters else { return scratch.rows }
    for kernel in 0..<filled / 9 {
      quartered(scratch.rows + kernel * 9, into: scratch.quarters + kernel * 16)
    }
    return scratch.quarters
  }

  /// Derives four kernels of 2 × 2 that compute on a picture what one of 3 × 3 computes on the upsampled picture, one
  /// for each of the four pixels that a pixel becomes: weights that fall on the same pixel are added.
  private func quartered(_ kernel: UnsafePointer<Float>, into quarters: UnsafeMutablePointer<Float>) {
    /// Weights of three that fall on the first and the second pixel, at an even and at an odd position.
    let shares = [[0..<1, 1..<3], [0..<2, 2..<3]]
    for index in 0..<16 {
      let (row, column) = (
        shares[index >> 3 & 1][index >> 1 & 1], shares[index >> 2 & 1][index & 1]
      )
      quarters[index] = row.reduce(0) { sum, y in column.reduce(sum) { $0 + kernel[3 * y + $1] } }
    }
  }
}
