import Assistant
import Foundation
import Images
import JSON
import Terminal

/// Deliveries of a picture besides keeping it in the gallery.
struct PictureDelivery {
  /// File that gets a copy; `-` is standard output.
  var copy: String?
  var isJSON = false
  /// Indicates whether a viewer opens it.
  var opens = false
}

/// Shows a picture on its way and once it is made.
@MainActor
struct PictureView {
  let program: Program
  let progress: ProgressLine

  init(_ program: Program, _ progress: ProgressLine? = nil) {
    self.program = program
    self.progress = progress ?? ProgressLine(output: program.errors, environment: program.environment)
  }

  /// Shows how far a picture has come.
  func take(_ event: PictureEvent) {
    switch event {
    case .describing: progress.update(done: 0, total: 0, label: "describing the picture …")
    case .waiting(let other):
      progress.update(done: 0, total: 0, label: "waiting for “\(TextSanitizer.line(String(other.prefix(40))))” …")
    case .sketching(let consumed, let allowance):
      progress.clear()
      program.notice(
        "All \(allowance) previews of this plan are used (\(consumed)), so this is a sketch; `alcove plan` shows the ways on."
      )
    case .loading: progress.update(done: 0, total: 0, label: "loading the model …")
    case .saving: break
    case .generating(let step, let total, let preview):
      if let preview, program.output.isTerminal, let bytes = try? PNGFile.encode(preview, parameters: nil) {
        progress.clear()
        show(bytes, image: preview)
      }
      if total > 1 { progress.update(done: step, total: total, label: "drawing") }
    case .finished: progress.clear()
    }
  }

  /// Delivers a picture that was made, and shows it.
  func deliver(_ report: PictureReport, _ delivery: PictureDelivery) async throws {
    let bytes = try PNGFile.read(report.path)
    var place = report.path
    if delivery.copy == "-" {
      program.output.flush()
      FileHandle.standardOutput.write(Data(bytes))
    } else if let copy = delivery.copy {
      place = program.directories.absolutePath(copy)
      do { try Self.writeCopy(bytes, to: place) } catch {
        // Nobody asked for it to be elsewhere only.
        try await program.illustrator().gallery.remove([report.picture.id])
        throw error
      }
    }
    if delivery.copy == "-" {
      tellPreviews(report)
    } else {
      show(report, bytes, at: place, isJSON: delivery.isJSON)
    }
    if delivery.opens { try openInViewer(place) }
  }

  /// Shows a picture that was made, where it is in the gallery, and how it was made.
  func show(_ report: PictureReport, isJSON: Bool) throws {
    show(report, try PNGFile.read(report.path), at: report.path, isJSON: isJSON)
  }

  /// Shows a picture between the lines of an answer. Where its file is gone again, its path says so soon enough.
  func show(_ report: PictureReport) {
    if let bytes = try? PNGFile.read(report.path) { show(bytes, image: report.image) }
  }

  /// Shows a picture that was made, its place, and how it was made.
  private func show(_ report: PictureReport, _ bytes: [UInt8], at place: String, isJSON: Bool) {
    if isJSON {
      program.output.writeLine(JSON.document("image", Self.members(of: report, path: place)).text)
    } else {
      show(bytes, image: report.image)
      program.output.writeLine(place)
      program.output.writeLine(Self.label(of: report))
    }
    tellPreviews(report)
  }

  private func tellPreviews(_ report: PictureReport) {
    if let left = report.previewsLeft {
      program.notice("\(left) preview\(left == 1 ? "" : "s") left on this plan.")
    }
  }

  /// Line on a picture: "sketch 3, 512x512, seed 7; not understood: frobnicator".
  private static func label(of report: PictureReport) -> String {
    let picture = report.picture
    var text = "\(picture.model) \(picture.id), \(picture.width)x\(picture.height), seed \(picture.seed)"
    if !report.notUnderstood.isEmpty {
      text += "; not understood: " + report.notUnderstood.joined(separator: ", ")
    }
    if !report.notes.isEmpty { text += "; " + report.notes.joined(separator: "; ") }
    return TextSanitizer.line(text)
  }

  /// Writes a picture where the user wants it; what is there already is replaced only where it is a picture.
  static func writeCopy(_ bytes: [UInt8], to path: String) throws {
    if FileManager.default.fileExists(atPath: path) {
      let existing = try PNGFile.read(path)
      guard existing.isEmpty || (try? PNGFile.size(of: existing)) != nil else {
        throw ImageError.notWritten(path: path, reason: "it is there and is no picture")
      }
    }
    try PNGFile.write(bytes, to: path)
  }

  /// Shows a picture between the lines, where the terminal can.
  func show(_ bytes: [UInt8], image: PixelImage) {
    guard program.output.isTerminal else { return }
    let picture = TerminalPicture(width: image.width, height: image.height, pixels: image.bytes, file: bytes)
    let device = TerminalDevice(
      input: program.terminal.input, output: program.output.file, type: program.terminal.type)
    program.output.write(picture.text(manner(), in: device.pictureWindow(environment: program.environment)))
    program.output.flush()
  }

  private func manner() -> PictureManner {
    // Settings that cannot be read are complained of by the command that needs them.
    let wanted = (try? program.settings().text("images")) ?? "auto"
    if let chosen = PictureManner(rawValue: wanted) { return chosen }
    if let known = program.pictureManner { return known }
    let manner = PictureManner.detect(
      environment: program.environment, isTerminal: program.output.isTerminal,
      isColoured: program.output.ink.isColoured
    ) { program.terminal.answerAboutPictures(environment: program.environment) }
    program.pictureManner = manner
    return manner
  }

  /// Hands a file to the desktop's viewer.
  func openInViewer(_ path: String) throws {
    let folders = (program.environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
    let viewer = folders.map { $0 + "/xdg-open" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let viewer else { throw WorkspaceError.noViewer(picture: path) }
    let process = Process()
    process.executableURL = URL(filePath: viewer)
    process.arguments = [path]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  nonisolated static func members(of report: PictureReport, path: String) -> [(String, JSON)] {
    members(of: report.picture, path: path) + [
      ("originalPrompt", report.parameters.originalPrompt.map(JSON.string) ?? .null),
      ("negativePrompt", .string(report.parameters.negativePrompt)),
      ("steps", report.parameters.steps.map(JSON.int) ?? .null),
      ("scheduler", report.parameters.sampler.map(JSON.string) ?? .null),
      ("guidance", report.parameters.guidance.map(JSON.number) ?? .null),
      ("notUnderstood", .strings(report.notUnderstood)), ("notes", .strings(report.notes)),
      ("milliseconds", .number(report.duration / .milliseconds(1))),
    ]
  }

  nonisolated static func members(of picture: StoredPicture, path: String) -> [(String, JSON)] {
    [
      ("id", .int(picture.id)), ("path", .string(path)), ("prompt", .string(picture.prompt)),
      ("width", .int(picture.width)), ("height", .int(picture.height)),
      ("seed", .int(Int(clamping: picture.seed))),
      ("model", .string(picture.model)), ("created", .string(picture.created.formatted(.iso8601))),
      ("session", picture.session.map(JSON.int) ?? .null),
    ]
  }
}
