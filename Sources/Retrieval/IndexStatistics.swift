import Foundation
import Persistence

/// The lengths of all passages and the document of each, by row; held in memory, 16 bytes a passage.
struct IndexStatistics {
  /// How many passages there are.
  var passageCount = 0
  /// The document of each row; 0 where there is none.
  var documents: [Int32] = []
  /// Each row's field lengths, divided by the field's mean.
  var title: [Float] = []
  var headings: [Float] = []
  var body: [Float] = []
  /// The mean length of a passage's text.
  var meanLength = 0.0

  init(database: Database) throws(DatabaseError) {
    let found = try database.rows("SELECT id, first_passage, field_lengths FROM documents WHERE passage_count > 0")
    {
      row throws(DatabaseError) in
      (id: Int32(clamping: row.int(0)), first: row.int(1), lengths: FieldLengths.decode(row.blob(2)))
    }
    let end = found.map { $0.first + $0.lengths.count }.max() ?? 0
    documents = Array(repeating: 0, count: end)
    title = Array(repeating: 0, count: end)
    headings = Array(repeating: 0, count: end)
    body = Array(repeating: 0, count: end)
    var sums = (title: 0.0, headings: 0.0, body: 0.0)
    for document in found {
      for (offset, length) in document.lengths.enumerated() {
        let row = document.first + offset
        documents[row] = document.id
        title[row] = Float(length.title)
        headings[row] = Float(length.headings)
        body[row] = Float(length.body)
        sums.title += Double(length.title)
        sums.headings += Double(length.headings)
        sums.body += Double(length.body)
      }
      passageCount += document.lengths.count
    }
    guard passageCount > 0 else { return }
    let count = Double(passageCount)
    let means = (max(sums.title / count, 1), max(sums.headings / count, 1), max(sums.body / count, 1))
    meanLength = means.2
    for row in 0..<end where documents[row] != 0 {
      title[row] /= Float(means.0)
      headings[row] /= Float(means.1)
      body[row] /= Float(means.2)
    }
  }
}
