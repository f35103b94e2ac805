import Documents
import Retrieval

/// A question for a model, with everything that the model is to know.
struct ModelQuestion {
  var history: [Turn]
  var options: TurnOptions
  /// Passages found for the question; none in a chat.
  var found: DocumentAnswer?

  init(history: [Turn], options: TurnOptions) { (self.history, self.options) = (history, options) }

  func from(_ found: DocumentAnswer) -> ModelQuestion {
    var question = self
    question.found = found
    return question
  }

  /// Turns that the model is given again: those since the last summary, and the summary.
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
