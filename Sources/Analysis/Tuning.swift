import Documents
public enum Tuning {
  public struct Row { public var features: [Double]; public var text: String; public var passage: Int; public var span: String; public var coverage: Double; public var passageCoverage: Double }
  public static var names: [String] { SentenceFeature.allCases.map { "\($0)" } }
  public static func rows(question: String, evidence: [Evidence]) -> [Row] {
    let ranking = Ranking(question: Question(question), evidence: evidence)
    return ranking.units.map { u in
      let text = evidence[u.passage].passage.text
      func cut(_ r: Range<Int>) -> String { String(decoding: Array(text.utf8)[r], as: UTF8.self) }
      return Row(features: u.measured.features, text: cut(ranking.meter.passages[u.passage].units[u.unit].range), passage: u.passage, span: u.measured.span.map { cut($0.range) } ?? "", coverage: u.measured.coverage, passageCoverage: u.measured.passageCoverage)
    }
  }
}
