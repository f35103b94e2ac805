import Images

/// Facts about a model that are known without loading it.
package struct DiffusionDescription: Sendable, Equatable {
  /// Path of the model.
  package let path: String
  /// Family of the model.
  package let variant: DiffusionVariant
  /// Number of weights of all parts.
  package let parameterCount: Int
  /// Indicates whether the network was distilled to need few steps, according to the file's name or scheduler.
  package let isDistilled: Bool
  /// Indicates whether the network also takes a mask and a masked picture (an inpainting model).
  package let takesMask: Bool
  /// Side of the pictures in training, in pixels.
  package let usualSide: Int
  /// Default scheduler.
  package let scheduler: SchedulerKind
  /// Default number of steps.
  package let steps: Int
  /// Default guidance scale.
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

  /// Indicates whether the network takes the guidance as an input.
  var takesGuidance: Bool { parts.unet["time_embedding.cond_proj.weight"] != nil }
}
