import Compute

/// State of the recurrent layers after the positions evaluated so far.
///
/// Unlike the KV cache it cannot be cut back to an earlier position, so it is copied where one may be needed.
final class RecurrentState {
  /// The last inputs of a layer's convolution, `(channels, length - 1)`; empty for layers with attention.
  private(set) var convolutions: [FloatBuffer] = []
  /// A delta net's memory, `(value heads, value element, key element)`.
  private(set) var memories: [FloatBuffer] = []

  init(_ configuration: ModelConfiguration) throws(TextGenerationError) {
    for layer in 0..<configuration.layerCount {
      let isRecurrent = configuration.isRecurrent[layer]
      if isRecurrent, let net = configuration.deltaNet {
        convolutions.append(try makeBuffer(net.convolutionWidth * (net.convolutionLength - 1)))
        memories.append(try makeBuffer(net.valueHeadCount * net.headLength * net.headLength))
      } else {
        let past = isRecurrent ? configuration.convolutionLength - 1 : 0
        convolutions.append(try makeBuffer(configuration.width * past))
        memories.append(try makeBuffer(0))
      }
    }
  }

  /// Indicates whether there is anything to remember.
  var isEmpty: Bool { (convolutions + memories).allSatisfy { $0.count == 0 } }

  /// Number of elements of a snapshot.
  var count: Int { (convolutions + memories).reduce(0) { $0 + $1.count } }

  /// Forgets everything.
  func reset() {
    for buffer in convolutions + memories { buffer.fill(0) }
  }

  /// All numbers in order, to be put back later.
  func snapshot() -> [Float] {
    (convolutions + memories).flatMap { buffer in Array(buffer.buffer) }
  }

  /// Puts back what ``snapshot()`` gave.
  func restore(_ snapshot: [Float]) {
    var start = 0
    snapshot.withUnsafeBufferPointer { all in
      for buffer in convolutions + memories where buffer.count > 0 {
        buffer.base.update(from: all.baseAddress! + start, count: buffer.count)
        start += buffer.count
      }
    }
    precondition(start == snapshot.count, "a snapshot of another model")
  }
}
