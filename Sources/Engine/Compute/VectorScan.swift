import CKernels

/// Exact search over vectors of 8-bit values; every instruction set gives the same bits.
extension InstructionSet {
  /// The values a row takes up: a multiple of 64, at least `dimension`.
  package static func scanWidth(dimension: Int) -> Int {
    let alignment = Int(CK_SCAN_ALIGNMENT)
    return (dimension + alignment - 1) / alignment * alignment
  }

  /// Rounds a vector to 8 bits and fills the row with zeros; returns the scale, 0 for a vector that has no direction.
  /// - Parameters:
  ///   - vector: `(count,)`
  ///   - row: `(width,)`, overwritten
  package static func quantize(
    _ vector: UnsafePointer<Float>, count: Int, width: Int, into row: UnsafeMutablePointer<Int8>
  ) -> Float {
    precondition(count <= width, "a vector fits its row")
    return ck_scan_quantize(vector, Int64(count), Int64(width), row)
  }

  /// scores[i] = scales[i] · (rows[i] · query)
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

  /// Writes the places of the scores above a floor, in order, and returns how many there are.
  package func places(
    above floor: Float, in scores: UnsafePointer<Float>, count: Int, into places: UnsafeMutablePointer<Int32>
  ) -> Int {
    Int(ck_scan_above(rawValue, scores, Int64(count), floor, places))
  }
}
