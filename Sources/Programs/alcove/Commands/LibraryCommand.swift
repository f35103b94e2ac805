import Assistant
import Documents
import Foundation
import JSON
import Linguistics
import Retrieval
import Terminal

extension Command {
  static let library = Command(
    name: "library", aliases: ["lib", "docs"], summary: "show and change what is in the library",
    subcommands: [.libraryList, .libraryShow, .libraryRemove, .rescan, .watch])

  private static let jsonOption = Option(name: "json", help: "write JSON")

  private static let libraryList = Command(
    name: "list", aliases: ["ls"], summary: "list the documents",
    options: [Option(name: "failed", help: "list the files that were not indexed, and why"), jsonOption]
  ) { invocation, program in
    let library = try await program.workspace().library
    if invocation.has("failed") {
      let failed = try await library.ledger().filter { $0.failure != nil }
      program.output.write(LibraryListing.failures(failed, isJSON: invocation.has("json"), program))
      return .ok
    }
    let documents = try await library.documents()
    if invocation.has("json") {
      let embedders = try await library.embedders().map { LibraryListing.json($0) }
      program.output.writeLine(
        JSON.document(
          "library",
          [("documents", .array(documents.map { LibraryListing.json($0) })), ("embedders", .array(embedders))]
        ).text)
      return .ok
    }
    program.output.write(LibraryListing.documents(documents, program))
    if let status = try await program.workspace().library.embeddingStatus() { program.notice(status) }
    let failedCount = try await library.ledger().count { $0.failure != nil }
    if failedCount > 0 { program.notice("\(failedCount) files were not indexed; library list --failed says why.") }
    return .ok
  }

  private static let libraryShow = Command(
    name: "show", summary: "show what is known of a document",
    arguments: [Argument(name: "DOCUMENT", kind: .document)], options: [jsonOption]
  ) { invocation, program in
    let document = try await program.workspace().document(named: invocation.value("DOCUMENT") ?? "")
    program.output.write(LibraryListing.facts(document, isJSON: invocation.has("json"), program))
    return .ok
  }

  private static let libraryRemove = Command(
    name: "remove", aliases: ["rm"], summary: "remove documents and their text from the library",
    details:
      "The files themselves are left alone. Answers in sessions that quote the documents lose their text too.",
    arguments: [Argument(name: "DOCUMENT", kind: .document, isRepeated: true)]
  ) { invocation, program in
    let library = try await program.workspace().library
    var documents: [LibraryDocument] = []
    var forgotten: [String] = []
    var missing: WorkspaceError?
    for name in invocation.list("DOCUMENT") {
      if let entry = try await library.ledgerEntry(path: program.directories.absolutePath(name)),
        entry.document == nil
      {
        forgotten.append(entry.file.path)
        continue
      }
      do {
        let document = try await program.workspace().document(named: name)
        if !documents.contains(where: { $0.id == document.id }) { documents.append(document) }
      } catch let error as WorkspaceError {
        missing = missing ?? error
      }
    }
    AutomaticBackup.forget(program.directories)
    if !forgotten.isEmpty { try await library.remove(paths: forgotten) }
    if !documents.isEmpty {
      try await library.remove(documents.map(\.id))
      try await program.forget(documents: documents.map(\.hash))
    }
    for path in forgotten { program.output.writeLine("forgot \(TextSanitizer.line(path))") }
    for document in documents { program.output.writeLine("removed \(TextSanitizer.line(document.name))") }
    program.refreshNames()
    if let missing { throw missing }
    return .ok
  }
}

/// Contents of the library, for people and for programs.
@MainActor
enum LibraryListing {
  static func json(_ state: EmbedderState) -> JSON {
    .object([
      ("name", .string(state.embedder.name)), ("path", .string(state.embedder.path)),
      ("role", .string(state.role.rawValue)), ("embedded", .int(state.embeddedPassageCount)),
      ("passages", .int(state.passageCount)),
    ])
  }

  static func documents(_ documents: [LibraryDocument], _ program: Program) -> String {
    if documents.isEmpty { return "The library is empty; add documents with add.\n" }
    var table = Table(columns: [
      .init("id", isRightAligned: true), .init("name", isFlexible: true), .init("kind"),
      .init("pages", isRightAligned: true), .init("passages", isRightAligned: true),
      .init("title", isFlexible: true),
    ])
    for document in documents {
      table.add([
        "\(document.id.rawValue)", document.name + (document.isMissing ? " (file gone)" : ""),
        document.kind.rawValue,
        pages(document), "\(document.passageCount)", document.title ?? "",
      ])
    }
    return table.text(width: program.output.columns, ink: program.output.ink)
  }

  static func failures(_ entries: [LedgerEntry], isJSON: Bool, _ program: Program) -> String {
    if isJSON {
      let items = entries.map { entry in
        JSON.object([
          ("path", .string(entry.file.path)), ("outcome", .string(entry.outcome)),
          ("reason", .string(entry.failure.map { ErrorSentence.describe($0) } ?? "")),
        ])
      }
      return JSON.document("failures", [("files", .array(items))]).text + "\n"
    }
    var text = ""
    for entry in entries {
      text += program.output.ink(TextSanitizer.line(entry.file.path), .bold) + ": "
      text += TextSanitizer.line(entry.failure.map { ErrorSentence.describe($0) } ?? "") + "\n"
    }
    return text.isEmpty ? "Every file was indexed.\n" : text
  }

  static func facts(_ document: LibraryDocument, isJSON: Bool, _ program: Program) -> String {
    if isJSON { return JSON.document("document", [("document", json(document))]).text + "\n" }
    var rows: [(String, String)] = [("name", document.name)]
    if let title = document.title { rows.append(("title", title)) }
    if let author = document.author { rows.append(("author", author)) }
    rows += document.paths.map { ("path", $0) }
    rows += [
      ("kind", document.kind.rawValue), ("pages", pages(document)), ("passages", "\(document.passageCount)"),
      ("language", document.language.rawValue), ("size", document.byteCount.formatted(.byteCount(style: .file))),
      ("added", document.added.shown), ("sha256", document.hash),
    ]
    if let cut = document.cut { rows.append(("cut short", "\(cut.rawValue): indexed \(pages(document)) pages")) }
    if document.isMissing { rows.append(("file", "gone; the library still answers from it")) }
    return rows.map { name, value in
      program.output.ink(name + String(repeating: " ", count: max(1, 10 - name.count)), .dim)
        + TextSanitizer.line(value) + "\n"
    }.joined()
  }

  private static func pages(_ document: LibraryDocument) -> String {
    document.indexedPageCount == document.pageCount
      ? "\(document.pageCount)" : "\(document.indexedPageCount) of \(document.pageCount)"
  }

  static func json(_ document: LibraryDocument) -> JSON {
    .object([
      ("id", .int(Int(document.id.rawValue))), ("sha256", .string(document.hash)),
      ("paths", .strings(document.paths)),
      ("isMissing", .bool(document.isMissing)), ("kind", .string(document.kind.rawValue)),
      ("title", .optional(document.title)), ("author", .optional(document.author)),
      ("language", .string(document.language.rawValue)), ("pages", .int(document.pageCount)),
      ("indexedPages", .int(document.indexedPageCount)), ("cut", .optional(document.cut?.rawValue)),
      ("passages", .int(document.passageCount)), ("bytes", .int(document.byteCount)),
      ("added", .string(document.added.formatted(.iso8601))),
    ])
  }
}
