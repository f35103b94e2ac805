import Assistant
import Compute
import Diffusion
import Foundation
import Images
import ModelFormats
import Terminal

extension Command {
  static let inspectLatents = Command(
    name: "latents", surface: .shell, summary: "write the latents that a diffusion model makes of noise",
    details: """
      The initial noise is a tensor (1, channels, height / 8, width / 8) of a safetensors file, of deviation 1; without it \
      the seed's own is taken. The output has the same shape, float32, little-endian. Products are exact unless --fast is \
      given; --picture writes what the latents are decoded to as well, (3, height, width) from -1 to 1.
      """,
    arguments: [Argument(name: "MODEL", kind: .path)],
    options: [
      Option(name: "prompt", value: ("TEXT", .text), help: "what is wanted"),
      Option(name: "negative", value: ("TEXT", .text), help: "what is not wanted"),
      Option(name: "steps", value: ("N", .integer(1...1000)), help: "steps (20)"),
      Option(name: "guidance", value: ("X", .text), help: "how strictly the prompt is followed (7.5)"),
      Option(name: "scheduler", value: ("NAME", .text), help: "\(schedulerNames) (dpmpp_2m)"),
      Option(name: "size", value: ("WxH", .text), help: "multiples of 64 from 128 (512x512)"),
      Option(name: "seed", value: ("N", .text), help: "of noise that is drawn (0)"),
      Option(
        name: "rng", value: ("NAME", .choice(NoiseKind.allCases.map(\.rawValue))), help: "whose noise (torch)"),
      Option(name: "initial", value: ("FILE:KEY", .text), help: "the initial noise"),
      Option(name: "out", value: ("FILE", .path), help: "where the latents go"),
      Option(name: "picture", value: ("FILE", .path), help: "where the decoded picture goes"),
      Option(name: "vae", value: ("PATH", .path), help: "another autoencoder than the model's"),
      Option(name: "lora-folder", value: ("FOLDER", .path), help: "where <lora:name:0.8> is looked for"),
      Option(name: "threads", value: ("N", .integer(1...1024)), help: "threads that compute"),
      Option(name: "fast", help: "compute with BF16 factors"),
    ],
    examples: [
      "alcove inspect latents models/sd15 --prompt 'a lighthouse' --steps 8 --scheduler euler --size 128x128 --out out.f32"
    ]
  ) { invocation, program in
    let request = try DiffusionRequest(latents: invocation)
    let output = try invocation.required("out", isOption: true)
    var settings = DiffusionSettings(
      threadCount: invocation.integer("threads"), precision: invocation.has("fast") ? .fast : .exact,
      autoencoder: invocation.value("vae"), loraFolders: [invocation.value("lora-folder")].compactMap { $0 })
    settings.merges = try Installation(environment: program.environment).clipMerges.path
    let initial = try invocation.value("initial").map { try InitialNoise.read($0, invocation) }
    let path = try invocation.required("MODEL")
    let engine = try DiffusionEngine(path: path, settings: settings)
    let latents = try await engine.latents(request, initial: initial)
    try latents.withUnsafeBytes { try Data($0).write(to: URL(filePath: output)) }
    if let picture = invocation.value("picture") {
      let pixels = try await engine.decoded(latents, width: request.width, height: request.height)
      let planes = (0..<3).flatMap { colour in stride(from: colour, to: pixels.count, by: 3).map { pixels[$0] } }
      try planes.withUnsafeBytes { try Data($0).write(to: URL(filePath: picture)) }
    }
    return .ok
  }

  private static let schedulerNames = SchedulerKind.allCases.map(\.rawValue).joined(separator: ", ")
}

extension DiffusionRequest {
  /// What `inspect latents` asks for; defaults are those of pictures, whatever the model.
  fileprivate init(latents invocation: Invocation) throws {
    let size = try invocation.value("size").map { try ImageSize($0) } ?? .usual
    self.init(
      prompt: try invocation.required("prompt", isOption: true), negativePrompt: invocation.value("negative"),
      width: size.width, height: size.height, steps: invocation.integer("steps") ?? 20, guidance: 7.5,
      scheduler: .dpmPlusPlus, noise: invocation.value("rng").flatMap(NoiseKind.init) ?? .torch)
    if let text = invocation.value("guidance") {
      guard let number = Double(text), number.isFinite else {
        throw UsageError(message: "--guidance takes a number, not '\(text)'", path: invocation.path)
      }
      guidance = number
    }
    scheduler = try SchedulerKind(of: invocation) ?? scheduler
    if let text = invocation.value("seed") {
      guard let number = UInt64(text) else {
        throw UsageError(message: "--seed takes a whole number from 0, not '\(text)'", path: invocation.path)
      }
      seed = number
    }
  }
}

/// Noise from a tensor of a file.
private enum InitialNoise {
  /// Reads `FILE.safetensors:KEY`.
  static func read(_ place: String, _ invocation: Invocation) throws -> [Float] {
    guard let colon = place.lastIndex(of: ":") else {
      throw UsageError(message: "--initial takes FILE.safetensors:KEY, not '\(place)'", path: invocation.path)
    }
    let (path, key) = (String(place[..<colon]), String(place[place.index(after: colon)...]))
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
