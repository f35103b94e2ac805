import Assistant
import Foundation
import ImageGeneration
import Terminal

extension Command {
  static let image = Command(
    name: "image", aliases: ["draw"], summary: "draw a picture",
    details: """
      No model for pictures is part of this version, so a sketcher draws by rules, says so, and names the words it did not \
      understand. Say what is where: "a red boat left of two trees under a full moon, watercolour". Styles are plain, line, \
      watercolour, night, blueprint and pixel art. The same seed gives the same picture.

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
      Option(name: "steps", value: ("N", .integer(1...1000)), help: "for models; a sketch has no steps"),
      Option(name: "guidance", value: ("X", .text), help: "for models; a sketch needs none"),
      Option(name: "scheduler", value: ("NAME", .text), help: "for models; a sketch has none"),
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
    let unused = ["steps", "guidance", "scheduler"].filter { invocation.has($0) }
    if !unused.isEmpty {
      program.notice("A sketch does not use \(unused.map { "--" + $0 }.joined(separator: ", ")).")
    }
    let session = invocation.surface == .prompt ? await program.openedSession?.id : nil
    return try await program.draw(
      request, original: richer == nil ? nil : asked, session: session,
      delivery: PictureDelivery(
        copy: invocation.value("output"), isJSON: invocation.has("json"), opens: invocation.has("open")))
  }
}

extension ImageRequest {
  /// What the options say, over what the picture named by `--from` says.
  @MainActor
  fileprivate init(_ invocation: Invocation, _ program: Program) throws {
    var prompt = invocation.list("PROMPT").joined(separator: " ").trimmingSpaces()
    var (negative, size, seed) = ("", ImageSize.usual, Program.newSeed())
    if let path = invocation.value("from") {
      let file = program.absolutePath(path)
      let parameters = try PNGFile.parameters(in: PNGFile.read(file))
      if prompt.isEmpty { prompt = parameters.prompt }
      (negative, seed) = (parameters.negativePrompt, parameters.seed)
      size = parameters.size ?? size
      if !["sketch", ""].contains(parameters.model) {
        program.notice("That picture was made by \(parameters.model); this one is a sketch.")
      }
    }
    if prompt.isEmpty { throw UsageError(message: "image needs PROMPT or --from", path: invocation.path) }
    if let given = invocation.value("size") { size = try ImageSize(given) }
    if let given = invocation.value("seed") {
      guard let number = UInt64(given) else {
        throw UsageError(message: "--seed takes a whole number from 0, not '\(given)'", path: invocation.path)
      }
      seed = number
    }
    if let given = invocation.value("guidance"), Double(given)?.isFinite != true {
      throw UsageError(message: "--guidance takes a number, not '\(given)'", path: invocation.path)
    }
    self.init(
      prompt: prompt, negativePrompt: invocation.value("negative") ?? negative, size: size, seed: seed)
  }
}
