import Compute
import ModelFormats
import Tokenization

/// Facts about a loaded model.
package struct ModelDescription: Sendable {
  /// Path of the file.
  package let path: String
  /// The family, as `general.architecture` gives it.
  package let architecture: String
  /// The model's name, where the file gives one.
  package let name: String?
  /// Number of positions the KV cache holds.
  package let contextLength: Int
  /// Bytes of the KV cache for one position.
  package let cacheBytesPerToken: Int
  /// The longest text the model was trained on, in tokens.
  package let trainedContextLength: Int
  /// The size of the file, or of all its parts.
  package let byteCount: Int
  /// Name of the quantization, `Q4_K_M` say.
  package let quantization: String
  /// The number of weights.
  package let parameterCount: Int
  /// The template that makes prompts of conversations, where the file has one.
  package let chatTemplate: String?
  /// The model's tokenizer.
  package let tokenizer: Tokenizer
  /// Default settings for drawing tokens.
  package let sampling: SamplingDefaults

  init(_ model: LanguageModel, path: String, tokenizer: Tokenizer) {
    let header = model.file.header
    self.path = path
    architecture = model.configuration.architectureName
    name = model.configuration.name
    contextLength = model.contextLength
    cacheBytesPerToken = model.cacheBytesPerToken
    trainedContextLength = model.configuration.contextLength
    byteCount = model.file.byteCount
    let tensors = model.file.tensors
    parameterCount = tensors.reduce(0) { $0 + $1.elementCount }
    quantization = QuantizationName.of(header, tensors: tensors)
    // A template of another type than text is no template.
    chatTemplate = try? header.string("tokenizer.chat_template")
    self.tokenizer = tokenizer
    sampling = SamplingDefaults(header)
  }
}

/// The names people use for the mixes of types that model files are stored in.
enum QuantizationName {
  /// Returns the name by `general.file_type` (llama.cpp, `llama_ftype`), else the type that takes the most bytes.
  static func of(_ header: GGUFHeader, tensors: [GGUFTensor]) -> String {
    // A wrong type here only costs the name.
    if let number = try? header.integer("general.file_type"), let name = names[number] { return name }
    let sizes = Dictionary(grouping: tensors, by: \.type).mapValues { $0.reduce(0) { $0 + $1.byteCount } }
    return sizes.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }?.key.name ?? "?"
  }

  private static let names: [Int: String] = [
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S",
    12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K",
    19: "IQ2_XXS", 20: "IQ2_XS", 21: "Q2_K_S", 22: "IQ3_XS", 23: "IQ3_XXS", 24: "IQ1_S", 25: "IQ4_NL",
    26: "IQ3_S", 27: "IQ3_M", 28: "IQ2_S", 29: "IQ2_M", 30: "IQ4_XS", 31: "IQ1_M", 32: "BF16", 36: "TQ1_0",
    37: "TQ2_0", 38: "MXFP4_MOE",
  ]
}
