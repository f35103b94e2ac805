import Compute
import Foundation
import Diffusion
import Images
import ModelFormats

/// Latents that a diffusion model makes of noise, as `alcove inspect latents` writes them.
package struct InspectedLatents: Sendable {
  /// Names of the schedulers.
  package static var schedulers: [String] { SchedulerKind.allCases.map(\.rawValue) }
  /// Names of the programs whose noise can be drawn.
  package static var noises: [String] { NoiseKind.allCases.map(\.rawValue) }

  /// Indicates whether a scheduler has this name, in any of the usual spellings.
  package static func knowsScheduler(_ name: String) -> Bool { SchedulerKind(name: name) != nil }

  private var request: DiffusionRequest
  private var initial: [Float]?

  /// Prepares a request; its other values are the usual ones of pictures, whatever the model.
  /// - Parameters:
  ///   - size: width and height, as in 512x512; nil for the usual size.
  ///   - noise: one of ``noises``; nil for torch.
  /// - Throws: `ImageError` where the size is none.
  package init(prompt: String, negativePrompt: String?, size: String?, steps: Int?, noise: String?) throws {
    let size = try size.map { try ImageSize($0) } ?? .usual
    request = DiffusionRequest(
      prompt: prompt, negativePrompt: negativePrompt, width: size.width, height: size.height, steps: steps ?? 20,
      guidance: 7.5, scheduler: .dpmPlusPlus, noise: noise.flatMap(NoiseKind.init) ?? .torch)
  }

  /// Scale of classifier-free guidance.
  package var guidance: Double? {
    get { request.guidance }
    set { request.guidance = newValue }
  }

  /// Seed of the noise that is drawn.
  package var seed: UInt64 {
    get { request.seed }
    set { request.seed = newValue }
  }

  /// Chooses a scheduler by one of its names; one that is not known changes nothing.
  package mutating func use(scheduler name: String) {
    request.scheduler = SchedulerKind(name: name) ?? request.scheduler
  }

  /// Takes the initial noise from a tensor of a safetensors file, F32 or F16.
  /// - Throws: `DiffusionError`
  package mutating func readNoise(from path: String, tensor key: String) throws {
    initial = try Self.numbers(of: key, in: path)
  }

  /// Model and how it computes.
  package struct Engine: Sendable {
    package var path: String
    package var threadCount: Int?
    /// Indicates whether products are computed with BF16 factors instead of exactly.
    package var isFast: Bool
    /// Autoencoder to take instead of the model's own.
    package var autoencoder: String?
    /// Folder of the LoRAs that the prompt names.
    package var loraFolder: String?

    /// Names a model.
    package init(
      path: String, threadCount: Int?, isFast: Bool, autoencoder: String?, loraFolder: String?
    ) {
      self.path = path
      self.threadCount = threadCount
      self.isFast = isFast
      self.autoencoder = autoencoder
      self.loraFolder = loraFolder
    }
  }

  /// Computes the latents and writes them.
  /// - Parameters:
  ///   - output: file of the latents, `(1, channels, height / 8, width / 8)`, float32, little-endian.
  ///   - picture: file of the decoded picture, `(3, height, width)` from -1 to 1; nil for none.
  /// - Throws: `DiffusionError`, or what Foundation says of a file that cannot be written.
  package func write(
    to output: String, picture: String?, by engine: Engine, _ installation: Installation
  ) async throws {
    var settings = DiffusionSettings(
      threadCount: engine.threadCount, precision: engine.isFast ? .fast : .exact,
      autoencoder: engine.autoencoder, loraFolders: [engine.loraFolder].compactMap(\.self))
    settings.merges = installation.clipMerges.path
    let model = try DiffusionEngine(path: engine.path, settings: settings)
    let latents = try await model.latents(request, initial: initial)
    try latents.withUnsafeBytes { try Data($0).write(to: URL(filePath: output)) }
    guard let picture else { return }
    let pixels = try await model.decoded(latents, width: request.width, height: request.height)
    let planes = (0..<3).flatMap { colour in stride(from: colour, to: pixels.count, by: 3).map { pixels[$0] } }
    try planes.withUnsafeBytes { try Data($0).write(to: URL(filePath: picture)) }
  }

  private static func numbers(of key: String, in path: String) throws -> [Float] {
    let file: SafetensorsFile
    do {
      file = try SafetensorsFile(path: path)
    } catch {
      throw DiffusionError.safetensors(error)
    }
    guard let tensor = file.tensors.first(where: { $0.name == key }) else {
      throw DiffusionError.missingTensor(key)
    }
    let (bytes, count) = (file.file.bytes, tensor.byteCount / tensor.type.byteCount)
    switch tensor.type {
    case .f32:
      return (0..<count).map { bytes.loadUnaligned(fromByteOffset: tensor.offset + 4 * $0, as: Float.self) }
    case .f16:
      return (0..<count).map {
        Float(Float16(bitPattern: bytes.loadUnaligned(fromByteOffset: tensor.offset + 2 * $0, as: UInt16.self)))
      }
    default: throw DiffusionError.unsupportedType(tensor: key, type: tensor.type.rawValue)
    }
  }
}
