import Compute
import ModelFormats

/// Tensor of a model file, memory-mapped and not yet read.
struct StoredTensor: Sendable {
  /// Name in the file, for errors.
  let name: String
  let type: TensorType
  /// Dimensions in the network's order, slowest-varying first.
  var shape: [Int]
  let file: MappedFile
  var offset: Int
  var byteCount: Int
  /// Indicates whether the matrix is stored as `(inputs, outputs)` instead of `(outputs, inputs)`.
  var isTransposed = false

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: file.bytes[offset..<offset + byteCount]) }
  var count: Int { shape.reduce(1, *) }
  /// Shape without dimensions of 1, about which files differ.
  var plainShape: [Int] { shape.filter { $0 != 1 } }

  /// Returns all values in F32, row by row of ``shape``.
  func floats() -> [Float] {
    var values = [Float](repeating: 0, count: count)
    guard let start = bytes.baseAddress else { return values }
    values.withUnsafeMutableBufferPointer { output in
      guard let output = output.baseAddress else { return }
      type.dequantize(start, count: count, into: output)
    }
    guard isTransposed, shape.count == 2 else { return values }
    let (rows, columns) = (shape[0], shape[1])
    var turned = values
    for row in 0..<rows {
      for column in 0..<columns { turned[row * columns + column] = values[column * rows + row] }
    }
    return turned
  }

  /// Returns one of `parts` equal groups of rows, such as the queries of fused projections; nil for rows that do not
  /// divide.
  func part(_ index: Int, of parts: Int) -> StoredTensor? {
    guard let rows = shape.first, rows % parts == 0, byteCount % parts == 0, !isTransposed else { return nil }
    var part = self
    part.shape[0] = rows / parts
    part.byteCount = byteCount / parts
    part.offset = offset + index * part.byteCount
    return part
  }

  /// Releases the file's pages from memory.
  func release() { file.release(offset..<offset + byteCount) }
}

/// Tensors of a file, or of one part of a model, by name.
struct TensorTable: Sendable {
  private(set) var tensors: [String: StoredTensor] = [:]
  /// Text metadata of the file.
  var metadata: [String: String] = [:]

  init() {}

  /// Opens a GGUF or safetensors file, told apart by the first bytes; a `.index.json` opens all shards.
  init(path: String) throws(DiffusionError) {
    if !path.hasSuffix(".json"), try DiffusionError.wrapping({ try Self.isGGUF(path) }) {
      try self.init(
        gguf: DiffusionError.wrapping { try GGUFFile(path: path, nameLimit: GGUFLimits.longTensorNameLength) })
    } else {
      try self.init(safetensors: DiffusionError.wrapping { try ShardedSafetensors(path: path) })
    }
  }

  private static func isGGUF(_ path: String) throws -> Bool {
    let file = try MappedFile(path: path)
    return file.bytes.prefix(4).elementsEqual("GGUF".utf8)
  }

  private init(gguf file: GGUFFile) throws(DiffusionError) {
    for part in file.parts {
      for tensor in part.header.tensors where tensor.type.isMultipliable {
        self[tensor.name] = StoredTensor(
          name: tensor.name, type: tensor.type, shape: tensor.dimensions.reversed(), file: part.file,
          offset: tensor.offset, byteCount: tensor.byteCount)
      }
    }
    for key in file.header.keys {
      if case .string(let text) = file.header.metadata[key] { metadata[key] = text }
    }
  }

  private init(safetensors sharded: ShardedSafetensors) throws(DiffusionError) {
    for file in sharded.files {
      metadata.merge(file.metadata) { first, _ in first }
      for tensor in file.tensors {
        let type: TensorType
        switch tensor.type {
        case .f32: type = .f32
        case .f16: type = .f16
        case .bf16: type = .bf16
        case .f64, .f8e4m3, .f8e5m2: type = .f64  // Refused only where it is needed.
        default: continue
        }
        self[tensor.name] = StoredTensor(
          name: tensor.name, type: type, shape: tensor.shape, file: file.file, offset: tensor.offset,
          byteCount: tensor.byteCount)
      }
    }
  }

  var names: some Collection<String> { tensors.keys }
  var isEmpty: Bool { tensors.isEmpty }

  subscript(name: String) -> StoredTensor? {
    get { tensors[name] }
    set { tensors[name] = newValue }
  }

  /// Returns a tensor that must exist in a usable type.
  /// - Throws: ``DiffusionError/missingTensor(_:)``, ``DiffusionError/unsupportedType(tensor:type:)``.
  func required(_ name: String) throws(DiffusionError) -> StoredTensor {
    guard let tensor = tensors[name] else { throw .missingTensor(name) }
    guard tensor.type.isMultipliable else { throw .unsupportedType(tensor: tensor.name, type: tensor.type.name) }
    return tensor
  }

  /// Counts the consecutive numbers from 0 after a prefix: 4 for `down_blocks.0.…` to `down_blocks.3.…`.
  func count(_ prefix: String) -> Int {
    var numbers: Set<Int> = []
    for name in tensors.keys where name.hasPrefix(prefix) {
      if let number = Int(name.dropFirst(prefix.count).prefix { $0 != "." }) { numbers.insert(number) }
    }
    var count = 0
    while numbers.contains(count) { count += 1 }
    return count
  }

  /// Indicates whether a name has the prefix.
  func has(_ prefix: String) -> Bool { tensors.keys.contains { $0.hasPrefix(prefix) } }

  /// Number of values of all tensors.
  var elementCount: Int { tensors.values.reduce(0) { $0 + $1.count } }
}
