import Assistant
import Foundation
import Images
import Sketching
import Terminal

extension Doctor {
  /// What the programs were built with, and whether they could be built here again. Packages need no toolchain.
  func checkToolchain() {
    let folders = (program.environment["PATH"] ?? "").split(separator: ":").map(String.init)
    let found = folders.map { $0 + "/swift" }.first { FileManager.default.isExecutableFile(atPath: $0) }
    add(
      "toolchain", .ok,
      "built with Swift \(Self.compilerVersion); "
        + (found.map { "Swift is at \($0)" } ?? "no Swift on the PATH, which only building needs"))
  }

  private static var compilerVersion: String {
    #if swift(>=6.4)
      "6.4 or newer"
    #elseif swift(>=6.3)
      "6.3"
    #else
      "6.2"
    #endif
  }

  /// One sketch of the smallest size, and where there is a model for pictures one step of it.
  func checkPictureEngines() async {
    await checkPictureEngine("picture engine", steps: nil, wayOut: "run ./run install again, or set ALCOVE_SHARE")
    {
      let installation = try Installation(environment: program.environment)
      return Sketcher(vocabulary: try SketchVocabulary(folder: installation.sketches))
    }
    await checkPictureEngine(
      "picture model", steps: 1,
      wayOut: "choose another with 'alcove models use --image NAME', or 'off' for the sketcher"
    ) { try program.models.openPictureModel() }
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
        TextSanitizer.line(engine.name) + ": " + (isDrawn ? drawn : "nothing was drawn"),
        isDrawn ? nil : wayOut)
    } catch {
      add(name, .failed, explained(error), wayOut)
    }
  }
}
