import Assistant
import Foundation
import JSON
import Terminal

/// Shows the events of one answer.
@MainActor
final class AnswerView {
  private(set) var record: AnswerRecord
  private let program: Program
  private let isJSON: Bool
  private let renderer: AnswerRenderer
  private let progress: ProgressLine
  private let started = ContinuousClock.now
  private var notices: [Notice] = []
  private var hasSaidSomething = false
  private var thoughts = TextSanitizer()
  private var isThinking = false
  private var reading = "reading the prompt"
  /// Indicates whether the turn is a picture and nothing else.
  private var isPicture = false
  /// Tokens of the prompt that are evaluated, and all of them.
  private var read = (done: 0, total: 0)

  init(program: Program, question: String, isJSON: Bool) {
    self.program = program
    self.isJSON = isJSON
    record = AnswerRecord(question: question)
    renderer = AnswerRenderer(output: program.output)
    progress = ProgressLine(output: program.errors, environment: program.environment)
    progress.update(done: 0, total: 0, label: "looking …")
  }

  func take(_ event: SessionEvent) {
    record.take(event)
    switch event {
    case .prefill(let done, let total):
      read = (done, total)
      progress.update(done: done, total: total, label: reading)
    case .text(let piece):
      progress.clear()
      endThought()
      hasSaidSomething = true
      if !isJSON { renderer.write(piece) }
    case .notice(.leftOut(let parts)):
      // What was not read is named wherever stderr goes: an answer without it would be a lie.
      progress.clear()
      program.complain(Notice.leftOut(parts).sentence)
    case .notice(let notice):
      // What explains an answer comes before it; what is known only after it, behind it.
      if hasSaidSomething || isJSON {
        notices.append(notice)
      } else {
        progress.clear()
        program.notice(notice.sentence)
      }
    case .thinking(let piece): show(thought: piece)
    case .called(let report):
      progress.clear()
      endThought()
      program.notice("\(report.succeeded ? "✓" : "✗") \(report.name) \(TextSanitizer.line(report.arguments))")
    case .reading(let part, let parts):
      reading = "reading part \(part) of \(parts)"
      progress.update(done: part - 1, total: parts, label: reading)
    case .drawing(let event): PictureView(program, progress).take(event)
    case .picture(let report):
      progress.clear()
      endThought()
      if !isJSON { show(report) }
    case .compacted(let turn):
      progress.clear()
      program.notice("The conversation was getting long, so it was summed up (/compact undo takes that back):")
      program.notice(turn.answer)
    case .routed(let route): isPicture = route == .image
    case .retrieved, .sources, .finished: break
    }
  }

  /// Shows a picture between the lines, and where it is.
  private func show(_ report: PictureReport) {
    if isPicture { return }
    renderer.finish()
    PictureView(program, progress).show(report)
    program.output.writeLine(report.path)
    hasSaidSomething = true
  }

  /// Shows or folds a thought.
  private func show(thought: String) {
    guard program.showsThinking, program.errors.isTerminal else {
      let words = record.thinking.split(whereSeparator: \.isWhitespace).count
      progress.update(done: 0, total: 0, label: "thinking … \(words) words")
      return
    }
    progress.clear()
    isThinking = true
    program.errors.write(program.errors.ink(thoughts.clean(thought), .dim))
    program.errors.flush()
  }

  private func endThought() {
    if isThinking { program.errors.writeLine(program.errors.ink(thoughts.finish(), .dim)) }
    isThinking = false
  }

  /// Ends a turn that is a picture and nothing else.
  private func endPicture() {
    let view = PictureView(program, progress)
    for report in record.pictures {
      do { try view.show(report, isJSON: isJSON) } catch {
        program.complain(Failure.explain(error).sentence)
      }
    }
    if record.exitCode == .interrupted { program.notice(stopped) }
    program.output.flush()
  }

  /// Ends the answer: its sources, and beside it what there is to know.
  func end() {
    progress.clear()
    endThought()
    if isPicture, !record.pictures.isEmpty || !isJSON { return endPicture() }
    if isJSON {
      program.output.writeLine(record.json.text)
      return
    }
    renderer.finish()
    if !record.sources.isEmpty {
      program.output.writeLine()
      for source in record.sources {
        program.output.write(SourceListing.text(of: source, program, withQuote: false))
      }
    }
    for notice in notices { program.notice(notice.sentence) }
    if record.exitCode == .interrupted { program.notice(stopped) }
    if !badge.isEmpty { program.notice(Self.lines(of: badge, columns: program.errors.columns)) }
    program.output.flush()
  }

  private var stopped: String {
    if !record.text.isEmpty { return "Stopped; what was said is kept." }
    return read.total > 0 && read.done < read.total
      ? "Stopped after \(read.done.formatted()) of \(read.total.formatted()) tokens of the prompt; nothing was said yet."
      : "Stopped before anything was said."
  }

  /// Parts in as few lines as hold them.
  private static func lines(of parts: [String], columns: Int?) -> String {
    var lines: [String] = []
    for part in parts {
      if let last = lines.last, last.count + part.count + 3 <= columns ?? .max {
        lines[lines.count - 1] = last + " · " + part
      } else {
        lines.append(part)
      }
    }
    return lines.joined(separator: "\n")
  }

  private var badge: [String] {
    guard let summary = record.summary else { return [] }
    var parts = [summary.author]
    if let coverage = record.coverage, coverage.matched > 0 {
      parts.append("read \(coverage.read) of \(coverage.matched) matching passages")
    }
    if let metrics = summary.metrics {
      parts.append("\(metrics.backend) \(metrics.quantization)")
      parts.append(
        "prompt \((metrics.promptTokens - metrics.reusedTokens).formatted()) new + \(metrics.reusedTokens.formatted()) reused"
      )
      parts.append("first token after \(Self.seconds(metrics.timeToFirstToken))")
      if metrics.prefillSeconds > 0 {
        parts.append("prefill \(Self.rounded(metrics.prefillTokensPerSecond)) tokens/s")
      }
      parts.append("\(Self.rounded(metrics.decodeTokensPerSecond)) tokens/s")
      if metrics.runs > 1 { parts.append("\(metrics.runs) runs") }
    }
    if !record.thinking.isEmpty, !program.showsThinking {
      parts.append("\(record.thinking.split(whereSeparator: \.isWhitespace).count) words of thought folded")
    }
    if let left = summary.previewsLeft { parts.append("\(left) preview\(left == 1 ? "" : "s") left") }
    let elapsed = ContinuousClock.now - started
    parts.append(Self.seconds(Double(elapsed.components.seconds) + Double(elapsed.components.attoseconds) / 1e18))
    return parts
  }

  nonisolated static func seconds(_ seconds: Double) -> String { "\((seconds * 100).rounded() / 100) s" }
  nonisolated static func rounded(_ number: Double) -> String { "\((number * 10).rounded() / 10)" }
}
