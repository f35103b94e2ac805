import CPlatform
import Documents
import Glibc
import Reading

/// Reads a page of our own before the first foreign file, so that libraries, fonts and tables are in memory and each
/// child finds them there.
enum Rehearsal {
  static func run() {
    let descriptor = cp_memory_file("rehearsal")
    guard descriptor >= 0 else { return }
    defer { close(descriptor) }
    let bytes = Array(page.utf8)
    guard write(descriptor, bytes, bytes.count) == bytes.count else { return }
    // If it fails, the first file of each child is slower and nothing else.
    _ = try? DocumentReader.read(
      descriptor: descriptor, fileName: "rehearsal.pdf", password: nil, limits: .standard)
  }

  /// One line in a font that is not in the file, so that the font configuration is loaded.
  private static let page = """
    %PDF-1.4
    1 0 obj<</Type/Catalog/Pages 2 0 R>>endobj
    2 0 obj<</Type/Pages/Kids[3 0 R]/Count 1>>endobj
    3 0 obj<</Type/Page/Parent 2 0 R/MediaBox[0 0 200 200]/Contents 4 0 R/Resources<</Font<</F 5 0 R>>>>>>endobj
    4 0 obj<</Length 38>>stream
    BT /F 12 Tf 20 100 Td (Rehearsal) Tj ET
    endstream endobj
    5 0 obj<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>endobj
    trailer<</Root 1 0 R>>
    %%EOF
    """
}
