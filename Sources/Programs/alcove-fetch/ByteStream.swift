import Foundation
import ModelStore

/// Bytes to and from a server over TCP, and the form HTTP/1.1 gives them (RFC 9112). Every wait has an end.
final class ByteStream {
  /// Reason for which no more comes.
  enum Failure: Error {
    /// Connection that cannot be made.
    case unreachable
    /// Time without a byte in either direction beyond the limit.
    case stalled
    /// The one who asked wants no more.
    case unwanted
    /// The server closed the connection.
    case ended
    case broken
    /// Bytes that are no HTTP.
    case senseless
  }

  /// Returns whether to go on waiting; asked while nothing comes.
  var isWanted: @Sendable () -> Bool = { true }
  var isOpen: Bool { descriptor >= 0 }
  /// Indicates whether nothing of an answer has come yet.
  private(set) var isFresh = true

  private let stall: Double
  private var descriptor: Int32 = -1
  /// Bytes that came; those not used yet lie at `start..<end`.
  private let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: BlockHashes.blockSize, alignment: 64)
  private var start = 0
  private var end = 0

  private static let longestHead = 65_536
  /// Microseconds between two looks of a wait at whether it is still wanted.
  private static let glance = 200_000

  init(stall: Double) { self.stall = stall }

  deinit {
    close()
    buffer.deallocate()
  }

  func close() {
    if descriptor >= 0 { Foundation.close(descriptor) }
    (descriptor, start, end) = (-1, 0, 0)
  }

  // MARK: Connecting

  /// Connects to the first of the addresses that answers.
  func connect(to addresses: [String], port: Int) throws(Failure) {
    for address in addresses {
      guard isWanted() else { throw .unwanted }
      var hints = addrinfo()
      hints.ai_flags = AI_NUMERICHOST | AI_NUMERICSERV
      hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
      var found: UnsafeMutablePointer<addrinfo>?
      guard getaddrinfo(address, "\(port)", &hints, &found) == 0, let entry = found?.pointee else { continue }
      defer { freeaddrinfo(found) }
      let kind = Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue) | Int32(SOCK_NONBLOCK.rawValue)
      let candidate = socket(entry.ai_family, kind, 0)
      guard candidate >= 0 else { continue }
      if Foundation.connect(candidate, entry.ai_addr, entry.ai_addrlen) == 0 || isConnected(candidate) {
        descriptor = candidate
        var wait = timeval(tv_sec: 0, tv_usec: Self.glance)
        let size = socklen_t(MemoryLayout<timeval>.size)
        setsockopt(candidate, SOL_SOCKET, SO_RCVTIMEO, &wait, size)
        setsockopt(candidate, SOL_SOCKET, SO_SNDTIMEO, &wait, size)
        _ = fcntl(candidate, F_SETFL, fcntl(candidate, F_GETFL) & ~O_NONBLOCK)
        return
      }
      Foundation.close(candidate)
    }
    throw .unreachable
  }

  /// Waits until a connection stands; false where it will not.
  private func isConnected(_ candidate: Int32) -> Bool {
    guard errno == EINPROGRESS else { return false }
    let deadline = ContinuousClock.now + .seconds(max(stall, 1))
    while ContinuousClock.now < deadline, isWanted() {
      var place = pollfd(fd: candidate, events: Int16(POLLOUT), revents: 0)
      guard poll(&place, 1, Int32(Self.glance / 1000)) > 0 else { continue }
      var (code, size) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
      return getsockopt(candidate, SOL_SOCKET, SO_ERROR, &code, &size) == 0 && code == 0
    }
    return false
  }

  // MARK: Bytes

  func write(_ text: String) throws(Failure) {
    isFresh = true
    let bytes = Array(text.utf8)
    var (done, last) = (0, ContinuousClock.now)
    while done < bytes.count {
      let count = bytes.withUnsafeBytes {
        Foundation.send(descriptor, $0.baseAddress.map { $0 + done }, $0.count - done, Int32(MSG_NOSIGNAL))
      }
      if count > 0 {
        (done, last) = (done + count, .now)
      } else if count < 0, errno == EPIPE || errno == ECONNRESET {
        throw .ended
      } else {
        try wait(since: last)
      }
    }
  }

  /// Takes what comes into the free part of the buffer.
  private func fill() throws(Failure) {
    if start == end { (start, end) = (0, 0) }
    let last = ContinuousClock.now
    while true {
      let count = recv(descriptor, buffer.baseAddress.map { $0 + end }, buffer.count - end, 0)
      if count > 0 {
        end += count
        isFresh = false
        return
      }
      if count == 0 { throw .ended }
      if errno == ECONNRESET, isFresh { throw .ended }
      try wait(since: last)
    }
  }

  /// Passes over a wait that ended for no more than its time; throws where there is another reason.
  private func wait(since last: ContinuousClock.Instant) throws(Failure) {
    guard [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) else { throw .broken }
    guard isWanted() else { throw .unwanted }
    if ContinuousClock.now - last > .seconds(stall) { throw .stalled }
  }

  /// Moves what is not used yet to the beginning of the buffer.
  private func compact() {
    guard start > 0, let base = buffer.baseAddress else { return }
    memmove(base, base + start, end - start)
    (start, end) = (0, end - start)
  }

  /// A line without its end.
  private func readLine() throws(Failure) -> String {
    var looked = 0
    while true {
      if let place = buffer[start + looked..<end].firstIndex(of: 10) {
        var line = buffer[start..<place]
        if line.last == 13 { line = line.dropLast() }
        start = place + 1
        return String(decoding: line, as: UTF8.self)
      }
      looked = end - start
      guard looked < Self.longestHead else { throw .senseless }
      if end == buffer.count { compact() }
      try fill()
    }
  }

  // MARK: HTTP

  /// The status line and the headers of an answer.
  func readHead() throws(Failure) -> ResponseHead {
    let words = try readLine().split(separator: " ", maxSplits: 2)
    guard words.count >= 2, words[0].hasPrefix("HTTP/1."), words[1].utf8.count == 3, let status = Int(words[1]),
      status >= 100
    else { throw .senseless }
    var head = ResponseHead(status: status, headers: [:])
    var length = 0
    while true {
      let line = try readLine()
      if line.isEmpty { return head }
      length += line.utf8.count
      guard length <= Self.longestHead, let colon = line.firstIndex(of: ":") else { throw .senseless }
      let name = line[..<colon].lowercased()
      let value = line[line.index(after: colon)...].trimmingCharacters(in: .whitespaces)
      // Two lengths that differ would be two answers.
      if name == "content-length", let other = head.headers[name], other != value { throw .senseless }
      head.headers[name] = name == "content-length" ? value : head.headers[name].map { $0 + ", " + value } ?? value
    }
  }

  /// Hands over the body of an answer, a block of 1 MiB at a time as far as it goes.
  /// - Returns: whether it was read to an end after which another answer can come.
  func readBody(of head: ResponseHead, _ take: (UnsafeRawBufferPointer) -> Bool) throws(Failure) -> Bool {
    if head.status == 204 || head.status == 304 { return true }
    if let coding = head["transfer-encoding"] {
      guard coding.lowercased() == "chunked" else { throw .senseless }
      return try readChunks(take)
    }
    guard let text = head["content-length"] else {
      while try pass(on: buffer.count, take) {}
      return false
    }
    guard let length = Int(text), length >= 0 else { throw .senseless }
    var left = length
    while left > 0 {
      let piece = min(left, buffer.count)
      guard try pass(on: piece, take) else { return false }
      left -= piece
    }
    return true
  }

  private func readChunks(_ take: (UnsafeRawBufferPointer) -> Bool) throws(Failure) -> Bool {
    while true {
      let digits = try readLine().prefix { $0 != ";" }.trimmingCharacters(in: .whitespaces)
      guard digits.utf8.count <= 15, var left = Int(digits, radix: 16), left >= 0 else { throw .senseless }
      if left == 0 { break }
      while left > 0 {
        let piece = min(left, buffer.count)
        guard try pass(on: piece, take) else { return false }
        left -= piece
      }
      guard try readLine().isEmpty else { throw .senseless }
    }
    // Trailers tell nothing we ask for.
    while try !readLine().isEmpty {}
    return true
  }

  /// Gathers `count` bytes and hands them over; where the connection ends before, those that came.
  /// - Returns: whether all came and more are wanted.
  private func pass(on count: Int, _ take: (UnsafeRawBufferPointer) -> Bool) throws(Failure) -> Bool {
    if start + count > buffer.count { compact() }
    do throws(Failure) {
      while end - start < count { try fill() }
    } catch {
      let rest = UnsafeRawBufferPointer(rebasing: buffer[start..<end])
      start = end
      // What came counts, though the end of the answer is missing.
      if !rest.isEmpty, !take(rest) { return false }
      if error == .ended { return false }
      throw error
    }
    let piece = UnsafeRawBufferPointer(rebasing: buffer[start..<start + count])
    start += count
    return take(piece)
  }
}
