import Compute
import ModelFormats

/// One tensor of a model file, mapped and not read.
struct StoredTensor: Sendable {
  /// The name in the file, for errors.
  let name: String
  let type: TensorType
  /// The dimensions as the network wants them, the slowest first.
  var shape: [Int]
  let file: MappedFile
  var offset: Int
  var byteCount: Int
  /// Whether it is stored as (in, out) where the network wants (out, in).
  var isTransposed = false

  var bytes: UnsafeRawBufferPointer { UnsafeRawBufferPointer(rebasing: file.bytes[offset..<offset + byteCount]) }
  var count: Int { shape.reduce(1, *) }
  /// The shape without dimensions of 1, which files treat in different ways.
  var plainShape: [Int] { shape.filter { $0 != 1 } }

  /// All values in F32, as the network wants them.
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

  /// One of equal groups of rows, such as the queries of fused projections.
  func part(_ index: Int, of parts: Int) -> StoredTensor? {
    guard let rows = shape.first, rows % parts == 0, byteCount % parts == 0, !isTransposed else { return nil }
    var part = self
    part.shape[0] = rows / parts
    part.byteCount = byteCount / parts
    part.offset = offset + index * part.byteCount
    return part
  }

  /// Lets go of the file's pages.
  func release() { file.release(offset..<offset + byteCount) }
}

/// The tensors of a file, or of one part of a model, by name.
struct TensorTable: Sendable {
  private(set) var tensors: [String: StoredTensor] = [:]
  /// Free texts of the file.
  var metadata: [String: String] = [:]

  init() {}

  /// Opens a model file of any kind by its first bytes; a `.index.json` opens all parts of a sharded one.
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

  /// The tensor of a name.
  /// - Throws: ``DiffusionError/missingTensor(_:)``, ``DiffusionError/unsupportedType(tensor:type:)``.
  func required(_ name: String) throws(DiffusionError) -> StoredTensor {
    guard let tensor = tensors[name] else { throw .missingTensor(name) }
    guard tensor.type.isMultipliable else { throw .unsupportedType(tensor: tensor.name, type: tensor.type.name) }
    return tensor
  }

  /// How many things with numbers follow a prefix: for `down_blocks.` with `down_blocks.0.…` to `down_blocks.3.…` 4.
  func count(_ prefix: String) -> Int {
    var numbers: Set<Int> = []
    for name in tensors.keys where name.hasPrefix(prefix) {
      if let number = Int(name.dropFirst(prefix.count).prefix { $0 != "." }) { numbers.insert(number) }
    }
    var count = 0
    while numbers.contains(count) { count += 1 }
    return count
  }

  /// Whether a name begins so.
  func has(_ prefix: String) -> Bool { tensors.keys.contains { $0.hasPrefix(prefix) } }

  /// All tensors' values.
  var elementCount: Int { tensors.values.reduce(0) { $0 + $1.count } }
}
