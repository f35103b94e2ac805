import Assistant
import Entitlements
import Foundation

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

  struct Failure: Error {}

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
        case .failsAtOnce: throw Failure()
        case .failsAfter(let piece):
          continuation.yield(.text(piece))
          throw Failure()
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
