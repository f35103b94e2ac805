import Foundation
import ModelStore
import Platform
import TestSupport
import Testing

/// One installation of Alcove, and what it fetched.
struct FetchingHome {
  let folder: TemporaryFolder
  let environment: [String: String]

  init() throws {
    folder = try TemporaryFolder()
    environment = [
      "ALCOVE_HOME": folder.url.path, "ALCOVE_FETCH_STALL": "1", "ALCOVE_FETCH_FIRST_WAIT": "0.01",
      "ALCOVE_FETCH_ATTEMPTS": "3", "ALCOVE_FETCH_PATIENCE": "1",
    ]
  }

  var models: URL { folder.url.appending(path: "data/models") }
  func file(_ name: String = "model.gguf") -> [UInt8]? {
    (try? Data(contentsOf: models.appending(path: name))).map { Array($0) }
  }

  @discardableResult
  func run(_ arguments: String..., input: String = "") throws -> Programs.Outcome {
    try Programs.run("alcove", arguments, environment: environment, input: input)
  }

  /// The same, by the session that encrypted connections use: a proxy leads there too.
  func pullBySession(from server: HostileServer, hash: String) throws -> Programs.Outcome {
    try Programs.run(
      "alcove", ["models", "pull", server.address(), "--sha256", hash],
      environment: environment.merging(["http_proxy": "http://127.0.0.1:\(server.port)"]) { $1 })
  }
}

@Suite(.serialized) struct PullTests {
  /// Six blocks and a half.
  static let content: [UInt8] = {
    let size = 6_800_000
    guard let folder = try? TemporaryFolder(),
      let file = try? SampleModel.write("model.gguf", in: folder, byteCount: size),
      let data = try? Data(contentsOf: file)
    else { return [] }
    return Array(data)
  }()
  static var hash: String { content.withUnsafeBytes { SHA256.of($0).hexadecimal } }

  /// Behaviour towards one request in all; the others are served well.
  struct Case: Sendable, CustomTestStringConvertible {
    var testDescription: String
    var behave: @Sendable (HostileServer.Request) -> HostileServer.Behaviour
  }

  static let passing: [Case] = [
    Case(testDescription: "truncation", behave: { $0.number == 1 ? .truncate(after: 1_500_000) : .serve }),
    Case(
      testDescription: "truncation in the first block",
      behave: { $0.number == 0 ? .truncate(after: 1000) : .serve }),
    Case(testDescription: "reset", behave: { $0.number == 1 ? .reset(after: 2_100_000) : .serve }),
    Case(testDescription: "stall", behave: { $0.number == 1 ? .stall(after: 700_000) : .serve }),
    Case(testDescription: "wrong range", behave: { $0.number == 1 ? .otherRange(by: 1 << 20) : .serve }),
    Case(testDescription: "earlier range", behave: { $0.number == 1 ? .otherRange(by: -(1 << 20)) : .serve }),
    Case(testDescription: "announces too little", behave: { $0.number == 1 ? .wrongLength(by: -1000) : .serve }),
    Case(testDescription: "announces too much", behave: { $0.number == 1 ? .wrongLength(by: 1000) : .serve }),
    Case(
      testDescription: "416",
      behave: { $0.number == 1 ? .status(416, ["Content-Range": "bytes */6800000"]) : .serve }),
    Case(
      testDescription: "429 with Retry-After",
      behave: { $0.number < 2 ? .status(429, ["Retry-After": "0"]) : .serve }),
    Case(testDescription: "503", behave: { $0.number == 1 ? .status(503) : .serve }),
    Case(testDescription: "500 in HTML", behave: { $0.number == 0 ? .status(500, [:], body: "<html>") : .serve }),
    Case(testDescription: "hangs up", behave: { $0.number == 0 || $0.number == 2 ? .hangUp : .serve }),
    Case(testDescription: "ranges ignored", behave: { _ in .whole }),
    Case(
      testDescription: "ranges ignored, then cut off",
      behave: { $0.number == 0 ? .truncate(after: 3_000_000) : .whole }),
  ]

  private static func server(behavingAs hostile: Case) throws -> HostileServer {
    try HostileServer(content) { request in
      // 416 must name the size there is, or the content counts as changed.
      if case .status(416, _, _) = hostile.behave(request) {
        return .status(416, ["Content-Range": "bytes */\(content.count)"])
      }
      return hostile.behave(request)
    }
  }

  @Test(arguments: passing)
  func bringsTheRightFile(of hostile: Case) throws {
    let home = try FetchingHome()
    let server = try Self.server(behavingAs: hostile)
    let outcome = try home.run("models", "pull", server.address(), "--sha256", Self.hash)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(home.file() == Self.content)
    let list = try home.run("models", "verify")
    #expect(list.output.contains("sound"))
  }

  @Test(arguments: passing)
  func bringsTheRightFileBySession(of hostile: Case) throws {
    let home = try FetchingHome()
    let server = try Self.server(behavingAs: hostile)
    let outcome = try home.pullBySession(from: server, hash: Self.hash)
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(home.file() == Self.content)
    #expect(server.requests.allSatisfy { $0.path.hasPrefix("http://") })
  }

  @Test(arguments: failing)
  func failsClearlyBySession(with hostile: Case) throws {
    let home = try FetchingHome()
    let server = try HostileServer(Self.content, behave: hostile.behave)
    let outcome = try home.pullBySession(from: server, hash: Self.hash)
    #expect(outcome.exitCode != 0)
    #expect(outcome.errors.contains("model.gguf: "), "\(outcome.errors)")
    #expect(home.file() == nil)
  }

  /// A redirect that is not followed ends the download with its reason, and not the process.
  @Test(arguments: ["http://10.0.0.1/x", "http://example.com/x"])
  func refusedRedirectsBySessionSayWhy(target: String) throws {
    let home = try FetchingHome()
    let server = try HostileServer([]) { _ in .status(302, ["Location": target]) }
    let outcome = try home.pullBySession(from: server, hash: Self.hash)
    #expect(outcome.exitCode == 1)
    #expect(outcome.errors.contains("model.gguf: failed: the server redirects to "), "\(outcome.errors)")
    #expect(server.requests.count == 1)
  }

  @Test func redirectsAreFollowedAndChunksJoined() throws {
    let home = try FetchingHome()
    let target = try HostileServer(Self.content)
    let server = try HostileServer([]) { _ in
      .status(302, ["Location": "/elsewhere/model.gguf?x=1", "X-Linked-ETag": "\"\(Self.hash)\""])
    }
    // Round and round is an end too.
    let lost = try home.run("models", "pull", server.address())
    #expect(lost.exitCode == 1 && lost.errors.contains("redirects without end"), "\(lost.errors)")
    server.behave { _ in .status(307, ["Location": target.address()]) }
    #expect(try home.run("models", "pull", server.address()).exitCode == 0)
    #expect(home.file() == Self.content)
    let chunked = try HostileServer(Self.content) { _ in .chunked(pieces: 70_001) }
    let other = try FetchingHome()
    let outcome = try other.run("models", "pull", chunked.address())
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(other.file() == Self.content)
  }

  @Test(arguments: [
    "HTTP/1.1 20 OK\r\n\r\n", "HTTP/2 200\r\n\r\n", "hello\r\n\r\n", "HTTP/1.1 206 X\r\nno colon\r\n\r\n",
    "HTTP/1.1 206 X\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde",
    "HTTP/1.1 206 X\r\nContent-Range: bytes 0-4/6800000\r\nTransfer-Encoding: gzip\r\n\r\n",
    "HTTP/1.1 206 X\r\nContent-Range: bytes 0-1048575/6800000\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffffff\r\n",
    "HTTP/1.1 206 X\r\nContent-Range: bytes 0-1048575/6800000\r\nContent-Length: -4\r\n\r\n",
    "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", "\r\n\r\n", "\u{0}\u{1}\u{2}",
  ])
  func answersWithoutSenseAreClearFailures(answer: String) throws {
    let home = try FetchingHome()
    let server = try HostileServer(Self.content) { _ in .raw(answer) }
    let outcome = try home.run("models", "pull", server.address())
    #expect(outcome.exitCode == 1 && outcome.errors.contains("model.gguf: failed"), "\(outcome.errors)")
    #expect(home.file() == nil)
  }

  @Test func aPictureModelOfOneFileIsFetchedAndKnown() throws {
    let home = try FetchingHome()
    let header =
      #"{"model.diffusion_model.out.weight":{"dtype":"F16","shape":[1000000],"data_offsets":[0,2000000]}}"#
    var length = UInt64(header.utf8.count).littleEndian
    var content = withUnsafeBytes(of: &length) { Array($0) } + Array(header.utf8)
    content += [UInt8](repeating: 7, count: 2_000_000)
    let server = try HostileServer(content)
    let outcome = try home.run("models", "pull", server.address("sd.safetensors"))
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(home.file("sd.safetensors") == content)
    // Cut in its tensors, it is refused by its header alone.
    let short = try HostileServer(Array(content.dropLast(1000)))
    let refused = try home.run("models", "pull", short.address("short.safetensors"))
    #expect(refused.exitCode == 1 && refused.errors.contains("no sound model"), "\(refused.errors)")
  }

  static let failing: [Case] = [
    Case(testDescription: "404", behave: { _ in .status(404) }),
    Case(testDescription: "403", behave: { _ in .status(403) }),
    Case(testDescription: "503 for ever", behave: { _ in .status(503) }),
    Case(testDescription: "cut off for ever", behave: { _ in .truncate(after: 1000) }),
    Case(testDescription: "resets for ever", behave: { _ in .reset(after: 0) }),
    Case(testDescription: "stalls for ever", behave: { _ in .stall(after: 10) }),
    Case(testDescription: "hangs up for ever", behave: { _ in .hangUp }),
    Case(testDescription: "lies for ever", behave: { _ in .otherRange(by: 4096) }),
    Case(
      testDescription: "a page in HTML",
      behave: { _ in .status(200, ["Content-Type": "text/html"], body: "<!doctype html>") }),
    Case(
      testDescription: "a page in HTML that says it is a file",
      behave: { _ in
        .status(200, ["Content-Type": "application/octet-stream"], body: "<!doctype html><html>no</html>")
      }),
    Case(
      testDescription: "redirects to a private address",
      behave: { _ in .status(302, ["Location": "http://10.0.0.1/x"]) }),
    Case(
      testDescription: "redirects to plain http",
      behave: { _ in .status(302, ["Location": "http://example.com/x"]) }),
    Case(
      testDescription: "redirects to a file", behave: { _ in .status(302, ["Location": "file:///etc/passwd"]) }),
    Case(testDescription: "corrupt for ever", behave: { _ in .corrupt(at: 3_000_000) }),
    Case(testDescription: "packed", behave: { _ in .status(200, ["Content-Encoding": "gzip"], body: "x") }),
    Case(testDescription: "no content", behave: { _ in .status(200) }),
  ]

  @Test(arguments: failing)
  func failsClearly(with hostile: Case) throws {
    let home = try FetchingHome()
    let server = try HostileServer(Self.content, behave: hostile.behave)
    let outcome = try home.run("models", "pull", server.address(), "--sha256", Self.hash)
    #expect(outcome.exitCode != 0)
    #expect(outcome.errors.contains("model.gguf: "), "\(outcome.errors)")
    #expect(home.file() == nil)
    #expect(!(try home.run("models", "list", "--json").output.contains("\"status\":\"completed\"")))
  }

  @Test func aBlockThatCameWrongIsFoundWhenAskedForAgain() throws {
    let home = try FetchingHome()
    let server = try HostileServer(Self.content) { $0.number == 1 ? .corrupt(at: 3_000_000) : .serve }
    let first = try home.run("models", "pull", server.address(), "--sha256", Self.hash)
    #expect(first.exitCode != 0 && first.errors.contains("SHA-256"))
    #expect(home.file() == nil)
    let second = try home.run("models", "pull", server.address(), "--sha256", Self.hash)
    #expect(second.exitCode == 0, "\(second.errors)")
    #expect(home.file() == Self.content)
  }

  @Test func aContentThatChangesMidwayIsFetchedAnew() throws {
    let home = try FetchingHome()
    let other = try {
      let folder = try TemporaryFolder()
      return Array(
        try Data(contentsOf: SampleModel.write("model.gguf", in: folder, byteCount: 6_800_000, seed: 2)))
    }()
    let server = try HostileServer(Self.content)
    server.behave { $0.number == 1 ? .switchContent(to: other, tag: "\"two\"") : .serve }
    let outcome = try home.run("models", "pull", server.address())
    #expect(outcome.exitCode == 0, "\(outcome.errors)")
    #expect(home.file() == other)
  }

  @Test func nothingIsFetchedTwiceBeyondABlock() throws {
    let home = try FetchingHome()
    let server = try HostileServer(Self.content) { $0.number == 1 ? .truncate(after: 2_600_000) : .serve }
    #expect(try home.run("models", "pull", server.address()).exitCode == 0)
    #expect(server.sentByteCount < Self.content.count + BlockHashes.blockSize)
  }

  @Test func badBlocksAreRepairedAlone() throws {
    let home = try FetchingHome()
    let server = try HostileServer(Self.content)
    #expect(try home.run("models", "pull", server.address()).exitCode == 0)
    let sent = server.sentByteCount
    let handle = try FileHandle(forUpdating: home.models.appending(path: "model.gguf"))
    try handle.seek(toOffset: 2_500_000)
    try handle.write(contentsOf: Data(repeating: 0, count: 100))
    try handle.close()
    #expect(try home.run("models", "verify").exitCode == 4)
    let repaired = try home.run("models", "verify", "--repair")
    #expect(repaired.exitCode == 0, "\(repaired.errors)")
    #expect(home.file() == Self.content)
    #expect(server.sentByteCount == sent + BlockHashes.blockSize)
  }

  @Test func aModelBeyondAllMemoryIsRefusedByItsHeader() throws {
    let home = try FetchingHome()
    let root = try TemporaryFolder()
    try root.write("proc/meminfo", "MemTotal: 1000 kB\nMemAvailable: 1000 kB\n")
    let server = try HostileServer(Self.content)
    let environment = home.environment.merging(["ALCOVE_SYSTEM_ROOT": root.url.path]) { $1 }
    let outcome = try Programs.run("alcove", ["models", "pull", server.address()], environment: environment)
    #expect(outcome.exitCode == 7, "\(outcome.errors)")
    #expect(server.sentByteCount <= BlockHashes.blockSize)
    let forced = try Programs.run(
      "alcove", ["models", "pull", "--force", server.address()], environment: environment)
    #expect(forced.exitCode == 0, "\(forced.errors)")
  }

  @Test func theHubIsAskedAndBelieved() throws {
    let home = try FetchingHome()
    let server = try HostileServer(Self.content)
    let listing =
      #"[{"type":"file","path":"model-Q4_K_M.gguf","size":\#(Self.content.count),"lfs":{"oid":"\#(Self.hash)","size":\#(Self.content.count)}},{"type":"file","path":"../x.gguf","size":1},{"type":"file","path":"README.md","size":1}]"#
    let found = #"[{"id":"me/tiny-GGUF","downloads":7},{"id":"../../etc"}]"#
    server.behave { request in
      if request.path.hasPrefix("/api/models/me/tiny-GGUF/tree") { return .status(200, [:], body: listing) }
      if request.path.hasPrefix("/api/models?") { return .status(200, [:], body: found) }
      return request.path == "/me/tiny-GGUF/resolve/main/model-Q4_K_M.gguf" ? .serve : .status(404)
    }
    let environment = home.environment.merging(["HF_ENDPOINT": "http://127.0.0.1:\(server.port)"]) { $1 }
    let search = try Programs.run("alcove", ["models", "search", "tiny"], environment: environment)
    #expect(search.output.contains("model-Q4_K_M.gguf") && !search.output.contains("x.gguf\n"), "\(search.errors)")
    let pull = try Programs.run("alcove", ["models", "pull", "hf:me/tiny-GGUF"], environment: environment)
    #expect(pull.exitCode == 0, "\(pull.errors)")
    #expect(home.file("model-Q4_K_M.gguf") == Self.content)
  }

  /// Records of earlier versions hold words; those of this one hold facts.
  @Test func reasonsAreShownAsSentences() async throws {
    let home = try FetchingHome()
    try FileManager.default.createDirectory(at: home.models, withIntermediateDirectories: true)
    let store = try ModelStore(at: home.models)
    let coded = DownloadReason.server(.noSuchFile(status: 404)).coded
    let cut = String(coded.dropLast())
    let shown = [
      ("the server fell silent", "the server fell silent"), (cut, cut),
      (#"{"later":3}"#, #"{"later":3}"#), (coded, "the server has no such file (status 404)"),
      (DownloadReason.repair(model: "m", .notOpened(code: ENOENT)).coded, "m cannot be opened: No such file"),
    ]
    for (index, (reason, _)) in shown.enumerated() {
      let name = "model-\(index).gguf"
      let record = try await store.begin(DownloadRequest(url: "https://a.example/\(name)", file: name))
      try await store.progress(record.id, bytes: 0, total: 0, status: .paused, reason: reason)
    }
    let list = try home.run("models", "list").output
    for (_, sentence) in shown { #expect(list.contains(": " + sentence), "\(list)") }
    #expect(!list.contains(coded))
  }

  @Test func eventsNeverGoBackAndEndOnce() throws {
    let home = try FetchingHome()
    let server = try HostileServer(Self.content) { $0.number == 1 ? .reset(after: 1_200_000) : .serve }
    server.setPace(0.05)
    let outcome = try home.run("models", "pull", "--json", server.address())
    let events = outcome.output.split(separator: "\n").compactMap { DownloadEvent(line: $0) }
    #expect(events.count { $0.kind == .complete } == 1 && events.last?.kind == .complete)
    let bytes = events.map(\.bytes)
    #expect(bytes == bytes.sorted())
    #expect(events.last?.path == home.models.appending(path: "model.gguf").path)
  }
}
