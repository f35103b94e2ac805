import Assistant
import Documents

extension Program {
  /// The pictures that were made.
  func gallery() async throws -> Gallery { try await illustrator().gallery }

  /// The turns of a stored conversation.
  func turns(of id: Int) async throws -> [Turn] { try await workspace().turns(ofSession: id) }

  /// A path that a person typed, as an absolute one.
  func absolutePath(_ path: String) -> String { directories.absolutePath(path) }

  /// Sentence on why a file was not read.
  func reason(_ failure: ReadingFailure) -> String { ErrorSentence.describe(failure) }

  /// Looks up, in the background, what completion offers.
  func refreshNames() { Task { await nameCache.refresh(from: self) } }
}
