import Documents
import Retrieval

/// What a model is to answer, with everything it is to know.
struct ModelQuestion {
  var history: [Turn]
  var options: TurnOptions
  /// The passages found for it; none in a chat.
  var found: DocumentAnswer?

  init(history: [Turn], options: TurnOptions) { (self.history, self.options) = (history, options) }

  func from(_ found: DocumentAnswer) -> ModelQuestion {
    var question = self
    question.found = found
    return question
  }

  /// The turns that the model is reminded of: those since the last summary, and it.
  var exchanges: [Exchange] { history.exchanges }
}

extension PromptPassage {
  init(_ place: PassagePlace) {
    let passage = place.passage.passage
    let (start, end) = (passage.span.start, passage.span.end)
    var text = place.document.name
    if place.document.kind.hasPages {
      text += start.page == end.page ? ", page \(start.page)" : ", pages \(start.page)–\(end.page)"
    } else {
      text += ", lines \(start.line)–\(end.line)"
    }
    self.init(place: text, text: (passage.headings + [passage.text]).joined(separator: "\n"))
  }
}
