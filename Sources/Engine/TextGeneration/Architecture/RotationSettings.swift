import Foundation

/// How positions turn queries and keys: base, scaling and which elements.
struct RotationSettings: Sendable {
  let kind: Architecture.Rotary
  /// How many elements of a head are turned.
  let elementCount: Int
  let base: Float
  /// What positions are multiplied by, one over the scaling factor.
  let positionScale: Float
  /// How much of YaRN's mixture applies: 1 for YaRN, 0 for all others.
  let mixture: Float
  /// What the turned elements are multiplied by.
  let magnitude: Float
  let fastTurns: Float
  let slowTurns: Float
  let originalContextLength: Int
  let sections: [Int]

  init(_ reader: MetadataReader, keyLength: Int, contextLength: Int) throws(TextGenerationError) {
    let isSwitchedOff = try reader.bool("rope.scaling.finetuned") == false
    kind = reader.family.rotaryIsSwitched && isSwitchedOff ? .none : reader.family.rotary
    elementCount = try reader.integer("rope.dimension_count", in: 0...keyLength, orIfZero: keyLength)
    guard elementCount % 2 == 0 else { throw reader.bad("rope.dimension_count", "\(elementCount)") }
    base = try reader.numberIfSet("rope.freq_base") ?? 10_000
    let type = try reader.string("rope.scaling.type") ?? "linear"
    let oldFactor = try reader.numberIfSet("rope.scale_linear") ?? 1
    let factor = try reader.numberIfSet("rope.scaling.factor") ?? oldFactor
    guard factor > 0, base > 0 else { throw reader.bad("rope.scaling.factor", "\(factor)") }
    let scale = type == "none" ? 1 : 1 / factor
    positionScale = scale
    let givenMixture = try reader.number("rope.scaling.yarn_ext_factor") ?? -1
    mixture = givenMixture >= 0 ? givenMixture : type == "yarn" ? 1 : 0
    fastTurns = try reader.numberIfSet("rope.scaling.yarn_beta_fast") ?? 32
    slowTurns = try reader.numberIfSet("rope.scaling.yarn_beta_slow") ?? 1
    originalContextLength = try reader.integer(
      "rope.scaling.original_context_length", in: 0...(1 << 30), orIfZero: contextLength)
    var magnitude: Float = 1
    if mixture != 0 {
      let logMultiplier = try reader.numberIfSet("rope.scaling.yarn_log_multiplier")
      magnitude = Self.yarnMagnitude(1 / scale)
      if let logMultiplier { magnitude /= Self.yarnMagnitude(1 / scale, logMultiplier) }
    }
    self.magnitude = magnitude * (try reader.numberIfSet("rope.scaling.attn_factor") ?? 1)
    sections = try reader.integers("rope.dimension_sections") ?? []
    if kind == .sections || kind == .interleavedSections {
      guard sections.count >= 3, sections.allSatisfy({ (0...65_536).contains($0) }),
        sections.contains(where: { $0 > 0 })
      else { throw reader.bad("rope.dimension_sections", "\(sections)") }
    }
  }

  private init(_ other: RotationSettings, base: Float, isScaled: Bool) {
    kind = other.kind
    elementCount = other.elementCount
    self.base = base
    positionScale = isScaled ? other.positionScale : 1
    mixture = isScaled ? other.mixture : 0
    magnitude = isScaled ? other.magnitude : 1
    fastTurns = other.fastTurns
    slowTurns = other.slowTurns
    originalContextLength = other.originalContextLength
    sections = other.sections
  }

  /// The rotation of windowed layers.
  func forWindows(
    _ rule: Architecture.WindowRotary, _ reader: MetadataReader
  ) throws(TextGenerationError) -> RotationSettings {
    let given = try reader.numberIfSet("rope.freq_base_swa")
    switch rule {
    case .same: return RotationSettings(self, base: given ?? base, isScaled: true)
    case .ownBase: return RotationSettings(self, base: given ?? 10_000, isScaled: false)
    case .unscaled: return RotationSettings(self, base: base, isScaled: false)
    }
  }

  /// YaRN's correction of the attention's temperature (Peng et al. 2023, section 3.4).
  private static func yarnMagnitude(_ factor: Float, _ multiplier: Float = 1) -> Float {
    factor <= 1 ? 1 : 0.1 * multiplier * logf(factor) + 1
  }

  /// The angle per position of each turned pair.
  /// - Parameter factors: what each pair's angle is divided by, from the file; nil: nothing.
  func frequencies(factors: [Float]?) -> [Float] {
    let pairCount = elementCount / 2
    let (low, high) = rampBounds()
    return (0..<pairCount).map { pair in
      var angle = pow(Double(base), -2 * Double(pair) / Double(elementCount))
      if let factors { angle /= Double(factors[pair]) }
      var scaled = angle * Double(positionScale)
      if mixture != 0 {
        let ramp = 1 - min(1, max(0, (Double(pair) - low) / max(0.001, high - low)))
        let kept = ramp * Double(mixture)
        scaled = scaled * (1 - kept) + angle * kept
      }
      return Float(axisMoves(pair) ? scaled : 0)
    }
  }

  /// Whether a pair turns with the position of text; the last of four axes stands still.
  private func axisMoves(_ pair: Int) -> Bool {
    guard kind == .sections || kind == .interleavedSections else { return true }
    let sector = pair % sections.reduce(0, +)
    if kind == .sections { return sector < sections[0] + sections[1] + sections[2] }
    return sector < 3 * sections[sector % 3]
  }

  /// The pairs between which YaRN goes from leaving angles alone to scaling them.
  private func rampBounds() -> (low: Double, high: Double) {
    func pair(turns: Float) -> Double {
      Double(elementCount) * log(Double(originalContextLength) / (Double(turns) * 2 * .pi))
        / (2 * log(Double(base)))
    }
    return (
      max(0, pair(turns: fastTurns).rounded(.down)),
      min(Double(elementCount - 1), pair(turns: slowTurns).rounded(.up))
    )
  }
}
