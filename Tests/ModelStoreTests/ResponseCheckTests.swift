import Foundation
import ModelStore
import Testing

@Suite struct ResponseCheckTests {
  private func judge(
    _ status: Int, _ headers: [String: String], range: Range<Int> = 100..<200, known: Representation? = nil,
    promised: Int = 0
  ) -> ResponseVerdict {
    ResponseCheck(range: range, known: known, promisedTotal: promised).judge(status: status) { headers[$0] }
  }

  @Test func takesThePartAskedFor() {
    let headers = ["content-range": "bytes 100-199/1000", "content-length": "100", "etag": "\"a\""]
    #expect(judge(206, headers) == .part(Representation(total: 1000, tag: "\"a\"")))
    // At the end there is less than was asked for.
    #expect(
      judge(206, ["content-range": "bytes 100-149/150"]) == .part(Representation(total: 150, tag: nil)))
  }

  @Test(arguments: [
    "bytes 0-99/1000", "bytes 100-198/1000", "bytes 100-199/*", "bytes 100-199", "bytes */1000",
    "items 100-199/1000",
    "bytes 199-100/1000", "bytes 100-199/150", "bytes 100-99999999999999999999/1000", "",
  ])
  func wantsAnotherPart(range: String) {
    guard case .later = judge(206, ["content-range": range]) else {
      Issue.record("\(range) was taken")
      return
    }
  }

  @Test func noticesAnotherContent() {
    let known = Representation(total: 1000, tag: "\"a\"", modified: "Sun")
    #expect(judge(206, ["content-range": "bytes 100-199/1001", "etag": "\"a\""], known: known) == .changed)
    #expect(judge(206, ["content-range": "bytes 100-199/1000", "etag": "\"b\""], known: known) == .changed)
    #expect(judge(200, ["content-length": "1000", "etag": "\"b\""], known: known) == .changed)
    #expect(judge(200, ["content-length": "999", "etag": "\"a\""], known: known) == .changed)
    #expect(judge(416, ["content-range": "bytes */900"], known: known) == .changed)
    let dated = Representation(total: 1000, tag: nil, modified: "Sun")
    #expect(
      judge(206, ["content-range": "bytes 100-199/1000", "last-modified": "Mon"], known: dated) == .changed)
  }

  @Test func takesTheWholeWhereRangesAreNotKnown() {
    #expect(judge(200, ["content-length": "1000"]) == .whole(Representation(total: 1000, tag: nil)))
    // A weak tag vouches for nothing.
    #expect(
      judge(200, ["content-length": "1000", "etag": "W/\"a\""]) == .whole(Representation(total: 1000, tag: nil)))
  }

  @Test(arguments: [
    (200, ["content-type": "text/html", "content-length": "10"]), (206, ["content-encoding": "gzip"]), (404, [:]),
    (401, [:]), (403, [:]), (410, [:]), (400, [:]), (304, [:]), (302, [:]), (200, [:]),
    (200, ["content-length": "0"]),
  ])
  func refuses(status: Int, headers: [String: String]) {
    guard case .refused = judge(status, headers) else {
      Issue.record("\(status) \(headers) was not refused")
      return
    }
  }

  @Test func refusesAnotherSizeThanPromised() {
    guard case .refused = judge(206, ["content-range": "bytes 100-199/1000"], promised: 2000) else {
      Issue.record("another size was taken")
      return
    }
  }

  @Test func heedsRetryAfter() {
    guard case .later(30, _) = judge(429, ["retry-after": "30"]),
      case .later(3600, _) = judge(503, ["retry-after": "99999"]),
      case .later(nil, _) = judge(500, ["retry-after": "-3"]),
      case .later(let wait?, _) = judge(503, ["retry-after": "Sun, 06 Nov 1994 08:49:37 GMT"])
    else {
      Issue.record("Retry-After was misread")
      return
    }
    #expect(wait == 0)
  }

  @Test func waitsGrowWithJitter() {
    var generator = SystemRandomNumberGenerator()
    let policy = RetryPolicy(firstWait: 1, longestWait: 60)
    for (failures, longest) in [(1, 1.0), (2, 2), (4, 8), (10, 60), (1000, 60)] {
      let wait = policy.wait(afterFailures: failures, serverAsks: nil, random: &generator)
      #expect((longest / 2...longest).contains(wait))
    }
    #expect(policy.wait(afterFailures: 1, serverAsks: 100, random: &generator) == 100)
  }
}

@Suite struct RedirectRuleTests {
  @Test(arguments: [
    "127.0.0.1", "10.0.0.1", "192.168.3.4", "172.16.0.1", "172.31.255.255", "169.254.1.1", "100.64.0.1", "0.0.0.0",
    "224.0.0.1", "255.255.255.255", "::1", "::", "fe80::1", "fc00::1", "fd12::1", "ff02::1", "::ffff:10.0.0.1",
    "::ffff:127.0.0.1", "64:ff9b::7f00:1", "2001:db8::1", "fe80::1%eth0", "rubbish", "192.0.2.1", "198.51.100.7",
    "2002:7f00:1::", "2002:c0a8:1::", "2001:0:53aa:64c::1",
  ])
  func knowsPrivateAddresses(address: String) { #expect(RedirectRule.isPrivate(address)) }

  @Test(arguments: [
    "8.8.8.8", "172.32.0.1", "100.128.0.1", "2606:4700::1111", "::ffff:8.8.8.8", "1.1.1.1", "2002:808:808::",
  ])
  func knowsPublicAddresses(address: String) { #expect(!RedirectRule.isPrivate(address)) }

  /// A name may lead elsewhere by the time the session asks for it again: what counts is where it came to.
  @Test func seesWhereConnectionsLead() throws {
    let server = try HostileServer(Array("x".utf8))
    let connection = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    defer { close(connection) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(server.port).bigEndian
    address.sin_addr.s_addr = UInt32(0x7f00_0001).bigEndian
    let code = withUnsafePointer(to: &address) {
      $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
        connect(connection, $0, socklen_t(MemoryLayout<sockaddr_in>.size))
      }
    }
    try #require(code == 0)
    #expect(RedirectRule.peers(onPort: server.port).contains("127.0.0.1"))
    #expect(RedirectRule.peers(onPort: 1).isEmpty)
    let url = try #require(URL(string: "https://models.example:\(server.port)/x"))
    func refusal(_ named: [String], _ peers: [String]) -> RedirectRule.Refusal? {
      do throws(RedirectRule.Refusal) { try RedirectRule(namedBy: named).check(peers: peers, of: url) } catch {
        return error
      }
      return nil
    }
    let found = RedirectRule.peers(onPort: server.port)
    #expect(refusal([], found) == .privateAddress(host: "models.example", address: "127.0.0.1"))
    #expect(refusal(["https://models.example"], found) != nil)
    #expect(refusal(["http://127.0.0.1:1"], found) == nil)
    #expect(refusal([], ["93.184.216.34", "2606:4700::1111"]) == nil)
  }

  /// A connection is made to one of the addresses that were judged.
  @Test func givesTheAddressesItJudged() throws {
    let rule = RedirectRule(namedBy: ["http://localhost"])
    let url = try #require(URL(string: "http://localhost:8080/x"))
    #expect(try rule.check(url).contains { ["127.0.0.1", "::1"].contains($0) })
  }

  @Test func keepsToEncryptionAndToNamedHosts() throws {
    let rule = RedirectRule(namedBy: ["http://127.0.0.1:8080/x"])
    let start = try #require(URL(string: "http://127.0.0.1:8080/x"))
    try rule.check(start)
    func refusal(_ text: String, from origin: URL? = nil) -> RedirectRule.Refusal? {
      guard let url = URL(string: text) else { return .malformed(text) }
      do throws(RedirectRule.Refusal) { try rule.check(url, from: origin) } catch { return error }
      return nil
    }
    #expect(refusal("http://93.184.216.34/") == .leavesEncryption(host: "93.184.216.34"))
    #expect(refusal("https://93.184.216.34/") == nil)
    #expect(refusal("https://192.168.1.1/") == .privateAddress(host: "192.168.1.1", address: "192.168.1.1"))
    #expect(refusal("https://localhost/", from: start) != nil)
    #expect(
      refusal("http://127.0.0.1:8080/", from: URL(string: "https://127.0.0.1/"))
        == .leavesEncryption(host: "127.0.0.1"))
    #expect(refusal("ftp://93.184.216.34/") == .scheme("ftp"))
    #expect(refusal("file:///etc/passwd") != nil)
    #expect(refusal("https://user:pass@93.184.216.34/") != nil)
  }
}
