import Assistant
import Compute
import Entitlements
import Foundation
import Synchronization
import TextGeneration

/// A local backend that says what it is told to, so that the gate and the journal can be tested without an engine.
struct ScriptedBackend: LocalBackend {
  enum Script: Sendable {
    case says([String])
    case saysNothing
    case failsAtOnce
    case failsAfter(String)
    /// Says one piece and then waits until it is stopped.
    case hangsAfter(String)
    case hangsAtOnce
  }

  static let failure = TextGenerationError.compute(.fileChanged(path: "m.gguf"))

  var script: Script
  let kind = LocalModelBackend.gguf
  let name = "scripted"

  func answer(_ request: LocalRequest) -> AsyncThrowingStream<LocalOutput, any Error> {
    let (stream, continuation) = AsyncThrowingStream<LocalOutput, any Error>.makeStream()
    let script = script
    let task = Task {
      do {
        switch script {
        case .says(let pieces): for piece in pieces { continuation.yield(.text(piece)) }
        case .saysNothing: break
        case .failsAtOnce: throw Self.failure
        case .failsAfter(let piece):
          continuation.yield(.text(piece))
          throw Self.failure
        case .hangsAfter(let piece):
          continuation.yield(.text(piece))
          try await Task.sleep(for: .seconds(3600))
        case .hangsAtOnce: try await Task.sleep(for: .seconds(3600))
        }
        continuation.yield(.finished(AnswerMetrics(promptTokens: 3, generatedTokens: 2)))
        continuation.finish()
      } catch {
        continuation.finish(throwing: error)
      }
    }
    continuation.onTermination = { _ in task.cancel() }
    return stream
  }
}

/// A local backend whose runs follow one script after the other, and that may call tools.
final class CallingBackend: LocalBackend {
  let kind = LocalModelBackend.gguf
  let name = "calling"
  let toolUse: ToolUse
  private let scripts: Mutex<[String]>
  private let seen = Mutex<[LocalRequest]>([])

  init(_ scripts: [String], toolUse: ToolUse = .on) {
    self.toolUse = toolUse
    self.scripts = Mutex(scripts)
  }

  /// Requests it got.
  var requests: [LocalRequest] { seen.withLock { $0 } }

  func parts(of passages: [PromptPassage]) -> [Range<Int>] {
    // Notes stand at no place; they all fit.
    let step = passages.first?.place.isEmpty == true ? passages.count : 2
    return stride(from: 0, to: passages.count, by: max(1, step)).map { $0..<min($0 + step, passages.count) }
  }

  func answer(_ request: LocalRequest) -> AsyncThrowingStream<LocalOutput, any Error> {
    seen.withLock { $0.append(request) }
    let text = scripts.withLock { $0.isEmpty ? "" : $0.removeFirst() }
    return AsyncThrowingStream { continuation in
      continuation.yield(
        .prompted(PromptReport(prompted: request.question, read: Array(request.passages.indices))))
      if !text.isEmpty { continuation.yield(.text(text)) }
      continuation.yield(.finished(AnswerMetrics(promptTokens: 10, generatedTokens: 5)))
      continuation.finish()
    }
  }
}
