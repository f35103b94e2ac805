import Documents
import Foundation
import Ingestion
import TestSupport
import Testing

@Suite struct ReaderPoolTests {
  static let program = Programs.folder.appending(path: "alcove-reader").path

  /// One row of the manifest: a file, what must come of it, and the password that opens it.
  struct Sample: CustomTestStringConvertible {
    let file: String
    let outcome: String
    let passwords: [String]
    var testDescription: String { file }
    var path: String { SharedData.file("documents/pdf/\(file)").path }

    static let all: [Sample] = {
      guard SharedData.isPresent else { return [] }
      // An unreadable manifest gives no samples, and the test that counts them fails.
      let text = (try? String(contentsOf: SharedData.file("documents/manifest.tsv"), encoding: .utf8)) ?? ""
      return text.split(separator: "\n").dropFirst().map { line in
        let fields = line.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        let passwords = fields[2].split(separator: " ").compactMap { field -> String? in
          let parts = field.split(separator: "=", maxSplits: 1)
          return parts.count == 2 ? String(parts[1]) : nil
        }
        return Sample(file: fields[0], outcome: fields[1], passwords: passwords)
      }
    }()
  }

  static func outcome(_ pool: ReaderPool, _ path: String, password: String? = nil) async -> String {
    do {
      _ = try await pool.read(path, password: password)
      return "ok"
    } catch let failure as ReadingFailure {
      return failure.name == "limit" || failure.name == "damaged" ? failure.name : "\(failure)"
    } catch {
      return "\(error)"
    }
  }

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func everyFileGetsItsOutcomeWhateverItsNeighboursDo() async {
    #expect(Sample.all.count == 72)
    let pool = ReaderPool(program: Self.program, readerCount: 4)
    await withTaskGroup(of: (Sample, String, Duration).self) { group in
      for sample in Sample.all {
        group.addTask {
          let clock = ContinuousClock()
          let start = clock.now
          let outcome = await Self.outcome(pool, sample.path)
          return (sample, outcome, clock.now - start)
        }
      }
      for await (sample, outcome, _) in group {
        #expect(outcome.hasPrefix(sample.outcome == "empty-text" ? "emptyText" : sample.outcome), "\(sample.file)")
      }
    }
  }
}
