import Foundation

/// Noise schedule that a model was trained with, as `scheduler_config.json` gives it.
///
/// Values that a file leaves out are nil; each scheduler then uses the default of its class in diffusers.
package struct SchedulerConfiguration: Sendable, Equatable {
  /// Number of noise levels in training.
  var trainingSteps = 1000
  var betaStart = 0.00085
  var betaEnd = 0.012
  var betaSchedule = BetaSchedule.scaledLinear
  var trainedBetas: [Double]?
  var prediction = Prediction.epsilon
  var stepsOffset = 0
  var spacing: Spacing?
  var setsAlphaToOne: Bool?
  var clipsSample: Bool?
  var clipRange = 1.0
  var rescalesToZeroSNR = false
  var endsAtSmallestSigma = false
  var usesKarras = false
  var isHeun = false
  var usesBH1 = false
  var solverOrder = 2
  var endsWithLowerOrder: Bool?
  var endsWithEuler = false
  var originalSteps = 50
  var timestepScaling = 10.0
  var sigmaData = 0.5

  /// Growth of the noise with time.
  enum BetaSchedule: String { case linear, scaledLinear = "scaled_linear", cosine = "squaredcos_cap_v2" }
  /// Quantity that the network predicts.
  package enum Prediction: String, Sendable {
    /// Noise in the sample.
    case epsilon
    /// Velocity, a combination of noise and picture (Salimans and Ho 2022).
    case velocity = "v_prediction"
    /// Noise-free picture.
    case sample
  }
  /// Spacing of the visited noise levels among those of training.
  enum Spacing: String { case linspace, leading, trailing }

  /// Makes the configuration of Stable Diffusion 1 and 2.
  package init() {
    (stepsOffset, setsAlphaToOne, clipsSample) = (1, false, false)
  }

  /// Reads a `scheduler_config.json`.
  /// - Throws: ``DiffusionError/badConfiguration(file:key:value:)``.
  init(_ json: ModelJSON) throws(DiffusionError) {
    trainingSteps = try json.integer("num_train_timesteps", in: 2...100_000) ?? 1000
    betaStart = try json.number("beta_start", in: 0...1) ?? 0.0001
    betaEnd = try json.number("beta_end", in: 0...1) ?? 0.02
    betaSchedule = try json.choice("beta_schedule") ?? .linear
    prediction = try json.choice("prediction_type") ?? .epsilon
    stepsOffset = try json.integer("steps_offset", in: 0...1000) ?? 0
    spacing = try json.choice("timestep_spacing")
    setsAlphaToOne = json.flag("set_alpha_to_one")
    clipsSample = json.flag("clip_sample")
    clipRange = try json.number("clip_sample_range", in: 0...1e6) ?? 1
    rescalesToZeroSNR = json.flag("rescale_betas_zero_snr") ?? false
    endsAtSmallestSigma = json.text("final_sigmas_type") == "sigma_min"
    usesKarras = json.flag("use_karras_sigmas") ?? false
    isHeun = json.text("solver_type") == "heun"
    usesBH1 = json.text("solver_type") == "bh1"
    solverOrder = try json.integer("solver_order", in: 1...3) ?? 2
    endsWithLowerOrder = json.flag("lower_order_final")
    endsWithEuler = json.flag("euler_at_final") ?? false
    originalSteps = try json.integer("original_inference_steps", in: 1...1000) ?? 50
    timestepScaling = try json.number("timestep_scaling", in: 0...1e6) ?? 10
    if let betas = json.numbers("trained_betas") {
      guard betas.count == trainingSteps, betas.allSatisfy({ (0..<1).contains($0) }) else {
        throw .badConfiguration(file: json.file, key: "trained_betas", value: "\(betas.count) values")
      }
      trainedBetas = betas
    }
    guard (betaStart...1).contains(betaEnd), betaEnd < 1 else {
      throw .badConfiguration(file: json.file, key: "beta_end", value: "\(betaEnd)")
    }
  }

  /// Variance share of the picture at each noise level, `(trainingSteps,)`, falling.
  var cumulativeAlphas: [Double] {
    var product = 1.0
    var result = betas.map { beta in
      product *= 1 - beta
      return product
    }
    guard rescalesToZeroSNR, let first = result.first?.squareRoot(), let last = result.last?.squareRoot() else {
      return result
    }
    // Lin et al. 2023, algorithm 1.
    result = result.map { alpha in
      let root = (alpha.squareRoot() - last) * first / (first - last)
      return root * root
    }
    return result
  }

  private var betas: [Double] {
    if let trainedBetas { return trainedBetas }
    let count = trainingSteps
    switch betaSchedule {
    case .linear: return Self.linspace(betaStart, betaEnd, count)
    case .scaledLinear:
      return Self.linspace(betaStart.squareRoot(), betaEnd.squareRoot(), count).map { $0 * $0 }
    case .cosine:
      func bar(_ time: Double) -> Double {
        let cosine = cos((time + 0.008) / 1.008 * .pi / 2)
        return cosine * cosine
      }
      return (0..<count).map {
        min(1 - bar(Double($0 + 1) / Double(count)) / bar(Double($0) / Double(count)), 0.999)
      }
    }
  }

  static func linspace(_ start: Double, _ end: Double, _ count: Int) -> [Double] {
    guard count > 1 else { return [start] }
    return (0..<count).map { start + (end - start) * Double($0) / Double(count - 1) }
  }
}
