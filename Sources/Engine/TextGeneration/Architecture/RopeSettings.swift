import Foundation
import ModelFormats

/// Settings of RoPE (Su et al. 2021) and its scaling: base, factor and rotated elements.
struct RopeSettings: Sendable {
  let kind: Architecture.Rotary
  /// Number of a head's elements that are rotated.
  let elementCount: Int
  let base: Float
  /// Factor of positions, one over the context's scaling factor.
  let positionScale: Float
  /// Share of YaRN's mixture of scaled and unscaled angles: 1 for YaRN, 0 for all others.
  let yarnMixture: Float
  /// Factor of the rotated elements, YaRN's attention factor.
  let attentionFactor: Float
  /// Rotations over the original context from which on YaRN leaves a pair's angle alone.
  let betaFast: Float
  /// Rotations over the original context up to which YaRN scales a pair's angle in full.
  let betaSlow: Float
  let originalContextLength: Int
  let sections: [Int]

  init(
    _ reader: MetadataReader, _ family: Architecture, keyLength: Int, contextLength: Int
  ) throws(GGUFError) {
    let isSwitchedOff = try reader.bool("rope.scaling.finetuned") == false
    kind = family.ropeCanBeDisabled && isSwitchedOff ? .none : family.rotary
    elementCount = try reader.integer("rope.dimension_count", in: 0...keyLength, orIfZero: keyLength)
    guard elementCount % 2 == 0 else { throw reader.bad("rope.dimension_count", "\(elementCount)") }
    base = try reader.numberIfSet("rope.freq_base") ?? 10_000
    let type = try reader.string("rope.scaling.type") ?? "linear"
    let oldFactor = try reader.numberIfSet("rope.scale_linear") ?? 1
    let factor = try reader.numberIfSet("rope.scaling.factor") ?? oldFactor
    guard factor > 0, base > 0 else { throw reader.bad("rope.scaling.factor", "\(factor)") }
    let scale = type == "none" ? 1 : 1 / factor
    positionScale = scale
    let givenYarnMixture = try reader.number("rope.scaling.yarn_ext_factor") ?? -1
    yarnMixture = givenYarnMixture >= 0 ? givenYarnMixture : type == "yarn" ? 1 : 0
    betaFast = try reader.numberIfSet("rope.scaling.yarn_beta_fast") ?? 32
    betaSlow = try reader.numberIfSet("rope.scaling.yarn_beta_slow") ?? 1
    originalContextLength = try reader.integer(
      "rope.scaling.original_context_length", in: 0...(1 << 30), orIfZero: contextLength)
    var attentionFactor: Float = 1
    if yarnMixture != 0 {
      let logMultiplier = try reader.numberIfSet("rope.scaling.yarn_log_multiplier")
      attentionFactor = Self.yarnAttentionFactor(1 / scale)
      if let logMultiplier { attentionFactor /= Self.yarnAttentionFactor(1 / scale, logMultiplier) }
    }
    self.attentionFactor = attentionFactor * (try reader.numberIfSet("rope.scaling.attn_factor") ?? 1)
    sections = try reader.integers("rope.dimension_sections") ?? []
    if kind == .sections || kind == .interleavedSections {
      guard sections.count >= 3, sections.allSatisfy({ (0...65_536).contains($0) }),
        sections.contains(where: { $0 > 0 })
      else { throw reader.bad("rope.dimension_sections", "\(sections)") }
    }
  }

  private init(_ other: RopeSettings, base: Float, isScaled: Bool) {
    kind = other.kind
    elementCount = other.elementCount
    self.base = base
    positionScale = isScaled ? other.positionScale : 1
    yarnMixture = isScaled ? other.yarnMixture : 0
    attentionFactor = isScaled ? other.attentionFactor : 1
    betaFast = other.betaFast
    betaSlow = other.betaSlow
    originalContextLength = other.originalContextLength
    sections = other.sections
  }

  /// Returns the settings of layers with a sliding window.
  func forWindows(
    _ rule: Architecture.WindowRotary, _ reader: MetadataReader
  ) throws(GGUFError) -> RopeSettings {
    let given = try reader.numberIfSet("rope.freq_base_swa")
    switch rule {
    case .same: return RopeSettings(self, base: given ?? base, isScaled: true)
    case .ownBase: return RopeSettings(self, base: given ?? 10_000, isScaled: false)
    case .unscaled: return RopeSettings(self, base: base, isScaled: false)
    }
  }

  /// YaRN's correction of the attention's temperature (Peng et al. 2023, section 3.4).
  private static func yarnAttentionFactor(_ factor: Float, _ multiplier: Float = 1) -> Float {
    factor <= 1 ? 1 : 0.1 * multiplier * logf(factor) + 1
  }

  /// Returns the angle per position of each rotated pair.
  /// - Parameter factors: what each pair's angle is divided by, from the file; nil: nothing.
  func frequencies(factors: [Float]?) -> [Float] {
    let pairCount = elementCount / 2
    let (low, high) = rampBounds()
    return (0..<pairCount).map { pair in
      var angle = pow(Double(base), -2 * Double(pair) / Double(elementCount))
      if let factors { angle /= Double(factors[pair]) }
      var scaled = angle * Double(positionScale)
      if yarnMixture != 0 {
        let ramp = 1 - min(1, max(0, (Double(pair) - low) / max(0.001, high - low)))
        let kept = ramp * Double(yarnMixture)
        scaled = scaled * (1 - kept) + angle * kept
      }
      return Float(axisMoves(pair) ? scaled : 0)
    }
  }

  /// Indicates whether a pair rotates with the position of text; the last of four axes stands still.
  private func axisMoves(_ pair: Int) -> Bool {
    guard kind == .sections || kind == .interleavedSections else { return true }
    let sector = pair % sections.reduce(0, +)
    if kind == .sections { return sector < sections[0] + sections[1] + sections[2] }
    return sector < 3 * sections[sector % 3]
  }

  /// Returns the pairs between which YaRN goes from leaving angles alone to scaling them.
  private func rampBounds() -> (low: Double, high: Double) {
    func pair(rotations: Float) -> Double {
      Double(elementCount) * log(Double(originalContextLength) / (Double(rotations) * 2 * .pi))
        / (2 * log(Double(base)))
    }
    return (
      max(0, pair(rotations: betaFast).rounded(.down)),
      min(Double(elementCount - 1), pair(rotations: betaSlow).rounded(.up))
    )
  }
}
