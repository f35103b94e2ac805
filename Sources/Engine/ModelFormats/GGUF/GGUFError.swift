/// Errors of a GGUF file, with their facts.
package enum GGUFError: Error, Sendable, Equatable, Codable {
  /// Error of the file at a path.
  indirect case inFile(path: String, GGUFError)
  /// The file cannot be opened, measured, mapped, read or written.
  case unusableFile(path: String, reason: String)
  /// The bytes end before a value does.
  case truncated(atByte: Int, needed: UInt64, available: UInt64)
  /// The first four bytes are not `GGUF`.
  case badMagic(UInt32)
  /// A version other than 2 and 3; big-endian files show up here too.
  case unsupportedVersion(UInt32)
  /// A count or length is beyond its stated limit.
  case beyondLimit(of: String, count: UInt64, limit: UInt64)
  /// A key or tensor name is empty.
  case emptyName(atByte: Int)
  /// A key, tensor name or text is not UTF-8.
  case notUTF8(atByte: Int)
  /// A key occurs twice.
  case duplicateKey(String)
  /// A value's type number is none of the thirteen.
  case unknownValueType(key: String, type: UInt32)
  /// A boolean is neither 0 nor 1.
  case badBoolean(key: String, value: UInt8)
  /// `general.alignment` is not a power of two within the limit.
  case badAlignment(UInt64)
  /// A tensor's name occurs twice.
  case duplicateTensor(String)
  /// A tensor has more than four dimensions.
  case tooManyDimensions(tensor: String, count: UInt32)
  /// A dimension is zero, negative or beyond the limit.
  case badDimension(tensor: String, index: Int, size: UInt64)
  /// The product of a tensor's dimensions, or its size in bytes, overflows.
  case tensorTooLarge(tensor: String)
  /// A tensor's type number is not known.
  case unknownTensorType(tensor: String, type: UInt32)
  /// A tensor's rows are not a whole number of its type's blocks.
  case partialBlock(tensor: String, rowLength: Int, blockLength: Int)
  /// A tensor does not start on the file's alignment.
  case misalignedTensor(tensor: String, offset: UInt64, alignment: Int)
  /// A tensor ends beyond the end of the file.
  case tensorOutsideFile(tensor: String, needed: UInt64, available: UInt64)
  /// Two tensors share bytes.
  case overlappingTensors(String, String)
  /// A needed key is absent.
  case missingKey(String)
  /// A key holds another type of value.
  case wrongType(key: String, expected: String, found: GGUFValueType)
  /// A key's value makes no sense.
  case badValue(key: String, value: String)
  /// A needed tensor is absent.
  case missingTensor(String)
  /// A tensor has another shape than the model's sizes say.
  case wrongShape(tensor: String, expected: [Int], found: [Int])
  /// A tensor's type cannot be used where it stands.
  case wrongTensorType(tensor: String, found: String)
  /// A part of a split model is absent, or is not that part.
  case badSplit(path: String, reason: SplitFault)
  /// A tensor was written with another number of bytes than its shape needs.
  case wrongByteCount(tensor: String, expected: Int, found: Int)

  /// Faults of one part of a split model.
  package enum SplitFault: Sendable, Equatable, Codable {
    /// The part's file is not there.
    case missing
    /// The part says it is another one.
    case number(expected: Int, found: Int)
    /// The part gives another count of parts than the file names do.
    case count(expected: Int, found: Int)
    /// All parts together hold another number of tensors than the first promises.
    case tensorCount(expected: Int, found: Int)
  }
}
