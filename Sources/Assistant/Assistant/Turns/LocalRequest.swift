import Grammars
import TextGeneration

/// What a backend is asked.
package struct LocalRequest: Sendable, Equatable {
  /// What came before, oldest first.
  package var history: [Exchange]
  /// The question.
  package var question: String
  /// What the answer is to be drawn from, best first; empty where nothing is.
  package var passages: [PromptPassage] = []
  /// The numbers that the passages are known by; empty where they are counted as they stand in the prompt.
  package var numbers: [Int] = []
  /// What the model has asked of tools in this turn already, and what they answered.
  package var steps: [ToolStep] = []
  /// The tools that it may call.
  package var tools: [ToolDescription] = []
  /// Whether the answer has to be a call of a tool.
  package var mustCall = false
  /// What the answer must look like.
  package var grammar: Grammar?
  /// What the model is asked to do with the question.
  package var task = Task.answer
  /// The most tokens of the answer, where that is fewer than usual.
  package var tokenLimit: Int?
  /// Whether anything that does not fit is an error.
  package var isStrict = false
  /// Which attempt at the same question it is, from 0: another one draws other words.
  package var attempt = 0

  /// What a model is asked to do.
  package enum Task: Sendable, Equatable {
    /// Answer the question.
    case answer
    /// Write down what the conversation has come to; the question is empty.
    case summarise
    /// Note in so many sentences what the passages, a part of a document, say.
    case digest(document: String, part: Int, of: Int, sentences: Int)
    /// Make a summary of so many sentences out of the notes on a document's parts.
    case combine(document: String, notes: String, sentences: Int)
    /// Describe a picture more richly.
    case enrich(prompt: String)
    /// Put the question into words to search for.
    case reword
  }

  /// Makes a request.
  package init(history: [Exchange], question: String) {
    self.history = history
    self.question = question
  }
}

/// A passage as a prompt shows it.
package struct PromptPassage: Sendable, Equatable {
  /// Where it is from: `lease.pdf, page 4, lines 3–5`.
  package var place: String
  /// Its text, with the headings above it.
  package var text: String

  /// Makes a passage.
  package init(place: String, text: String) {
    self.place = place
    self.text = text
  }
}
