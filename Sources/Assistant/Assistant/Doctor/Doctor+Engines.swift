import Foundation
import Images
import Sketching
import TextGeneration

/// Checks of the engines, by one short run of each.
extension Doctor {
  func checkTextEngine() async {
    do {
      guard let model = try await access.models.model() else {
        return add("text engine", .ok, "no model is chosen; the rule-based analysis answers")
      }
      var settings = LanguageModelBackend.Settings(
        try access.models.settings.current(),
        texts: try PromptTexts(folder: Installation(environment: access.environment).prompts))
      settings.tokenLimit = 10
      var metrics: AnswerMetrics?
      for try await output in model.with(settings).answer(LocalRequest(history: [], question: "Count to ten.")) {
        if case .finished(let found) = output { metrics = found }
      }
      guard let metrics, metrics.generatedTokens > 0 else {
        return add(
          "text engine", .warning, "\(model.name) says nothing", "try another model (`alcove models use`)")
      }
      let speed = metrics.decodeTokensPerSecond.formatted(.number.precision(.fractionLength(1)))
      let first = metrics.timeToFirstToken.formatted(.number.precision(.fractionLength(2)))
      let isSlow = metrics.timeToFirstToken > 2
      add(
        "text engine", isSlow ? .warning : .ok,
        "\(model.name): \(metrics.generatedTokens) tokens, the first after \(first) s, \(speed) a second",
        isSlow ? "a smaller quantization is faster; heat and other programs slow it down" : nil)
    } catch {
      add(
        "text engine", .failed, Explanation.of(error).sentence,
        "choose another model (`alcove models use`), or none (`alcove models off`)")
    }
  }

  func checkEmbedder() async {
    do {
      let installation = try Installation(environment: access.environment)
      let named = try access.models.settings.current().text("embedder.file")
      guard named != "off" else { return add("embedder", .ok, "off; search goes by words") }
      let path = named.isEmpty ? installation.embedder.path : access.directories.absolutePath(named)
      let started = ContinuousClock.now
      let embedder = try TextEmbedder(path: path)
      let embedding = try await embedder.embed(["Where is the spare key?"])
      let norm = embedding.first.map { $0.vector.reduce(0) { $0 + $1 * $1 } } ?? 0
      let milliseconds = Int((ContinuousClock.now - started) / .milliseconds(1))
      let isSound = norm.isFinite && norm > 0.5
      add(
        "embedder", isSound ? .ok : .failed,
        "\(embedder.name ?? path): \(embedder.dimension) numbers a text, loaded and used in \(milliseconds) ms",
        isSound ? nil : "choose another embedder (`/set embedder.file`)")
    } catch {
      add(
        "embedder", .failed, Explanation.of(error).sentence,
        "choose another embedder, or `off` (`/set embedder.file`)")
    }
  }

  /// Draws one sketch of the smallest size, and takes one step of the model for pictures where there is one.
  func checkPictureEngines() async {
    await checkPictureEngine("picture engine", steps: nil, wayOut: "run ./run install again, or set ALCOVE_SHARE")
    {
      let installation = try Installation(environment: access.environment)
      return Sketcher(vocabulary: try SketchVocabulary(folder: installation.sketches))
    }
    await checkPictureEngine(
      "picture model", steps: 1,
      wayOut: "choose another with 'alcove models use --image NAME', or 'off' for the sketcher"
    ) { try access.models.openPictureModel() }
  }

  private func checkPictureEngine(
    _ name: String, steps: Int?, wayOut: String, open: () throws -> (any ImageEngine)?
  ) async {
    do {
      let started = ContinuousClock.now
      guard let engine = try open() else { return }
      let side = ImageSize.sides.lowerBound
      var request = ImageRequest(
        prompt: "a red house under the moon", size: try ImageSize(width: side, height: side))
      request.steps = steps ?? request.steps
      var picture: GeneratedImage?
      for try await event in engine.generate(request) {
        if case .finished(let made) = event { picture = made }
      }
      let milliseconds = Int((ContinuousClock.now - started) / .milliseconds(1))
      let isDrawn = picture.map { Set($0.image.bytes).count > 1 } ?? false
      let drawn = "\(side) by \(side) points in \(milliseconds) ms" + (steps.map { ", \($0) step" } ?? "")
      add(
        name, isDrawn ? .ok : .failed,
        engine.name + ": " + (isDrawn ? drawn : "nothing was drawn"),
        isDrawn ? nil : wayOut)
    } catch {
      add(name, .failed, Explanation.of(error).sentence, wayOut)
    }
  }
}
