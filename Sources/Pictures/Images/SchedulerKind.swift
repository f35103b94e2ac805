/// Schedulers: methods that take noise step by step to a picture.
package enum SchedulerKind: String, Sendable, CaseIterable {
  /// DPM-Solver++ of second order, multistep (Lu et al. 2022); the default.
  case dpmPlusPlus = "dpmpp_2m"
  /// DPM-Solver++ with the noise levels of Karras et al. 2022.
  case dpmPlusPlusKarras = "dpmpp_2m_karras"
  /// Euler's method.
  case euler
  /// Euler's method with fresh noise in each step.
  case eulerAncestral = "euler_a"
  /// Denoising diffusion implicit models (Song et al. 2020).
  case ddim
  /// Pseudo numerical methods (Liu et al. 2022) without Runge-Kutta steps; also known as PLMS.
  case pndm
  /// Multistep sampling of latent consistency models (Luo et al. 2023).
  case lcm
  /// Unified predictor-corrector (Zhao et al. 2023).
  case uniPC = "unipc"

  /// Finds a scheduler by one of the names in use, such as `dpmpp_2m`, `DPM++ 2M Karras`, `euler_a` or `plms`.
  package init?(name: String) {
    let plain = name.lowercased().replacing("+", with: "p").filter { $0.isLetter || $0.isNumber }
    switch plain {
    case "dpmpp2m", "dpm2m", "dpmpp", "dpmsolverpp", "dpmsolvermultistep", "dpmsolvermultistepscheduler",
      "dpmppsolver2m", "dpmsolverpp2m", "dpm":
      self = .dpmPlusPlus
    case "dpmpp2mkarras", "dpm2mkarras", "dpmppkarras", "karras", "2mkarras", "dpmsolverpp2mkarras":
      self = .dpmPlusPlusKarras
    case "euler", "eulerdiscrete", "eulerdiscretescheduler": self = .euler
    case "eulera", "eulerancestral", "eulerancestraldiscrete", "eulerancestraldiscretescheduler":
      self = .eulerAncestral
    case "ddim", "ddimscheduler": self = .ddim
    case "pndm", "plms", "pndmscheduler": self = .pndm
    case "lcm", "lcmscheduler": self = .lcm
    case "unipc", "unipcmultistep", "unipcmultistepscheduler": self = .uniPC
    default: return nil
    }
  }

  /// Name that other tools write into pictures.
  package var samplerName: String {
    switch self {
    case .dpmPlusPlus: "DPM++ 2M"
    case .dpmPlusPlusKarras: "DPM++ 2M Karras"
    case .euler: "Euler"
    case .eulerAncestral: "Euler a"
    case .ddim: "DDIM"
    case .pndm: "PLMS"
    case .lcm: "LCM"
    case .uniPC: "UniPC"
    }
  }
}
