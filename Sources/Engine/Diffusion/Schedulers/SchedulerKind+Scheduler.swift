import Images

extension SchedulerKind {
  /// Makes the scheduler for a number of steps.
  func makeScheduler(_ configuration: SchedulerConfiguration, steps: Int) throws(DiffusionError) -> any Scheduler {
    let limit =
      self == .lcm
      ? min(configuration.originalSteps, configuration.trainingSteps) : configuration.trainingSteps - 1
    guard (1...max(1, limit)).contains(steps) else { throw .badStepCount(given: steps, limit: limit) }
    return switch self {
    case .dpmPlusPlus: DPMSolver(configuration, steps: steps, usesKarras: configuration.usesKarras)
    case .dpmPlusPlusKarras: DPMSolver(configuration, steps: steps, usesKarras: true)
    case .euler: EulerScheduler(configuration, steps: steps, isAncestral: false)
    case .eulerAncestral: EulerScheduler(configuration, steps: steps, isAncestral: true)
    case .ddim: DDIMScheduler(configuration, steps: steps)
    case .pndm: PNDMScheduler(configuration, steps: steps)
    case .lcm: LCMScheduler(configuration, steps: steps)
    case .uniPC: UniPCScheduler(configuration, steps: steps)
    }
  }
}
