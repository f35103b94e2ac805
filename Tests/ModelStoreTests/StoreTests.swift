import Foundation
import ModelFormats
import ModelStore
import TestSupport
import Testing

@Suite struct CatalogueTests {
  private static let file = URL(filePath: #filePath).deletingLastPathComponent().appending(
    path: "../../Config/catalog.json"
  )
  .standardizedFileURL

  @Test func theCatalogueIsSound() throws {
    let catalogue = try Catalogue(Self.file)
    #expect(catalogue.entries.count >= 20)
    #expect(Set(catalogue.entries.map(\.name)).count == catalogue.entries.count)
    for entry in catalogue.entries {
      #expect(Hub.isRepository(entry.repository))
      #expect(entry.kind == .diffusion || entry.shape != nil)
      for file in entry.files {
        #expect(file.sha256.map(Hub.isHash) ?? true)
        // Known sizes agree with what is estimated from the shape.
        if let bytes = file.bytes, entry.kind != .diffusion {
          var unknown = file
          unknown.bytes = nil
          let ratio = Double(entry.byteCount(of: unknown)) / Double(bytes)
          #expect((0.97...1.03).contains(ratio), "\(entry.name) \(file.quantization): \(ratio)")
        }
      }
    }
  }

  /// The numbers of an entry go together: its shape makes its number of weights.
  @Test func shapesMakeTheNumberOfWeights() throws {
    for entry in try Catalogue(Self.file).entries {
      guard let shape = entry.shape else { continue }
      let attention = 2 * shape.width * shape.headLength * (shape.heads + shape.keyValueHeads)
      let matrices = entry.family == "bert" ? 2 : 3
      let layer = attention + matrices * shape.width * shape.innerWidth
      let ends = shape.vocabulary * shape.width
      let body = shape.layers * layer
      let closest =
        [body + ends, body + 2 * ends].map { abs(Double($0) / Double(entry.parameters) - 1) }.min() ?? 1
      #expect(closest < 0.02, "\(entry.name): \(closest)")
      for file in entry.files {
        let (short, long) = (entry.memory(of: file, context: 4096), entry.memory(of: file, context: 16_384))
        #expect(short > entry.byteCount(of: file) && long >= short, "\(entry.name)")
        // Keys and values of the positions between are what the longer context costs.
        let positions = min(16_384, entry.context) - min(4096, entry.context)
        let perPosition = 4 * shape.layers * shape.keyValueHeads * shape.headLength
        if entry.kind == .text { #expect(long - short >= positions * perPosition, "\(entry.name)") }
      }
    }
  }

  @Test func recommendsByMemory() throws {
    let catalogue = try Catalogue(Self.file)
    func recommended(_ gibibytes: Int) -> Catalogue.Choice? {
      catalogue.choices(memory: MachineMemory(total: gibibytes << 30, available: gibibytes << 30)).first {
        $0.isRecommended
      }
    }
    let sizes = [2, 6, 10, 24].compactMap { recommended($0)?.entry.parameters }
    #expect(sizes == sizes.sorted() && sizes.count == 4)
    #expect(try #require(recommended(6)).entry.parameters <= 3_300_000_000)
    #expect(
      catalogue.choices(memory: MachineMemory(total: 1 << 20, available: 1 << 20)).allSatisfy {
        $0.verdict == .doesNotFit
      })
  }

  @Test func aUserChangesAndAddsEntries() throws {
    let folder = try TemporaryFolder()
    var entry = try #require(try Catalogue(Self.file).entries.first)
    entry.title = "mine"
    var other = entry
    other.name = "another"
    struct Document: Encodable {
      var version = 1
      var models: [CatalogueEntry]
    }
    let user = try folder.write("catalog.json", JSONEncoder().encode(Document(models: [entry, other])))
    let catalogue = try Catalogue(Self.file, user: user)
    #expect(catalogue.entry(entry.name)?.title == "mine")
    #expect(catalogue.entry("ANOTHER:q4_k_m") != nil)
  }

  @Test(arguments: [
    ("qwen2.5-3b-instruct-q4_k_m.gguf", "Q4_K_M"), ("Llama-3.2-1B-Instruct-Q8_0.gguf", "Q8_0"),
    ("x.IQ4_XS.gguf", "IQ4_XS"),
    ("model-f16.gguf", "F16"), ("model.gguf", nil), ("bf16-model.gguf", "BF16"),
  ])
  func findsQuantizations(name: String, expected: String?) { #expect(QuantizationName.find(in: name) == expected) }
}

@Suite struct ModelStoreTests {
  @Test func linksCopiesNamesDuplicatesAndRemoves() async throws {
    let (outside, home) = (try TemporaryFolder(), try TemporaryFolder())
    let source = try SampleModel.write("a.gguf", in: outside, byteCount: 3_000_000)
    let store = try ModelStore(at: home.url.appending(path: "models"))
    guard case .added(let linked) = try await ModelImport.take(source.path, copies: false, into: store).first
    else {
      Issue.record("not added")
      return
    }
    #expect(linked.isLinked && linked.presence == .present)
    #expect(
      try await ModelImport.take(source.path, as: "b.gguf", copies: true, into: store) == [.duplicate(linked)])
    #expect(try await store.remove(linked) == 0)
    #expect(FileManager.default.fileExists(atPath: source.path))
    guard case .added(let copied) = try await ModelImport.take(source.path, copies: true, into: store).first else {
      Issue.record("not added")
      return
    }
    #expect(copied.sha256 == linked.sha256 && !copied.isLinked)
    #expect(try await store.remove(copied) == copied.byteCount)
    #expect(!FileManager.default.fileExists(atPath: copied.path))
  }

  @Test func reportsFilesThatAreGoneOrChanged() async throws {
    let (outside, home) = (try TemporaryFolder(), try TemporaryFolder())
    let source = try SampleModel.write("a.gguf", in: outside, byteCount: 3_000_000)
    let store = try ModelStore(at: home.url.appending(path: "models"))
    _ = try await ModelImport.take(source.path, copies: false, into: store)
    let before = try await store.blocks(of: 1)
    let handle = try FileHandle(forUpdating: source)
    try handle.seek(toOffset: 1_500_000)
    try handle.write(contentsOf: Data([1, 2, 3, 4]))
    try handle.close()
    #expect(try await store.models().first?.presence == .changed)
    #expect(BlockHashes.differences(before, try BlockHashes.read(source.path).blocks) == [1])
    try FileManager.default.removeItem(at: source)
    #expect(try await store.models().first?.presence == .gone)
  }

  @Test(arguments: ["<!DOCTYPE html><html>", "", "\u{FEFF} <html>", "something else entirely", "GGUF"])
  func refusesWhatIsNoModel(text: String) async throws {
    let (outside, home) = (try TemporaryFolder(), try TemporaryFolder())
    let file = try outside.write("a.gguf", text)
    let store = try ModelStore(at: home.url.appending(path: "models"))
    await #expect(throws: ModelStoreError.self) {
      try await ModelImport.take(file.path, copies: true, into: store)
    }
    #expect(try await store.models().isEmpty)
  }

  @Test func manyThatBeginOneDownloadShareIt() async throws {
    let home = try TemporaryFolder()
    let folder = home.url.appending(path: "models")
    try await withThrowingTaskGroup(of: Int64.self) { group in
      for _ in 0..<16 {
        group.addTask {
          try await ModelStore(at: folder).begin(DownloadRequest(url: "https://x/a.gguf", file: "a.gguf")).id
        }
      }
      for try await id in group { #expect(id == 1) }
    }
  }

  @Test func aDownloadIsToldOnceAndNeverGoesBack() async throws {
    let home = try TemporaryFolder()
    let store = try ModelStore(at: home.url.appending(path: "models"))
    let record = try await store.begin(DownloadRequest(url: "https://x/a.gguf", file: "a.gguf"))
    #expect(try await store.begin(DownloadRequest(url: "https://x/a.gguf", file: "a.gguf")).id == record.id)
    await #expect(throws: ModelStoreError.busy(name: "a.gguf")) {
      try await store.begin(DownloadRequest(url: "https://y/a.gguf", file: "a.gguf"))
    }
    try await store.progress(record.id, bytes: 50, total: 100, status: .running)
    try await store.progress(record.id, bytes: 30, total: 100, status: .running)
    #expect(try await store.download(record.id)?.bytes == 50)
    #expect(try await store.takeAnnouncements().isEmpty)
    try await store.end(record.id, status: .completed, path: "/x")
    #expect(try await store.takeAnnouncements().map(\.id) == [record.id])
    #expect(try await store.takeAnnouncements().isEmpty)
    #expect(try await store.download(record.id)?.bytes == 100)
  }

  @Test func blockListsSurviveAndAreNotTakenForOthers() throws {
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "1.blocks").path
    let about = Representation(total: 3 << 20, tag: "\"t\"", modified: "Sun")
    var list = try BlockList(at: path, about)
    let hash = [UInt8](repeating: 7, count: 32)
    try list.add(1, hash: hash)
    let again = try #require(BlockList(at: path))
    #expect(again.representation == about)
    #expect((0..<3).map(again.has) == [false, true, false])
    #expect(again.hash(of: 1) == hash)
    // Cut off anywhere it is no list any more.
    let bytes = try Data(contentsOf: URL(filePath: path))
    for length in [0, 1, 15, 100, 511, 512, bytes.count - 1] {
      let cut = try folder.write("cut", bytes.prefix(length))
      #expect(BlockList(at: cut.path) == nil)
    }
  }

  @Test(
    arguments: [
      .webPage, .empty, .header(.inFile(path: "/x", .badSplit(path: "/y", reason: .count(expected: 2, found: 3)))),
      .header(.wrongType(key: "k", expected: "integer", found: .string)),
      .tensors(.badShape(tensor: "t", shape: [1, -1])), .tensors(.overlappingTensors("a", "b")),
    ] as [ModelFileFault])
  func reasonsOfDownloadsAreHandedOver(fault: ModelFileFault) {
    let reason = DownloadReason.notAModel(fault)
    #expect(DownloadReason(coded: reason.coded) == reason)
    #expect(DownloadReason(coded: "the connection broke") == nil && DownloadReason(coded: "{") == nil)
    // Cut off or foreign, it is text.
    #expect(DownloadReason(coded: String(reason.coded.dropLast())) == nil)
    #expect(DownloadReason(coded: #"{"later":{"seconds":3}}"#) == nil && DownloadReason(coded: "{}") == nil)
    var event = DownloadEvent(.error)
    event.reason = reason.coded
    #expect(DownloadEvent(line: event.line) == event)
  }

  @Test(
    arguments: [
      .paused, .busy, .refusedAddress(.privateAddress(host: "a.example", address: "10.0.0.1")),
      .connection(.failed(detail: "a \"quote\"\nand a line")), .server(.otherSize(found: 1, expected: 2)),
      .server(.compressed(coding: "gzip")), .hub(.status(500)), .doesNotFit(needed: 3, memory: 2),
      .otherHash(found: "a", expected: "b", isSecond: true), .repair(model: "m.gguf", .notOpened(code: ENOENT)),
      .diskFull(missing: 4096), .store(.unknown(name: "m.gguf")),
      .store(.badAddress("x", fault: .empty)), .store(.catalogue(path: "/c", fault: .unknownVersion(2))),
    ] as [DownloadReason])
  func factsOfReasonsAreKept(reason: DownloadReason) {
    #expect(DownloadReason(coded: reason.coded) == reason)
  }

  @Test func anUnreadableDatabaseIsHandedOver() throws {
    let folder = try TemporaryFolder()
    try folder.write("models.db", String(repeating: "no database", count: 1000))
    let error = try #require(throws: ModelStoreError.self) { _ = try ModelStore(at: folder.url) }
    guard case .database = error else {
      Issue.record("\(error)")
      return
    }
    let reason = DownloadReason(error)
    #expect(reason == .store(error) && DownloadReason(coded: reason.coded) == reason)
  }

  @Test func aFullDiskIsToldFromOtherErrors() {
    #expect(DownloadReason(.file(path: "/x", call: "write", code: ENOSPC)) == .diskFull(missing: 4096))
    #expect(DownloadReason(.file(path: "/x", call: "write", code: EROFS)) == .notWritten(code: EROFS))
    #expect(DownloadReason(.diskFull(missing: 7, path: "/x")) == .diskFull(missing: 7))
    #expect(DownloadReason.disk(EDQUOT, missing: 9) == .diskFull(missing: 9))
    #expect(DownloadReason(.notAModel(path: "/x", fault: .empty)) == .notAModel(.empty))
    #expect(DownloadReason(.unknown(name: "x")) == .store(.unknown(name: "x")))
  }
}
