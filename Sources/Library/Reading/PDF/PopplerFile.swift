import CGLib
import CPoppler
import Documents
import Glibc
import Synchronization

/// Open PDF.
struct PopplerFile: ~Copyable {
  let document: OpaquePointer
  let pageCount: Int

  /// Opens the file behind a descriptor, which is not closed.
  /// - Throws: `.encrypted`, `.wrongPassword`, or `.damaged` with what poppler says.
  init(descriptor: CInt, password: String?) throws(ReadingFailure) {
    PopplerLog.listen()
    let opened = try Self.open(descriptor, anyFormOf: password)
    document = opened
    pageCount = Int(poppler_document_get_n_pages(opened))
  }

  deinit { g_object_unref(UnsafeMutableRawPointer(document)) }

  private static func open(
    _ descriptor: CInt, anyFormOf password: String?
  ) throws(ReadingFailure) -> OpaquePointer {
    do throws(ReadingFailure) {
      return try open(descriptor, password: nil)
    } catch ReadingFailure.encrypted {
      guard let password else { throw .encrypted }
      for form in PasswordForms.all(of: password) {
        // Another encoding of the password may fit.
        if let document = try? open(descriptor, password: form) { return document }
      }
      throw .wrongPassword
    }
  }

  private static func open(_ descriptor: CInt, password: String?) throws(ReadingFailure) -> OpaquePointer {
    let own = dup(descriptor)  // poppler closes it
    guard own >= 0 else { throw .unreadable(detail: "no descriptor left") }
    lseek(own, 0, SEEK_SET)
    var error: UnsafeMutablePointer<GError>?
    if let document = poppler_document_new_from_fd(own, password, &error) { return document }
    defer { g_error_free(error) }
    guard let error else { throw .damaged(detail: "no document") }
    if error.pointee.code == Int32(bitPattern: POPPLER_ERROR_ENCRYPTED.rawValue) { throw .encrypted }
    throw .damaged(detail: String(cString: error.pointee.message))
  }

  /// Title that the file states.
  var title: String? {
    // Word processors store the name of their own file, or a placeholder.
    guard let title = Self.text(poppler_document_get_title(document)), !Self.isPlaceholder(title) else {
      return nil
    }
    return title.hasPrefix("Microsoft Word - ") ? String(title.dropFirst(17)) : title
  }

  /// Author that the file states.
  var author: String? {
    Self.text(poppler_document_get_author(document)).flatMap { Self.isPlaceholder($0) ? nil : $0 }
  }

  private static func isPlaceholder(_ text: String) -> Bool {
    ["untitled", "anonymous", "unknown", "title", "author", "user", "microsoft word - document1", "(anonymous)"]
      .contains(text.lowercased())
  }

  /// Takes ownership of a string that poppler allocated; nil where it is blank.
  static func text(_ pointer: UnsafeMutablePointer<CChar>?) -> String? {
    guard let pointer else { return nil }
    defer { g_free(pointer) }
    let text = LineText.clean(String(cString: pointer)).trimmed
    return text.isEmpty ? nil : text
  }
}

/// Counter of poppler's error messages: they alone tell a page without text from an unreadable one.
enum PopplerLog {
  private static let count = Atomic<Int>(0)

  /// Number of errors that poppler has reported since the process began.
  static var errorCount: Int { count.load(ordering: .relaxed) }

  /// Redirects poppler's messages from standard error to the counter.
  static func listen() {
    _ = handler
  }

  private static let handler: guint = g_log_set_handler(
    "Poppler", GLogLevelFlags(rawValue: ~0),
    { _, _, _, _ in PopplerLog.count.add(1, ordering: .relaxed) }, nil)
}

/// Encodings in which programs have turned a typed password into the bytes that encrypt a PDF.
enum PasswordForms {
  /// Returns the encodings to try, the most likely first. Poppler narrows its input to Latin-1 where it can; each
  /// encoding is therefore widened first, so that exactly its bytes arrive.
  static func all(of password: String) -> [String] {
    var forms: [[UInt8]] = []
    for text in [password, normalised(password, G_NORMALIZE_NFC), prepared(password)] {
      if text.unicodeScalars.allSatisfy({ $0.value < 256 }) {
        forms.append(text.unicodeScalars.map { UInt8(truncatingIfNeeded: $0.value) })
      }
      forms.append(Array(text.utf8))
    }
    var distinct: [[UInt8]] = []
    for form in forms where !distinct.contains(form) && !form.contains(0) { distinct.append(form) }
    return distinct.map { form in
      var widened = String.UnicodeScalarView()
      for byte in form { widened.append(Unicode.Scalar(byte)) }
      return String(widened)
    }
  }

  /// Applies SASLprep (RFC 4013) as far as a typed password needs it: spaces are unified, characters commonly mapped
  /// to nothing are removed, then NFKC.
  static func prepared(_ password: String) -> String {
    var kept = String.UnicodeScalarView()
    for scalar in password.unicodeScalars {
      switch scalar.value {
      case 0xA0, 0x1680, 0x2000...0x200A, 0x202F, 0x205F, 0x3000: kept.append(" ")
      case 0xAD, 0x34F, 0x1806, 0x180B...0x180D, 0x200B...0x200D, 0x2060, 0xFE00...0xFE0F, 0xFEFF: break
      default: kept.append(scalar)
      }
    }
    return normalised(String(kept), G_NORMALIZE_NFKC)
  }

  private static func normalised(_ text: String, _ mode: GNormalizeMode) -> String {
    guard let result = g_utf8_normalize(text, -1, mode) else { return text }
    defer { g_free(result) }
    return String(cString: result)
  }
}
