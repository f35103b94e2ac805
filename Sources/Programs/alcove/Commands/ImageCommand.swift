import Assistant
import Foundation
import Images
import Terminal

extension Command {
  static let image = Command(
    name: "image", aliases: ["draw"], summary: "draw a picture",
    details: """
      With a model for pictures (`--model`, the setting image.model, or one in the folder of models) that model draws: \
      `(words:1.3)` in the prompt weighs words, `<lora:name:0.8>` adds a LoRA, --init begins from a picture, and --mask says \
      where that is made anew (where it is white). Steps, guidance, scheduler and size are the model's own unless given.

      Without one, or with --sketch, a sketcher draws by rules, says so, and names the words it did not understand. Say what \
      is where: "a red boat left of two trees under a full moon, watercolour". Styles are plain, line, watercolour, night, \
      blueprint and pixel art. The same seed gives the same picture.

      The picture goes to the gallery; -o puts a copy elsewhere (- for standard output). How it was made stands in the \
      file, so that --from repeats it, with what else is given changed.
      """,
    arguments: [Argument(name: "PROMPT", kind: .text, isOptional: true, isRest: true)],
    options: [
      Option(name: "output", letter: "o", value: ("FILE", .path), help: "put a copy there"),
      Option(name: "size", value: ("WxH", .text), help: "its size, multiples of 64 from 128 (512x512)"),
      Option(name: "seed", value: ("N", .text), help: "the same seed gives the same picture"),
      Option(name: "negative", value: ("TEXT", .text), help: "what it must not show"),
      Option(name: "from", value: ("PICTURE", .path), help: "repeat a picture as its file describes it"),
      Option(name: "steps", value: ("N", .integer(1...1000)), help: "how often a model refines it"),
      Option(name: "guidance", value: ("X", .text), help: "how strictly a model follows the prompt (7.5)"),
      Option(
        name: "scheduler", value: ("NAME", .text),
        help: "dpmpp_2m, dpmpp_2m_karras, euler, euler_a, ddim, pndm, lcm, unipc"),
      Option(name: "init", value: ("PICTURE", .path), help: "a PNG that a model begins from"),
      Option(name: "strength", value: ("X", .text), help: "how much of it is made anew, 0 to 1 (0.6)"),
      Option(name: "mask", value: ("PICTURE", .path), help: "where it is made anew: where this PNG is white"),
      Option(
        name: "rng", value: ("KIND", .text),
        help: "the noise of a seed: torch, as diffusers, or cuda, as most web interfaces"),
      Option(name: "model", value: ("MODEL", .path), help: "draw with this model"),
      Option(name: "sketch", help: "let the sketcher draw"),
      Option(
        name: "unload-after", value: ("SECONDS", .integer(0...86400)),
        help: "give the model's memory back after so long (image.unload-after)"),
      Option(name: "open", help: "open it in a viewer"), Option(name: "json", help: "write JSON"),
    ],
    examples: [
      "alcove image 'a lighthouse at dusk' -o lighthouse.png", "alcove image --from lighthouse.png --size 768x512",
    ]
  ) { invocation, program in
    var request = try ImageRequest(invocation, program)
    // What a picture was made from is repeated as it was.
    let asked = request.prompt
    let richer = invocation.list("PROMPT").isEmpty ? nil : try await program.enriched(asked)
    request.prompt = richer ?? asked
    request.previewInterval = try program.settings().integer("image.preview")
    let before = program.models.requestedPictureModel
    program.models.requestedPictureModel = invocation.value("model") ?? before
    defer { program.models.requestedPictureModel = before }
    if let seconds = invocation.integer("unload-after") {
      try await program.set("image.unload-after", to: "\(seconds)")
    }
    let isSketch = try invocation.has("sketch") || program.models.pictureModelPath() == nil
    let unused = ["steps", "guidance", "scheduler", "init", "strength", "mask", "rng"].filter {
      invocation.has($0)
    }
    if isSketch, !unused.isEmpty {
      program.notice("A sketch does not use \(unused.map { "--" + $0 }.joined(separator: ", ")).")
    }
    let session = invocation.surface == .prompt ? await program.openedSession?.id : nil
    let report = try await program.draw(
      request, original: richer == nil ? nil : asked, session: session, isSketch: isSketch)
    let delivery = PictureDelivery(
      copy: invocation.value("output"), isJSON: invocation.has("json"), opens: invocation.has("open"))
    try await PictureView(program).deliver(report, delivery)
    return .ok
  }
}

extension Program {
  /// A prompt as the model describes it more richly, where that is asked for and comes to something.
  fileprivate func enriched(_ prompt: String) async throws -> String? {
    guard try settings().isOn("image.enhance") else { return nil }
    let view = PictureView(self)
    view.take(.describing)
    defer { view.progress.clear() }
    let store = try await workspace().store
    var model: LanguageModelBackend?
    do { model = try await models.model() } catch {
      notice(Notice.pictureKept(.failed(Failure.explain(error).sentence)).sentence)
      return nil
    }
    let (text, told) = try await interruptible { [model] in
      try await PictureEnricher.enriched(prompt, store: store, backend: model)
    }
    view.progress.clear()
    notice(told.sentence)
    return text
  }

  /// Makes a picture, and shows how far it has come.
  fileprivate func draw(
    _ request: ImageRequest, original: String?, session: Int?, isSketch: Bool
  ) async throws -> PictureReport {
    let events = try await illustrator().make(request, original: original, session: session, isSketch: isSketch)
    let view = PictureView(self)
    view.progress.update(done: 0, total: 0, label: "drawing …")
    defer { view.progress.clear() }
    return try await interruptible {
      for try await event in events {
        if case .finished(let report) = event { return report }
        view.take(event)
      }
      throw ImageError.cancelled
    }
  }
}

extension ImageRequest {
  /// Reads the options; what they leave open comes from the picture named by `--from`.
  @MainActor
  fileprivate init(_ invocation: Invocation, _ program: Program) throws {
    var prompt = invocation.list("PROMPT").joined(separator: " ").trimmingSpaces()
    var before: ImageParameters?
    if let path = invocation.value("from") {
      let parameters = try PNGFile.parameters(in: PNGFile.read(program.directories.absolutePath(path)))
      if prompt.isEmpty { prompt = parameters.prompt }
      before = parameters
    }
    if prompt.isEmpty { throw UsageError(message: "image needs PROMPT or --from", path: invocation.path) }
    func number(_ option: String, in range: ClosedRange<Double>) throws -> Double? {
      guard let given = invocation.value(option) else { return nil }
      guard let number = Double(given), range.contains(number) else {
        throw UsageError(
          message:
            "--\(option) takes a number from \(range.lowerBound.formatted()) to \(range.upperBound.formatted()), not '\(given)'",
          path: invocation.path)
      }
      return number
    }
    func picture(_ option: String) throws -> PixelImage? {
      try invocation.value(option).map { try PNGFile.decode(PNGFile.read(program.directories.absolutePath($0))) }
    }
    self.init(
      prompt: prompt, negativePrompt: invocation.value("negative") ?? before?.negativePrompt ?? "",
      size: try invocation.value("size").map { try ImageSize($0) } ?? before?.size,
      seed: before?.seed ?? .random(in: 0...UInt64(UInt32.max)),
      steps: invocation.integer("steps") ?? before?.steps,
      guidanceScale: try number("guidance", in: 0...100) ?? before?.guidance)
    if let given = invocation.value("seed") {
      guard let number = UInt64(given) else {
        throw UsageError(message: "--seed takes a whole number from 0, not '\(given)'", path: invocation.path)
      }
      seed = number
    }
    scheduler = before?.sampler.flatMap { SchedulerKind(name: $0) }
    scheduler = try SchedulerKind(of: invocation) ?? scheduler
    if let given = invocation.value("rng") {
      guard let kind = NoiseKind(rawValue: given) else {
        throw UsageError(message: "--rng is torch or cuda, not '\(given)'", path: invocation.path)
      }
      noise = kind
    }
    initial = try picture("init")
    mask = try picture("mask")
    strength = try number("strength", in: 0...1) ?? strength
    if initial == nil, let lonely = ["mask", "strength"].first(where: { invocation.has($0) }) {
      throw UsageError(message: "--\(lonely) needs --init", path: invocation.path)
    }
  }
}

extension SchedulerKind {
  /// Reads `--scheduler`; nil where it is not given.
  init?(of invocation: Invocation) throws(UsageError) {
    guard let given = invocation.value("scheduler") else { return nil }
    guard let kind = SchedulerKind(name: given) else {
      let names = SchedulerKind.allCases.map(\.rawValue).joined(separator: ", ")
      throw UsageError(message: "--scheduler is one of \(names), not '\(given)'", path: invocation.path)
    }
    self = kind
  }
}
