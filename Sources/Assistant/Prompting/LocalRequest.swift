import TextGeneration

/// What a backend is asked.
public struct LocalRequest: Sendable, Equatable {
  /// What came before, oldest first.
  public var history: [Exchange]
  /// The question.
  public var question: String
  /// What the answer is to be drawn from, best first; empty where nothing is.
  public var passages: [PromptPassage] = []
  /// What the model has asked of tools in this turn already, and what they answered.
  public var steps: [ToolStep] = []
  /// The tools that it may call.
  public var tools: [ToolDescription] = []
  /// Whether the answer has to be a call of a tool.
  public var mustCall = false
  /// What the answer must look like.
  public var grammar: Grammar?
  /// What the model is asked to do with the question.
  public var task = Task.answer
  /// Whether anything that does not fit is an error.
  public var isStrict = false
  /// Which attempt at the same question it is, from 0: another one draws other words.
  public var attempt = 0

  /// What a model is asked to do.
  public enum Task: Sendable, Equatable {
    /// Answer the question.
    case answer
    /// Write down what the conversation has come to; the question is empty.
    case summarise
    /// Put the question into words to search for.
    case reword
  }

  /// Makes a request.
  public init(history: [Exchange], question: String) {
    self.history = history
    self.question = question
  }
}

/// One question and its answer, as the model is reminded of them.
public struct Exchange: Sendable, Equatable {
  /// What the user said; empty for a summary of what came before.
  public var question: String
  /// What was answered, or the summary.
  public var answer: String
  /// What the model read and said, where a model answered.
  public var transcript: Transcript?
  /// Whether the answer is a summary that stands for earlier turns.
  public var isSummary = false

  /// Makes an exchange.
  public init(question: String, answer: String, transcript: Transcript? = nil, isSummary: Bool = false) {
    self.question = question
    self.answer = answer
    self.transcript = transcript
    self.isSummary = isSummary
  }
}

/// What a model read and said in a turn, to the byte: the next turn's prompt begins with it.
public struct Transcript: Sendable, Equatable, Codable {
  /// The user's message with its passages.
  public var prompted = ""
  /// The calls of tools and their answers.
  public var steps: [ToolStep] = []
  /// The model's answer as it said it.
  public var said = ""
  /// The tokens of that; empty where they are not exactly its text.
  public var tokens: [Int32] = []
  /// The documents, by hash, whose text stands in it.
  public var documents: [String] = []

  /// An empty transcript.
  public init() {}
}

/// A passage as a prompt shows it.
public struct PromptPassage: Sendable, Equatable {
  /// Where it is from: `lease.pdf, page 4, lines 3–5`.
  public var place: String
  /// Its text, with the headings above it.
  public var text: String

  /// Makes a passage.
  public init(place: String, text: String) {
    self.place = place
    self.text = text
  }
}
