import Foundation
import Images
import Sketching
import Synchronization

/// The sketcher's own files, read once when they are first needed.
final class SketchFiles: Sendable {
  private let folder: URL
  private let read = Mutex<SketchVocabulary?>(nil)

  init(folder: URL) { self.folder = folder }

  /// Returns the words and drawings that the sketcher knows.
  /// - Throws: ``ImageError/badSketchFile(file:line:reason:)``.
  func vocabulary() throws(ImageError) -> SketchVocabulary {
    try read.withLock { read throws(ImageError) in
      if let read { return read }
      let vocabulary = try SketchVocabulary(folder: folder)
      read = vocabulary
      return vocabulary
    }
  }
}
