import Documents
import Foundation
import JSON
import Retrieval
import Terminal

/// Explanation of the ranks of hits, for people and for programs.
struct SearchExplanation {
  let results: SearchResults

  // MARK: For programs

  /// Members about the whole search.
  var members: [(String, JSON)] {
    let closeness = results.closeness
    var members: [(String, JSON)] = [
      (
        "closeness",
        .object([
          ("cosine", closeness.cosine.map(JSON.number) ?? .null), ("coverage", .number(closeness.coverage)),
          ("likelihood", .number(closeness.likelihood)), ("threshold", .number(closeness.threshold)),
          ("isFar", .bool(closeness.isFar)),
        ])
      )
    ]
    if let fusion = results.fusion {
      members.append(
        (
          "fusion",
          .object([
            ("method", .string(fusion.method.rawValue)), ("vectorWeight", .number(fusion.vectorWeight)),
            ("depth", .int(fusion.depth)), ("rankConstant", .number(fusion.rankConstant)),
          ])
        ))
    }
    return members
  }

  /// Returns the members about one hit.
  func members(of hit: SearchHit) -> [(String, JSON)] {
    [
      ("parts", .array(hit.parts.map { .int(Int($0.rawValue)) })), ("keyword", Self.json(hit.keyword)),
      ("vector", Self.json(hit.vector)), ("nearness", .number(hit.nearness)),
      ("window", hit.window.map { .array([.int($0.lowerBound), .int($0.upperBound)]) } ?? .null),
      ("explanation", .array(hit.explanation.map(Self.json))),
    ]
  }

  private static func json(_ half: HalfScore?) -> JSON {
    guard let half else { return .null }
    return .object([
      ("rank", half.rank.map(JSON.int) ?? .null), ("score", .number(half.score)),
      ("normalised", .number(half.normalised)),
    ])
  }

  private static func json(_ term: TermExplanation) -> JSON {
    .object([
      ("term", .string(term.term)), ("forms", .strings(term.forms)), ("inPassages", .int(term.passageFrequency)),
      ("inTitle", .int(term.titleCount)), ("inHeadings", .int(term.headingsCount)),
      ("inBody", .int(term.bodyCount)),
      ("contribution", .number(term.contribution)),
    ])
  }

  // MARK: For people

  /// Returns the lines under a hit.
  func lines(of hit: SearchHit) -> [String] {
    var lines: [String] = []
    if let fusion = results.fusion {
      lines.append("score \(Self.short(hit.score)) by \(Self.name(of: fusion.method))")
      lines.append("words: " + Self.line(hit.keyword, in: "score", weight: 1 - fusion.vectorWeight))
      lines.append("meaning: " + Self.line(hit.vector, in: "cosine", weight: fusion.vectorWeight))
    } else {
      lines.append("score \(Self.short(hit.score)) by words alone")
    }
    lines += hit.explanation.map(Self.line)
    if hit.nearness > 0 { lines.append("+\(Self.short(hit.nearness)) words that stand together") }
    if hit.vector != nil, let window = hit.window {
      lines.append("nearest part: \(Self.opening(of: hit, window))")
    }
    if hit.parts.count > 1 { lines.append("\(hit.parts.count) neighbouring passages read as one") }
    return lines
  }

  /// Line under all hits: what was measured, the threshold, the verdict.
  var verdict: String {
    let closeness = results.closeness
    let cosine = closeness.cosine.map { "nearest meaning \(Self.short($0)), " } ?? ""
    let verdict = closeness.isFar ? "too far for an answer" : "near enough for an answer"
    return cosine
      + "words found \(Self.short(closeness.coverage)): likelihood \(Self.short(closeness.likelihood)), "
      + "threshold \(Self.short(closeness.threshold)): \(verdict)"
  }

  private static func name(of method: FusionMethod) -> String {
    switch method {
    case .reciprocalRank: "reciprocal ranks"
    case .normalisedScore: "normalised scores"
    }
  }

  private static func line(_ half: HalfScore?, in unit: String, weight: Double) -> String {
    guard let half else { return "not found" }
    let place = half.rank.map { "place \($0), " } ?? ""
    return "\(place)\(unit) \(short(half.score)), normalised \(short(half.normalised)) × \(short(weight))"
  }

  private static func line(_ term: TermExplanation) -> String {
    let counts = [("title", term.titleCount), ("headings", term.headingsCount), ("text", term.bodyCount)]
      .filter { $0.1 > 0 }.map { "\($0.1)× in \($0.0)" }.joined(separator: ", ")
    return
      "+\(short(term.contribution)) \(TextSanitizer.line(term.term)): \(counts); in \(term.passageFrequency) passages"
  }

  private static func opening(of hit: SearchHit, _ window: Range<Int>) -> String {
    let bytes = Array(hit.passage.passage.text.utf8)
    let text = String(decoding: bytes[window.clamped(to: 0..<bytes.count)], as: UTF8.self)
    let words = text.split(whereSeparator: \.isWhitespace)
    let opening = words.prefix(10).joined(separator: " ") + (words.count > 10 ? " …" : "")
    return TextSanitizer.line(opening)
  }

  private static func short(_ value: Double) -> String { String(format: "%.2f", value) }
}
