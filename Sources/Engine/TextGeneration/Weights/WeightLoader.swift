import Compute
import ModelFormats

/// Finds a model's tensors by name and checks their shapes.
struct WeightLoader {
  let file: GGUFFile
  let configuration: ModelConfiguration

  func has(_ name: String) -> Bool { file.tensor(name) != nil }

  /// A matrix that must have the given shape.
  func matrix(_ name: String, rows: Int, columns: Int) throws(TextGenerationError) -> QuantizedMatrix {
    guard let matrix = try matrixIfPresent(name, rows: rows, columns: columns) else {
      throw .file(.missingTensor(name))
    }
    return matrix
  }

  func matrixIfPresent(
    _ name: String, rows: Int, columns: Int
  ) throws(TextGenerationError) -> QuantizedMatrix? {
    guard let (tensor, mapping) = file.tensor(name) else { return nil }
    guard tensor.columnCount == columns, tensor.rowCount == rows else {
      throw .file(.wrongShape(tensor: name, expected: [columns, rows], found: tensor.dimensions))
    }
    guard tensor.type.isMultipliable else {
      throw .file(.wrongTensorType(tensor: name, found: tensor.type.name))
    }
    return try computed { () throws(ComputeError) in
      try QuantizedMatrix(
        type: tensor.type, rows: rows, columns: columns, bytes: bytes(of: tensor, mapping), owner: mapping)
    }
  }

  private func bytes(of tensor: GGUFTensor, _ mapping: MappedFile) -> UnsafeRawBufferPointer {
    UnsafeRawBufferPointer(rebasing: mapping.bytes[tensor.offset..<tensor.offset + tensor.byteCount])
  }

  /// A matrix whose number of rows the file decides.
  func matrix(_ name: String, columns: Int) throws(TextGenerationError) -> QuantizedMatrix {
    guard let (tensor, _) = file.tensor(name) else { throw .file(.missingTensor(name)) }
    return try matrix(name, rows: tensor.rowCount, columns: columns)
  }

  /// A matrix `NAME.weight` with its bias, if it has one.
  func linear(_ name: String, rows: Int, columns: Int) throws(TextGenerationError) -> Linear {
    Linear(
      matrix: try matrix("\(name).weight", rows: rows, columns: columns),
      bias: try vectorIfPresent("\(name).bias", rows))
  }

  func linearIfPresent(_ name: String, rows: Int, columns: Int) throws(TextGenerationError) -> Linear? {
    has("\(name).weight") ? try linear(name, rows: rows, columns: columns) : nil
  }

  /// The expert matrices of a tensor `(columns, rows, experts)`.
  func expertLinears(
    _ name: String, rows: Int, columns: Int, count: Int
  ) throws(TextGenerationError) -> [Linear] {
    let weightName = "\(name).weight"
    guard let (tensor, mapping) = file.tensor(weightName) else { throw .file(.missingTensor(weightName)) }
    guard tensor.dimensions == [columns, rows, count] else {
      throw .file(
        .wrongShape(tensor: weightName, expected: [columns, rows, count], found: tensor.dimensions))
    }
    guard tensor.type.isMultipliable else {
      throw .file(.wrongTensorType(tensor: weightName, found: tensor.type.name))
    }
    let biases = try vectorIfPresent("\(name).bias", rows * count)
    let matrices = try computed { () throws(ComputeError) in
      try QuantizedMatrix.experts(
        count, type: tensor.type, rows: rows, columns: columns, bytes: bytes(of: tensor, mapping),
        owner: mapping)
    }
    var linears: [Linear] = []
    for (expert, matrix) in matrices.enumerated() {
      var bias: FloatBuffer?
      if let biases {
        let own = try makeBuffer(rows)
        own.base.update(from: biases.base + expert * rows, count: rows)
        bias = own
      }
      linears.append(Linear(matrix: matrix, bias: bias))
    }
    return linears
  }

  /// A vector of single-precision numbers.
  func vector(_ name: String, _ count: Int) throws(TextGenerationError) -> FloatBuffer {
    guard let vector = try vectorIfPresent(name, count) else { throw .file(.missingTensor(name)) }
    return vector
  }

  func vectorIfPresent(_ name: String, _ count: Int) throws(TextGenerationError) -> FloatBuffer? {
    guard let (tensor, mapping) = file.tensor(name) else { return nil }
    guard tensor.elementCount == count else {
      throw .file(.wrongShape(tensor: name, expected: [count], found: tensor.dimensions))
    }
    guard tensor.type.isMultipliable else {
      throw .file(.wrongTensorType(tensor: name, found: tensor.type.name))
    }
    let vector = try makeBuffer(count)
    guard let source = bytes(of: tensor, mapping).baseAddress else { throw .file(.missingTensor(name)) }
    tensor.type.dequantize(source, count: count, into: vector.base)
    return vector
  }

  /// A norm that must be there; its bias is optional.
  func norm(_ name: String, _ count: Int) throws(TextGenerationError) -> NormWeights {
    NormWeights(
      weight: try vector("\(name).weight", count), bias: try vectorIfPresent("\(name).bias", count))
  }

  func normIfPresent(_ name: String, _ count: Int) throws(TextGenerationError) -> NormWeights? {
    has("\(name).weight") ? try norm(name, count) : nil
  }

  /// A norm of the residual stream; those of some families have no weights.
  func familyNorm(_ name: String) throws(TextGenerationError) -> NormWeights {
    configuration.family.normsLackWeights
      ? NormWeights(weight: nil, bias: nil) : try norm(name, configuration.width)
  }

  /// A norm of heads, whose weights all heads share or each has for itself.
  func headNormIfPresent(
    _ name: String, _ length: Int, heads: Int
  ) throws(TextGenerationError) -> NormWeights? {
    let isOwn = file.tensor("\(name).weight")?.tensor.elementCount == length * heads
    return try normIfPresent(name, isOwn ? length * heads : length)
  }

  /// Throws where a network lacks the gate projection that the family's activation needs.
  func requirePlain(_ gate: Gate, _ name: String) throws(TextGenerationError) {
    guard case .activation = gate else { throw .file(.missingTensor("\(name).weight")) }
  }
}
