import Foundation

/// A folder of its own for one test, removed when the last reference goes.
public final class TemporaryFolder: Sendable {
  /// Address of the folder.
  public let url: URL

  /// Creates an empty folder that only this user may enter.
  public init() throws {
    url = FileManager.default.temporaryDirectory.appending(path: "alcove-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: url, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  deinit {
    // A leftover temporary folder harms nothing.
    try? FileManager.default.removeItem(at: url)
  }

  /// Writes a file below the folder and returns its place.
  @discardableResult
  public func write(_ name: String, _ contents: some DataProtocol) throws -> URL {
    let file = url.appending(path: name)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(contents).write(to: file)
    return file
  }

  /// Writes a text file below the folder and returns its place.
  @discardableResult
  public func write(_ name: String, _ text: String) throws -> URL { try write(name, Data(text.utf8)) }
}
