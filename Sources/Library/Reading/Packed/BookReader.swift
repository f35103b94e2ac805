import Documents

/// Reads EPUB: the chapters of the spine are pages, labelled from the table of contents.
struct BookReader {
  let limits: ReadingLimits

  func read(_ archive: inout ZipArchive) throws(ReadingFailure) -> ExtractedDocument {
    if archive.contains("META-INF/rights.xml") || archive.contains("META-INF/sinf.xml") {
      throw .unsupported(detail: "book with copy protection")
    }
    let package = try packagePath(&archive)
    guard let content = try archive.read(package) else { throw .damaged(detail: "no \(package)") }
    let book = try BookPackage(content, path: package)
    let labels = try self.labels(book, &archive)
    var flow = HTMLFlow(builder: PageBuilder(limits: limits))
    for path in book.spine where !flow.builder.isFull {
      guard let chapter = try archive.read(path) else { continue }
      let text = chapter.withUnsafeBytes { bytes in
        Result { () throws(ReadingFailure) in try DecodedText(bytes, limit: limits.characterCount) }
      }
      flow.builder.beginPage(label: labels[path])
      flow.forgetHeading()
      flow.read(try text.get().utf8)
      if labels[path] == nil, let heading = flow.firstHeading { flow.builder.labelPage(heading) }
    }
    return try flow.builder.document(.epub, title: book.title, author: book.author)
  }

  private func packagePath(_ archive: inout ZipArchive) throws(ReadingFailure) -> String {
    guard let content = try archive.read("META-INF/container.xml") else {
      throw .damaged(detail: "no META-INF/container.xml")
    }
    var scanner = try XMLScanner(content, part: "container.xml")
    while let token = try scanner.next() {
      if case .start(let element) = token, element.name == "rootfile", let path = element["full-path"] {
        return path
      }
    }
    throw .damaged(detail: "no package named in META-INF/container.xml")
  }

  /// Returns the titles that the table of contents gives to files.
  private func labels(_ book: BookPackage, _ archive: inout ZipArchive) throws(ReadingFailure) -> [String: String]
  {
    var labels: [String: String] = [:]
    func add(_ name: String, _ reference: String, _ folder: String) {
      let path = BookPackage.path(reference, from: folder)
      let name = LineText.collapsed(name)
      if !name.isEmpty, labels[path] == nil { labels[path] = name }
    }
    guard let path = book.contents, let content = try archive.read(path) else { return labels }
    let folder = BookPackage.folder(of: path)
    var tokenizer = HTMLTokenizer(content)
    var (name, reference, isName) = ("", String?.none, false)
    while let token = tokenizer.next() {
      switch token {
      case .start("text", _): (name, isName) = ("", true)
      case .end("text"): isName = false
      case .start("content", let attributes):
        if let source = attributes.first(where: { $0.name == "src" })?.value { add(name, source, folder) }
      case .start("a", let attributes):
        (name, reference, isName) = ("", attributes.first { $0.name == "href" }?.value, true)
      case .end("a"):
        if let reference { add(name, reference, folder) }
        (reference, isName) = (nil, false)
      case .text(let text): if isName { name += text }
      default: break
      }
    }
    return labels
  }
}

/// Package document of a book: its title, and its files in reading order (the spine).
private struct BookPackage {
  private(set) var title: String?
  private(set) var author: String?
  private(set) var spine: [String] = []
  /// Path of the table of contents.
  private(set) var contents: String?

  init(_ content: [UInt8], path: String) throws(ReadingFailure) {
    let folder = Self.folder(of: path)
    var scanner = try XMLScanner(content, part: path)
    var (files, current) = ([String: String](), "")
    while let token = try scanner.next() {
      switch token {
      case .start(let element):
        current = element.name
        if element.name == "item", let id = element["id"], let reference = element["href"] {
          files[id] = Self.path(reference, from: folder)
          let isContents = (element["properties"] ?? "").split(separator: " ").contains("nav")
          if isContents || (contents == nil && element["media-type"] == "application/x-dtbncx+xml") {
            contents = files[id]
          }
        } else if element.name == "itemref", let id = element["idref"], let file = files[id] {
          spine.append(file)
        }
      case .text(let text):
        if current == "title" { title = (title ?? "") + text }
        if current == "creator" { author = (author ?? "") + text }
      case .end:
        if current == "creator", author != nil { current = "" }
        current = ""
      }
    }
  }

  static func folder(of path: String) -> String { path.lastIndex(of: "/").map { String(path[...$0]) } ?? "" }

  /// Returns the path of a reference, without its fragment and with `%20` decoded.
  static func path(_ reference: String, from folder: String) -> String {
    var bytes: [UInt8] = []
    var rest = reference.utf8.prefix { $0 != UInt8(ascii: "#") }[...]
    while let byte = rest.first {
      rest = rest.dropFirst()
      if byte == UInt8(ascii: "%"), let value = UInt8(String(decoding: rest.prefix(2), as: UTF8.self), radix: 16) {
        bytes.append(value)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte)
      }
    }
    return OfficePackage.resolve(String(decoding: bytes, as: UTF8.self), from: folder)
  }
}
