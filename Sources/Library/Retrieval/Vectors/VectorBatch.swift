import Compute
import Foundation

/// Vectors of consecutive passages of one document, as a row of the table `vector_batches` stores them.
struct VectorBatch {
  /// Row of the batch; never reused.
  var id: Int64
  var document: Int64
  /// Passage and range of each vector.
  var entries: [VectorEntry]
  /// Vectors in half precision, `(entries.count, dimension)`, row-major.
  var halves: Data

  /// Size of an entry in the table, in bytes: the passage's distance from the first one, and its range.
  static let entrySize = 12

  /// Packs the vectors of passages for the table.
  static func encode(_ passages: ArraySlice<PassageVectors>, dimension: Int) -> (windows: Data, vectors: Data) {
    var (windows, vectors) = (Data(), Data())
    guard let first = passages.first?.passage.id.rawValue else { return (windows, vectors) }
    var halves = [UInt16](repeating: 0, count: dimension)
    for passage in passages {
      for window in passage.windows {
        precondition(window.vector.count == dimension, "vectors of one embedder have one dimension")
        for number in [
          UInt32(clamping: passage.passage.id.rawValue - first), UInt32(clamping: window.range.lowerBound),
          UInt32(clamping: window.range.upperBound),
        ] {
          withUnsafeBytes(of: number.littleEndian) { windows.append(contentsOf: $0) }
        }
        window.vector.withUnsafeBufferPointer { vector in
          halves.withUnsafeMutableBufferPointer { halves in
            guard let from = vector.baseAddress, let to = halves.baseAddress else { return }
            InstructionSet.best.narrow(from, count: dimension, into: to)
          }
        }
        halves.withUnsafeBytes { vectors.append(contentsOf: $0) }
      }
    }
    return (windows, vectors)
  }

  /// Reads a row of the table; nil where its columns do not match.
  init?(id: Int64, document: Int64, firstPassage: Int64, windows: Data, halves: Data, dimension: Int) {
    let count = windows.count / Self.entrySize
    guard windows.count % Self.entrySize == 0, halves.count == count * dimension * 2 else { return nil }
    self.id = id
    self.document = document
    self.halves = halves
    entries = windows.withUnsafeBytes { bytes in
      (0..<count).map { place in
        func number(_ index: Int) -> UInt32 {
          UInt32(
            littleEndian: bytes.loadUnaligned(fromByteOffset: place * Self.entrySize + index * 4, as: UInt32.self))
        }
        return VectorEntry(passage: firstPassage &+ Int64(number(0)), start: number(1), end: number(2))
      }
    }
    guard entries.allSatisfy({ $0.start <= $0.end }) else { return nil }
  }
}

/// Passage and range of a vector: sixteen bytes.
struct VectorEntry: BitwiseCopyable {
  var passage: Int64
  var start: UInt32
  var end: UInt32
}

/// Rows of one batch within a block: twenty-four bytes.
struct VectorRun: BitwiseCopyable {
  var batch: Int64
  var document: Int64
  var firstRow: UInt32
  var rowCount: UInt32
}
