import Foundation
import Synchronization

/// A web server on loopback that misbehaves as told.
final class HostileServer: Sendable {
  /// Behaviour towards one request.
  enum Behaviour: Sendable {
    case serve
    /// Another status, with headers, and this text.
    case status(Int, [String: String] = [:], body: String = "")
    /// Ends the connection after a number of bytes of the answer, as if all were well.
    case truncate(after: Int)
    /// Resets the connection after a number of bytes.
    case reset(after: Int)
    /// Sends nothing more after a number of bytes, and keeps the connection open.
    case stall(after: Int)
    /// Serves bytes that lie this much further on, and says so.
    case otherRange(by: Int)
    /// Announces the right range and sends this many bytes more or fewer than it says.
    case wrongLength(by: Int)
    /// Flips a bit at this place of the file.
    case corrupt(at: Int)
    /// Ignores the range and sends all.
    case whole
    /// Serves other content from the middle of this answer on.
    case switchContent(to: [UInt8], tag: String?)
    /// Ends the connection without a word.
    case hangUp
    /// Sends the right range, in chunks of `pieces` bytes (RFC 9112, 7.1).
    case chunked(pieces: Int)
    /// Sends this, and ends the connection.
    case raw(String)
  }

  /// A request, as far as it matters.
  struct Request: Sendable {
    var path: String
    var range: Range<Int>?
    var ifRange: String?
    /// Number of requests that came before.
    var number: Int
  }

  private struct State {
    var content: [UInt8]
    var tag: String?
    var requests: [Request] = []
    var bodyBytes = 0
    var behave: @Sendable (Request) -> Behaviour
    /// Seconds after each 256 KiB.
    var pace = 0.0
    /// Bytes of content after which nothing more is sent.
    var limit = Int.max
  }

  let port: Int
  private let listener: Int32
  private let state: Mutex<State>

  init(
    _ content: [UInt8], tag: String? = "\"one\"",
    behave: @escaping @Sendable (Request) -> Behaviour = { _ in .serve }
  ) throws {
    state = Mutex(State(content: content, tag: tag, behave: behave))
    listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    var size = socklen_t(MemoryLayout<sockaddr_in>.size)
    let descriptor = listener
    let code = withUnsafeMutablePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        bind(descriptor, address, size) | listen(descriptor, 64) | getsockname(descriptor, address, &size)
      }
    }
    guard code == 0 else { throw POSIXError(POSIXErrorCode(rawValue: errno) ?? .EIO) }
    port = Int(UInt16(bigEndian: address.sin_port))
    Thread.detachNewThread { [weak self] in
      while true {
        let connection = accept(descriptor, nil, nil)
        if connection < 0 { return }
        guard let self else { return }
        Thread.detachNewThread { self.attend(connection) }
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  func address(_ file: String = "model.gguf") -> String { "http://127.0.0.1:\(port)/\(file)" }
  /// Bytes of content that were sent, to whomever.
  var sentByteCount: Int { state.withLock { $0.bodyBytes } }
  var requests: [Request] { state.withLock { $0.requests } }
  func serve(_ content: [UInt8], tag: String?) { state.withLock { ($0.content, $0.tag) = (content, tag) } }
  func behave(_ behave: @escaping @Sendable (Request) -> Behaviour) { state.withLock { $0.behave = behave } }
  func setPace(_ seconds: Double) { state.withLock { $0.pace = seconds } }
  /// Sends about `byteCount` bytes of content in all, and after them hardly more than keeps connections open, until
  /// `release`.
  func hold(after byteCount: Int) { state.withLock { $0.limit = byteCount } }
  func release() { hold(after: .max) }

  private func attend(_ connection: Int32) {
    defer { close(connection) }
    while let head = readHead(connection), answer(head, on: connection) {}
  }

  private func readHead(_ connection: Int32) -> String? {
    var bytes: [UInt8] = []
    var byte: UInt8 = 0
    while bytes.count < 16_384 {
      guard recv(connection, &byte, 1, 0) == 1 else { return nil }
      bytes.append(byte)
      if bytes.suffix(4).elementsEqual("\r\n\r\n".utf8) { return String(decoding: bytes, as: UTF8.self) }
    }
    return nil
  }

  private func parse(_ head: String) -> Request {
    let lines = head.split(separator: "\r\n")
    let path = lines.first?.split(separator: " ").dropFirst().first.map(String.init) ?? "/"
    func header(_ name: String) -> String? {
      lines.first { $0.lowercased().hasPrefix(name + ":") }.map {
        String($0.drop { $0 != ":" }.dropFirst()).trimmingCharacters(in: .whitespaces)
      }
    }
    let numbers = header("range")?.dropFirst("bytes=".count).split(separator: "-").compactMap { Int($0) } ?? []
    return Request(
      path: path, range: numbers.count == 2 ? numbers[0]..<numbers[1] + 1 : nil, ifRange: header("if-range"),
      number: 0)
  }

  /// Answers one request; false where the connection is of no more use.
  private func answer(_ head: String, on connection: Int32) -> Bool {
    var request = parse(head)
    let (content, tag, behaviour, pace) = state.withLock { state in
      request.number = state.requests.count
      state.requests.append(request)
      return (state.content, state.tag, state.behave(request), state.pace)
    }
    if case .hangUp = behaviour { return false }
    if case .raw(let text) = behaviour {
      _ = send(connection, Array(text.utf8))
      return false
    }
    if case .status(let status, let headers, let body) = behaviour {
      let lines = headers.map { "\($0.key): \($0.value)\r\n" }.joined()
      return send(
        connection, Array("HTTP/1.1 \(status) X\r\n\(lines)Content-Length: \(body.utf8.count)\r\n\r\n\(body)".utf8)
      )
    }
    var range = request.range.map { $0.clamped(to: 0..<content.count) } ?? 0..<content.count
    var isPart = request.range != nil && (request.ifRange == nil || request.ifRange == tag)
    if case .whole = behaviour { isPart = false }
    if !isPart { range = 0..<content.count }
    if case .otherRange(let shift) = behaviour {
      let start = max(0, min(content.count - 1, range.lowerBound + shift))
      range = start..<min(content.count, start + range.count)
    }
    var body = Array(content[range])
    if case .corrupt(let place) = behaviour, range.contains(place) { body[place - range.lowerBound] ^= 1 }
    var announced = body.count
    if case .wrongLength(let difference) = behaviour { announced = max(0, announced + difference) }
    var text = isPart ? "HTTP/1.1 206 Partial Content\r\n" : "HTTP/1.1 200 OK\r\n"
    if isPart { text += "Content-Range: bytes \(range.lowerBound)-\(range.upperBound - 1)/\(content.count)\r\n" }
    if let tag { text += "ETag: \(tag)\r\n" }
    if case .chunked(let size) = behaviour {
      guard send(connection, Array((text + "Transfer-Encoding: chunked\r\n\r\n").utf8)) else { return false }
      for start in stride(from: 0, to: body.count, by: size) {
        let piece = body[start..<min(body.count, start + size)]
        let head = Array((String(piece.count, radix: 16) + ";name=value\r\n").utf8)
        guard send(connection, head + piece + Array("\r\n".utf8)) else { return false }
      }
      return send(connection, Array("0\r\nTrailer: x\r\n\r\n".utf8))
    }
    text += "Content-Type: application/octet-stream\r\nContent-Length: \(announced)\r\n\r\n"
    guard send(connection, Array(text.utf8)) else { return false }
    switch behaviour {
    case .switchContent(let other, let otherTag):
      sendBody(connection, Array(body.prefix(1_100_000)), pace)
      serve(other, tag: otherTag)
      return false
    case .truncate(let count):
      sendBody(connection, Array(body.prefix(count)), pace)
      return false
    case .reset(let count):
      sendBody(connection, Array(body.prefix(count)), pace)
      var linger = linger(l_onoff: 1, l_linger: 0)
      setsockopt(connection, SOL_SOCKET, SO_LINGER, &linger, socklen_t(MemoryLayout<Foundation.linger>.size))
      return false
    case .stall(let count):
      sendBody(connection, Array(body.prefix(count)), pace)
      var byte: UInt8 = 0
      // Until the other side gives up.
      _ = recv(connection, &byte, 1, 0)
      return false
    default: return sendBody(connection, body, pace)
    }
  }

  @discardableResult
  private func sendBody(_ connection: Int32, _ body: [UInt8], _ pace: Double) -> Bool {
    var start = 0
    while start < body.count {
      // A connection on which nothing came would count as stalled.
      let isHeld = state.withLock { $0.bodyBytes >= $0.limit }
      if isHeld { usleep(50_000) }
      let end = min(body.count, start + (isHeld ? 1024 : 262_144))
      guard send(connection, Array(body[start..<end])) else { return false }
      state.withLock { $0.bodyBytes += end - start }
      start = end
      if pace > 0 { usleep(useconds_t(pace * 1e6)) }
    }
    return true
  }

  private func send(_ connection: Int32, _ bytes: [UInt8]) -> Bool {
    var done = 0
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.send(
          connection, $0.baseAddress.map { $0 + done }, $0.count - done, Int32(MSG_NOSIGNAL))
      }
      if count <= 0 { return false }
      done += count
    }
    return true
  }
}
