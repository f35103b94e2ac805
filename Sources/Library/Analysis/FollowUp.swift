import Linguistics

/// Completes a question that refers to earlier ones ("and for the second one?", "when does it end?"), so that it can
/// be searched by itself.
package enum FollowUp {
  /// Completes a question with words of the earlier ones, the oldest first; nil where it stands by itself.
  package static func completed(_ question: String, after earlier: [String]) -> String? {
    var subject: String?
    for asked in earlier.suffix(6) { subject = join(asked, to: subject) ?? asked }
    return join(question, to: subject)
  }

  private static func join(_ question: String, to subject: String?) -> String? {
    guard let subject, subject != question else { return nil }
    let words = Words.split(question).filter { !$0.kind.isAdditional }.map(\.text)
    guard !words.isEmpty, words.count <= 12 else { return nil }
    let opening = FollowUpTable.openings.first { words.starts(with: $0) }
    let own = content(of: question).filter { !FollowUpTable.fillers.contains($0.text) }
    if let opening, words.count - opening.count <= 8, !asksAnew(words.dropFirst(opening.count)) {
      // The same is asked of something else: its name replaces the earlier one.
      let isOrdinal = own.contains { FollowUpTable.ordinals.contains($0.text) }
      let kept = isOrdinal ? without(FollowUpTable.ordinals, in: subject) : subject
      let added = own.filter { !FollowUpTable.pointers.contains($0.text) }.map(\.shown)
      let open = kept.last == "?" ? String(kept.dropLast()) : kept
      return added.isEmpty ? nil : open + " " + added.joined(separator: " ") + "?"
    }
    let refers =
      words.contains(where: FollowUpTable.pronouns.contains)
      || words.last.map(FollowUpTable.pointers.contains) ?? false
    let asksOn = words.count <= 3 && FollowUpTable.alone.contains(words.dropFirst(opening?.count ?? 0).first ?? "")
    guard refers || asksOn, words.count <= 9 else { return nil }
    let known = Set(own.map(\.text))
    let added = content(of: subject).filter {
      !known.contains($0.text) && !FollowUpTable.fillers.contains($0.text)
        && !FollowUpTable.questionWords.contains($0.text)
    }
    return added.isEmpty ? nil : question + " " + added.map(\.shown).joined(separator: " ")
  }

  /// Indicates whether the words behind "and" have a question word of their own.
  private static func asksAnew(_ words: ArraySlice<String>) -> Bool {
    words.first.map(FollowUpTable.questionWords.contains) ?? true
  }

  private static func content(of text: String) -> [(text: String, shown: String)] {
    let bytes = Array(text.utf8)
    return Words.split(text).filter { !$0.kind.isAdditional && !StopWords.contains($0.text, in: .english) }
      .map { ($0.text, String(decoding: bytes[$0.range], as: UTF8.self)) }
  }

  private static func without(_ dropped: Set<String>, in text: String) -> String {
    var bytes = Array(text.utf8)
    for word in Words.split(text).reversed() where !word.kind.isAdditional && dropped.contains(word.text) {
      bytes.removeSubrange(word.range)
    }
    return String(decoding: bytes, as: UTF8.self).split(separator: " ").joined(separator: " ")
  }
}
