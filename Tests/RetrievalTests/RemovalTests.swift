import Documents
import Foundation
import Retrieval
import RetrievalSupport
import TestSupport
import Testing

/// Removed content is in no file: not the text, not its words, not their stems, not pieces of them.
@Suite struct RemovalTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  /// A word that no other text has; its stem and any six of its bytes are as telling.
  private func canary(_ number: Int) -> String { Self.canaries[number] }

  /// Words of which no two have five letters in a row in common: a byte that happens to stand next to one would make
  /// six of the other.
  private static let canaries: [String] = {
    var taken: Set<String> = []
    return (0..<600).map { number in
      for attempt in 0... {
        let word = letters(UInt64(number + 600 * attempt))
        let fives = pieces(of: word, length: 5)
        if taken.isDisjoint(with: fives) {
          taken.formUnion(fives)
          return word
        }
      }
      preconditionFailure("there are more words than that")
    }
  }()

  private static func letters(_ seed: UInt64) -> String {
    let letters = "bcdfghjklmnpqrstvwxz".map(String.init)
    var state = seed &* 0x9e37_79b9_7f4a_7c15 | 1
    return (0..<16).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1
      return letters[Int(state >> 33) % letters.count]
    }.joined()
  }

  /// Every six bytes in a row of any file that are consonants: what a canary could leave behind.
  private func remains() throws -> Set<String> {
    var remains: Set<String> = []
    let vowels = Set("aeiouy".utf8)
    for name in try FileManager.default.subpathsOfDirectory(atPath: folder.url.path) {
      // A folder has no bytes of its own.
      guard let data = try? [UInt8](Data(contentsOf: folder.url.appending(path: name))) else { continue }
      var run = 0
      for place in data.indices {
        let lower = data[place] | 0x20
        run = lower >= 0x61 && lower <= 0x7a && !vowels.contains(lower) ? run + 1 : 0
        if run >= 6 { remains.insert(String(decoding: data[place - 5...place], as: UTF8.self).lowercased()) }
      }
    }
    return remains
  }

  private static func pieces(of canary: String, length: Int = 6) -> Set<String> {
    let bytes = Array(canary.utf8)
    return Set((0...bytes.count - length).map { String(decoding: bytes[$0..<$0 + length], as: UTF8.self) })
  }

  private func sample(_ number: Int, version: Int = 0) -> Sample {
    let word = canary(number * 10 + version)
    let filler = (0..<Int.random(in: 1...120)).map { _ in ["some", "plain", "words", "here"].randomElement()! }
    let paragraphs = (0..<Int.random(in: 1...6)).map { _ in
      ([word] + filler.shuffled() + [word + "ing", word.uppercased()]).joined(separator: " ")
    }
    return Sample(paragraphs.joined(separator: "\n\n"), title: "T \(word)", headings: ["H \(word)"])
  }

  @Test func oneDocumentLeavesNothing() async throws {
    let library = try await Library(at: folder.url.appending(path: "library.db"))
    try await Sample("kept text").store(in: library, path: "/kept.txt")
    let id = try await sample(1).store(in: library, path: "/\(canary(10)).txt")
    #expect(try await library.hits(canary(10)).isEmpty == false)
    #expect(try !remains().isDisjoint(with: Self.pieces(of: canary(10))))
    try await library.remove([id])
    #expect(try await library.hits(canary(10)).isEmpty)
    #expect(try await library.settle())
    #expect(try remains().isDisjoint(with: Self.pieces(of: canary(10))))
    #expect(try await library.hits("kept") == ["kept text"])
    await #expect(throws: LibraryError.unknownDocument(id)) { try await library.remove([id]) }
  }

  @Test func randomSequencesLeaveNothingButWhatIsThere() async throws {
    let library = try await Library(at: folder.url.appending(path: "library.db"))
    let rounds = Int(ProcessInfo.processInfo.environment["ALCOVE_REMOVALS"] ?? "") ?? 120
    var versions: [Int: Int] = [:]
    for round in 0..<rounds {
      let number = Int.random(in: 0..<60)
      if versions[number] == nil || Int.random(in: 0..<3) == 0 {
        let version = (versions[number] ?? -1) + 1
        versions[number] = version % 10
        try await sample(number, version: version % 10).store(in: library, path: "/doc\(number).txt")
      } else {
        try await library.remove(paths: ["/doc\(number).txt"])
        versions[number] = nil
      }
      guard round % 20 == 19 else { continue }
      try await library.remove(paths: ["/doc\(number).txt"])
      versions[number] = nil
      #expect(try await library.settle())
      let remains = try remains()
      for number in 0..<60 {
        for version in 0..<10 {
          let isThere = versions[number] == version
          let hits = try await library.hits(canary(number * 10 + version))
          #expect(hits.isEmpty != isThere, "document \(number), version \(version)")
          if !isThere {
            let left = remains.intersection(Self.pieces(of: canary(number * 10 + version)))
            #expect(left.isEmpty, "document \(number), version \(version)")
          }
        }
      }
      try await library.verify()
    }
  }
}
