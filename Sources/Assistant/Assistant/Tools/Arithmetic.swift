/// Questions that ask for nothing but a sum, which need neither documents nor a model.
enum Arithmetic {
  /// The expression and its value, or nil where a question asks for something else.
  ///
  /// `34-12`, `3/4` and `2026-05-01` may name something in the documents, so a minus or a slash counts only with
  /// spaces around it or next to another sign.
  static func reply(to question: String) -> String? {
    var text = question.trimmingSpace[...]
    while let last = text.last, "?.= ".contains(last) { text.removeLast() }
    if let opening = openings.first(where: { text.lowercased().hasPrefix($0 + " ") }) {
      text = text.dropFirst(opening.count + 1)
    }
    let words = text.split { !$0.isLetter }.map { $0.lowercased() }
    guard words.allSatisfy(["of", "x", "mod", "sqrt"].contains),
      text.split(whereSeparator: { !$0.isNumber }).count > 1,
      text.contains(where: "+*×÷^%√".contains) || text.contains(" - ") || text.contains(" / ")
        || words.contains("x"),
      let value = try? Calculator.value(of: String(text))
    else { return nil }
    return "\(text) = \(Calculator.text(of: value))"
  }

  private static let openings = [
    "what is", "what's", "whats", "how much is", "calculate", "compute", "work out", "evaluate",
  ]
}
