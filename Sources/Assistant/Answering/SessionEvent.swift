import Retrieval
import TextGeneration

/// What a session tells while it answers, in the order it happens.
public enum SessionEvent: Sendable, Equatable {
  /// What the question was taken for.
  case routed(Route)
  /// Passages were looked for and so many of those that matched are read.
  case retrieved(Coverage)
  /// Something the user should know that is not part of the answer.
  case notice(Notice)
  /// The model has read so many of its prompt's new tokens.
  case prefill(done: Int, total: Int)
  /// The next piece of what the model thinks before it answers.
  case thinking(String)
  /// What was said so far was summed up, so that the window holds the rest.
  case compacted(Turn)
  /// The model called a tool, and this came of it.
  case called(ToolReport)
  /// The next piece of the answer.
  case text(String)
  /// What the numbers in the answer stand for.
  case sources([Source])
  /// The turn is over and stored.
  case finished(TurnSummary)
}

/// What a question is taken for.
public enum Route: String, Sendable, Codable, CaseIterable {
  case chat, documents, image
}

/// How much of what matched was read for an answer.
public struct Coverage: Sendable, Equatable, Codable {
  /// Passages the answer was drawn from.
  public var read: Int
  /// Passages that match the question.
  public var matched: Int
  /// Passages searched.
  public var total: Int

  /// Makes a coverage.
  public init(read: Int, matched: Int, total: Int) {
    self.read = read
    self.matched = matched
    self.total = total
  }
}

/// What a user should know beside an answer.
public enum Notice: Sendable, Equatable {
  /// The plan allows no local run, so the analysis answers.
  case previewsUsedUp(consumed: Int, allowance: Int)
  /// A preview was used and none is left.
  case lastPreviewUsed
  /// Numbers or names that the cited places do not contain.
  case unverified([String])
  /// The model failed and the analysis answers; `reason` says why.
  case modelFailed(reason: String)
  /// What did not fit into the model's window.
  case leftOut([LeftOut])
  /// The model said nothing.
  case modelSilent
  /// The model put the question into these words for the search.
  case reworded(String)
  /// So many sentences of the answer state numbers or names and cite nothing.
  case uncited(sentences: Int)
  /// The model tried a call that could not be understood.
  case malformedCall
}

/// One call of a tool, for the user to see.
public struct ToolReport: Sendable, Equatable, Codable {
  /// The tool.
  public var name: String
  /// The arguments, a JSON object.
  public var arguments: String
  /// Whether it did what was asked.
  public var succeeded: Bool
}

/// A finished turn.
public struct TurnSummary: Sendable, Equatable, Codable {
  /// The session's number.
  public var session: Int
  /// The turn's number.
  public var turn: Int
  /// What the question was taken for.
  public var route: Route
  /// Who answered: `analysis`, `rules`, or the model's name.
  public var author: String
  /// How it ended.
  public var status: TurnStatus
  /// Whether the answer rests on evidence; false where the documents say nothing about the question.
  public var hasEvidence: Bool
  /// What was read for it.
  public var coverage: Coverage?
  /// What the engine measured, where a model answered.
  public var metrics: AnswerMetrics?
  /// How many previews are left, where the run used one.
  public var previewsLeft: Int?
}

/// What a question asks beyond its words.
public struct TurnOptions: Sendable {
  /// Answer by a local model or not at all.
  public var isModelOnly = false
  /// The part of the library to look into.
  public var scope = SearchScope.everything
  /// Summarise this document; the question is then only what the session remembers.
  public var summaryOf: LibraryDocument?
  /// Ask the model itself and leave the documents aside.
  public var isChat = false
  /// Whether anything that does not fit into the window is an error.
  public var isStrict = false
  /// Which attempt at the same question it is, from 0.
  public var attempt = 0
  /// What the answer must look like; tools are left aside then.
  public var grammar: Grammar?
  /// How many calls a model that has to call tools must make before it may answer.
  public var requiredCalls = 1

  /// The usual: whatever can answer, from all documents.
  public init() {}
}

/// Why a turn could not be answered.
public enum SessionError: Error, Sendable, Equatable {
  /// A model was demanded, and no preview is left.
  case blocked(consumed: Int, allowance: Int)
  /// A model was demanded, and none is loaded.
  case noModel
  /// A turn is under way.
  case busy
  /// The session has no turn to take back or repeat.
  case nothingToUndo
  /// Too little was said to be summed up.
  case nothingToCompact
  /// There is no session of that number.
  case noSession(Int)
}
