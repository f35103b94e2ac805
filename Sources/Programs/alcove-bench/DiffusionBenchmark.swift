import Compute
import Diffusion
import Foundation
import Images
import Threading

extension Benchmarks {
  /// The phases of a picture by a diffusion model, each as a share of what the machine multiplies at best.
  static let diffusion = Command(
    name: "diffusion",
    parameters: "MODEL [--size 512x512] [--steps 2] [--threads N] [--precision fast|exact] [--json]"
  ) { options in
    guard let path = options.plain.first else { throw UsageError(message: "needs a model") }
    let (width, height) = try size(options.text("size") ?? "512x512")
    let steps = try options.count("steps", default: 2)
    let threads = try options.count("threads", default: ProcessorCount.usable)
    let precision = options.text("precision") ?? "fast"
    guard ["fast", "exact"].contains(precision) else {
      throw UsageError(message: "--precision needs fast or exact")
    }
    let pool = WorkerPool(threadCount: threads)
    let limits = try Roofline.measure(pool: pool, instructionSet: .best, bufferByteCount: 256 << 20)
    let limit = precision == "fast" ? limits.bf16OperationsPerSecond : limits.f32OperationsPerSecond
    let engine = try DiffusionEngine(
      path: path,
      settings: DiffusionSettings(threadCount: threads, precision: precision == "fast" ? .fast : .exact))
    let phases = try await engine.measure(
      DiffusionRequest(
        prompt: "a lighthouse at dusk", negativePrompt: "blurred", width: width, height: height, steps: steps,
        guidance: 7.5, seed: 1, scheduler: .euler))
    for phase in phases {
      let operations = 2 * Double(phase.multiplyAdds)
      try report(
        [
          "phase": phase.phase.rawValue, "seconds": phase.seconds, "processorSeconds": phase.processorSeconds,
          "TFLOP": operations / 1e12, "share": operations / phase.seconds / limit,
          "processorShare": operations / phase.processorSeconds / (limit / Double(threads)), "threads": threads,
          "precision": precision, "width": width, "height": height,
        ], json: options.isJSON)
    }
    try report(
      [
        "limitTFLOPS": limit / 1e12, "threads": threads, "instructions": String(describing: InstructionSet.best),
        "peakResidentMiB": peakResidentBytes() >> 20,
      ], json: options.isJSON)
  }

  private static func size(_ text: String) throws -> (width: Int, height: Int) {
    let sides = text.split(separator: "x").map { Int($0) }
    guard sides.count == 2, let width = sides[0], let height = sides[1] else {
      throw UsageError(message: "--size needs a width and height such as 512x512, not \(text)")
    }
    return (width, height)
  }

  /// The most memory this process has held, file pages included; 0 where the system does not say.
  private static func peakResidentBytes() -> Int {
    // Without the file there is nothing to report.
    let status = (try? String(contentsOfFile: "/proc/self/status", encoding: .utf8)) ?? ""
    let line = status.split(separator: "\n").first { $0.hasPrefix("VmHWM:") }
    let kibibytes = line?.split(separator: " ").compactMap { Int($0) }.first
    return (kibibytes ?? 0) << 10
  }
}
