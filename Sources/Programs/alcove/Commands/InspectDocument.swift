import Assistant
import Documents
import Foundation
import JSON
import Terminal

extension Command {
  private static let fileArgument = Argument(name: "FILE", kind: .path)
  private static let fileOptions = [
    Option(name: "password", value: ("PASSWORD", .text), help: "password to try if the file is protected"),
    Option(name: "json", help: "write a line of JSON for each page or passage"),
  ]

  static let inspectText = Command(
    name: "text", surface: .shell, summary: "show the lines read from a file, with the role of each",
    arguments: [fileArgument],
    options: fileOptions
  ) { invocation, program in
    let document = try await program.read(invocation)
    let ink = program.output.ink
    for page in document.pages {
      if invocation.has("json") {
        program.output.writeLine(InspectionJSON.page(page).text)
        continue
      }
      program.output.writeLine(
        ink("page \(page.number)" + (page.label.map { " (\(TextSanitizer.line($0)))" } ?? ""), .bold))
      for (index, line) in page.lines.enumerated() {
        let marks =
          (line.startsBlock ? "¶" : " ") + (line.isHidden ? "?" : " ") + InspectionJSON.name(of: line.role)
        program.output.writeLine(ink("\(index + 1) \(marks)", .dim) + "\t" + TextSanitizer.line(line.text))
      }
    }
    return .ok
  }

  static let inspectChunks = Command(
    name: "chunks", surface: .shell, summary: "show the passages a file is cut into", arguments: [fileArgument],
    options: fileOptions
  ) { invocation, program in
    let document = try await program.read(invocation)
    let passages = InspectedDocument.passages(of: document, settings: try program.settings())
    let ink = program.output.ink
    for (index, passage) in passages.enumerated() {
      if invocation.has("json") {
        program.output.writeLine(InspectionJSON.passage(passage, index: index).text)
        continue
      }
      let (start, end) = (passage.span.start, passage.span.end)
      let words = passage.text.split(whereSeparator: \.isWhitespace).count
      let headings = passage.headings.map { " › " + TextSanitizer.line($0) }.joined()
      program.output.writeLine(
        ink("[\(index + 1)] page \(start.page) line \(start.line) to page \(end.page) line \(end.line)", .bold)
          + ink(" \(passage.form.rawValue), \(words) words\(headings)", .dim))
      program.output.writeLine(TextSanitizer.text(passage.text) + "\n")
    }
    return .ok
  }
}

extension Program {
  /// Reads the file of an `inspect` in a confined process.
  fileprivate func read(_ invocation: Invocation) async throws -> ExtractedDocument {
    let path = directories.absolutePath(invocation.value("FILE") ?? "")
    let (installation, settings) = (try Installation(environment: environment), try settings())
    let password = invocation.value("password")
    let document = try await interruptible {
      try await InspectedDocument.read(path, password: password, installation: installation, settings: settings)
    }
    if let cut = document.cut {
      complain("\(path): read \(document.pages.count) of \(document.pageCount) pages (\(cut.rawValue))")
    }
    return document
  }
}

/// Pages and passages as `inspect --json` writes them.
private enum InspectionJSON {
  static func page(_ page: DocumentPage) -> JSON {
    .document(
      "page",
      [
        ("page", .int(page.number)), ("label", .optional(page.label)),
        (
          "lines",
          .array(
            page.lines.map {
              .object([
                ("text", .string($0.text)), ("role", .string(name(of: $0.role))),
                ("startsBlock", .bool($0.startsBlock)),
                ("isHidden", .bool($0.isHidden)),
              ])
            })
        ),
      ])
  }

  static func passage(_ passage: Passage, index: Int) -> JSON {
    .document(
      "passage",
      [
        ("index", .int(index + 1)), ("form", .string(passage.form.rawValue)),
        ("headings", .strings(passage.headings)),
        ("firstPage", .int(passage.span.start.page)), ("firstLine", .int(passage.span.start.line)),
        ("lastPage", .int(passage.span.end.page)), ("lastLine", .int(passage.span.end.line)),
        ("text", .string(passage.text)),
      ])
  }

  static func name(of role: LineRole) -> String {
    switch role {
    case .body: "body"
    case .heading(let level): "heading-\(level)"
    case .listItem: "list-item"
    case .tableHeader: "table-header"
    case .tableRow: "table-row"
    case .code: "code"
    case .running: "running"
    }
  }
}
