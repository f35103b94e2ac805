import Foundation

/// Where a download may go: https, and plain http only to a host the user named; never to a private address, unless the user
/// named that host.
public struct RedirectRule: Sendable, Equatable {
  /// Hosts that the user named, in lower case.
  public let namedHosts: Set<String>

  /// Why an address may not be opened.
  public enum Refusal: Error, Sendable, Equatable {
    /// It has no host, or carries a password.
    case malformed(String)
    /// It is neither https nor http.
    case scheme(String)
    /// It would go on unencrypted.
    case leavesEncryption(host: String)
    /// It leads to an address within a private network.
    case privateAddress(host: String, address: String)
  }

  /// Makes a rule for addresses the user typed or configured.
  public init(namedBy addresses: [String]) {
    namedHosts = Set(addresses.compactMap { URL(string: $0)?.host()?.lowercased() })
  }

  /// Checks an address before it is opened.
  /// - Parameter origin: the address that sent us there; nil for the first.
  public func check(_ url: URL, from origin: URL? = nil) throws(Refusal) {
    guard let scheme = url.scheme?.lowercased(), let host = url.host()?.lowercased(), !host.isEmpty,
      url.user() == nil, url.password() == nil
    else { throw .malformed(url.absoluteString) }
    guard scheme == "https" || scheme == "http" else { throw .scheme(scheme) }
    let isNamed = namedHosts.contains(host)
    if scheme == "http", !isNamed || origin?.scheme?.lowercased() == "https" {
      throw .leavesEncryption(host: host)
    }
    if isNamed { return }
    for address in Self.addresses(of: host) where Self.isPrivate(address) {
      throw .privateAddress(host: host, address: address)
    }
  }

  /// The addresses a name leads to, in numbers; none where it leads nowhere.
  static func addresses(of host: String) -> [String] {
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
      var text = [CChar](repeating: 0, count: 64)
      if getnameinfo(entry.ai_addr, entry.ai_addrlen, &text, 64, nil, 0, NI_NUMERICHOST) == 0 {
        addresses.append(String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self))
      }
      next = entry.ai_next
    }
    return addresses
  }

  /// Whether an address in numbers is of this machine, of a private network, or of no single machine
  /// (RFC 1918, 6598, 3927, 4193, 4291, 5737).
  public static func isPrivate(_ address: String) -> Bool {
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
    // Only 2000::/3 is given out to the world; 2001:db8::/32 is for examples.
    let isWorld = bytes[0] & 0xe0 == 0x20
    return !isWorld || (bytes[0] == 0x20 && bytes[1] == 0x01 && bytes[2] == 0x0d && bytes[3] == 0xb8)
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
