import Foundation

/// Folder as diffusers writes it: one subfolder per part, with a configuration and weights.
struct ModelFolder {
  let path: String

  init(_ path: String) { self.path = path }

  /// Indicates whether a folder has the parts of a model.
  static func isDiffusers(_ path: String) -> Bool {
    ["model_index.json", "unet"].contains { FileManager.default.fileExists(atPath: "\(path)/\($0)") }
  }

  /// Returns the model file of a folder that has exactly one.
  static func onlyModelFile(in path: String) -> String? {
    let files = names(in: path).filter { $0.hasSuffix(".safetensors") || $0.hasSuffix(".gguf") }
    return files.count == 1 ? "\(path)/\(files[0])" : nil
  }

  /// Finds the configurations of a checkpoint: in a folder of its name, or in the folder it is in.
  static func beside(_ file: String) -> ModelFolder? {
    let base = (file as NSString).deletingPathExtension
    return [base, (file as NSString).deletingLastPathComponent].first {
      FileManager.default.fileExists(atPath: "\($0)/unet/config.json")
    }.map(ModelFolder.init)
  }

  /// Returns the path of a file of the folder, or nil if it does not exist.
  func file(_ name: String) -> String? {
    let file = "\(path)/\(name)"
    return FileManager.default.fileExists(atPath: file) ? file : nil
  }

  func json(_ name: String) throws(DiffusionError) -> ModelJSON? { try ModelJSON(path: "\(path)/\(name)") }

  /// Opens the weights of a part.
  func table(_ part: String) throws(DiffusionError) -> TensorTable {
    guard let table = try optionalTable(part) else { throw .missingPart(part.isEmpty ? "vae" : part, path: path) }
    return table
  }

  /// Opens the weights of a part; nil if it has none.
  func optionalTable(_ part: String) throws(DiffusionError) -> TensorTable? {
    let folder = part.isEmpty ? path : "\(path)/\(part)"
    let names = Self.names(in: folder)
    // Full precision before half, and plain files before shards.
    let ranked = names.filter {
      $0.hasSuffix(".safetensors") || $0.hasSuffix(".safetensors.index.json") || $0.hasSuffix(".gguf")
    }
    .filter { !$0.contains("-of-0") && !$0.contains("non_ema") && !$0.contains("ema_only") }
    .sorted { (Self.rank($0), $0) < (Self.rank($1), $1) }
    if let first = ranked.first { return try TensorTable(path: "\(folder)/\(first)") }
    if names.contains(where: { $0.hasSuffix(".bin") || $0.hasSuffix(".ckpt") }) {
      throw .unsupported(feature: "weights in PyTorch's own format (\(part)); safetensors are needed")
    }
    return nil
  }

  private static func rank(_ name: String) -> Int {
    (name.contains("fp16") || name.contains("bf16") ? 2 : 0)
      + (name.contains("openvino") || name.contains("flax") ? 4 : 0)
      + (name.hasSuffix(".index.json") ? 1 : 0)
  }

  private static func names(in folder: String) -> [String] {
    // A folder that cannot be read counts as empty; the caller then reports the missing part.
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }
}

extension ModelJSON {
  /// Returns a token, given as a string or as an object with a `content`.
  func token(_ key: String) -> String? { text(key) ?? object(key)?.text("content") }
}
