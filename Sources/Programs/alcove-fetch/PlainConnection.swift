import Foundation
import ModelStore
import Threading

/// A connection without encryption, to one of the addresses that were judged. It reads whole blocks where they are to
/// be used, while the session hands over 16 KB at a time through a queue and takes several times the processor time.
actor PlainConnection {
  /// End of an exchange, or the address it leads on to.
  enum Outcome: Sendable {
    case ended(Connection.Ending)
    case redirected(to: URL, ResponseHead)
  }

  private let thread = DedicatedThread(name: "fetch")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  private let stall: Double
  private let stream: ByteStream
  /// The host and port at the other end.
  private var other = ""

  init(stall: Double) {
    self.stall = stall
    stream = ByteStream(stall: stall)
  }

  /// Looks a name up and judges where it leads, on this thread, which may block.
  func judge(_ url: URL, from origin: URL?, by rule: RedirectRule) -> Result<[String], RedirectRule.Refusal> {
    do throws(RedirectRule.Refusal) { return .success(try rule.check(url, from: origin)) } catch {
      return .failure(error)
    }
  }

  /// Ends the connection.
  func close() { stream.close() }

  /// Sends a request to one of the addresses and hands over the answer's head, then its bytes, until either is
  /// declined.
  func send(
    _ request: Connection.Request, to addresses: [String], isWanted: @escaping @Sendable () -> Bool,
    onHead: @Sendable (ResponseHead) -> Bool, onBytes: @Sendable (UnsafeRawBufferPointer) -> Bool
  ) -> Outcome {
    guard let host = request.url.host(percentEncoded: false) else {
      return .ended(.refused(.connection(.noAddress)))
    }
    stream.isWanted = isWanted
    let (port, name) = (request.url.port ?? 80, "\(host):\(request.url.port ?? 80)")
    do throws(ByteStream.Failure) {
      var isReused = stream.isOpen && other == name
      while true {
        if !isReused {
          stream.close()
          try stream.connect(to: addresses, port: port)
          other = name
        }
        do throws(ByteStream.Failure) {
          try stream.write(request.head)
          return try answer(to: request, onHead, onBytes)
        } catch .ended where isReused && stream.isFresh {
          // The server had closed a connection that stood idle.
          isReused = false
        }
      }
    } catch {
      stream.close()
      return .ended(Self.ending(error))
    }
  }

  private func answer(
    to request: Connection.Request, _ onHead: (ResponseHead) -> Bool, _ onBytes: (UnsafeRawBufferPointer) -> Bool
  ) throws(ByteStream.Failure) -> Outcome {
    var head = try stream.readHead()
    while (100..<200).contains(head.status) { head = try stream.readHead() }
    if (301...308).contains(head.status), head.status != 304, head.status != 305, head.status != 306,
      let location = head["location"], let target = URL(string: location, relativeTo: request.url)?.absoluteURL
    {
      // What the body of a redirect says matters to nobody.
      stream.close()
      return .redirected(to: target, head)
    }
    guard onHead(head) else {
      stream.close()
      return .ended(.declined)
    }
    var isWanted = true
    let isWhole = try stream.readBody(of: head) { bytes in
      isWanted = onBytes(bytes)
      return isWanted
    }
    if !isWhole || head["connection"]?.lowercased() == "close" { stream.close() }
    return .ended(isWanted ? .finished : .declined)
  }

  private static func ending(_ failure: ByteStream.Failure) -> Connection.Ending {
    switch failure {
    case .unreachable: .broken(.unreachable)
    case .stalled: .stalled
    case .unwanted: .declined
    case .ended: .broken(.closedEarly)
    case .broken: .broken(.broken)
    case .senseless: .broken(.notHTTP)
    }
  }
}

/// The status and headers of an answer.
struct ResponseHead: Sendable {
  var status: Int
  /// Headers by their names in lower case.
  var headers: [String: String]

  subscript(name: String) -> String? { headers[name] }
}
