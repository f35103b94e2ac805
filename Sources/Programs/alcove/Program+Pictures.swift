import Assistant
import Foundation
import ImageGeneration
import Terminal

/// What is to be done with a picture beside keeping it.
struct PictureDelivery {
  /// Where a copy goes; `-` is standard output.
  var copy: String?
  var isJSON = false
  /// Whether a viewer opens it.
  var opens = false
}

extension Program {
  /// The pictures that were made.
  func gallery() async throws -> Gallery { try await illustrator().gallery }

  /// What makes pictures, opened when first asked for.
  func illustrator() async throws -> Illustrator {
    if let openedIllustrator { return openedIllustrator }
    let workspace = try await workspace()
    let illustrator = Illustrator(
      gallery: Gallery(folder: directories.images, store: workspace.store), store: workspace.store,
      engine: Sketcher(vocabulary: try SketchVocabulary(folder: workspace.installation.sketches)),
      model: { [weak self] request in try await self?.lendPictureModel(for: request) })
    openedIllustrator = illustrator
    return illustrator
  }

  /// Whether a sentence asks for a picture.
  func asksForPicture(_ sentence: String) throws -> Bool {
    let router = try openedRouter ?? Router(Installation(environment: environment))
    openedRouter = router
    return router.asksForPicture(sentence)
  }

  /// Draws what was asked for in the conversation, as a turn of it.
  func drawForSession(_ sentence: String, isJSON: Bool = false) async throws -> ExitCode {
    let session = try await session()
    // "Now draw it at night" is about the picture before.
    var prompt = sentence
    if let lastPicture, Self.pointsBack(sentence) {
      let before = lastPicture.parameters
      prompt = (before.originalPrompt ?? before.prompt) + ", " + sentence
    }
    let store = try await workspace().store
    let begun = try await store.beginTurn(session: await session.id, question: sentence)
    _ = try await session.resume(begun.session)
    let richer = try await enriched(prompt)
    let request = ImageRequest(prompt: richer ?? prompt, seed: Self.newSeed())
    return try await draw(
      request, original: richer == nil ? nil : prompt, session: begun.session, turn: begun.turn,
      delivery: PictureDelivery(isJSON: isJSON))
  }

  /// A prompt as the model describes it more richly, where that is asked for and comes to something.
  func enriched(_ prompt: String) async throws -> String? {
    guard try settings().isOn("image.enhance") else { return nil }
    let outcome: PictureEnricher.Outcome
    do {
      guard let model = try await backend() else {
        notice("No language model is loaded, so the prompt stays as it is.")
        return nil
      }
      let enricher = PictureEnricher(store: try await workspace().store, backend: model)
      let progress = ProgressLine(output: errors, environment: environment)
      progress.update(done: 0, total: 0, label: "describing the picture …")
      defer { progress.clear() }
      outcome = try await interruptible { try await enricher.enrich(prompt) }
    } catch let error as CancellationError {
      throw error
    } catch {
      notice("The prompt stays as it is: \(Failure.explain(error).sentence).")
      return nil
    }
    switch outcome {
    case .enriched(let text):
      notice("Drawn as: \(text)")
      return text
    case .kept(let reason):
      notice("The prompt stays as it is: \(reason.sentence).")
      return nil
    }
  }

  private static func pointsBack(_ sentence: String) -> Bool {
    let words = sentence.lowercased().split { !$0.isLetter }
    return words.count < 12 && words.contains { ["it", "them", "again", "same", "that"].contains($0) }
  }

  /// A seed that other tools take too.
  static func newSeed() -> UInt64 { .random(in: 0...UInt64(UInt32.max)) }

  /// Makes a picture, shows it and tells how it was made.
  func draw(
    _ request: ImageRequest, original: String? = nil, session: Int? = nil, turn: Int? = nil,
    isSketch: Bool = false, delivery: PictureDelivery
  ) async throws -> ExitCode {
    let illustrator = try await illustrator()
    var request = request
    request.previewInterval = try settings().integer("image.preview")
    let events = await illustrator.make(
      request, original: original, session: session, turn: turn, isSketch: isSketch)
    let progress = ProgressLine(output: errors, environment: environment)
    progress.update(done: 0, total: 0, label: "drawing …")
    defer { progress.clear() }
    let report = try await interruptible { [self] in
      for try await event in events {
        switch event {
        case .waiting(let other):
          progress.update(
            done: 0, total: 0, label: "waiting for “\(TextSanitizer.line(String(other.prefix(40))))” …")
        case .sketching(let consumed, let allowance):
          progress.clear()
          notice(
            "All \(allowance) previews of this plan are used (\(consumed)), so this is a sketch; `alcove plan` shows the ways on."
          )
        case .loading: progress.update(done: 0, total: 0, label: "loading the model …")
        case .saving: break
        case .generating(let step, let total, let preview):
          if let preview, output.isTerminal {
            progress.clear()
            show(try PNGFile.encode(preview, parameters: nil), image: preview)
          }
          if total > 1 { progress.update(done: step, total: total, label: "drawing") }
        case .finished(let report):
          lastPicture = report
          return report
        }
      }
      throw ImageError.cancelled
    }
    progress.clear()
    try await deliver(report, delivery)
    if let left = report.previewsLeft { notice("\(left) preview\(left == 1 ? "" : "s") left on this plan.") }
    return .ok
  }

  private func deliver(_ report: PictureReport, _ delivery: PictureDelivery) async throws {
    let bytes = try PNGFile.read(report.path)
    if let copy = delivery.copy {
      if copy == "-" {
        output.flush()
        FileHandle.standardOutput.write(Data(bytes))
      } else {
        do { try writeCopy(bytes, to: absolutePath(copy)) } catch {
          // Nobody asked for it to be elsewhere only.
          try await gallery().remove([report.picture.id])
          throw error
        }
      }
    }
    let place = delivery.copy.flatMap { $0 == "-" ? nil : absolutePath($0) } ?? report.path
    if delivery.isJSON {
      if delivery.copy != "-" {
        output.writeLine(JSON.document("image", Self.members(of: report, path: place)).text)
      }
    } else if delivery.copy != "-" {
      show(bytes, image: report.image)
      output.writeLine(place)
      output.writeLine(Self.label(of: report))
    }
    if delivery.opens { try openInViewer(place) }
  }

  /// What the picture is: "sketch 3, 512x512, seed 7; not understood: frobnicator".
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
  func writeCopy(_ bytes: [UInt8], to path: String) throws {
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
    guard output.isTerminal else { return }
    let picture = TerminalPicture(width: image.width, height: image.height, pixels: image.bytes, file: bytes)
    let device = TerminalDevice(input: terminal.input, output: output.file, type: terminal.type)
    output.write(picture.text(manner(), in: device.pictureWindow(environment: environment)))
    output.flush()
  }

  private func manner() -> PictureManner {
    // Settings that cannot be read are complained of by the command that needs them.
    let wanted = (try? settings().text("images")) ?? "auto"
    if let chosen = PictureManner(rawValue: wanted) { return chosen }
    if let pictureManner { return pictureManner }
    let manner = PictureManner.detect(
      environment: environment, isTerminal: output.isTerminal, isColoured: output.ink.isColoured
    ) { terminal.answerAboutPictures(environment: environment) }
    pictureManner = manner
    return manner
  }

  /// Hands a file to the desktop's viewer.
  func openInViewer(_ path: String) throws {
    let folders = (environment["PATH"] ?? "/usr/bin:/bin").split(separator: ":").map(String.init)
    let viewer = folders.map { $0 + "/xdg-open" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    guard let viewer else { throw NotFound(sentence: "there is no viewer (xdg-open); the picture is \(path)") }
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
