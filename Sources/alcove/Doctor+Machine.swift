import Assistant
import Foundation
import ImageGeneration

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

  /// One sketch of the smallest size.
  func checkPictureEngine() async {
    do {
      let installation = try Installation(environment: program.environment)
      let started = ContinuousClock.now
      let sketcher = Sketcher(vocabulary: try SketchVocabulary(folder: installation.sketches))
      let side = ImageSize.sides.lowerBound
      let request = ImageRequest(
        prompt: "a red house under the moon", size: try ImageSize(width: side, height: side))
      var picture: GeneratedImage?
      for try await event in sketcher.generate(request) {
        if case .finished(let made) = event { picture = made }
      }
      let milliseconds = Int((ContinuousClock.now - started) / .milliseconds(1))
      let isDrawn = picture.map { Set($0.image.bytes).count > 1 } ?? false
      add(
        "picture engine", isDrawn ? .ok : .failed,
        isDrawn
          ? "the sketcher drew \(side) by \(side) points in \(milliseconds) ms" : "the sketcher drew nothing",
        isDrawn ? nil : "run ./run install again, or set ALCOVE_SHARE")
    } catch {
      add("picture engine", .failed, explained(error), "run ./run install again, or set ALCOVE_SHARE")
    }
  }
}
