import Foundation
import ModelFormats

/// The settings a model is drawn from unless someone says otherwise, and who says so.
package struct SamplingDefaults: Sendable, Equatable {
  /// Origin of settings.
  package enum Origin: String, Sendable {
    /// The model's file carries `general.sampling` keys; what it leaves open is the family's.
    case file
    /// Settings that the makers of the family recommend.
    case family
    /// Sensible for any model.
    case general
  }

  /// The settings.
  package var settings: SamplingSettings
  /// Origin of the settings.
  package var origin: Origin

  /// Finds the defaults of a model.
  package init(_ header: GGUFHeader) {
    var settings = SamplingSettings()
    settings.temperature = 0.7
    var origin = Origin.general
    // A wrong type here only means that nothing is said.
    let architecture = (try? header.string("general.architecture")) ?? ""
    let names = ["general.name", "general.basename", "general.finetune"].compactMap { key in
      (try? header.string(key))?.lowercased()
    }
    if let family = Self.family(architecture, names) {
      (settings.temperature, settings.topP, settings.topK) = (family.temperature, family.topP, family.topK)
      (settings.minP, settings.repeatPenalty) = (family.minP, family.repeatPenalty)
      settings.presencePenalty = family.presencePenalty
      origin = .family
    }
    if Self.read(header, into: &settings) { origin = .file }
    (self.settings, self.origin) = (settings, origin)
  }

  private static func family(_ architecture: String, _ names: [String]) -> FamilySampling? {
    FamilySampling.table.first { family in
      (family.architectures.isEmpty || family.architectures.contains(architecture))
        && (family.names.isEmpty || family.names.contains { part in names.contains { $0.contains(part) } })
    }
  }

  /// Reads the keys that llama.cpp writes (`LLM_KV_GENERAL_SAMPLING_*`) and those that others add; values that mean
  /// nothing are left alone.
  /// - Returns: whether any was there.
  private static func read(_ header: GGUFHeader, into settings: inout SamplingSettings) -> Bool {
    var isFound = false
    func number(_ key: String, _ range: ClosedRange<Float>, _ place: WritableKeyPath<SamplingSettings, Float>) {
      guard let value = (try? header.number("general.sampling.\(key)")).flatMap({ $0 }),
        range.contains(Float(value))
      else { return }
      settings[keyPath: place] = Float(value)
      isFound = true
    }
    func integer(_ key: String, _ range: ClosedRange<Int>, _ place: WritableKeyPath<SamplingSettings, Int>) {
      guard let value = (try? header.integer("general.sampling.\(key)")).flatMap({ $0 }), range.contains(value)
      else { return }
      settings[keyPath: place] = value
      isFound = true
    }
    number("temp", 0...100, \.temperature)
    number("top_p", 0...1, \.topP)
    number("min_p", 0...1, \.minP)
    number("typ_p", 0...1, \.typicalP)
    number("xtc_probability", 0...1, \.xtcProbability)
    number("xtc_threshold", 0...1, \.xtcThreshold)
    number("penalty_repeat", 0.01...100, \.repeatPenalty)
    number("penalty_freq", -100...100, \.frequencyPenalty)
    number("penalty_present", -100...100, \.presencePenalty)
    integer("top_k", 0...(1 << 24), \.topK)
    integer("penalty_last_n", -1...(1 << 30), \.penaltyWindow)
    // Zero switches it off, which it is anyway; version 1 is not offered and falls to version 2.
    if let version = (try? header.integer("general.sampling.mirostat")).flatMap({ $0 }),
      version == 1 || version == 2
    {
      var mirostat = MirostatSettings()
      if let tau = (try? header.number("general.sampling.mirostat_tau")).flatMap({ $0 }), tau > 0, tau < 100 {
        mirostat.tau = Float(tau)
      }
      if let eta = (try? header.number("general.sampling.mirostat_eta")).flatMap({ $0 }), eta > 0, eta <= 1 {
        mirostat.eta = Float(eta)
      }
      settings.mirostat = mirostat
      isFound = true
    }
    return isFound
  }
}
