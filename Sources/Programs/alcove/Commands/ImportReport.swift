import Assistant
import Documents
import Foundation
import JSON
import Terminal

/// Tells how an import goes, and at its end what was and what was not indexed.
@MainActor
final class ImportReport {
  let isJSON: Bool
  /// Paths that were not indexed, with the reason.
  private(set) var failures: [(path: String, outcome: String, reason: String)] = []
  /// Paths whose files are no longer there.
  var gone: [String] = []
  /// Indicates whether those were taken out.
  var isPruned = false
  private let program: Program
  private let progress: ProgressLine
  private var fileCount = 0
  private var doneCount = 0
  private var locked: Set<String> = []
  private var counts = (added: 0, unchanged: 0, moved: 0, copied: 0, passages: 0)
  private var cuts: [(path: String, indexed: Int, total: Int, cut: ReadingCut)] = []
  private var passedOver = (hidden: 0, ignored: 0, same: 0)
  /// Indicates whether locked files are named and passed over.
  var givesUpAsking = false
  private var embeddedCount = 0
  private var notEmbeddedReason: String?

  init(program: Program, isJSON: Bool) {
    self.program = program
    self.isJSON = isJSON
    progress = ProgressLine(output: program.errors, environment: program.environment)
  }

  /// Notes what is not read of the files that were found.
  func take(_ found: FoundFiles) {
    passedOver.hidden += found.hiddenCount
    passedOver.ignored += found.ignoredCount
    passedOver.same += found.repeatedCount
    for item in found.refused { fail(item.path, item.reason.name, ErrorSentence.describe(item.reason)) }
  }

  /// Notes what happened next.
  func take(_ event: ImportEvent) {
    switch event {
    case .started(let count):
      fileCount = count
      progress.update(done: 0, total: count, label: count == 1 ? "file" : "files")
    case .finished(let outcome):
      doneCount += 1
      locked.remove(outcome.path)
      note(outcome)
      progress.update(
        done: doneCount, total: fileCount, label: outcome.path.split(separator: "/").last.map(String.init) ?? "")
    case .locked(let path): locked.insert(path)
    case .embedded(let step):
      embeddedCount += step.embedded
      // While files are read, the line tells of them.
      guard doneCount + locked.count == fileCount else { break }
      progress.update(done: embeddedCount, total: embeddedCount + step.remaining, label: "passages embedded")
    case .notEmbedded(let error):
      notEmbeddedReason = Failure.explain(error).sentence
    }
  }

  /// Asks for a file's password; an empty one passes the file over, Ctrl-C all that follow.
  func ask(_ path: String, at terminal: TerminalDevice, _ environment: [String: String]) -> String? {
    if givesUpAsking { return nil }
    progress.clear()
    let editor = LineEditor(terminal: terminal, environment: environment)
    let name = path.split(separator: "/").last.map(String.init) ?? path
    // A terminal that cannot be read gives no password.
    guard
      let secret = try? editor.readSecret(
        prompt: "Password for \(TextSanitizer.line(name)) (Enter: skip, Ctrl-C: skip all): ")
    else {
      givesUpAsking = true
      return nil
    }
    return secret.isEmpty ? nil : secret
  }

  private func note(_ outcome: ImportOutcome) {
    var facts: [(String, JSON)] = []
    switch outcome.result {
    case .stored(let indexed, let pages, let passages, let cut):
      counts.added += 1
      counts.passages += passages
      if let cut { cuts.append((outcome.path, indexed, pages, cut)) }
      facts = [
        ("outcome", .string("ok")), ("indexedPages", .int(indexed)), ("pages", .int(pages)),
        ("passages", .int(passages)),
        ("cut", .optional(cut?.rawValue)),
      ]
    case .unchanged:
      counts.unchanged += 1
      facts = [("outcome", .string("unchanged"))]
    case .moved(let from):
      counts.moved += 1
      facts = [("outcome", .string("moved")), ("from", .string(from))]
    case .copied(let original):
      counts.copied += 1
      facts = [("outcome", .string("copy")), ("of", .string(original))]
    case .failed(let failure):
      fail(outcome.path, failure.name, ErrorSentence.describe(failure))
      return
    }
    if isJSON { writeJSON(outcome.path, facts) }
  }

  private func fail(_ path: String, _ outcome: String, _ reason: String) {
    failures.append((path, outcome, reason))
    if isJSON { writeJSON(path, [("outcome", .string(outcome)), ("reason", .string(reason))]) }
  }

  private func writeJSON(_ path: String, _ facts: [(String, JSON)]) {
    progress.clear()
    program.output.writeLine(JSON.document("import", [("path", .string(path))] + facts).text)
  }

  /// Writes the summary.
  func end() {
    progress.clear()
    if let notEmbeddedReason {
      program.complain("the search goes by words alone: \(notEmbeddedReason)")
    }
    if isJSON { return }
    let output = program.output
    var parts: [String] = []
    if counts.added > 0 { parts.append("\(counts.added) indexed (\(counts.passages) passages)") }
    if counts.unchanged > 0 { parts.append("\(counts.unchanged) unchanged") }
    if counts.moved > 0 { parts.append("\(counts.moved) moved") }
    if counts.copied > 0 { parts.append("\(counts.copied) the same as another file") }
    if !failures.isEmpty { parts.append("\(failures.count) not indexed") }
    if !gone.isEmpty { parts.append("\(gone.count) \(isPruned ? "taken out" : "gone")") }
    let remaining = fileCount - doneCount
    if remaining > 0 { parts.append("\(remaining) not reached") }
    if !parts.isEmpty { output.writeLine(parts.joined(separator: ", ") + ".") }
    for (path, indexed, total, cut) in cuts.sorted(by: { $0.path < $1.path }) {
      list("indexed \(indexed) of \(total) pages", path, cut.rawValue)
    }
    for (path, _, reason) in failures.sorted(by: { $0.path < $1.path }) { list("not indexed", path, reason) }
    for path in gone { list(isPruned ? "taken out" : "gone", path, nil) }
    let quiet = [
      (passedOver.hidden, "hidden"), (passedOver.ignored, "named in .alcoveignore"),
      (passedOver.same, "met twice"),
    ].filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
    if !quiet.isEmpty { output.writeLine("Passed over: " + quiet.joined(separator: ", ") + ".") }
    if parts.isEmpty && quiet.isEmpty { output.writeLine("No files were found there.") }
    output.flush()
  }

  /// One line about a file, broken between words where a person reads it.
  private func list(_ what: String, _ path: String, _ detail: String?) {
    let line = TextSanitizer.line(path) + (detail.map { ": " + TextSanitizer.line($0) } ?? "")
    let output = program.output
    let shown =
      output.columns.map {
        WordWrap.lines(line, columns: max($0 - what.count - 1, 20)).joined(separator: "\n    ")
      } ?? line
    output.writeLine(output.ink(what, .warning) + " " + shown)
  }
}
