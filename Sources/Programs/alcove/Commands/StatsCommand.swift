import Assistant
import Foundation
import JSON
import Terminal

extension Command {
  static let stats = Command(
    name: "stats", surface: .prompt, summary: "show what the last answer took, and the session's answers together",
    options: [Option(name: "json", help: "write JSON")]
  ) { invocation, program in
    let answers = program.measured
    guard let last = answers.last else {
      program.output.writeLine("No model has answered yet.")
      return .notFound
    }
    if invocation.has("json") {
      program.output.writeLine(
        JSON.document("stats", [("last", last.json), ("answers", .array(answers.map(\.json)))]).text)
      return .ok
    }
    var table = Table(columns: [
      .init("answers by the model"), .init("last", isRightAligned: true), .init("all", isRightAligned: true),
    ])
    func sum(_ value: (AnswerMetrics) -> Int) -> String { answers.reduce(0) { $0 + value($1) }.formatted() }
    func rate(_ tokens: (AnswerMetrics) -> Int, _ seconds: (AnswerMetrics) -> Double) -> String {
      let time = answers.reduce(0) { $0 + seconds($1) }
      return time > 0 ? AnswerView.rounded(Double(answers.reduce(0) { $0 + tokens($1) }) / time) : "–"
    }
    table.add(["prompt tokens", last.promptTokens.formatted(), sum(\.promptTokens)])
    table.add([
      "… new", (last.promptTokens - last.reusedTokens).formatted(),
      sum { $0.promptTokens - $0.reusedTokens },
    ])
    table.add(["… reused", last.reusedTokens.formatted(), sum(\.reusedTokens)])
    table.add(["answer tokens", last.generatedTokens.formatted(), sum(\.generatedTokens)])
    table.add(["first token after", AnswerView.seconds(last.timeToFirstToken), ""])
    table.add([
      "prefill tokens/s", AnswerView.rounded(last.prefillTokensPerSecond),
      rate({ $0.promptTokens - $0.reusedTokens }, \.prefillSeconds),
    ])
    table.add([
      "decode tokens/s", AnswerView.rounded(last.decodeTokensPerSecond), rate(\.generatedTokens, \.decodeSeconds),
    ])
    table.add(["runs of the model", "\(last.runs)", sum(\.runs)])
    table.add(["ended by", last.ending, ""])
    table.add(["seed", "\(last.seed)", ""])
    table.add(["backend", "\(last.backend) · \(last.quantization)", "\(answers.count) answers"])
    program.output.write(table.text(width: program.output.columns, ink: program.output.ink))
    return .ok
  }
}
