import Foundation
import Persistence

/// State of a download.
package enum DownloadStatus: String, Sendable, Codable, CaseIterable {
  case queued, running, paused
  case waitingForNetwork = "waiting-for-network"
  case verifying, completed, failed, cancelled

  /// Indicates whether it goes on by itself.
  package var isActive: Bool { [.queued, .running, .waitingForNetwork, .verifying].contains(self) }
  /// Indicates whether it is over.
  package var isOver: Bool { [.completed, .failed, .cancelled].contains(self) }
}

/// Wish of the user for a download that runs in another process.
package enum DownloadWish: String, Sendable, Codable {
  case run, pause, cancel
}

/// One download, as it is remembered.
package struct DownloadRecord: Sendable, Equatable {
  /// Number of the download.
  package var id: Int64
  /// The address as it was asked for.
  package var url: String
  /// The name of the file among the models.
  package var file: String
  /// The catalogue's or repository's name of the model.
  package var model: String
  /// The model's name for people.
  package var title: String
  /// The SHA-256 it must have, in hexadecimal; empty where nobody knows.
  package var sha256: String
  /// The size of the whole; 0 while it is not known.
  package var total: Int
  /// Bytes that are here and checked. Never less than before.
  package var bytes: Int
  /// State of the download.
  package var status: DownloadStatus
  /// Wish of the user for it.
  package var wish: DownloadWish
  /// Time at which it was asked for.
  package var started: Date
  /// Time at which it ended.
  package var completed: Date?
  /// Path of the file, once it is complete.
  package var path: String?
  /// Reason for its failure or pause.
  package var reason: String?
  /// Indicates whether its end was told to the user.
  package var isAnnounced: Bool
  /// Indicates whether it may be loaded although it seems not to fit.
  package var isForced: Bool
  /// Indicates whether every block is to be fetched again and compared: its whole had the wrong hash.
  package var comparesBlocks: Bool
  /// Indicates whether it was to go on by itself, without anybody who waits for it.
  package var isBackground: Bool

  init(_ row: Row) throws(DatabaseError) {
    id = Int64(row.int(0))
    url = row.text(1)
    file = row.text(2)
    model = row.text(3)
    title = row.text(4)
    sha256 = row.text(5)
    total = row.int(6)
    bytes = row.int(7)
    guard let status = DownloadStatus(rawValue: row.text(8)) else {
      throw .malformed(column: "status", value: row.text(8))
    }
    self.status = status
    wish = DownloadWish(rawValue: row.text(9)) ?? .run
    started = Date(timeIntervalSince1970: row.double(10))
    completed = row.isNull(11) ? nil : Date(timeIntervalSince1970: row.double(11))
    path = row.isNull(12) ? nil : row.text(12)
    reason = row.isNull(13) ? nil : row.text(13)
    isAnnounced = row.int(14) != 0
    isForced = row.int(15) != 0
    comparesBlocks = row.int(16) != 0
    isBackground = row.int(17) != 0
  }

  static let columns = """
    id, url, file, model, title, sha256, total, bytes, status, wish, started, completed, path, reason, is_announced, \
    is_forced, compares_blocks, is_background
    """
}

/// Request for a download.
package struct DownloadRequest: Sendable, Equatable {
  /// The address.
  package var url: String
  /// The name of the file among the models.
  package var file: String
  /// The catalogue's or repository's name of the model.
  package var model: String
  /// The model's name for people.
  package var title: String
  /// The SHA-256 it must have; empty where nobody knows.
  package var sha256: String
  /// The size of the whole, or 0.
  package var total: Int
  /// Indicates whether it is fetched although it seems not to fit the memory.
  package var isForced: Bool

  /// Makes a request.
  package init(
    url: String, file: String, model: String = "", title: String = "", sha256: String = "", total: Int = 0,
    isForced: Bool = false
  ) {
    self.url = url
    self.file = file
    self.model = model
    self.title = title
    self.sha256 = sha256
    self.total = total
    self.isForced = isForced
  }
}
