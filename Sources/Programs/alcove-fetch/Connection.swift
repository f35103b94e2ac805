import Foundation
import FoundationNetworking
import ModelStore
import Synchronization

/// One connection at a time: sends requests and hands over what comes. What is encrypted goes through the session, what
/// is not through a connection of our own.
final class Connection: NSObject, URLSessionDataDelegate, Sendable {
  /// End of an exchange.
  enum Ending: Sendable, Equatable {
    /// All that was announced came.
    case finished
    /// The one who asked wanted no more.
    case declined
    /// Time without a byte beyond the limit.
    case stalled
    /// The connection could not be made or broke.
    case broken(ConnectionFault)
    /// Failure that will not pass: a redirect that may not be followed, a certificate that does not hold.
    case refused(DownloadReason)
  }

  private struct Exchange {
    var onHead: @Sendable (ResponseHead) -> Bool
    var onBytes: @Sendable (UnsafeRawBufferPointer) -> Bool
    var ending: Ending?
    var lastByte = ContinuousClock.now
    var origin: URL?
    var continuation: CheckedContinuation<Ending, Never>?
  }

  private let rule: RedirectRule
  private let stall: Double
  private let exchange = Mutex<Exchange?>(nil)
  private let session = Mutex<URLSession?>(nil)
  private let plain: PlainConnection
  /// Headers of a redirect about the content it leads to, by names in lower case.
  private let redirectHeaders = Mutex<[String: String]>([:])

  /// Number of redirects that a server may send in answer to one request.
  private static let redirectLimit = 10

  init(rule: RedirectRule, stall: Double) {
    self.rule = rule
    self.stall = stall
    plain = PlainConnection(stall: stall)
    super.init()
  }

  private func makeSession() -> URLSession {
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
    return URLSession(configuration: configuration, delegate: self, delegateQueue: queue)
  }

  /// Ends the connection; it is of no more use.
  func close() { session.withLock { $0?.invalidateAndCancel() } }

  /// Header of the last redirect.
  func redirectHeader(_ name: String) -> String? { redirectHeaders.withLock { $0[name] } }

  /// Sends a request and hands over the answer's head, then its bytes as they come, until either is declined.
  /// - Parameter isWanted: asked while nothing comes.
  func send(
    _ request: Request, isWanted: @escaping @Sendable () -> Bool = { true },
    onHead: @escaping @Sendable (ResponseHead) -> Bool,
    onBytes: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
  ) async -> Ending {
    redirectHeaders.withLock { $0 = [:] }
    var (request, origin) = (request, URL?.none)
    for _ in 0...Self.redirectLimit {
      let addresses: [String]
      switch await plain.judge(request.url, from: origin, by: rule) {
      case .success(let found): addresses = found
      case .failure(let refusal): return .refused(.refusedAddress(refusal))
      }
      if request.url.scheme?.lowercased() == "https" || Proxy.isNamed {
        return await sendBySession(request, isWanted, onHead, onBytes)
      }
      let outcome = await plain.send(
        request, to: addresses, isWanted: { isWanted() && !Task.isCancelled }, onHead: onHead, onBytes: onBytes)
      switch outcome {
      case .ended(let ending): return ending
      case .redirected(let target, let head):
        if origin == nil { redirectHeaders.withLock { $0 = head.headers } }
        if target.host() != request.url.host() { request.headers["Authorization"] = nil }
        (origin, request.url) = (request.url, target)
      }
    }
    return .refused(.connection(.endlessRedirects))
  }

  private func sendBySession(
    _ request: Request, _ isWanted: @escaping @Sendable () -> Bool,
    _ onHead: @escaping @Sendable (ResponseHead) -> Bool,
    _ onBytes: @escaping @Sendable (UnsafeRawBufferPointer) -> Bool
  ) async -> Ending {
    exchange.withLock { $0 = Exchange(onHead: onHead, onBytes: onBytes, origin: request.url) }
    let task = session.withLock { session in
      let open = session ?? makeSession()
      session = open
      return open.dataTask(with: request.forSession)
    }
    let watch = Task { await self.watch(task, isWanted) }
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

  private func watch(_ task: URLSessionDataTask, _ isWanted: @Sendable () -> Bool) async {
    while !Task.isCancelled {
      // Ended by cancellation alone, which the condition sees.
      try? await Task.sleep(for: .milliseconds(Int(max(50, min(500, stall * 250)))))
      let isStalled = exchange.withLock { exchange in
        exchange.map { ContinuousClock.now - $0.lastByte > .seconds(stall) } ?? false
      }
      if isStalled { end(.stalled, task) }
      if !isWanted() { end(.declined, task) }
    }
  }

  /// Remembers why, and stops the exchange.
  private func end(_ ending: Ending, _ task: URLSessionTask) {
    settle(ending)
    task.cancel()
  }

  /// Remembers why the exchange ends; the first reason counts.
  private func settle(_ ending: Ending) {
    exchange.withLock { if $0?.ending == nil { $0?.ending = ending } }
  }

  // MARK: What the session tells

  func urlSession(
    _ session: URLSession, task: URLSessionTask, willPerformHTTPRedirection response: HTTPURLResponse,
    newRequest request: URLRequest, completionHandler: @escaping (URLRequest?) -> Void
  ) {
    let origin = exchange.withLock { $0?.origin }
    guard let url = request.url else { return completionHandler(nil) }
    do throws(RedirectRule.Refusal) {
      try checkPeer(of: origin)
      try rule.check(url, from: origin)
    } catch {
      // The answer to this question ends the exchange; a task that is cancelled before it makes the session trap.
      settle(.refused(.refusedAddress(error)))
      return completionHandler(nil)
    }
    // What the hub says of a file it keeps elsewhere: only from the first address, which the user or the catalogue
    // named.
    let isFirst = origin == task.originalRequest?.url && redirectHeaders.withLock(\.isEmpty)
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
    let onHead = exchange.withLock { exchange -> (@Sendable (ResponseHead) -> Bool)? in
      exchange?.lastByte = .now
      return exchange?.ending == nil ? exchange?.onHead : nil
    }
    do throws(RedirectRule.Refusal) { try checkPeer(of: response.url) } catch {
      end(.refused(.refusedAddress(error)), dataTask)
      return completionHandler(.cancel)
    }
    guard let head = (response as? HTTPURLResponse).map(ResponseHead.init), let onHead, onHead(head) else {
      end(.declined, dataTask)
      return completionHandler(.cancel)
    }
    completionHandler(.allow)
  }

  /// The session looks names up by itself, so where it came to is looked at before anything of the answer counts.
  private func checkPeer(of url: URL?) throws(RedirectRule.Refusal) {
    guard let url, !Proxy.isNamed else { return }
    let port = url.port ?? (url.scheme?.lowercased() == "https" ? 443 : 80)
    try rule.check(peers: RedirectRule.peers(onPort: port), of: url)
  }

  func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
    let onBytes = exchange.withLock { exchange -> (@Sendable (UnsafeRawBufferPointer) -> Bool)? in
      exchange?.lastByte = .now
      return exchange?.ending == nil ? exchange?.onBytes : nil
    }
    if let onBytes, !data.withUnsafeBytes(onBytes) { end(.declined, dataTask) }
  }

  func urlSession(_ session: URLSession, task: URLSessionTask, didCompleteWithError error: (any Error)?) {
    let (continuation, ending) = exchange.withLock { exchange in
      defer { exchange = nil }
      return (exchange?.continuation, exchange?.ending)
    }
    continuation?.resume(returning: ending ?? error.map(Self.ending) ?? .finished)
  }

  private static func ending(_ error: any Error) -> Ending {
    guard let error = error as? URLError else { return .broken(.failed(detail: "\(error)")) }
    switch error.code {
    case .notConnectedToInternet, .cannotFindHost, .dnsLookupFailed, .cannotConnectToHost:
      return .broken(.unreachable)
    case .timedOut: return .stalled
    case .serverCertificateUntrusted, .serverCertificateHasBadDate, .serverCertificateHasUnknownRoot,
      .serverCertificateNotYetValid, .secureConnectionFailed, .clientCertificateRejected:
      return .refused(.connection(.badCertificate))
    case .httpTooManyRedirects: return .refused(.connection(.endlessRedirects))
    // The session has no code of its own for a certificate that does not hold, only the words of the library below it.
    case _ where error.localizedDescription.lowercased().contains("certificate"):
      return .refused(.connection(.badCertificate))
    default: return .broken(.broken)
    }
  }
}

extension Connection {
  /// Request to a server.
  struct Request: Sendable {
    var url: URL
    var headers: [String: String]

    init(_ url: URL, headers: [String: String] = [:]) {
      self.url = url
      // A value with a line's end in it would be more headers than one.
      self.headers = headers.filter { !$0.value.contains(where: \.isNewline) }
      self.headers["Accept-Encoding"] = "identity"
      self.headers["User-Agent"] = "alcove-fetch"
    }

    /// The request as HTTP/1.1 writes it.
    var head: String {
      let host = url.host() ?? ""
      var text = "GET \(url.path().isEmpty ? "/" : url.path())\(url.query().map { "?" + $0 } ?? "") HTTP/1.1\r\n"
      text += "Host: \(host.contains(":") && !host.hasPrefix("[") ? "[\(host)]" : host)"
      text += "\(url.port.map { ":\($0)" } ?? "")\r\n"
      for (name, value) in headers.sorted(by: { $0.key < $1.key }) { text += "\(name): \(value)\r\n" }
      return text + "\r\n"
    }

    fileprivate var forSession: URLRequest {
      var request = URLRequest(url: url)
      for (name, value) in headers { request.setValue(value, forHTTPHeaderField: name) }
      return request
    }
  }
}

extension ResponseHead {
  fileprivate init(_ response: HTTPURLResponse) {
    self.init(status: response.statusCode, headers: [:])
    for (name, value) in response.allHeaderFields {
      if let name = name as? String, let value = value as? String { headers[name.lowercased()] = value }
    }
  }
}

/// The way out that the environment names, by which the session goes.
enum Proxy {
  static let isNamed = {
    let environment = ProcessInfo.processInfo.environment
    return ["http_proxy", "https_proxy", "HTTPS_PROXY", "all_proxy", "ALL_PROXY"].contains {
      !(environment[$0] ?? "").isEmpty
    }
  }()
}
