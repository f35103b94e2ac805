import Foundation
import JSON
import ModelStore
import TextGeneration

/// Models on this machine and downloads on their way, for people and for programs.
package struct ModelsListing {
  private struct Item {
    let name: String
    let path: String
    let byteCount: Int
    let record: ModelRecord?

    var state: String {
      guard let record else { return "not checked" }
      switch record.presence {
      case .present: return record.isLinked ? "linked" : ""
      case .gone: return "gone"
      case .changed: return "changed since it came"
      }
    }
  }

  private let items: [Item]
  private let downloads: [DownloadRecord]
  private let attended: Set<Int64>
  /// Path of the model that answers; empty for none.
  package let chosen: String
  /// Folder of the models.
  package let folder: String

  /// Reads what there is.
  @MainActor
  package init(_ host: ModelHost) async throws {
    let store = try host.store()
    let records = try await store.models()
    let files = host.files()
    var items = files.map { file in
      Item(
        name: file.name, path: file.path, byteCount: file.byteCount,
        record: records.first { store.folder.appending(path: $0.name).path == file.path || $0.path == file.path })
    }
    items += records.filter { record in !items.contains { $0.record?.id == record.id } }.map {
      Item(name: $0.name, path: $0.path, byteCount: $0.byteCount, record: $0)
    }
    self.items = items.sorted { ($0.name, $0.path) < ($1.name, $1.path) }
    downloads = try await store.downloads().filter { $0.status != .completed && $0.status != .cancelled }
    attended = Set(downloads.filter { store.isAttended($0.id) }.map(\.id))
    chosen = try host.loadedModel?.description.path ?? host.settings.current().text("model.file")
    folder = store.folder.path
  }

  /// Name, size and state of each model.
  package var rows: [[String]] { items.map { [$0.name, $0.byteCount.memorySize, $0.state] } }

  /// A line for each download that is not over.
  package var downloadLines: [String] {
    downloads.map { DownloadLine.text($0, isAttended: attended.contains($0.id)) }
  }

  /// The listing as a document.
  package var json: JSON {
    .document(
      "models",
      [
        (
          "models",
          .array(
            items.map { item in
              .object(
                [
                  ("name", .string(item.name)), ("path", .string(item.path)), ("bytes", .int(item.byteCount)),
                  ("state", .string(item.record?.presence.rawValue ?? "unchecked")),
                ]
                  + (item.record.map {
                    [
                      ("sha256", .string($0.sha256)), ("linked", .bool($0.isLinked)),
                      ("source", .string($0.source)),
                    ]
                  } ?? []))
            })
        ),
        (
          "downloads",
          .array(downloads.map { .object(DownloadLine.members($0, isAttended: attended.contains($0.id))) })
        ),
        ("chosen", .optional(chosen.isEmpty ? nil : chosen)),
      ])
  }

  /// A model as an object.
  package static func json(_ model: ModelRecord, extra: [(String, JSON)] = []) -> JSON {
    .object(
      [
        ("name", .string(model.name)), ("path", .string(model.path)), ("bytes", .int(model.byteCount)),
        ("sha256", .string(model.sha256)), ("linked", .bool(model.isLinked)), ("source", .string(model.source)),
      ] + extra)
  }
}

/// A download as listings show it.
enum DownloadLine {
  static func text(_ download: DownloadRecord, isAttended: Bool) -> String {
    var text = "\(download.id)  \(download.file): \(status(download, isAttended: isAttended))"
    if download.total > 0 {
      text +=
        ", \(download.bytes.memorySize) of \(download.total.memorySize) "
        + "(\(download.bytes * 100 / max(1, download.total)) %)"
    }
    return text + (download.reason.map { ": " + ErrorSentence.describe(download: $0) } ?? "")
  }

  /// Status by the record, unless the process that should be at work is gone.
  static func status(_ download: DownloadRecord, isAttended: Bool) -> String {
    download.status.isActive && !isAttended
      ? "interrupted (`alcove models resume \(download.id)` goes on)" : download.status.rawValue
  }

  static func members(_ download: DownloadRecord, isAttended: Bool) -> [(String, JSON)] {
    [
      ("id", .int(Int(download.id))), ("url", .string(download.url)), ("file", .string(download.file)),
      ("model", .string(download.model)), ("title", .string(download.title)), ("bytes", .int(download.bytes)),
      ("total", .int(download.total)), ("status", .string(download.status.rawValue)),
      ("attended", .bool(isAttended)), ("started", .string(download.started.formatted(.iso8601))),
      ("completed", .optional(download.completed?.formatted(.iso8601))), ("path", .optional(download.path)),
      ("reason", .optional(download.reason.map(ErrorSentence.describe(download:)))),
      ("announced", .bool(download.isAnnounced)),
    ]
  }
}
