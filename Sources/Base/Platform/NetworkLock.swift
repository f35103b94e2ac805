import CPlatform
import Glibc

/// Kernel filter that refuses the network to this process and everything it starts, for good.
package enum NetworkLock {
  /// Installs the lock; sockets within the machine (`AF_UNIX`) stay possible.
  ///
  /// Call it before anything else. It covers every thread at once; a second call changes nothing.
  /// - Returns: 0, or the errno of the step that failed.
  package static func close() -> Int32 { cp_network_lock() }

  /// Result of trying to open one kind of socket.
  package struct Trial: Sendable, Equatable {
    /// Kind of socket, for example `IPv4 stream socket`.
    package var attempt: String
    /// Indicates whether the kernel refused it.
    package var isRefused: Bool
    /// The errno; 0 where it was allowed.
    package var error: Int32
  }

  /// Tries to open every kind of socket that leads out of the machine.
  ///
  /// Nothing is sent; a socket that opens is closed at once.
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
