import Assistant
import Documents
import Foundation
import Ingestion
import Retrieval
import TestSupport

/// A workspace in a folder of its own, with the program's real rules and settings.
struct Fixture {
  let folder: TemporaryFolder
  let workspace: Workspace
  let environment: [String: String]

  init(environment extra: [String: String] = [:]) async throws {
    folder = try TemporaryFolder()
    let checkout = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "../..")
      .standardizedFileURL
    environment = ["ALCOVE_HOME": folder.url.path, "ALCOVE_SHARE": checkout.path].merging(extra) { $1 }
    let installation = try Installation(environment: environment)
    workspace = try await Workspace(
      directories: Directories(environment: environment), installation: installation,
      settings: Settings(declarations: installation.defaults, userFile: nil, environment: extra))
  }

  /// Another workspace in the same folder.
  init(folder: TemporaryFolder, workspace: Workspace, environment: [String: String]) {
    (self.folder, self.workspace, self.environment) = (folder, workspace, environment)
  }

  /// Stores a plain text as a document, cut into passages as any file is.
  @discardableResult
  func add(_ name: String, _ text: String) async throws -> DocumentID {
    let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
    var startsBlock = true
    let page = DocumentPage(
      number: 1,
      lines: lines.map { line in
        defer { startsBlock = line.isEmpty }
        return DocumentLine(String(line), startsBlock: startsBlock)
      })
    let document = ExtractedDocument(kind: .text, pageCount: 1, pages: [page])
    return try await workspace.library.store(
      document, passages: Chunker().passages(of: document), hash: "\(name)-hash",
      file: FileFacts(path: "/documents/\(name)", byteCount: text.utf8.count, modified: Date()))
  }
}

/// Events that a turn told.
struct Told {
  var events: [SessionEvent] = []
  var error: (any Error)?

  var text: String { events.map { if case .text(let piece) = $0 { piece } else { "" } }.joined() }
  var sources: [Source] {
    events.compactMap { if case .sources(let sources) = $0 { sources } else { nil } }.last ?? []
  }
  var notices: [Notice] { events.compactMap { if case .notice(let notice) = $0 { notice } else { nil } } }
  var summary: TurnSummary? {
    events.compactMap { if case .finished(let summary) = $0 { summary } else { nil } }.last
  }

  static func collect(_ session: Session, _ question: String, options: TurnOptions = TurnOptions()) async throws
    -> Told
  {
    var told = Told()
    do {
      for try await event in try await session.respond(to: question, options: options) {
        told.events.append(event)
      }
    } catch {
      told.error = error
    }
    return told
  }
}
