import Documents
import Foundation
import Retrieval
import TestSupport

/// Changes to a library that a seed determines: a process that makes them and one that checks them know the same.
package struct LibraryScript: Sendable {
  package let seed: UInt64

  package init(seed: UInt64) { self.seed = seed }

  /// One change.
  package enum Step: Equatable, Sendable {
    /// A document is added, or what its file holds changes.
    case store(document: Int, version: Int)
    case remove(document: Int)
    /// Gives a number of batches of passages vectors of the embedder chosen last.
    case embed(batches: Int)
    /// Another embedder is to take over.
    case choose(embedder: Int)
    case tidy
    case settle
  }

  /// Small segments, so that there are many of them, merged often.
  package static let segmentSizes = 16...200

  /// Largest number of documents at once.
  package static let documentCount = 40

  package func step(_ place: Int) -> Step {
    var random = SeededGenerator(seed: seed &+ UInt64(place) &* 1_000_003)
    let document = Int.random(in: 0..<Self.documentCount, using: &random)
    switch Int.random(in: 0..<20, using: &random) {
    case 0..<9: return .store(document: document, version: place)
    case 9..<13: return .remove(document: document)
    case 13..<17: return .embed(batches: Int.random(in: 1...6, using: &random))
    case 17: return .choose(embedder: Int.random(in: 0..<4, using: &random))
    case 18: return .tidy
    default: return .settle
    }
  }

  package static func path(_ document: Int) -> String { "/script/\(document).txt" }

  /// The paragraphs of a document; each holds a word that no other has.
  package static func paragraphs(_ document: Int, _ version: Int) -> [String] {
    (0..<1 + (document + version) % 4).map { part in
      let name = "canary\(document)x\(version)y\(part)z"
      return name + " " + String(repeating: "word ", count: (document + version + part) % 25) + name
    }
  }

  package static func embedder(_ number: Int) -> MadeVectors {
    MadeVectors("script \(number)", dimension: [80, 64, 130, 96][number % 4])
  }

  /// The embedder that is to answer once all passages have its vectors, else the one that answers.
  package static func embedder(of library: Library) async throws -> MadeVectors? {
    let states = try await library.embedders().filter { $0.role != .leaving }
    let state = states.first { $0.role == .next } ?? states.first
    return state.flatMap { $0.embedder.identity.split(separator: " ").last.flatMap { Int($0) } }.map(embedder)
  }

  /// Makes one change.
  package func run(_ step: Step, on library: Library) async throws {
    switch step {
    case .store(let document, let version):
      let text = Self.paragraphs(document, version).joined(separator: "\n\n")
      try await Sample(text).store(in: library, path: Self.path(document))
    case .remove(let document): try await library.remove(paths: [Self.path(document)])
    case .embed(let batches):
      let embedder = try await Self.embedder(of: library) ?? Self.embedder(0)
      try await embedder.embed(library, batches: batches, of: 5)
    case .choose(let number): try await library.choose(Self.embedder(number).description)
    case .tidy: try await library.tidyVectors()
    case .settle: try await library.settle()
    }
  }
}
