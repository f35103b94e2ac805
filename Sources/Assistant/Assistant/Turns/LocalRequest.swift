import Grammars
import TextGeneration

/// A request to a backend.
package struct LocalRequest: Sendable, Equatable {
  /// Earlier exchanges, oldest first.
  package var history: [Exchange]
  /// The question.
  package var question: String
  /// Passages that the answer is to be drawn from, best first; empty where there are none.
  package var passages: [PromptPassage] = []
  /// Numbers of the passages; empty where they are numbered in the order of the prompt.
  package var numbers: [Int] = []
  /// Steps of tool calls in this turn, with their results.
  package var steps: [ToolStep] = []
  /// Tools that the model may call.
  package var tools: [ToolDescription] = []
  /// Indicates whether the answer has to be a tool call.
  package var mustCall = false
  /// Grammar that constrains the answer.
  package var grammar: Grammar?
  /// Task for the model.
  package var task = Task.answer
  /// Largest number of tokens of the answer, where that is fewer than usual.
  package var tokenLimit: Int?
  /// Indicates whether anything that does not fit is an error.
  package var isStrict = false
  /// Number of the attempt at the same question, from 0: another one draws other words.
  package var attempt = 0

  /// Tasks for a model.
  package enum Task: Sendable, Equatable {
    /// Answer the question.
    case answer
    /// Sum up the conversation; the question is empty.
    case summarise
    /// Note the content of the passages, a part of a document, in a number of sentences.
    case digest(document: String, part: Int, of: Int, sentences: Int)
    /// Make a summary of a number of sentences out of the notes on a document's parts.
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
  /// Origin of the passage: `lease.pdf, page 4, lines 3–5`.
  package var place: String
  /// Its text, with the headings above it.
  package var text: String

  /// Makes a passage.
  package init(place: String, text: String) {
    self.place = place
    self.text = text
  }
}
