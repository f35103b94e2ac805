/// Writes small PDFs for the tests.
enum PDFSample {
  /// A document with a page for each content stream, in Helvetica, on Letter paper.
  static func document(_ contents: [String], resources: String = "", objects: [String] = []) -> [UInt8] {
    let first = 4 + objects.count
    var all = ["<</Type/Catalog/Pages 2 0 R>>"]
    let kids = contents.indices.map { "\(first + $0 * 2) 0 R" }.joined(separator: " ")
    all.append("<</Type/Pages/Kids[\(kids)]/Count \(contents.count)>>")
    all.append("<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>")
    all += objects
    for (index, content) in contents.enumerated() {
      all.append(
        "<</Type/Page/Parent 2 0 R/MediaBox[0 0 612 792]/Contents \(first + index * 2 + 1) 0 R"
          + "/Resources<</Font<</F1 3 0 R>>\(resources)>>>>")
      all.append("<</Length \(content.utf8.count)>>\nstream\n\(content)\nendstream")
    }
    var (file, offsets) = ("%PDF-1.4\n", [Int]())
    for (index, object) in all.enumerated() {
      offsets.append(file.utf8.count)
      file += "\(index + 1) 0 obj\n\(object)\nendobj\n"
    }
    let start = file.utf8.count
    file += "xref\n0 \(all.count + 1)\n0000000000 65535 f \n"
    for offset in offsets { file += String("0000000000\(offset)".suffix(10)) + " 00000 n \n" }
    file += "trailer<</Size \(all.count + 1)/Root 1 0 R>>\nstartxref\n\(start)\n%%EOF"
    return Array(file.utf8)
  }

  /// A line of text.
  static func text(_ text: String, _ x: Double, _ y: Double, size: Double = 12, mode: String = "0 g 0 Tr")
    -> String
  {
    "BT \(mode) /F1 \(size) Tf \(x) \(y) Td (\(text)) Tj ET\n"
  }
}
