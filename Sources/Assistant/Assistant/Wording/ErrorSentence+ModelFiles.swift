import ModelFormats

// Sentences about model files. Nobody mends one: the way out is to get it again.
extension ErrorSentence {
  /// Says what is wrong with a GGUF file.
  package static func describe(_ error: GGUFError) -> String {
    switch error {
    case .inFile(let path, let error): "\(path): " + describe(error)
    case .unusableFile(let path, let reason): "\(path) cannot be read: \(reason)"
    case .badMagic: "this is not a GGUF file"
    case .unsupportedVersion(let version): "GGUF version \(version) is not supported; 2 and 3 are"
    case .truncated(let place, let needed, let available):
      "the model file ends early: \(needed) bytes are needed at \(place), \(available) are there; get it again"
    case .missingKey(let key): "the model file lacks the key '\(key)'"
    case .missingTensor(let name): "the model file lacks the tensor '\(name)'"
    case .wrongShape(let tensor, let expected, let found):
      "the tensor '\(tensor)' has the shape \(found) instead of \(expected)"
    case .tensorOutsideFile(let tensor, let needed, let available):
      "the model file ends early: the tensor '\(tensor)' ends at byte \(needed), but the file has \(available); "
        + "get it again"
    case .unknownTensorType(let tensor, let type):
      "the tensor '\(tensor)' is stored as type \(type), which is not known; another quantization of the model may be"
    case .wrongTensorType(let tensor, let found):
      "the tensor '\(tensor)' is stored as \(found), which cannot be used there; another quantization of the model "
        + "may be"
    case .badSplit(let path, let fault): "the part \(path) of the model " + describe(fault)
    case .beyondLimit(let what, let count, let limit):
      damaged("\(what): \(count) is more than the \(limit) there may be")
    case .emptyName(let place): damaged("a name at byte \(place) is empty")
    case .notUTF8(let place): damaged("the text at byte \(place) is not UTF-8")
    case .duplicateKey(let key): damaged("the key '\(key)' is there twice")
    case .unknownValueType(let key, let type):
      damaged("the key '\(key)' holds a value of the unknown type \(type)")
    case .badBoolean(let key, let value): damaged("the key '\(key)' is neither true nor false but \(value)")
    case .badAlignment(let alignment): damaged("the alignment \(alignment) is no power of two or too large")
    case .duplicateTensor(let tensor): damaged("the tensor '\(tensor)' is there twice")
    case .tooManyDimensions(let tensor, let count): damaged("the tensor '\(tensor)' has \(count) dimensions")
    case .badDimension(let tensor, let index, let size):
      damaged("dimension \(index) of the tensor '\(tensor)' cannot be \(size)")
    case .tensorTooLarge(let tensor): damaged("the size of the tensor '\(tensor)' is beyond all memory")
    case .partialBlock(let tensor, let row, let block):
      damaged("rows of \(row) do not divide into blocks of \(block) in the tensor '\(tensor)'")
    case .misalignedTensor(let tensor, let offset, let alignment):
      damaged("the tensor '\(tensor)' begins at \(offset), no multiple of \(alignment)")
    case .overlappingTensors(let one, let other): damaged("the tensors '\(one)' and '\(other)' share bytes")
    case .wrongType(let key, let expected, let found): damaged("the key '\(key)' holds \(found), not \(expected)")
    case .badValue(let key, let value): damaged("the key '\(key)' cannot be \(value)")
    case .wrongByteCount(let tensor, let expected, let found):
      damaged("the tensor '\(tensor)' has \(found) bytes instead of \(expected)")
    }
  }

  /// Says what is wrong with a part of a split model, to follow the name of its file.
  private static func describe(_ error: GGUFError.SplitFault) -> String {
    switch error {
    case .missing: "is not there; get it, or put it beside the others"
    case .number(let expected, let found): "says that it is part \(found), not \(expected)"
    case .count(let expected, let found):
      "is one of \(found) parts by what it says, one of \(expected) by its name"
    case .tensorCount(let expected, let found):
      "promises \(expected) tensors, but all parts together hold \(found)"
    }
  }

  /// Says what is wrong with a safetensors file.
  package static func describe(_ error: SafetensorsError) -> String {
    switch error {
    case .unusableFile(let path, let reason): "\(path) cannot be read: \(reason)"
    case .truncated(let needed, let available):
      "the model file ends early: its header has \(needed) bytes, \(available) are there; get it again"
    case .headerTooLong, .badHeader: "this is not a safetensors file, or it is damaged; get it again"
    case .unknownType(let tensor, let type): "the tensor '\(tensor)' is stored as \(type), which is not known"
    case .badShape(let tensor, let shape): "the tensor '\(tensor)' cannot have the shape \(shape)"
    case .wrongByteCount(let tensor, let expected, let found):
      damaged("the tensor '\(tensor)' has \(found) bytes instead of \(expected)")
    case .tensorOutsideFile(let tensor, _, let end, let available):
      "the model file ends early: the tensor '\(tensor)' ends at byte \(end) of \(available); get it again"
    case .overlappingTensors(let one, let other):
      damaged("the tensors '\(one)' and '\(other)' share bytes")
    case .duplicateTensor(let tensor): "the tensor '\(tensor)' is in two parts of the model"
    case .missingTensor(let tensor, let file):
      "the index says that the tensor '\(tensor)' is in \(file); it is not"
    case .badPartName(let name): "the index names the file '\(name)', which is not beside it"
    }
  }

  private static func damaged(_ what: String) -> String { "the model file is damaged: \(what); get it again" }
}
