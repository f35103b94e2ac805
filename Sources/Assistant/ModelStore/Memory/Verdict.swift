/// Verdict on a model's fit with the memory there is.
package enum Verdict: String, Sendable, Codable, Comparable {
  case fitsWell = "fits well"
  case fits
  case tight
  case doesNotFit = "does not fit"

  private var rank: Int { [.fitsWell: 0, .fits: 1, .tight: 2, .doesNotFit: 3][self] ?? 3 }
  /// The better before the worse.
  package static func < (left: Verdict, right: Verdict) -> Bool { left.rank < right.rank }

  /// Judges a model by what it takes with a long context, with a usual one, and at the least.
  ///
  /// It fits well where a context of 16k leaves a third of the memory free, fits where a context of 4k leaves a tenth,
  /// and is tight where only its smallest form goes in.
  package init(_ shape: ModelShape, memory: MachineMemory) {
    let room = memory.available
    if MemoryEstimate(shape, context: 16_384).total <= room - room / 3 {
      self = .fitsWell
    } else if MemoryEstimate(shape, context: 4096).total <= room - room / 10 {
      self = .fits
    } else if MemoryEstimate.smallest(shape).total <= room {
      self = .tight
    } else {
      self = .doesNotFit
    }
  }
}

/// Indicates whether a model may be loaded, with the numbers and the ways out where it may not.
package struct LoadJudgement: Sendable, Equatable {
  /// Memory it takes as asked for.
  package var estimate: MemoryEstimate
  /// Memory that is available.
  package var memory: MachineMemory
  /// The context asked for.
  package var context: Int
  /// The longest context that goes in as asked for otherwise; nil where none does.
  package var fittingContext: Int?
  /// Bytes it takes with a KV cache of eight bits; nil where the cache is one already.
  package var quantizedCacheTotal: Int?

  /// Indicates whether it goes in.
  package var fits: Bool { estimate.total <= memory.available }

  /// Judges a model before it is loaded.
  package init(_ shape: ModelShape, context: Int, cache: CacheForm, memory: MachineMemory) {
    self.memory = memory
    self.context = min(context, shape.contextLength)
    estimate = MemoryEstimate(shape, context: context, cache: cache)
    quantizedCacheTotal =
      cache == .q8_0 ? nil : MemoryEstimate(shape, context: context, cache: .q8_0).total
    var (low, high) = (0, self.context / 256)
    // The total grows with the context.
    while low < high {
      let middle = (low + high + 1) / 2
      if MemoryEstimate(shape, context: middle * 256, cache: cache).total <= memory.available {
        low = middle
      } else {
        high = middle - 1
      }
    }
    fittingContext = low > 0 ? low * 256 : nil
  }
}
