import Assistant
import Diffusion
import Foundation
import Images
import ModelStore
import Telemetry
import Terminal

/// The diffusion model that is opened, and what it was opened with.
struct OpenedPictureModel {
  let path: String
  let autoencoder: String
  let previewDecoder: String
  let engine: DiffusionEngine
}

extension Program {
  /// The model that makes a picture; nil where the sketcher is to draw.
  func lendPictureModel(for request: ImageRequest) throws -> LentModel? {
    guard let path = try pictureModelPath() else { return nil }
    return LentModel(
      open: { [self] in try await takePictureModel(path, for: request) },
      giveBack: { [weak self] in await self?.returnPictureModel() })
  }

  /// Opens a model and makes room for it, which may send another one away.
  private func takePictureModel(_ path: String, for request: ImageRequest) async throws -> DiffusionEngine {
    let engine = try openPictureModel(path)
    let byteCount = try await engine.byteCount(for: request)
    try await makeRoom(for: .diffusion, path: path, byteCount: byteCount)
    pictureUnloading?.cancel()
    residency.loaded(kind: .diffusion, path: path, byteCount: byteCount)
    residency.uses(path: path, true)
    return engine
  }

  /// Notes that the picture is made; some time after that the model goes.
  private func returnPictureModel() {
    guard let opened = openedPictureModel else { return }
    residency.uses(path: opened.path, false)
    pictureUnloading?.cancel()
    guard let seconds = try? settings().integer("image.unload-after"), seconds > 0 else { return }
    pictureUnloading = Task { [weak self] in
      try await Task.sleep(for: .seconds(seconds))
      await self?.unloadPictureModel()
    }
  }

  /// Makes a model the one that makes pictures from now on.
  func use(pictureModel name: String) async throws {
    let before = requestedPictureModel
    requestedPictureModel = name
    defer { requestedPictureModel = before }
    guard let path = try pictureModelPath() else {
      try await set("image.model", to: name)
      try save("image.model")
      output.writeLine(
        name == "off" ? "The sketcher draws." : "There is no model for pictures yet; the sketcher draws.")
      return
    }
    // Opening it now tells at once whether it will do.
    let engine = try openPictureModel(path)
    try await set("image.model", to: path)
    try save("image.model")
    output.writeLine(
      "\(TextSanitizer.line(engine.name)) (\(engine.description.variant.rawValue)) makes pictures from now on.")
  }

  /// Where the model for pictures lies: the one asked for, else that of the setting, else one in the folder of models.
  func pictureModelPath() throws -> String? {
    let named = try requestedPictureModel ?? settings().text("image.model")
    switch named {
    case "off": return nil
    case "": return pictureModels().first
    default: break
    }
    let path = absolutePath(named)
    if FileManager.default.fileExists(atPath: path) { return path }
    let sought = named.lowercased()
    func name(_ path: String) -> String { URL(filePath: path).lastPathComponent.lowercased() }
    let endings = ["", ".safetensors", ".gguf"]
    if let found = pictureModels().first(where: { path in endings.contains { name(path) == sought + $0 } }) {
      return found
    }
    // A GGUF file does not tell from afar what it is a model of.
    if let file = modelFiles().first(where: { [sought, sought + ".gguf"].contains($0.name.lowercased()) }) {
      return file.path
    }
    let near = NearestName.of(named, among: pictureModels().map { URL(filePath: $0).lastPathComponent })
    throw NotFound(
      sentence: "there is no model for pictures '\(named)'"
        + (near.map { "; did you mean '\($0)'?" } ?? ", and none of that name in \(directories.models.path)"))
  }

  /// The models for pictures in the folder of models: folders as diffusers writes them, and whole checkpoints.
  func pictureModels() -> [String] { pictureModels(in: directories.models, depth: 4).sorted() }

  /// Imported models may be links: what they lead to is looked into under their name, so deep at most.
  private func pictureModels(in place: URL, depth: Int) -> [String] {
    let files = FileManager.default
    let target = place.resolvingSymlinksInPath()
    // What is gone or may not be read is no model to choose.
    guard depth > 0, let values = try? target.resourceValues(forKeys: [.isDirectoryKey, .fileSizeKey]) else {
      return []
    }
    guard values.isDirectory == true else {
      let isCheckpoint = place.pathExtension == "safetensors" && (values.fileSize ?? 0) > Self.leastCheckpoint
      return isCheckpoint ? [place.path] : []
    }
    if files.fileExists(atPath: place.appending(path: "model_index.json").path) { return [place.path] }
    let names = (try? files.contentsOfDirectory(atPath: target.path)) ?? []
    return names.filter { !$0.hasPrefix(".") }.flatMap {
      pictureModels(in: place.appending(path: $0), depth: depth - 1)
    }
  }

  /// Smaller files are LoRAs and autoencoders.
  private static let leastCheckpoint = 1_000_000_000

  func openPictureModel(_ path: String) throws -> DiffusionEngine {
    let settings = try settings()
    let autoencoder = try settings.text("image.vae")
    let previewDecoder = try settings.text("image.preview-decoder")
    if let opened = openedPictureModel, opened.path == path, opened.autoencoder == autoencoder,
      opened.previewDecoder == previewDecoder
    {
      return opened.engine
    }
    let memory = environment["ALCOVE_SYSTEM_ROOT"] ?? ""
    let threads = try settings.integer("model.threads")
    let isChecked = try settings.isOn("model.memory-check") && !isForced
    let engine = try DiffusionEngine(
      path: path,
      settings: DiffusionSettings(
        threadCount: threads == 0 ? nil : threads,
        autoencoder: autoencoder.isEmpty ? nil : absolutePath(autoencoder),
        previewDecoder: previewDecoder.isEmpty ? nil : absolutePath(previewDecoder),
        loraFolders: [
          directories.models.appending(path: "loras").path, URL(filePath: path).deletingLastPathComponent().path,
        ], merges: Installation(environment: environment).clipMerges.path,
        availableMemory: { isChecked ? MachineMemory(root: memory).available : nil }))
    openedPictureModel = OpenedPictureModel(
      path: path, autoencoder: autoencoder, previewDecoder: previewDecoder, engine: engine)
    unloaders[.diffusion] = { [self] in await unloadPictureModel() }
    return engine
  }

  /// Frees the model for pictures.
  func unloadPictureModel() async {
    guard let opened = openedPictureModel else { return }
    openedPictureModel = nil
    residency.unloaded(path: opened.path)
    await opened.engine.unload()
  }
}
