import Foundation
import Retrieval
import RetrievalSupport

/// Makes the changes of a script, and says before and after each which one, until it is killed.
@main struct LibraryWorker {
  static func main() async throws {
    let arguments = CommandLine.arguments
    guard arguments.count == 4, let seed = UInt64(arguments[2]), let first = Int(arguments[3]) else { exit(2) }
    let script = LibraryScript(seed: seed)
    let library = try await Library(at: URL(filePath: arguments[1]), segmentSizes: LibraryScript.segmentSizes)
    var place = first
    while true {
      try FileHandle.standardOutput.write(contentsOf: Data("begin \(place)\n".utf8))
      try await script.run(script.step(place), on: library)
      try FileHandle.standardOutput.write(contentsOf: Data("done \(place)\n".utf8))
      place += 1
    }
  }
}
