import Foundation
import ModelStore
import Synchronization

/// Asks the hub for what it has. Only when the user asks.
struct HubQueries: Sendable {
  let hub: Hub
  let options: Options
  private static let longestAnswer = 32 << 20

  /// The files of a repository that can be models.
  func files(of repository: String) async throws(DownloadReason) -> [HubFile] {
    guard Hub.isRepository(repository) else {
      throw .hub(.notARepository(repository))
    }
    guard let files = Hub.files(try await get(hub.listing(of: repository)), of: repository) else {
      throw .hub(.unreadable)
    }
    return files
  }

  /// Repositories with GGUF files that go with words, and those files.
  func search(_ words: [String], limit: Int) async throws(DownloadReason) -> [HubFile] {
    guard let found = Hub.repositories(try await get(hub.search(words, limit: limit))) else {
      throw .hub(.unreadable)
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

  private func get(_ address: String) async throws(DownloadReason) -> Data {
    guard let url = URL(string: address) else { throw .hub(.badAddress(address)) }
    var random = SystemRandomNumberGenerator()
    var reason = DownloadReason.hub(.silent)
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
      case .refused(let why): throw why
      case .broken(let fault): reason = .connection(fault)
      case .stalled: reason = .hub(.silent)
      case .finished, .declined: reason = .hub(.status(status))
      }
      if status == 404 { throw .hub(.noSuchRepository) }
      if (400..<500).contains(status), status != 429, status != 408 { throw reason }
      guard attempt < options.policy.attempts else { break }
      let asks = ResponseCheck.retryDelay(retryAfter)
      let wait = options.policy.wait(afterFailures: attempt, serverAsks: asks, random: &random)
      // Ended early by cancellation alone, and then the process ends.
      try? await Task.sleep(for: .seconds(wait))
    }
    throw reason
  }
}
