import Foundation

/// Addresses that a download may open: https, and plain http only to a host the user named; never a private address,
/// unless the user named that host.
package struct RedirectRule: Sendable, Equatable {
  /// Hosts that the user named, in lower case.
  package let namedHosts: Set<String>

  /// Reason for which an address may not be opened.
  package enum Refusal: Error, Sendable, Equatable, Codable {
    /// Address without a host, or with a password in it.
    case malformed(String)
    /// Scheme that is neither https nor http.
    case scheme(String)
    /// Redirect that would go on unencrypted.
    case leavesEncryption(host: String)
    /// Host that leads to an address within a private network.
    case privateAddress(host: String, address: String)
  }

  /// Makes a rule for addresses the user typed or configured.
  package init(namedBy addresses: [String]) {
    namedHosts = Set(addresses.compactMap { URL(string: $0)?.host()?.lowercased() })
  }

  /// Checks an address before it is opened.
  /// - Parameter origin: the address that sent us there; nil for the first.
  /// - Returns: the addresses in numbers that the host's name led to when it was judged; a connection made to one of
  ///   them cannot be led elsewhere by another answer to the same question.
  @discardableResult
  package func check(_ url: URL, from origin: URL? = nil) throws(Refusal) -> [String] {
    guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased(), !host.isEmpty,
      url.user() == nil, url.password() == nil
    else { throw .malformed(url.absoluteString) }
    guard scheme == "https" || scheme == "http" else { throw .scheme(scheme) }
    let isNamed = namedHosts.contains(host)
    if scheme == "http", !isNamed || origin?.scheme?.lowercased() == "https" {
      throw .leavesEncryption(host: host)
    }
    let addresses = Self.addresses(of: host)
    if !isNamed, let hidden = addresses.first(where: Self.isPrivate) {
      throw .privateAddress(host: host, address: hidden)
    }
    return addresses
  }

  /// Checks the addresses to which a connection was really made, where the session resolves names by itself: a name may
  /// lead elsewhere now than a moment ago.
  package func check(peers: [String], of url: URL) throws(Refusal) {
    let hidden = peers.filter(Self.isPrivate)
    if hidden.isEmpty { return }
    // What the user named may be within a private network, and other connections of this process may lead there.
    let named = Set(namedHosts.flatMap(Self.addresses))
    if let stray = hidden.first(where: { !named.contains($0) }) {
      throw .privateAddress(host: url.host() ?? "", address: stray)
    }
  }

  /// The addresses, in numbers, that this process has TCP connections to on a port.
  package static func peers(onPort port: Int) -> [String] {
    // Where there is no such folder nobody can tell, and nothing is refused for it.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    return names.compactMap { Int32($0) }.compactMap { descriptor in
      var (kind, kindSize) = (Int32(0), socklen_t(MemoryLayout<Int32>.size))
      guard getsockopt(descriptor, SOL_SOCKET, SO_TYPE, &kind, &kindSize) == 0,
        kind == Int32(SOCK_STREAM.rawValue)
      else { return nil }
      var storage = sockaddr_storage()
      var size = socklen_t(MemoryLayout<sockaddr_storage>.size)
      return withUnsafeMutablePointer(to: &storage) {
        $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { peer -> String? in
          guard getpeername(descriptor, peer, &size) == 0,
            [AF_INET, AF_INET6].contains(Int32(peer.pointee.sa_family))
          else { return nil }
          let (address, service) = numbers(of: peer, size)
          return service == "\(port)" ? address : nil
        }
      }
    }
  }

  private static func numbers(of address: UnsafePointer<sockaddr>, _ size: socklen_t) -> (String, String) {
    var (host, service) = ([CChar](repeating: 0, count: 64), [CChar](repeating: 0, count: 16))
    guard getnameinfo(address, size, &host, 64, &service, 16, NI_NUMERICHOST | NI_NUMERICSERV) == 0 else {
      return ("", "")
    }
    func text(_ characters: [CChar]) -> String {
      String(decoding: characters.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }
    return (text(host), text(service))
  }

  /// The addresses a name leads to, in numbers; none where it leads nowhere.
  package static func addresses(of host: String) -> [String] {
    var hints = addrinfo()
    hints.ai_family = AF_UNSPEC
    hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
    var found: UnsafeMutablePointer<addrinfo>?
    let bare = host.trimmingCharacters(in: CharacterSet(charactersIn: "[]"))
    guard getaddrinfo(bare, nil, &hints, &found) == 0 else { return [] }
    defer { freeaddrinfo(found) }
    var addresses: [String] = []
    var next = found
    while let entry = next?.pointee {
      let address = numbers(of: entry.ai_addr, entry.ai_addrlen).0
      if !address.isEmpty { addresses.append(address) }
      next = entry.ai_next
    }
    return addresses
  }

  /// Indicates whether an address in numbers is of this machine, of a private network, or of no single machine
  /// (RFC 1918, 3056, 3927, 4193, 4291, 4380, 5737, 6598).
  package static func isPrivate(_ address: String) -> Bool {
    var four = in_addr()
    if inet_pton(AF_INET, address, &four) == 1 { return isPrivate(UInt32(bigEndian: four.s_addr)) }
    let bare = address.split(separator: "%").first.map(String.init) ?? address
    var six = in6_addr()
    guard inet_pton(AF_INET6, bare, &six) == 1 else { return true }
    let bytes = withUnsafeBytes(of: &six) { Array($0) }
    // Within these lie IPv4 addresses: mapped, compatible, and of translators.
    if bytes[..<10].allSatisfy({ $0 == 0 }), [0, 0xff].contains(bytes[10]), bytes[10] == bytes[11] {
      let inner = bytes[12...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) }
      return inner <= 1 || isPrivate(inner)
    }
    if bytes[0] == 0, bytes[1] == 0x64, bytes[2] == 0xff, bytes[3] == 0x9b {
      return isPrivate(bytes[12...].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
    if bytes[0] == 0x20, bytes[1] == 0x02 {
      return isPrivate(bytes[2..<6].reduce(UInt32(0)) { $0 << 8 | UInt32($1) })
    }
    // Only 2000::/3 is given out to the world; 2001:db8::/32 is for examples, and 2001::/32 hides where it leads.
    let isWorld = bytes[0] & 0xe0 == 0x20
    let isHiding =
      bytes[..<4].elementsEqual([0x20, 0x01, 0x0d, 0xb8]) || bytes[..<4].elementsEqual([0x20, 0x01, 0, 0])
    return !isWorld || isHiding
  }

  private static func isPrivate(_ address: UInt32) -> Bool {
    let networks: [(UInt32, UInt32)] = [
      (0x0000_0000, 8), (0x0a00_0000, 8), (0x6440_0000, 10), (0x7f00_0000, 8), (0xa9fe_0000, 16),
      (0xac10_0000, 12),
      (0xc000_0000, 24), (0xc000_0200, 24), (0xc0a8_0000, 16), (0xc612_0000, 15), (0xc633_6400, 24),
      (0xcb00_7100, 24), (0xe000_0000, 3),
    ]
    return networks.contains { address >> (32 - $0.1) == $0.0 >> (32 - $0.1) }
  }
}
