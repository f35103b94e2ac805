import Foundation
import Testing
import Threading

private actor Recorder {
  private let thread = DedicatedThread(name: "recorder")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }
  private var names: Set<String> = []
  private var count = 0

  func record() -> Int {
    let comm = try? String(contentsOfFile: "/proc/thread-self/comm", encoding: .utf8)
    names.insert((comm ?? "").trimmingCharacters(in: .newlines))
    count += 1
    return count
  }
  var seen: Set<String> { names }
}

@Suite struct DedicatedThreadTests {
  @Test func everyJobRunsOnTheOneThread() async {
    let recorder = Recorder()
    await withTaskGroup(of: Int.self) { group in
      for _ in 0..<200 { group.addTask { await recorder.record() } }
      let counts = await group.reduce(into: Set<Int>()) { $0.insert($1) }
      #expect(counts == Set(1...200))
    }
    let seen = await recorder.seen
    #expect(seen == ["recorder"])
  }
}
