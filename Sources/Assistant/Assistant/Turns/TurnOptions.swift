import Grammars
import Retrieval
import TextGeneration

/// Options of a question besides its words.
package struct TurnOptions: Sendable {
  /// Answer by a local model or not at all.
  package var isModelOnly = false
  /// The part of the library to look into.
  package var scope = SearchScope.everything
  /// Summarise this document; the question is then only what the session remembers.
  package var summaryOf: LibraryDocument?
  /// Ask the model itself and leave the documents aside.
  package var isChat = false
  /// Indicates whether a sentence that asks for a picture gets one.
  package var canDraw = true
  /// Indicates whether a language model describes a picture more richly before it is drawn.
  package var enrichesPictures = false
  /// Steps between two previews of a picture; 0 for none.
  package var previewInterval = 0
  /// Indicates whether anything that does not fit into the context window is an error.
  package var isStrict = false
  /// Number of the attempt at the same question, from 0.
  package var attempt = 0
  /// Grammar that constrains the answer; no tools are offered then.
  package var grammar: Grammar?
  /// Number of tool calls that a model with required tool use must make before it may answer.
  package var requiredCalls = 1

  /// The usual options: anyone may answer, from all documents.
  package init() {}

  /// Lets the answer be JSON of a JSON Schema.
  /// - Throws: `SchemaError`
  package mutating func require(jsonSchema text: String) throws { grammar = try Grammar(jsonSchema: text) }

  /// Lets the answer be a sentence of a grammar in GBNF.
  /// - Throws: `GrammarError`
  package mutating func require(gbnf text: String) throws { grammar = try Grammar(gbnf: text) }
}
