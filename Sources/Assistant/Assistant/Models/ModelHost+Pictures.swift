import Foundation
import Diffusion
import Images
import ModelStore

/// The diffusion model that is loaded, and the settings it was loaded with.
struct OpenedPictureModel {
  let path: String
  let autoencoder: String
  let previewDecoder: String
  let engine: DiffusionEngine
}

extension ModelHost {
  /// Lends the model that makes a picture; nil where the sketcher is to draw.
  package func lendPictureModel(for request: ImageRequest) throws -> LentModel? {
    guard let path = try pictureModelPath() else { return nil }
    return LentModel(
      open: { [self] in try await takePictureModel(path, for: request) },
      giveBack: { [weak self] in await self?.returnPictureModel() })
  }

  /// Chooses the model that makes pictures from now on; the setting is saved.
  /// - Returns: the model's name and variant; nil where the sketcher draws.
  package func use(pictureModel name: String) async throws -> (name: String, variant: String)? {
    let before = requestedPictureModel
    requestedPictureModel = name
    defer { requestedPictureModel = before }
    guard let path = try pictureModelPath() else {
      try settings.set("image.model", to: name)
      try save("image.model")
      return nil
    }
    // Opening it now shows at once whether it can be used.
    let engine = try openPictureModel(path)
    try settings.set("image.model", to: path)
    try save("image.model")
    return (engine.name, engine.description.variant.rawValue)
  }

  /// Writes a setting to the user's file, whose folder is made where it is missing.
  package func save(_ name: String, forModel model: String? = nil) throws {
    try directories.prepare()
    try settings.save(name, forModel: model)
  }

  /// Opens the chosen picture model; nil where the sketcher draws.
  package func openPictureModel() throws -> (any ImageEngine)? { try pictureModelPath().map(openPictureModel) }

  /// Loads a picture model and makes room for it, which may unload another one.
  private func takePictureModel(_ path: String, for request: ImageRequest) async throws -> DiffusionEngine {
    let engine = try openPictureModel(path)
    let byteCount = try await engine.byteCount(for: request)
    try await makeRoom(for: .diffusion, path: path, byteCount: byteCount)
    pictureUnloading?.cancel()
    residency.loaded(kind: .diffusion, path: path, byteCount: byteCount)
    residency.uses(path: path, true)
    return engine
  }

  /// Notes that the picture is made; the model is unloaded some time after.
  private func returnPictureModel() {
    guard let opened = openedPictureModel else { return }
    residency.uses(path: opened.path, false)
    pictureUnloading?.cancel()
    guard let seconds = try? settings.current().integer("image.unload-after"), seconds > 0 else { return }
    pictureUnloading = Task { [weak self] in
      try await Task.sleep(for: .seconds(seconds))
      await self?.unloadPictureModel()
    }
  }

  private func openPictureModel(_ path: String) throws -> DiffusionEngine {
    let current = try settings.current()
    let autoencoder = current.text("image.vae")
    let previewDecoder = current.text("image.preview-decoder")
    if let opened = openedPictureModel, opened.path == path, opened.autoencoder == autoencoder,
      opened.previewDecoder == previewDecoder
    {
      return opened.engine
    }
    let root = systemRoot
    let threads = current.integer("model.threads")
    let isChecked = current.isOn("model.memory-check") && !isForced
    let engine = try DiffusionEngine(
      path: path,
      settings: DiffusionSettings(
        threadCount: threads == 0 ? nil : threads,
        autoencoder: autoencoder.isEmpty ? nil : directories.absolutePath(autoencoder),
        previewDecoder: previewDecoder.isEmpty ? nil : directories.absolutePath(previewDecoder),
        loraFolders: [
          directories.models.appending(path: "loras").path, URL(filePath: path).deletingLastPathComponent().path,
        ], merges: Installation(environment: environment).clipMerges.path,
        availableMemory: { isChecked ? MachineMemory(root: root).available : nil }))
    openedPictureModel = OpenedPictureModel(
      path: path, autoencoder: autoencoder, previewDecoder: previewDecoder, engine: engine)
    return engine
  }

  /// Unloads the picture model.
  func unloadPictureModel() async {
    guard let opened = openedPictureModel else { return }
    openedPictureModel = nil
    residency.unloaded(path: opened.path)
    await opened.engine.unload()
  }
}
