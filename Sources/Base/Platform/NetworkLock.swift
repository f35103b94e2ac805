import CPlatform
import Glibc

/// Refuses the network to this process and everything that it starts, for good.
package enum NetworkLock {
  /// Closes the lock; sockets within the machine (`AF_UNIX`) stay possible.
  ///
  /// Call it before anything else. Every thread is under it at once, and closing it again changes nothing.
  /// - Returns: 0, or the system's number of the error that kept it open.
  package static func close() -> Int32 { cp_network_lock() }

  /// The outcome of an attempt to open one kind of socket.
  package struct Trial: Sendable, Equatable {
    /// The kind of socket, for example `IPv4 stream socket`.
    package var attempt: String
    /// Whether the kernel refused it.
    package var isRefused: Bool
    /// The system's number of the error; 0 where it was allowed.
    package var error: Int32
  }

  /// Tries to open every kind of socket that leads out of the machine, and returns the kernel's answers.
  ///
  /// Nothing is sent; what opens is closed at once.
  package static func probe() -> [Trial] {
    let stream = CInt(SOCK_STREAM.rawValue)
    let datagram = CInt(SOCK_DGRAM.rawValue)
    let raw = CInt(SOCK_RAW.rawValue)
    let attempts: [(String, CInt, CInt)] = [
      ("IPv4 stream socket", AF_INET, stream), ("IPv4 datagram socket", AF_INET, datagram),
      ("IPv6 stream socket", AF_INET6, stream), ("IPv6 datagram socket", AF_INET6, datagram),
      ("raw packet socket", AF_PACKET, raw), ("kernel network socket", AF_NETLINK, raw),
      ("virtual machine socket", 40, stream),
    ]
    return attempts.map { name, family, kind in
      let descriptor = socket(family, kind, 0)
      let error = descriptor < 0 ? errno : 0
      if descriptor >= 0 { Glibc.close(descriptor) }
      return Trial(attempt: name, isRefused: error == EACCES, error: error)
    }
  }
}
