import Foundation

/// The reference data that lies next to a checkout, in `../shared/data`.
public enum SharedData {
  /// The folder, or nil where it is absent: tests that need it are then skipped with a reason.
  public static let folder: URL? = {
    let checkout = URL(filePath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
      .deletingLastPathComponent()
    let folder = checkout.appending(path: "../shared/data").standardizedFileURL
    return FileManager.default.fileExists(atPath: folder.path) ? folder : nil
  }()

  /// Indicates whether the reference data is there, for `.enabled(if:)`.
  public static var isPresent: Bool { folder != nil }

  /// The place of one reference file; call it only where ``isPresent`` holds.
  public static func file(_ path: String) -> URL {
    guard let folder else {
      preconditionFailure("reference data is absent; enable the test by SharedData.isPresent")
    }
    return folder.appending(path: path)
  }
}
