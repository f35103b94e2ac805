import Foundation
import Synchronization
import TextGeneration

/// Tokens generated a second while something else keeps one core busy, with all threads and with one.
///
/// Both open the model, and take turns every few tokens: what the machine can do changes within seconds where it is
/// shared.
let busy = Command(
  name: "busy", parameters: "MODEL [--tokens 128] [--threads N] [--cache f16] [--json]"
) { options in
  let tokens = try options.count("tokens", default: 128)
  let models = [
    try openModel(options, tokens: tokens + 1), try openModel(options, tokens: tokens + 1, threads: 1),
  ]
  for model in models {
    try warm(model)
    try fill(model, count: 1)
  }
  let other = BusyThread()
  var (seconds, ratios) = ([0.0, 0.0], [Double]())
  for (turn, first) in stride(from: 0, to: tokens, by: 8).enumerated() {
    var taken = [0.0, 0.0]
    // Who was first is second in the next turn, so that neither gains where the machine speeds up or slows down.
    for index in turn % 2 == 0 ? [0, 1] : [1, 0] {
      let started = ContinuousClock.now
      for place in first..<min(tokens, first + 8) { try models[index].advance([token(place, models[index])]) }
      taken[index] = (ContinuousClock.now - started) / .seconds(1)
      seconds[index] += taken[index]
    }
    ratios.append(taken[1] / taken[0])
  }
  let share = other.stop() / (seconds[0] + seconds[1])
  try report(
    [
      "tokens": tokens, "threads": models[0].threadCount, "tokens_per_second": Double(tokens) / seconds[0],
      "tokens_per_second_one_thread": Double(tokens) / seconds[1], "ratio": seconds[1] / seconds[0],
      "ratio_median": ratios.median, "other_share": share,
    ], json: options.isJSON)
}

/// A thread that only uses its core.
private final class BusyThread: Sendable {
  private let isDone = Atomic(false)
  /// Of processor time.
  private let nanoseconds = Atomic(0)

  init() {
    Thread { [self] in
      while !isDone.load(ordering: .relaxed) {
        var time = timespec()
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &time)
        nanoseconds.store(time.tv_sec * 1_000_000_000 + time.tv_nsec, ordering: .relaxed)
      }
    }.start()
  }

  /// Ends it; returns the seconds of processor time that it had.
  func stop() -> Double {
    isDone.store(true, ordering: .relaxed)
    return Double(nanoseconds.load(ordering: .relaxed)) / 1e9
  }
}
