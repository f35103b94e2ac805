import Assistant
import Documents
import JSON
import Terminal

/// Outcome of one question, gathered from its events.
struct AnswerRecord {
  let question: String
  var text = ""
  var sources: [Source] = []
  var notices: [Notice] = []
  var coverage: Coverage?
  var summary: TurnSummary?
  var thinking = ""
  var calls: [ToolReport] = []
  var pictures: [PictureReport] = []

  init(question: String) { self.question = question }

  mutating func take(_ event: SessionEvent) {
    switch event {
    case .text(let piece): text += piece
    case .sources(let sources): self.sources = sources
    case .notice(let notice): notices.append(notice)
    case .retrieved(let coverage): self.coverage = coverage
    case .finished(let summary): self.summary = summary
    case .thinking(let piece): thinking += piece
    case .called(let report): calls.append(report)
    case .picture(let report): pictures.append(report)
    case .routed, .prefill, .compacted, .reading, .drawing: break
    }
  }

  /// Exit code for the caller.
  var exitCode: ExitCode {
    guard let summary else { return .interrupted }
    switch summary.status {
    case .stopped: return .interrupted
    case .failed: return .failure
    default: return summary.hasEvidence ? .ok : .noEvidence
    }
  }

  var json: JSON {
    var members: [(String, JSON)] = [("question", .string(question)), ("answer", .string(text))]
    if let summary {
      members += [
        ("route", .string(summary.route.rawValue)), ("author", .string(summary.author)),
        ("status", .string(summary.status.rawValue)), ("hasEvidence", .bool(summary.hasEvidence)),
        ("session", .int(summary.session)), ("turn", .int(summary.turn)),
      ]
    } else {
      members.append(("status", .string(TurnStatus.stopped.rawValue)))
    }
    if let coverage {
      members.append(
        (
          "coverage",
          .object([
            ("read", .int(coverage.read)), ("matched", .int(coverage.matched)), ("passages", .int(coverage.total)),
          ])
        ))
    }
    members.append(("citations", .array(sources.map { .object(Self.members(of: $0)) })))
    members.append(("notices", .strings(notices.map(\.sentence))))
    if !calls.isEmpty {
      members.append(
        (
          "calls",
          .array(
            calls.map {
              .object([
                ("name", .string($0.name)), ("arguments", .string($0.arguments)),
                ("succeeded", .bool($0.succeeded)),
              ])
            })
        ))
    }
    if !pictures.isEmpty {
      members.append(("pictures", .array(pictures.map { .object(PictureView.members(of: $0, path: $0.path)) })))
    }
    if let metrics = summary?.metrics { members += [("metrics", metrics.json), ("seed", .int(metrics.seed))] }
    return .document("answer", members)
  }

  static func members(of source: Source) -> [(String, JSON)] {
    [("number", .int(source.number)), ("title", .string(source.title))] + Place(source).json
      + [("place", .string(source.place)), ("quote", .string(source.citation.quote))]
      + (source.isMatched == true ? [("matched", .bool(true))] : [])
  }
}

extension AnswerMetrics {
  var json: JSON {
    .object([
      ("promptTokens", .int(promptTokens)), ("reusedTokens", .int(reusedTokens)),
      ("newTokens", .int(promptTokens - reusedTokens)), ("generatedTokens", .int(generatedTokens)),
      ("timeToFirstToken", .number(timeToFirstToken)), ("prefillTokensPerSecond", .number(prefillTokensPerSecond)),
      ("decodeTokensPerSecond", .number(decodeTokensPerSecond)), ("runs", .int(runs)),
      ("backend", .string(backend)),
      ("quantization", .string(quantization)), ("seed", .int(seed)), ("ending", .string(ending)),
    ])
  }
}

extension Place {
  init(_ source: Source) {
    let name = source.path.split(separator: "/").last.map(String.init) ?? source.path
    self.init(
      documentHash: source.citation.documentHash, name: name, path: source.path, pageLabel: source.pageLabel,
      span: source.citation.span)
  }
}
