import Foundation
import ModelStore
import Synchronization

/// Asks the hub for what it has. Only when the user asks.
struct HubQueries: Sendable {
  /// Reason for which the hub gave no answer.
  struct Failure: Error {
    let reason: String
  }

  let hub: Hub
  let options: Options
  private static let longestAnswer = 32 << 20

  /// The files of a repository that can be models.
  func files(of repository: String) async throws(Failure) -> [HubFile] {
    guard Hub.isRepository(repository) else {
      throw Failure(reason: "'\(repository)' is not a repository (OWNER/NAME)")
    }
    guard let files = Hub.files(try await get(hub.listing(of: repository)), of: repository) else {
      throw Failure(reason: "the hub's answer cannot be read")
    }
    return files
  }

  /// Repositories with GGUF files that go with words, and those files.
  func search(_ words: [String], limit: Int) async throws(Failure) -> [HubFile] {
    guard let found = Hub.repositories(try await get(hub.search(words, limit: limit))) else {
      throw Failure(reason: "the hub's answer cannot be read")
    }
    var files: [HubFile] = []
    for repository in found {
      files += try await self.files(of: repository.name).filter { $0.file.lowercased().hasSuffix(".gguf") }.map {
        var file = $0
        file.downloads = repository.downloads
        return file
      }
    }
    return files
  }

  private func get(_ address: String) async throws(Failure) -> Data {
    guard let url = URL(string: address) else { throw Failure(reason: "'\(address)' is not a valid address") }
    var random = SystemRandomNumberGenerator()
    var reason = ""
    for attempt in 1...max(1, options.policy.attempts) {
      let connection = Connection(
        rule: RedirectRule(namedBy: options.named + [hub.endpoint]), stall: options.stall)
      defer { connection.close() }
      let answer = Mutex<(status: Int, retryAfter: String?, data: Data)>((0, nil, Data()))
      let request = Connection.Request(
        url, headers: Credentials.header(for: url).map { ["Authorization": $0] } ?? [:])
      let ending = await connection.send(
        request,
        onHead: { head in
          answer.withLock { $0 = (head.status, head["retry-after"], Data()) }
          return head.status == 200
        },
        onBytes: { data in
          answer.withLock { answer in
            guard answer.data.count + data.count <= Self.longestAnswer else { return false }
            answer.data.append(contentsOf: data)
            return true
          }
        })
      let (status, retryAfter, data) = answer.withLock { $0 }
      if status == 200, ending == .finished { return data }
      switch ending {
      case .refused(let why): throw Failure(reason: why)
      case .broken(let why, _): reason = why
      case .stalled: reason = "the hub does not answer"
      case .finished, .declined: reason = "the hub answered with status \(status)"
      }
      if status == 404 { throw Failure(reason: "the hub has no such repository") }
      if (400..<500).contains(status), status != 429, status != 408 { throw Failure(reason: reason) }
      guard attempt < options.policy.attempts else { break }
      let asks = ResponseCheck.retryDelay(retryAfter)
      let wait = options.policy.wait(afterFailures: attempt, serverAsks: asks, random: &random)
      // Ended early by cancellation alone, and then the process ends.
      try? await Task.sleep(for: .seconds(wait))
    }
    throw Failure(reason: reason)
  }
}
