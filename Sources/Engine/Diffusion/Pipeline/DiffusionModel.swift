import Compute
import Foundation
import Images
import Tokenization

/// Supported families of models.
package enum DiffusionVariant: String, Sendable, CaseIterable {
  /// Stable Diffusion 1.
  case stableDiffusion1 = "SD 1"
  /// Stable Diffusion 2.
  case stableDiffusion2 = "SD 2"
  /// Stable Diffusion XL.
  case stableDiffusionXL = "SDXL"
}

/// Model on the disk: its parts, memory-mapped and not loaded, and its configuration.
struct DiffusionModel: Sendable {
  /// Path of the file or folder.
  let path: String
  let variant: DiffusionVariant
  let parts: ModelParts
  let unet: UNetConfiguration
  let autoencoder: AutoencoderConfiguration
  let textEncoders: [TextEncoderConfiguration]
  let tokenizers: [TokenizerSource]
  /// Noise schedule of the folder; nil without one.
  let scheduler: SchedulerConfiguration?
  /// Scheduler named by the folder.
  let namedScheduler: SchedulerKind?
  /// Indicates whether the embedding of an absent negative prompt is all zeros.
  let zeroesEmptyNegative: Bool
  /// Text metadata of the file.
  let metadata: [String: String]
  /// Indicates whether the file has the tensor `v_pred`: its network predicts velocity.
  let hasVelocityMark: Bool

  /// Files of a tokenizer, read on demand.
  struct TokenizerSource: Sendable {
    var merges: String
    var vocabulary: String?
    /// Padding token as the vocabulary writes it; nil for the end-of-text token.
    var padding: String?
  }

  /// Opens a model: a folder as diffusers writes it, a checkpoint, or a GGUF file.
  /// - Parameters:
  ///   - autoencoder: another autoencoder than the model's own.
  ///   - merges: CLIP's `merges.txt`, for models that come without one.
  init(path: String, autoencoder vaePath: String?, merges: String?) throws(DiffusionError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw .notFound(path: path) }
    var source = path
    if isFolder.boolValue, !ModelFolder.isDiffusers(path) {
      guard let only = ModelFolder.onlyModelFile(in: path) else {
        throw .notADiffusionModel(path: path, found: "a folder without unet")
      }
      source = only
    }
    let folder = source == path && isFolder.boolValue ? ModelFolder(path) : ModelFolder.beside(source)
    var parts: ModelParts
    var mark = false
    if source == path, isFolder.boolValue {
      parts = ModelParts()
      let files = ModelFolder(path)
      let unetTable = try files.table("unet")
      (metadata, mark) = (unetTable.metadata, false)
      parts.unet = try ModelParts(unetTable, path: path).unet
      if let table = try files.optionalTable("vae") { parts.vae = try ModelParts(table, path: path).vae }
      if let table = try files.optionalTable("text_encoder") {
        parts.textEncoder = try ModelParts.textEncoder(table)
      }
      if let table = try files.optionalTable("text_encoder_2") {
        parts.textEncoder2 = try ModelParts.textEncoder(table)
      }
    } else {
      let table = try TensorTable(path: source)
      (metadata, mark) = (table.metadata, table["v_pred"] != nil)
      parts = try ModelParts(table, path: source)
    }
    if let vaePath { parts.vae = try Self.autoencoder(at: vaePath) }
    self.path = path
    self.parts = parts
    hasVelocityMark = mark
    guard !parts.unet.isEmpty else { throw .missingPart("unet", path: path) }
    guard !parts.vae.isEmpty else { throw .missingPart("vae", path: path) }
    guard !parts.textEncoder.isEmpty else { throw .missingPart("text_encoder", path: path) }
    variant = try Self.variant(parts)
    if variant == .stableDiffusionXL, parts.textEncoder2.isEmpty {
      throw .missingPart("text_encoder_2", path: path)
    }
    unet =
      try folder?.json("unet/config.json").map { json throws(DiffusionError) in try UNetConfiguration(json) }
      ?? UNetConfiguration()
    autoencoder = try Self.autoencoderConfiguration(folder, isSeparate: vaePath != nil, vaePath, variant)
    textEncoders = try Self.textEncoders(folder, variant, parts)
    let json = try folder?.json("scheduler/scheduler_config.json")
    scheduler = try json.map { json throws(DiffusionError) in try SchedulerConfiguration(json) }
    namedScheduler = json?.text("_class_name").flatMap { SchedulerKind(name: $0) }
    zeroesEmptyNegative =
      try folder?.json("model_index.json")?.flag("force_zeros_for_empty_prompt") ?? (variant == .stableDiffusionXL)
    tokenizers = try Self.tokenizers(folder, variant, merges: merges, path: path)
  }

  /// Reads an autoencoder's own file or folder.
  private static func autoencoder(at path: String) throws(DiffusionError) -> TensorTable {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else { throw .notFound(path: path) }
    let table = isFolder.boolValue ? try ModelFolder(path).table("") : try TensorTable(path: path)
    let vae = try ModelParts(table, path: path).vae
    guard !vae.isEmpty else { throw .missingPart("vae", path: path) }
    return vae
  }

  private static func autoencoderConfiguration(
    _ folder: ModelFolder?, isSeparate: Bool, _ path: String?, _ variant: DiffusionVariant
  ) throws(DiffusionError) -> AutoencoderConfiguration {
    var result = AutoencoderConfiguration()
    let json =
      isSeparate ? try path.flatMap { ModelFolder($0) }?.json("config.json") : try folder?.json("vae/config.json")
    if let json { result = try AutoencoderConfiguration(json) }
    result.scale = result.scale ?? (variant == .stableDiffusionXL ? 0.13025 : 0.18215)
    return result
  }

  /// Determines the variant from the tensors.
  private static func variant(_ parts: ModelParts) throws(DiffusionError) -> DiffusionVariant {
    if parts.unet["add_embedding.linear_1.weight"] != nil || !parts.textEncoder2.isEmpty {
      return .stableDiffusionXL
    }
    guard let name = parts.unet.names.first(where: { $0.hasSuffix("attn2.to_k.weight") }),
      let width = parts.unet[name]?.shape.last
    else { throw .missingTensor("attn2.to_k.weight") }
    if width == 768 { return .stableDiffusion1 }
    if width == 1024 { return .stableDiffusion2 }
    // Small test models: Stable Diffusion 1 enters attention through a convolution.
    let projIn = parts.unet.names.first { $0.hasSuffix("proj_in.weight") }.flatMap { parts.unet[$0] }
    return projIn?.shape.count == 4 ? .stableDiffusion1 : .stableDiffusion2
  }

  private static func textEncoders(
    _ folder: ModelFolder?, _ variant: DiffusionVariant, _ parts: ModelParts
  ) throws(DiffusionError) -> [TextEncoderConfiguration] {
    var result: [TextEncoderConfiguration] = []
    for (index, name) in ["text_encoder", "text_encoder_2"].enumerated() {
      if index == 1, variant != .stableDiffusionXL { break }
      if let json = try folder?.json("\(name)/config.json") {
        result.append(try TextEncoderConfiguration(json))
      } else {
        var configuration = TextEncoderConfiguration()
        if variant == .stableDiffusion2 || index == 1 { configuration.activation = .gelu }
        // Original checkpoints of Stable Diffusion 2 hold one layer more than is run.
        if variant == .stableDiffusion2 { configuration.layerLimit = 23 }
        result.append(configuration)
      }
    }
    return result
  }

  private static func tokenizers(
    _ folder: ModelFolder?, _ variant: DiffusionVariant, merges: String?, path: String
  ) throws(DiffusionError) -> [TokenizerSource] {
    var result: [TokenizerSource] = []
    for (index, name) in ["tokenizer", "tokenizer_2"].enumerated() {
      if index == 1, variant != .stableDiffusionXL { break }
      let isOpen = variant == .stableDiffusion2 || index == 1
      if let folder, let file = folder.file("\(name)/merges.txt") {
        var padding = try folder.json("\(name)/tokenizer_config.json")?.token("pad_token")
        if padding == nil { padding = try folder.json("\(name)/special_tokens_map.json")?.token("pad_token") }
        result.append(
          TokenizerSource(merges: file, vocabulary: folder.file("\(name)/vocab.json"), padding: padding))
      } else if let file = folder?.file("merges.txt") ?? merges {
        result.append(TokenizerSource(merges: file, vocabulary: nil, padding: isOpen ? "!" : nil))
      } else {
        throw .missingPart("tokenizer", path: path)
      }
    }
    return result
  }
}

extension DiffusionModel.TokenizerSource {
  /// Reads the files of the tokenizer.
  func load() throws(DiffusionError) -> (tokenizer: CLIPTokenizer, padding: TokenID) {
    guard let bytes = FileManager.default.contents(atPath: merges) else { throw .notFound(path: merges) }
    let tokens = try vocabulary.flatMap { path throws(DiffusionError) in try ModelJSON(path: path) }?
      .integersByName
    let tokenizer = try DiffusionError.wrapping { try CLIPTokenizer(merges: Array(bytes), tokens: tokens) }
    return (tokenizer, padding.flatMap { tokenizer.token(written: $0) } ?? tokenizer.endOfText)
  }
}
