import Compute
import Diffusion
import Foundation
import Images
import ModelFormats
import TestSupport

/// Results of diffusers for the small models of `../shared/data/diffusion`.
struct DiffusionReference {
  let name: String
  private let file: SafetensorsFile

  static let names = ["tiny-sd15", "tiny-sdxl"]
  static let prompt = "a watercolor painting of a lighthouse at dusk, soft light"
  static let negative = "blurry, low quality"
  static let schedulers: [SchedulerKind] = [.dpmPlusPlus, .dpmPlusPlusKarras, .euler, .ddim, .pndm]

  init(_ name: String) throws {
    self.name = name
    file = try SafetensorsFile(path: Self.path(name) + "/expected.safetensors")
  }

  static func path(_ name: String) -> String { SharedData.file("diffusion/\(name)").path }

  var path: String { Self.path(name) }

  func floats(_ key: String) throws -> [Float] { try Self.floats(file, key) }

  static func floats(_ file: SafetensorsFile, _ key: String) throws -> [Float] {
    guard let tensor = file.tensors.first(where: { $0.name == key }), tensor.type == .f32 else {
      throw SafetensorsError.missingTensor(tensor: key, file: "expected")
    }
    return (0..<tensor.byteCount / 4).map {
      file.file.bytes.loadUnaligned(fromByteOffset: tensor.offset + 4 * $0, as: Float.self)
    }
  }

  func integers(_ key: String) throws -> [Int] {
    guard let tensor = file.tensors.first(where: { $0.name == key }), tensor.type == .i64 else {
      throw SafetensorsError.missingTensor(tensor: key, file: "expected")
    }
    return (0..<tensor.byteCount / 8).map {
      Int(file.file.bytes.loadUnaligned(fromByteOffset: tensor.offset + 8 * $0, as: Int64.self))
    }
  }

  /// Request that the reference answered.
  func request(_ scheduler: SchedulerKind) -> DiffusionRequest {
    DiffusionRequest(
      prompt: Self.prompt, negativePrompt: Self.negative, width: 128, height: 128, steps: 8, guidance: 7.5,
      scheduler: scheduler)
  }

  func engine(_ precision: DiffusionSettings.Precision = .exact, threads: Int? = nil) throws -> DiffusionEngine {
    try DiffusionEngine(path: path, settings: DiffusionSettings(threadCount: threads, precision: precision))
  }
}

/// Returns the squared error relative to the squared expected values.
func normalizedError(_ found: [Float], _ expected: [Float]) -> Double {
  guard found.count == expected.count else { return .infinity }
  var (error, square) = (0.0, 0.0)
  for (value, wanted) in zip(found, expected) {
    error += Double(value - wanted) * Double(value - wanted)
    square += Double(wanted) * Double(wanted)
  }
  return error / max(square, 1e-30)
}
