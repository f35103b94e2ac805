import TextGeneration

/// Sampling settings that someone has chosen; the model's own hold for the rest.
package struct SamplingChanges: Sendable, Equatable {
  private var numbers: [String: Double] = [:]

  /// No changes.
  package init() {}

  /// Reads the settings that differ from their defaults.
  package init(_ settings: Settings) {
    for name in Self.names {
      guard let (value, origin) = settings.value("model." + name), origin != .initial else { continue }
      switch value {
      case .integer(let number): numbers[name] = Double(number)
      case .number(let number): numbers[name] = number
      default: break
      }
    }
  }

  /// Names of the settings, in the order that they are shown in, without `model.` before them.
  package static let names = [
    "temperature", "dynamic-temperature", "top-k", "top-p", "min-p", "typical-p", "top-n-sigma", "xtc-probability",
    "xtc-threshold", "repeat-penalty", "frequency-penalty", "presence-penalty", "penalty-window", "dry",
    "mirostat",
  ]

  /// Values that a model would be run with, by the setting's name; for the list of settings.
  package static func values(of settings: SamplingSettings) -> [String: Double] {
    [
      "temperature": Double(settings.temperature), "dynamic-temperature": Double(settings.temperatureRange),
      "top-k": Double(settings.topK), "top-p": Double(settings.topP), "min-p": Double(settings.minP),
      "typical-p": Double(settings.typicalP), "top-n-sigma": Double(settings.topNSigma),
      "xtc-probability": Double(settings.xtcProbability), "xtc-threshold": Double(settings.xtcThreshold),
      "repeat-penalty": Double(settings.repeatPenalty), "frequency-penalty": Double(settings.frequencyPenalty),
      "presence-penalty": Double(settings.presencePenalty), "penalty-window": Double(settings.penaltyWindow),
      "dry": Double(settings.dry?.multiplier ?? 0), "mirostat": Double(settings.mirostat?.tau ?? 0),
    ]
  }

  func applied(to settings: SamplingSettings) -> SamplingSettings {
    var settings = settings
    for (name, number) in numbers {
      let value = Float(number)
      switch name {
      case "temperature": settings.temperature = value
      case "dynamic-temperature": settings.temperatureRange = value
      case "top-k": settings.topK = Int(number)
      case "top-p": settings.topP = value
      case "min-p": settings.minP = value
      case "typical-p": settings.typicalP = value
      case "top-n-sigma": settings.topNSigma = value
      case "xtc-probability": settings.xtcProbability = value
      case "xtc-threshold": settings.xtcThreshold = value
      case "repeat-penalty": settings.repeatPenalty = value
      case "frequency-penalty": settings.frequencyPenalty = value
      case "presence-penalty": settings.presencePenalty = value
      case "penalty-window": settings.penaltyWindow = Int(number)
      case "dry":
        var dry = settings.dry ?? DrySettings()
        dry.multiplier = value
        settings.dry = value > 0 ? dry : nil
      default:
        var mirostat = settings.mirostat ?? MirostatSettings()
        mirostat.tau = value
        settings.mirostat = value > 0 ? mirostat : nil
      }
    }
    return settings
  }
}
