import Compute
import Foundation
import ModelFormats

/// Facts about a file that its beginning tells.
package struct ModelFile: Sendable, Equatable {
  /// The form it is in.
  package enum Form: String, Sendable, Codable {
    case gguf, safetensors, picture, other
  }

  /// The form.
  package var form: Form
  /// The architecture, where the file names one.
  package var architecture: String?
  /// The model's name, where the file gives one.
  package var title: String?
  /// Quantization of most of the weights.
  package var quantization: String?
  /// The longest text the model was trained on.
  package var contextLength: Int?
  /// The numbers that decide its memory.
  package var shape: ModelShape?

  /// Reads a GGUF file or the first part of a split one, or a safetensors file, or finds that a folder holds a picture
  /// model; every count is checked.
  /// - Throws: `.notAModel` where it is none, `.file` where it cannot be read.
  package init(at path: String) throws(ModelStoreError) {
    var isFolder: ObjCBool = false
    guard FileManager.default.fileExists(atPath: path, isDirectory: &isFolder) else {
      throw .file(path: path, call: "open", code: ENOENT)
    }
    if isFolder.boolValue {
      guard FileManager.default.fileExists(atPath: path + "/model_index.json") else {
        throw .notAModel(path: path, fault: .unknownForm)
      }
      self.init(form: .picture)
      title = URL(filePath: path).lastPathComponent
      return
    }
    if try Self.sniff(path) == .safetensors {
      do throws(SafetensorsError) {
        self.init(try SafetensorsFile(path: path).tensors)
      } catch {
        throw .notAModel(path: path, fault: .tensors(error))
      }
      return
    }
    do {
      let file = try GGUFFile(path: path)
      try self.init(file.header, tensors: file.tensors)
    } catch {
      throw .notAModel(path: path, fault: .header(error))
    }
  }

  /// Checks a file that came under a name of its own: all of its header, or, of a part of a split model, what each part
  /// has.
  /// - Throws: `.notAModel` where it is none.
  package static func check(_ path: String, named name: String) throws(ModelStoreError) {
    guard SplitModel.parts(name).count > 1 else {
      _ = try ModelFile(at: path)
      return
    }
    try sniff(path)
    do throws(GGUFError) { _ = try GGUFFile(path: path) } catch {
      throw .notAModel(path: path, fault: .header(error))
    }
  }

  /// Reads the facts from a header.
  package init(_ header: GGUFHeader, tensors: [GGUFTensor]) throws(GGUFError) {
    self.init(form: .gguf)
    architecture = try header.string("general.architecture")
    title = try header.string("general.name")
    // Picture models in this form tell what they are by their tensors alone.
    if architecture == nil, Self.drawsPictures(tensors.map(\.name)) { architecture = "stable-diffusion" }
    guard let architecture else { throw .missingKey("general.architecture") }
    contextLength = try header.integer("\(architecture).context_length")
    let sizes = Dictionary(grouping: tensors, by: \.type).mapValues {
      $0.reduce(0) { $0.saturatingSum($1.byteCount) }
    }
    quantization =
      (try header.integer("general.file_type")).flatMap { Self.fileTypes[$0] }
      ?? sizes.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }?.key.name
    // A model of a kind whose memory cannot be estimated is still a model.
    shape = try? ModelShape(header, tensors: tensors)
  }

  private init(form: Form) { self.form = form }

  private init(_ tensors: [SafetensorsTensor]) {
    self.init(form: .safetensors)
    if Self.drawsPictures(tensors.map(\.name)) { architecture = "stable-diffusion" }
    let sizes = Dictionary(grouping: tensors, by: \.type).mapValues {
      $0.reduce(0) { $0.saturatingSum($1.byteCount) }
    }
    quantization = sizes.max { ($0.value, $0.key.rawValue) < ($1.value, $1.key.rawValue) }?.key.rawValue
  }

  /// Indicates whether tensors are those of a picture model as one file holds it: the network's, or of a part that goes
  /// with it.
  static func drawsPictures(_ names: [String]) -> Bool {
    names.contains { name in
      [
        "model.diffusion_model.", "first_stage_model.", "cond_stage_model.", "conditioner.embedders.",
        "lora_unet_",
        "decoder.up.", "input_blocks.",
      ].contains { name.hasPrefix($0) }
    }
  }

  /// Tells the form by the beginning of a file.
  /// - Throws: `.notAModel` where that is not a model's; a page in HTML is named for what it is.
  @discardableResult
  static func sniff(_ path: String) throws(ModelStoreError) -> Form {
    let descriptor = open(path, O_RDONLY | O_CLOEXEC)
    guard descriptor >= 0 else { throw .file(path: path, call: "open", code: errno) }
    defer { close(descriptor) }
    var bytes = [UInt8](repeating: 0, count: 512)
    let count = read(descriptor, &bytes, bytes.count)
    guard count >= 0 else { throw .file(path: path, call: "read", code: errno) }
    if let fault = fault(ofBeginning: bytes.prefix(count)) { throw .notAModel(path: path, fault: fault) }
    return bytes.starts(with: "GGUF".utf8) ? .gguf : .safetensors
  }

  /// Fault of bytes that cannot begin a model's file; nil where they can.
  package static func fault(ofBeginning bytes: some Collection<UInt8>) -> ModelFileFault? {
    guard !bytes.isEmpty else { return .empty }
    if bytes.starts(with: "GGUF".utf8) { return nil }
    // The length of a header that is a JSON object (github.com/huggingface/safetensors).
    let head = Array(bytes.prefix(9))
    if head.count == 9, head[8] == UInt8(ascii: "{"),
      head[..<8].reversed().reduce(UInt64(0), { $0 << 8 | UInt64($1) }) <= SafetensorsFile.maximumHeaderLength
    {
      return nil
    }
    let text = String(decoding: bytes.prefix(512), as: UTF8.self).lowercased()
      .trimmingCharacters(in: .whitespacesAndNewlines.union(CharacterSet(charactersIn: "\u{FEFF}")))
    return text.hasPrefix("<!doctype") || text.hasPrefix("<html") || text.hasPrefix("<head")
      || text.hasPrefix("<?xml")
      ? .webPage : .unknownForm
  }

  // llama.cpp, `llama_ftype`.
  private static let fileTypes: [Int: String] = [
    0: "F32", 1: "F16", 2: "Q4_0", 3: "Q4_1", 7: "Q8_0", 8: "Q5_0", 9: "Q5_1", 10: "Q2_K", 11: "Q3_K_S",
    12: "Q3_K_M", 13: "Q3_K_L", 14: "Q4_K_S", 15: "Q4_K_M", 16: "Q5_K_S", 17: "Q5_K_M", 18: "Q6_K", 25: "IQ4_NL",
    30: "IQ4_XS", 32: "BF16",
  ]
}
