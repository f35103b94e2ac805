import Foundation
import FoundationNetworking
import ModelStore
import Synchronization

/// One connection at a time: sends requests and hands over what comes, on a queue of its own.
final class Lane: NSObject, URLSessionDataDelegate, Sendable {
  /// How an exchange ended.
  enum Ending: Sendable, Equatable {
    /// All that was announced came.
    case finished
    /// The one who asked wanted no more.
    case declined
    /// No byte came for too long.
    case stalled
    /// The connection could not be made or broke; `isNetwork`: there seems to be no network.
    case broken(reason: String, isNetwork: Bool)
    /// It will not do better: a redirect that may not be followed, a certificate that does not hold.
    case refused(reason: String)
  }

  private struct Exchange {
    var onHead: @Sendable (HTTPURLResponse) -> Bool
    var onBytes: @Sendable (Data) -> Bool
    var ending: Ending?
    var lastByte = ContinuousClock.now
    var origin: URL?
    var continuation: CheckedContinuation<Ending, Never>?
  }

  private let rule: RedirectRule
  private let stall: Double
  private let exchange = Mutex<Exchange?>(nil)
  private let session = Mutex<URLSession?>(nil)
  /// What a redirect said of the content it leads to, by header names in lower case.
  private let redirectHeaders = Mutex<[String: String]>([:])

  init(rule: RedirectRule, stall: Double) {
    self.rule = rule
    self.stall = stall
    super.init()
    let configuration = URLSessionConfiguration.ephemeral
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpMaximumConnectionsPerHost = 1
    // Stalls are noticed here; these are for what the session itself waits for.
    configuration.timeoutIntervalForRequest = max(10, stall * 2)
    configuration.timeoutIntervalForResource = 7 * 24 * 3600
    let queue = OperationQueue()
    queue.maxConcurrentOperationCount = 1
    session.withLock { $0 = URLSession(configuration: configuration, delegate: self, delegateQueue: queue) }
  }

  /// Ends the connection; the lane is of no more use.
  func close() { session.withLock { $0?.invalidateAndCancel() } }

  /// What the last redirect said.
  func redirectHeader(_ name: String) -> String? { redirectHeaders.withLock { $0[name] } }

  /// Sends a request and hands over the answer's head, then its bytes as they come, until either is declined.
  func send(
    _ request: URLRequest, onHead: @escaping @Sendable (HTTPURLResponse) -> Bool,
    onBytes: @escaping @Sendable (Data) -> Bool
  ) async -> Ending {
    guard let url = request.url else { return .refused(reason: "it has no address") }
    do { try rule.check(url) } catch { return .refused(reason: RefusalText.of(error)) }
    redirectHeaders.withLock { $0 = [:] }
    exchange.withLock { $0 = Exchange(onHead: onHead, onBytes: onBytes, origin: url) }
    guard let task = session.withLock({ $0?.dataTask(with: request) }) else { return .refused(reason: "closed") }
    let watch = Task { await self.watch(task) }
    defer { watch.cancel() }
    return await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        exchange.withLock { $0?.continuation = continuation }
        task.resume()
      }
    } onCancel: {
      self.end(.declined, task)
    }
  }

  private func watch(_ task: URLSessionDataTask) async {
    while !Task.isCancelled {
      // Ended by cancellation alone, which the condition sees.
      try? await Task.sleep(for: .milliseconds(Int(max(50, min(500, stall * 250)))))
      let isStalled = exchange.withLock { exchange in
        exchange.map { ContinuousClock.now - $0.lastByte > .seconds(stall) } ?? false
      }
      if isStalled { end(.stalled, task) }
    }
  }

  /// Remembers why, and stops the exchange.
  private func end(_ ending: Ending, _ task: URLSessionTask) {
    exchange.withLock { if $0?.ending == nil { $0?.ending = ending } }
    task.cancel()
  }

  // MARK: What the session tells

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    let origin = exchange.withLock { $0?.origin }
    guard let url = request.url else { return completionHandler(nil) }
    do { try rule.check(url, from: origin) } catch {
      end(.refused(reason: RefusalText.of(error)), task)
      return completionHandler(nil)
    }
    // What the hub says of a file it keeps elsewhere: only from the first address, which the user or the catalogue named.
    let isFirst = origin == task.originalRequest?.url
    if isFirst, response.url?.scheme == "https" || rule.namedHosts.contains(origin?.host()?.lowercased() ?? "") {
      redirectHeaders.withLock { headers in
        for (name, value) in response.allHeaderFields {
          if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
        }
      }
    }
    var next = request
    for name in ["Range", "If-Range", "Accept-Encoding", "User-Agent"] {
      next.setValue(task.originalRequest?.value(forHTTPHeaderField: name), forHTTPHeaderField: name)
    }
    if url.host() != origin?.host() { next.setValue(nil, forHTTPHeaderField: "Authorization") }
    exchange.withLock { $0?.origin = url }
    completionHandler(next)
  }

  func urlSession(
    _ session: URLSession, dataTask: URLSessionDataTask, didReceive response: URLResponse,
    completionHandler: @escaping (URLSession.ResponseDisposition) -> Void
  ) {
    let onHead = exchange.withLock { exchange in
      exchange?.lastByte = .now
      return exchange?.onHead
    }
    guard let head = response as? HTTPURLResponse, let onHead, onHead(head) else {
      end(.declined, dataTask)
      return completionHandler(.cancel)
    }
    completionHandler(.allow)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let onBytes = exchange.withLock { exchange -> (@Sendable (Data) -> Bool)? in
      exchange?.lastByte = .now
      return exchange?.ending == nil ? exchange?.onBytes : nil
    }
    if let onBytes, !onBytes(data) { end(.declined, dataTask) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let (continuation, ending) = exchange.withLock { exchange in
      defer { exchange = nil }
      return (exchange?.continuation, exchange?.ending)
    }
    continuation?.resume(returning: ending ?? error.map(Self.ending) ?? .finished)
  }

  private static func ending(_ error: any Error) -> Ending {
    guard let error = error as? URLError else { return .broken(reason: "\(error)", isNetwork: false) }
    switch error.code {
    case .notConnectedToInternet, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost:
      return .broken(reason: "the server cannot be reached", isNetwork: true)
    case .timedOut: return .stalled
    case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
      .serverCertificateNotYetValid, .secureConnectionFailed, .clientCertificateRejected:
      return .refused(reason: "the server cannot prove who it is")
    case .httpTooManyRedirects: return .refused(reason: "the server redirects without end")
    default: return .broken(reason: "the connection broke", isNetwork: false)
    }
  }
}

/// Why an address may not be opened, in words.
enum RefusalText {
  static func of(_ refusal: RedirectRule.Refusal) -> String {
    switch refusal {
    case .malformed(let address): "'\(address)' is no address that can be opened"
    case .scheme(let scheme): "addresses of the kind \(scheme): are not opened"
    case .leavesEncryption(let host): "it would go on unencrypted to \(host), which nobody named"
    case .privateAddress(let host, let address):
      "\(host) leads to the private address \(address), which nobody named"
    }
  }
}
