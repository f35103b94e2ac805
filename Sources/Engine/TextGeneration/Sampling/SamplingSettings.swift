import Tokenization

/// Settings for drawing the next token from the model's logits.
///
/// The steps run in llama.cpp's default order (`common/common.h`, `common_params_sampling::samplers`): the biases, then
/// penalties, DRY, top-n-sigma, top-k, typical, top-p, min-p, XTC, temperature, and a draw. With Mirostat only the
/// biases and the temperature come before it (`common/sampling.cpp`). A step is left out where its setting says "off".
package struct SamplingSettings: Sendable, Equatable {
  /// The same seed draws the same tokens.
  package var seed: UInt64 = 0
  /// Divisor of scores; 0 always takes the likeliest token.
  package var temperature: Float = 0.8
  /// Range by which the temperature moves down and up with the entropy of the scores, see ``temperatureExponent``; 0:
  /// off.
  package var temperatureRange: Float = 0
  /// The power of the entropy's share that moves the temperature.
  package var temperatureExponent: Float = 1
  /// Number of the likeliest tokens that stay; 0: off.
  package var topK = 40
  /// Sum of likelihoods up to which the likeliest tokens stay; 1: off.
  package var topP: Float = 0.95
  /// Share of the likeliest token's likelihood that a token must have to stay; 0: off.
  package var minP: Float = 0.05
  /// Sum of likelihoods up to which the tokens closest to the expected surprise stay; 1: off.
  package var typicalP: Float = 1
  /// Number of standard deviations below the best score within which tokens stay; below 0: off.
  package var topNSigma: Float = -1
  /// Probability of removing all but the least likely of the tokens above ``xtcThreshold``; 0: off.
  package var xtcProbability: Float = 0
  /// The likelihood from which on a token is one of those; above one half: off.
  package var xtcThreshold: Float = 0.1
  /// Number of last tokens that the three penalties see; 0: off, -1: all.
  package var penaltyWindow = 64
  /// Divisor (below zero, factor) of the scores of tokens seen before; 1: off.
  package var repeatPenalty: Float = 1
  /// Amount taken from a token's score for each time it was seen; 0: off.
  package var frequencyPenalty: Float = 0
  /// Amount taken from a token's score if it was seen at all; 0: off.
  package var presencePenalty: Float = 0
  /// Penalty of repeated sequences; nil: off.
  package var dry: DrySettings?
  /// A control of surprise in place of the steps that cut tokens off; nil: off.
  package var mirostat: MirostatSettings?
  /// Amounts added to the scores of some tokens; -infinity forbids one.
  package var logitBias: [TokenID: Float] = [:]

  /// llama.cpp's defaults.
  package init() {}

  /// Greedy decoding: always the likeliest token, the lower number where two are alike.
  package static let greedy: SamplingSettings = {
    var settings = SamplingSettings.unfiltered
    settings.temperature = 0
    return settings
  }()

  /// The model's own likelihoods: every step off, temperature 1.
  package static let unfiltered: SamplingSettings = {
    var settings = SamplingSettings()
    (settings.topK, settings.topP, settings.minP, settings.temperature) = (0, 1, 0, 1)
    return settings
  }()

  /// Returns settings with a temperature and every other step off.
  package static func temperature(_ temperature: Float, seed: UInt64) -> SamplingSettings {
    var settings = SamplingSettings.unfiltered
    (settings.temperature, settings.seed) = (temperature, seed)
    return settings
  }
}

/// "Don't repeat yourself": a penalty that grows with the length of the sequence a token would repeat
/// (p-e-w, text-generation-webui pull request 5677; llama.cpp `llama_sampler_init_dry`).
package struct DrySettings: Sendable, Equatable {
  /// The penalty of a sequence of ``allowedLength``.
  package var multiplier: Float = 0.8
  /// Factor of the penalty for each token more.
  package var base: Float = 1.75
  /// Sequences shorter than this repeat freely.
  package var allowedLength = 2
  /// Number of last tokens it sees; -1: all.
  package var window = -1
  /// Texts across which no sequence reaches.
  package var breakers = ["\n", ":", "\"", "*"]

  /// The usual strength, with llama.cpp's other defaults.
  package init() {}
}

/// Mirostat 2 keeps the surprise of the answer near a target (Basu et al. 2021, algorithm 2).
package struct MirostatSettings: Sendable, Equatable {
  /// The surprise aimed at, in bits.
  package var tau: Float = 5
  /// Learning rate of the bound.
  package var eta: Float = 0.1

  /// The paper's usual values.
  package init() {}
}
