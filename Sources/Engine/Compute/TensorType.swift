import CKernels

/// Storage type of a tensor; the raw values are the type IDs of GGUF.
package enum TensorType: UInt32, CaseIterable, Sendable, Codable {
  case f32 = 0
  case f16 = 1
  case q4_0 = 2
  case q4_1 = 3
  case q5_0 = 6
  case q5_1 = 7
  case q8_0 = 8
  case q2_K = 10
  case q3_K = 11
  case q4_K = 12
  case q5_K = 13
  case q6_K = 14
  case iq2_XXS = 16
  case iq2_XS = 17
  case iq3_XXS = 18
  case iq1_S = 19
  case iq4_NL = 20
  case iq3_S = 21
  case iq2_S = 22
  case iq4_XS = 23
  case i8 = 24
  case i16 = 25
  case i32 = 26
  case i64 = 27
  case f64 = 28
  case iq1_M = 29
  case bf16 = 30
  case tq1_0 = 34
  case tq2_0 = 35
  case mxfp4 = 39

  /// Name as GGUF tools print it, such as `Q4_K`.
  package var name: String {
    switch self {
    case .mxfp4: "MXFP4"
    default: String(describing: self).uppercased()
    }
  }

  /// Finds a type by its printed name, ignoring case.
  package init?(name: String) {
    let wanted = name.uppercased()
    guard let type = TensorType.allCases.first(where: { $0.name == wanted }) else { return nil }
    self = type
  }

  /// Number of values in a block; 1 for plain types.
  package var blockSize: Int { Int(traits.block_size) }
  /// Size of a block, in bytes.
  package var bytesPerBlock: Int { Int(traits.block_bytes) }
  /// Indicates whether values are stored as integers of 8 bits at most, with shared scales.
  package var isQuantized: Bool { traits.group != 0 }
  /// Indicates whether ``QuantizedMatrix`` can multiply with it.
  package var isMultipliable: Bool { isQuantized || self == .f32 || self == .f16 || self == .bf16 }

  /// Returns the size of a row in bytes, or nil where the columns do not divide into blocks or the size overflows.
  package func rowByteCount(columns: Int) -> Int? {
    guard columns >= 0, columns % blockSize == 0 else { return nil }
    let (bytes, overflow) = (columns / blockSize).multipliedReportingOverflow(by: bytesPerBlock)
    return overflow ? nil : bytes
  }

  /// Returns the size of `rows` rows in bytes, or nil as for ``rowByteCount(columns:)``.
  package func byteCount(rows: Int, columns: Int) -> Int? {
    guard rows >= 0, let row = rowByteCount(columns: columns) else { return nil }
    let (bytes, overflow) = row.multipliedReportingOverflow(by: rows)
    return overflow ? nil : bytes
  }

  /// Dequantizes blocks to F32.
  /// - Parameters:
  ///   - blocks: at least ``rowByteCount(columns:)`` bytes of `count`.
  ///   - count: number of values, a multiple of ``blockSize``. The type must be ``isMultipliable``.
  ///   - output: `(count,)`, overwritten.
  package func dequantize(_ blocks: UnsafeRawPointer, count: Int, into output: UnsafeMutablePointer<Float>) {
    precondition(isMultipliable && count % blockSize == 0, "whole blocks of weights only")
    ck_dequantize(Int32(rawValue), blocks, Int64(count), output)
  }

  /// Traits of the type as the kernels see it.
  var traits: ck_traits { ck_type_traits(Int32(rawValue)) }
}
