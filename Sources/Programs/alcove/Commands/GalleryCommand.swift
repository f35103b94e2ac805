import Assistant
import Foundation
import JSON
import Terminal

extension Command {
  static let gallery = Command(
    name: "gallery", aliases: ["pictures"], summary: "list, show, export and remove pictures",
    subcommands: [.galleryList, .galleryShow, .galleryExport, .galleryRemove])

  private static let json = Option(name: "json", help: "write JSON")
  private static let number = Argument(name: "N", kind: .integer(1...1_000_000_000))

  private static let galleryList = Command(
    name: "list", aliases: ["ls"], summary: "list the pictures, the last one first", options: [json]
  ) { invocation, program in
    let gallery = try await program.illustrator().gallery
    let pictures = try await Array(gallery.pictures().reversed())
    if invocation.has("json") {
      let items = pictures.map { JSON.object(PictureView.members(of: $0, path: gallery.path(of: $0))) }
      program.output.writeLine(JSON.document("gallery", [("pictures", .array(items))]).text)
      return .ok
    }
    var table = Table(columns: [
      .init("N", isRightAligned: true), .init("made"), .init("size"), .init("by"),
      .init("shows", isFlexible: true),
    ])
    for picture in pictures {
      table.add([
        "\(picture.id)", picture.created.shown, "\(picture.width)x\(picture.height)",
        TextSanitizer.line(picture.model), TextSanitizer.line(picture.prompt.replacing("\n", with: " ")),
      ])
    }
    program.output.write(
      pictures.isEmpty
        ? "There are no pictures yet.\n" : table.text(width: program.output.columns, ink: program.output.ink))
    return .ok
  }

  private static let galleryShow = Command(
    name: "show", summary: "show a picture and how it was made", arguments: [number],
    options: [Option(name: "open", help: "open it in a viewer"), json]
  ) { invocation, program in
    let gallery = try await program.illustrator().gallery
    let picture = try await gallery.picture(invocation.integer("N") ?? 0)
    let path = gallery.path(of: picture)
    if invocation.has("json") {
      program.output.writeLine(JSON.document("picture", PictureView.members(of: picture, path: path)).text)
    } else {
      let content = try await gallery.content(of: picture)
      PictureView(program).show(content.bytes, image: content.image)
      let text = content.parameters
      program.output.write(TextSanitizer.text(text.isEmpty ? "" : text + "\n") + path + "\n")
    }
    if invocation.has("open") { try PictureView(program).openInViewer(path) }
    return .ok
  }

  private static let galleryExport = Command(
    name: "export", summary: "put a copy of a picture elsewhere",
    arguments: [number, Argument(name: "FILE", kind: .path)]
  ) { invocation, program in
    let gallery = try await program.illustrator().gallery
    let picture = try await gallery.picture(invocation.integer("N") ?? 0)
    var path = program.directories.absolutePath(try invocation.required("FILE"))
    var isFolder: ObjCBool = false
    if FileManager.default.fileExists(atPath: path, isDirectory: &isFolder), isFolder.boolValue {
      path += "/picture-\(picture.id).png"
    }
    try PictureView.writeCopy(try await gallery.bytes(of: picture), to: path)
    program.output.writeLine(path)
    return .ok
  }

  private static let galleryRemove = Command(
    name: "remove", aliases: ["rm"], summary: "remove pictures for good",
    arguments: [Argument(name: "N", kind: .integer(1...1_000_000_000), isOptional: true, isRepeated: true)],
    options: [Option(name: "all", help: "remove every picture")]
  ) { invocation, program in
    let gallery = try await program.illustrator().gallery
    let ids =
      invocation.has("all") ? try await gallery.pictures().map(\.id) : invocation.list("N").compactMap { Int($0) }
    if ids.isEmpty, !invocation.has("all") {
      throw UsageError(message: "gallery remove needs N or --all", path: invocation.path)
    }
    try await gallery.remove(ids)
    try await program.illustrator().forget(ids)
    program.output.writeLine("removed \(ids.count) \(ids.count == 1 ? "picture" : "pictures")")
    return .ok
  }
}
