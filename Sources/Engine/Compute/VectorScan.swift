import CKernels

/// Exact search over 8-bit vectors by dot product; every instruction set gives the same bits.
extension InstructionSet {
  /// Returns the number of values in a row: `dimension` rounded up to a multiple of 64.
  package static func scanWidth(dimension: Int) -> Int {
    let alignment = Int(CK_SCAN_ALIGNMENT)
    return (dimension + alignment - 1) / alignment * alignment
  }

  /// Quantizes a vector to 8 bits and pads the row with zeros.
  /// - Parameters:
  ///   - vector: `(count,)`
  ///   - row: `(width,)`, overwritten
  /// - Returns: the scale; 0 for a vector of zeros, or one that is not finite.
  package static func quantize(
    _ vector: UnsafePointer<Float>, count: Int, width: Int, into row: UnsafeMutablePointer<Int8>
  ) -> Float {
    precondition(count <= width, "a vector fits its row")
    return ck_scan_quantize(vector, Int64(count), Int64(width), row)
  }

  /// Computes scores[i] = scales[i] · (rows[i] · query).
  /// - Parameters:
  ///   - rows: `(count, width)`, from -127 to 127
  ///   - scales: `(count,)`
  ///   - query: `(width,)`, from -127 to 127
  ///   - scores: `(count,)`, overwritten
  package func scan(
    rows: UnsafePointer<Int8>, scales: UnsafePointer<Float>, width: Int, count: Int, query: UnsafePointer<Int8>,
    into scores: UnsafeMutablePointer<Float>
  ) {
    precondition(width % Int(CK_SCAN_ALIGNMENT) == 0, "rows are aligned")
    ck_scan(rawValue, rows, scales, Int64(width), Int64(count), query, scores)
  }

  /// Writes the indices of the scores above a floor, ascending, and returns their number.
  /// - Parameters:
  ///   - scores: `(count,)`
  ///   - places: room for `count` indices
  package func places(
    above floor: Float, in scores: UnsafePointer<Float>, count: Int, into places: UnsafeMutablePointer<Int32>
  ) -> Int {
    Int(ck_scan_above(rawValue, scores, Int64(count), floor, places))
  }
}
