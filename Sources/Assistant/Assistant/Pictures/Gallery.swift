import Foundation
import Images
import Persistence
import Platform
import Threading

/// Pictures that were made: files that hold their parameters, and a table of them.
///
/// The files decide: a picture without an entry gets one, an entry without a file is removed.
package actor Gallery {
  private let thread = DedicatedThread(name: "gallery")
  /// Executor of its own thread.
  package nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Folder of the files.
  package nonisolated let folder: URL
  private let store: StateStore

  /// Creates a gallery over a folder, which is made when the first picture comes.
  package init(folder: URL, store: StateStore) {
    self.folder = folder
    self.store = store
  }

  /// The pictures, oldest first.
  package func pictures() async throws -> [StoredPicture] {
    let known = try await store.storedPictures()
    let files = Set(fileNames())
    let gone = known.filter { !files.contains($0.file) }.map(\.id)
    if !gone.isEmpty { try await store.removePictures(gone) }
    let missing = files.subtracting(known.map(\.file)).compactMap(rediscovered).sorted {
      ($0.created, $0.file) < ($1.created, $1.file)
    }
    for picture in missing {
      _ = try await store.addPicture(
        file: picture.file, session: nil, created: picture.created, prompt: picture.prompt, width: picture.width,
        height: picture.height, seed: picture.seed, model: picture.model)
    }
    return gone.isEmpty && missing.isEmpty ? known : try await store.storedPictures()
  }

  /// One picture.
  /// - Throws: ``GalleryError/noPicture(_:)``.
  package func picture(_ id: Int) async throws -> StoredPicture {
    guard let found = try await pictures().first(where: { $0.id == id }) else { throw GalleryError.noPicture(id) }
    return found
  }

  /// The bytes of a picture's file.
  package func bytes(of picture: StoredPicture) throws(ImageError) -> [UInt8] {
    try PNGFile.read(path(of: picture))
  }

  /// The path of a picture's file.
  package nonisolated func path(of picture: StoredPicture) -> String { folder.appending(path: picture.file).path }

  /// Stores a picture: the file first, then its entry; neither stays without the other.
  package func add(_ made: GeneratedImage, session: Int?) async throws -> StoredPicture {
    let bytes = try PNGFile.encode(made.image, parameters: made.parameters)
    do {
      try FileManager.default.createDirectory(
        at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw ImageError.notWritten(path: folder.path, reason: (error as NSError).localizedDescription)
    }
    let file = UUID().uuidString.lowercased() + ".png"
    let path = folder.appending(path: file).path
    try PNGFile.write(bytes, to: path, replacing: false)
    // Rounded to the precision at which the table stores it.
    let created = Date(timeIntervalSince1970: Date().timeIntervalSince1970)
    let parameters = made.parameters
    do {
      let id = try await store.addPicture(
        file: file, session: session, created: created, prompt: parameters.prompt, width: made.image.width,
        height: made.image.height, seed: parameters.seed, model: parameters.model)
      return StoredPicture(
        id: id, file: file, session: session, created: created, prompt: parameters.prompt, width: made.image.width,
        height: made.image.height, seed: parameters.seed, model: parameters.model)
    } catch {
      unlink(path)
      throw error
    }
  }

  /// Removes pictures for good, file and entry.
  package func remove(_ ids: [Int]) async throws {
    let known = try await pictures()
    for id in ids where !known.contains(where: { $0.id == id }) { throw GalleryError.noPicture(id) }
    for picture in known where ids.contains(picture.id) {
      guard unlink(path(of: picture)) == 0 || errno == ENOENT else {
        throw ImageError.notWritten(path: path(of: picture), reason: SystemMessage.of(errno))
      }
    }
    try await store.removePictures(ids)
  }

  /// Removes the pictures that were made in some sessions.
  /// - Returns: the number of pictures removed.
  @discardableResult
  package func remove(ofSessions sessions: [Int]) async throws -> Int {
    let ids = try await pictures().filter { $0.session.map(sessions.contains) ?? false }.map(\.id)
    if !ids.isEmpty { try await remove(ids) }
    return ids.count
  }

  private nonisolated func fileNames() -> [String] {
    // A missing folder means that there is no picture yet.
    let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    return names.filter { $0.hasSuffix(".png") && !$0.hasPrefix(".") }
  }

  /// Entry of a file by the parameters it holds; nil for a file that is no picture.
  private nonisolated func rediscovered(_ file: String) -> StoredPicture? {
    let url = folder.appending(path: file)
    guard let bytes = try? PNGFile.read(url.path), let size = try? PNGFile.size(of: bytes) else { return nil }
    // A picture from elsewhere holds no parameters, and is a picture all the same.
    let parameters = try? PNGFile.parameters(in: bytes)
    let attributes = try? FileManager.default.attributesOfItem(atPath: url.path)
    return StoredPicture(
      id: 0, file: file, session: nil, created: attributes?[.modificationDate] as? Date ?? Date(),
      prompt: parameters?.prompt ?? "", width: size.width, height: size.height, seed: parameters?.seed ?? 0,
      model: parameters?.model ?? "")
  }
}
