import Foundation
import Persistence

/// Reason for which a download waits, pauses or failed, as the download process hands it over: facts, for which others
/// find the words.
///
/// Records and events keep it as one text. Records of earlier versions hold words there.
package enum DownloadReason: Error, Sendable, Equatable, Codable {
  // MARK: Waits and pauses

  /// The user paused it.
  case paused
  /// The program that started it has ended.
  case starterEnded
  /// The blocks that an earlier run left are being checked.
  case checking
  /// Another process is fetching the same file.
  case busy

  // MARK: The other end

  /// Text that is no address.
  case badAddress
  /// Address that may not be opened.
  case refusedAddress(RedirectRule.Refusal)
  /// Connection that was not made or broke.
  case connection(ConnectionFault)
  /// Answer that cannot be used.
  case server(ServerFault)
  /// Question to the hub without an answer.
  case hub(HubFault)

  // MARK: The file

  /// The file is no model.
  case notAModel(ModelFileFault)
  /// The header of the file does not end.
  case endlessHeader
  /// The model needs more bytes than the machine's memory has.
  case doesNotFit(needed: Int, memory: Int)
  /// The whole has another SHA-256 than expected; `isSecond`: even after every block was fetched again and compared.
  case otherHash(found: String, expected: String, isSecond: Bool)
  /// Blocks are missing at the end.
  case blocksMissing
  /// A file of that name came into the folder of models meanwhile.
  case nameTaken(String)
  /// A model's bad blocks cannot be fetched again.
  case repair(model: String, RepairFault)

  // MARK: This machine

  /// The disk is full; `missing` is a number of bytes.
  case diskFull(missing: Int)
  /// The file cannot be written; `code` is the system's error number.
  case notWritten(code: Int32)
  /// The bytes that came cannot be read back from the disk.
  case notReadBack
  /// No record has this number.
  case noDownload(Int64)
  /// Another error of the models on this machine.
  case store(ModelStoreError)

  /// Makes the reason of an error of the models on this machine.
  package init(_ error: ModelStoreError) {
    switch error {
    case .file(_, _, let code): self = .disk(code, missing: Self.leastMissing)
    case .diskFull(let missing, _): self = .diskFull(missing: missing)
    case .database(let error) where error.isFull: self = .diskFull(missing: Self.leastMissing)
    case .notAModel(_, let fault): self = .notAModel(fault)
    default: self = .store(error)
    }
  }

  /// Makes the reason of a write that failed.
  /// - Parameters:
  ///   - code: the system's error number.
  ///   - missing: the number of bytes that were to be written.
  package static func disk(_ code: Int32, missing: Int = leastMissing) -> DownloadReason {
    code == ENOSPC || code == EDQUOT ? .diskFull(missing: missing) : .notWritten(code: code)
  }

  /// Bytes that a full disk lacks where the number is not known: one page.
  package static let leastMissing = 4096

  /// The reason as records and events keep it.
  package var coded: String {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
    // Plain values always encode.
    return (try? encoder.encode(self)).map { String(decoding: $0, as: UTF8.self) } ?? ""
  }

  /// Reads what ``coded`` gave; nil where the text is words, cut off, or of another version.
  package init?(coded: String) {
    guard coded.hasPrefix("{"), let reason = try? JSONDecoder().decode(DownloadReason.self, from: Data(coded.utf8))
    else { return nil }
    self = reason
  }
}

/// Fault of a connection to a server.
package enum ConnectionFault: Sendable, Equatable, Codable {
  /// Host without an address.
  case noAddress
  /// Server that cannot be reached; there may be no network.
  case unreachable
  /// Certificate that is not valid.
  case badCertificate
  /// More redirects than are followed.
  case endlessRedirects
  /// Connection that broke.
  case broken
  /// Failure for which the system's library has only words.
  case failed(detail: String)
  /// Connection that the server closed before the announced bytes.
  case closedEarly
  /// Answer that is not valid HTTP.
  case notHTTP
  /// Bytes beyond the announced number.
  case sentMore
  /// Time without a byte beyond the limit, after the beginning of an answer.
  case stalled
  /// Time without a byte beyond the limit, before an answer.
  case silent
  /// Exchange that ended without an answer.
  case noAnswer
}

/// Fault of a server's answer to a request for a file.
package enum ServerFault: Sendable, Equatable, Codable {
  /// File compressed on the way, which was not asked for.
  case compressed(coding: String)
  /// Web page instead of the file.
  case webPage
  /// File that is neither GGUF nor safetensors.
  case otherFormat
  /// Access refused, with an HTTP status.
  case accessRefused(status: Int)
  /// No such file, with an HTTP status.
  case noSuchFile(status: Int)
  /// Another HTTP status.
  case status(Int)
  /// Part of the file of which the server does not say which it is.
  case unknownRange
  /// Bytes `first..<end` instead of those asked for.
  case otherRange(first: Int, end: Int)
  /// Announcement of another number of bytes than the part has.
  case otherLength(announced: Int, expected: Int)
  /// File of unknown size.
  case unknownSize
  /// File that ends before the bytes asked for.
  case shorter
  /// File of another size than promised, in bytes.
  case otherSize(found: Int, expected: Int)
  /// Content that became another one again and again.
  case keepsChanging
}

/// Fault of a question to the hub.
package enum HubFault: Sendable, Equatable, Codable {
  /// Text that is not owner and name.
  case notARepository(String)
  /// Text that is no address.
  case badAddress(String)
  /// Answer that cannot be read.
  case unreadable
  /// No answer.
  case silent
  /// HTTP status.
  case status(Int)
  /// Unknown repository.
  case noSuchRepository
}

/// Fault of a repair of a model's file.
package enum RepairFault: Sendable, Equatable, Codable {
  /// Unknown model.
  case noModel
  /// Model without an address to repair it from.
  case notDownloaded
  /// File that cannot be opened; `code` is the system's error number.
  case notOpened(code: Int32)
  /// Repair by another process.
  case busy
  /// Blocks of unknown hashes.
  case unknownHashes
  /// Content that became another one since the download.
  case changed
  /// Block that comes with another hash than at first.
  case otherBlock(Int)
}
