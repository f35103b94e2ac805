/// Errors of a safetensors file, with their facts.
package enum SafetensorsError: Error, Sendable, Equatable, Codable {
  /// The file cannot be opened or mapped.
  case unusableFile(path: String, reason: String)
  /// The file ends before its header does.
  case truncated(needed: UInt64, available: UInt64)
  /// The header is longer than the format allows.
  case headerTooLong(UInt64)
  /// The header is not the JSON object that the format describes.
  case badHeader(reason: String)
  /// An element type is not known.
  case unknownType(tensor: String, type: String)
  /// A dimension is negative, or their product overflows.
  case badShape(tensor: String, shape: [Int])
  /// A tensor's place does not fit its shape and type.
  case wrongByteCount(tensor: String, expected: Int, found: Int)
  /// A tensor's place leaves the file or is not a range.
  case tensorOutsideFile(tensor: String, begin: Int, end: Int, available: Int)
  /// Two tensors share bytes.
  case overlappingTensors(String, String)
  /// The same tensor is in two parts of a sharded model.
  case duplicateTensor(String)
  /// The index of a sharded model names a tensor that its file lacks.
  case missingTensor(tensor: String, file: String)
  /// The index of a sharded model names a file outside its folder.
  case badPartName(String)
}
