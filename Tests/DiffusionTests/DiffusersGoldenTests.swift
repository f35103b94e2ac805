import Diffusion
import Foundation
import Images
import ModelFormats
import TestSupport
import Testing

/// Further settings compared with diffusers 0.42 on the same small models: all schedulers with all spacings, velocity,
/// zero terminal signal, seeds, image to image, masks, absent negative prompts.
///
/// The keys of `Golden/diffusers.safetensors` are `scheduler.setting`; eight steps, guidance 7.5, seed 5.
@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct DiffusersGoldenTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "Golden/diffusers.safetensors").path

  static let keys: [String] = {
    // Without the file there is nothing to compare with; the first test then fails.
    ((try? SafetensorsFile(path: file))?.tensors.map(\.name) ?? []).sorted()
  }()

  @Test func thereAreGoldens() { #expect(Self.keys.count == 40) }

  /// Makes a folder that differs from the small model in its scheduler configuration.
  private func model(_ changes: [String: Any], _ folder: TemporaryFolder) throws -> String {
    let (source, path) = (DiffusionReference.path("tiny-sd15"), folder.url.path)
    for part in ["unet", "vae", "text_encoder", "tokenizer", "model_index.json"] {
      try FileManager.default.createSymbolicLink(
        atPath: "\(path)/\(part)", withDestinationPath: "\(source)/\(part)")
    }
    let config = try Data(contentsOf: URL(filePath: source + "/scheduler/scheduler_config.json"))
    var json = try #require(try JSONSerialization.jsonObject(with: config) as? [String: Any])
    json.merge(changes) { $1 }
    try folder.write("scheduler/scheduler_config.json", JSONSerialization.data(withJSONObject: json))
    return path
  }

  private static let picture: PixelImage = {
    var bytes: [UInt8] = []
    for row in 0..<128 {
      for column in 0..<128 { bytes += [UInt8(2 * column), UInt8(2 * row), UInt8(row + column)] }
    }
    return PixelImage(width: 128, height: 128, bytes: bytes)
  }()

  private static let mask: PixelImage = {
    var bytes: [UInt8] = []
    for place in 0..<128 * 128 { bytes += [UInt8](repeating: place % 128 >= 64 ? 255 : 0, count: 3) }
    return PixelImage(width: 128, height: 128, bytes: bytes)
  }()

  @Test(arguments: keys) func agrees(key: String) async throws {
    let words = key.split(separator: ".").map(String.init)
    let setting = words.count > 1 ? words[1] : ""
    let reference = try DiffusionReference(words[0] == "xl" ? "tiny-sdxl" : "tiny-sd15")
    var request = reference.request(.euler)
    request.seed = 5
    var initial: [Float]? = try reference.floats("initial_latents")
    var changes: [String: Any] = [:]
    switch words[0] {
    case "xl":
      request.steps = 4
      if setting != "wide" { request.negativePrompt = nil }
      if setting == "plain" { request.guidance = 1 }
      if setting == "wide" { (request.width, request.height, request.seed, initial) = (256, 192, 3, nil) }
    case "bare": (request.steps, request.negativePrompt) = (4, nil)
    case "i2i", "inpaint":
      (request.scheduler, request.seed, initial) = (SchedulerKind(name: setting), 9, nil)
      (request.initial, request.strength) = (Self.picture, 0.6)
      if words[0] == "inpaint" { request.mask = Self.mask }
    default:
      request.scheduler = words[0] == "seeded" ? .eulerAncestral : SchedulerKind(name: words[0])
      if words[0] == "seeded" { initial = nil }
      if words[0] == "lcm" { request.steps = 4 }
      switch setting {
      case "v": changes["prediction_type"] = "v_prediction"
      case "snr":
        changes = [
          "prediction_type": "v_prediction", "rescale_betas_zero_snr": true, "timestep_spacing": "trailing",
        ]
      case "": break
      default: changes["timestep_spacing"] = setting
      }
    }
    let folder = try TemporaryFolder()
    let path = words[0] == "xl" ? reference.path : try model(changes, folder)
    let engine = try DiffusionEngine(path: path, settings: DiffusionSettings(precision: .exact))
    let latents = try await engine.latents(request, initial: initial)
    let expected = try DiffusionReference.floats(SafetensorsFile(path: Self.file), key)
    #expect(normalizedError(latents, expected) < 1e-8)
  }
}
