import Images

/// What is known of a model without loading it.
package struct DiffusionDescription: Sendable, Equatable {
  /// Where it lies.
  package let path: String
  /// The family it belongs to.
  package let variant: DiffusionVariant
  /// Weights of all parts.
  package let parameterCount: Int
  /// Whether the network was distilled to need few steps, as the file's name or scheduler says.
  package let isDistilled: Bool
  /// Whether the network takes a mask and a picture besides (an inpainting model).
  package let takesMask: Bool
  /// The sides of the picture it was trained for.
  package let usualSide: Int
  /// The scheduler that suits it.
  package let scheduler: SchedulerKind
  /// The steps that suit it.
  package let steps: Int
  /// The guidance that suits it.
  package let guidance: Double
}

extension DiffusionModel {
  var description: DiffusionDescription {
    let name = path.split(separator: "/").suffix(2).joined(separator: "/").lowercased()
    let isLCM = namedScheduler == .lcm || name.contains("lcm") || takesGuidance
    let isTurbo = ["turbo", "lightning", "hyper", "distilled"].contains { name.contains($0) }
    let isDistilled = isLCM || isTurbo
    let kind: SchedulerKind =
      isLCM ? .lcm : isTurbo ? (name.contains("turbo") ? .eulerAncestral : .euler) : .dpmPlusPlus
    return DiffusionDescription(
      path: path, variant: variant,
      parameterCount: [parts.unet, parts.vae, parts.textEncoder, parts.textEncoder2].reduce(0) {
        $0 + $1.elementCount
      },
      isDistilled: isDistilled,
      takesMask: parts.unet["conv_in.weight"].map { $0.shape.count > 1 && $0.shape[1] == 9 } ?? false,
      usualSide: variant == .stableDiffusionXL && !name.contains("turbo") ? 1024 : 512, scheduler: kind,
      steps: isDistilled ? 4 : 20, guidance: takesGuidance ? 8 : isDistilled ? 1 : 7.5)
  }

  /// Whether the network is told the guidance.
  var takesGuidance: Bool { parts.unet["time_embedding.cond_proj.weight"] != nil }
}
