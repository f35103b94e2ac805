/// Exit code of a program or of a command at the prompt.
package enum ExitCode: Int32, Sendable {
  case ok = 0
  case failure = 1
  case usage = 2
  case notFound = 3
  case integrity = 4
  /// No ticket is left.
  case blocked = 5
  case noEvidence = 6
  /// Context or memory is too small.
  case doesNotFit = 7
  case interrupted = 130

  /// Meaning of each code, for the manual.
  package static let meanings: [(code: ExitCode, meaning: String)] = [
    (.ok, "it worked"), (.failure, "it failed, and stderr says why"), (.usage, "the arguments were wrong"),
    (.notFound, "the document, session or file is not there"), (.integrity, "stored data is damaged"),
    (.blocked, "no ticket is left for a local model"), (.noEvidence, "the documents do not answer the question"),
    (.doesNotFit, "it does not fit the context or the memory"), (.interrupted, "stopped by Ctrl-C"),
  ]
}
