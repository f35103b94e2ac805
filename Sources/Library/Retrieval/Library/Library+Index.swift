import Foundation
import Persistence
import Threading

extension Library {
  /// Reads from an up-to-date index in one transaction, so that no other process changes it between lookups.
  ///
  /// Segments that turn out to be missing or damaged are rebuilt from the passages, and the read is repeated.
  func reading<Value>(_ body: () throws(LibraryError) -> Value) throws(LibraryError) -> Value {
    var attempt = 0
    while true {
      do throws(LibraryError) {
        try wrapped { () throws(DatabaseError) in try database.execute("BEGIN") }
        defer {
          // Ending a read transaction cannot fail in a way that matters.
          try? database.execute("COMMIT")
        }
        try index.refresh()
        return try body()
      } catch {
        guard case .segment = error, attempt < 3 else { throw error }
        attempt += 1
        index.invalidate()
        // At the first attempt a file may only be gone because another process has merged it.
        if attempt > 1 { try changing { () throws(LibraryError) in _ = try index.repair() } }
      }
    }
  }

  /// Runs a search in the index; segment errors become library errors.
  func indexed<Value>(_ body: () throws(SegmentError) -> Value) throws(LibraryError) -> Value {
    do { return try body() } catch { throw .segment(error) }
  }

  /// Runs a change as one transaction, and invalidates the loaded index.
  func changing<Value>(_ body: () throws(LibraryError) -> Value) throws(LibraryError) -> Value {
    defer { index.invalidate() }
    try wrapped { () throws(DatabaseError) in try database.execute("BEGIN IMMEDIATE") }
    do {
      let value = try body()
      try wrapped { () throws(DatabaseError) in try database.execute("COMMIT") }
      return value
    } catch {
      // SQLite may have rolled back by itself (a full disk); a failure here then says nothing new.
      try? database.execute("ROLLBACK")
      throw error
    }
  }

  // MARK: Background work

  /// Starts merging segments and erasing removed text in the background; ``settle()`` waits for it.
  func startMaintenance() {
    guard maintenance == nil else {
      isMaintenanceAsked = true
      return
    }
    maintenance = Task {
      do throws(LibraryError) { try await maintain() } catch { maintenanceError = error }
      maintenance = nil
      if isMaintenanceAsked {
        isMaintenanceAsked = false
        startMaintenance()
      }
    }
  }

  /// Waits until segments are merged and removed text is in no file of the library.
  /// - Returns: whether it is erased; false where another process kept a file open. The next start tries again.
  @discardableResult
  package func settle() async throws(LibraryError) -> Bool {
    if maintenance == nil { startMaintenance() }
    while let running = maintenance { await running.value }
    if let error = maintenanceError {
      maintenanceError = nil
      throw error
    }
    return try !isClearingDue()
  }

  private func isClearingDue() throws(LibraryError) -> Bool { try pendingScrub() != 0 }

  private func maintain() async throws(LibraryError) {
    if gatheredVectorCount >= segmentSizes.lowerBound { try await updateVectorSegments(waits: false) }
    var lock: FolderLock?
    var rounds = 0
    // Rows removed after this point, here or by another process, are not erased by this run.
    var mark = try pendingScrub()
    while let job = try nextJob() {
      rounds += 1
      mark = try pendingScrub()
      if let folder = index.folder, lock == nil {
        lock = await FolderLock.wait(for: folder)
        // Another process does the same work; it is checked again when it is needed.
        guard lock != nil else { return }
        continue
      }
      do {
        let product = try await merger.make(job, in: index.folder)
        try take(product, of: job)
      } catch let error as SegmentError {
        if rounds > 8 { throw .segment(error) }
        try changing { () throws(LibraryError) in _ = try index.repair() }
      } catch let error as LibraryError {
        throw error
      } catch {
        return
      }
    }
    if lock != nil { try removeOrphans() }
    guard mark > 0 else { return }
    if lock == nil, let folder = index.folder {
      lock = await FolderLock.wait(for: folder)
      if lock != nil { try removeOrphans() }
    }
    try await updateVectorSegments(waits: true)
    try scrub(upTo: mark)
    withExtendedLifetime(lock) {}
  }

  private func nextJob() throws(LibraryError) -> IndexJob? {
    let clears = try isClearingDue()
    return try reading { () throws(LibraryError) in try index.nextJob(clearsRemoved: clears) }
  }

  private func take(_ product: IndexJob.Product?, of job: IndexJob) throws(LibraryError) {
    let isTaken = try changed { () throws(DatabaseError) in try index.adopt(product, of: job) }
    guard let folder = index.folder else { return }
    let gone = isTaken ? job.entries.compactMap(\.file) : [product?.file].compactMap(\.self)
    for name in gone { unlink(folder.appending(path: name).path) }
  }

  /// Deletes segment files that no row names, which a crash leaves behind; must be called with the folder's lock.
  func removeOrphans() throws(LibraryError) {
    guard let folder = index.folder else { return }
    let named = try wrapped { () throws(DatabaseError) in Set(try index.entries().compactMap(\.file)) }
    // Without a folder there is nothing to delete.
    let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in found where !named.contains(name) {
      guard name.hasPrefix(SegmentWriter.temporaryPrefix) || name.hasPrefix(IndexMerger.filePrefix) else {
        continue
      }
      unlink(folder.appending(path: name).path)
    }
  }
}

/// Writes segments on a thread of its own, while the library answers.
actor IndexMerger {
  /// Prefix of the names of keyword segment files.
  static let filePrefix = "keyword-"

  private let thread = DedicatedThread(name: "index")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Merges a job's segments; nil where no passage is left.
  func make(_ job: IndexJob, in folder: URL?) throws(SegmentError) -> IndexJob.Product? {
    guard let writer = try SegmentMerger.merge(job.inputs) else { return nil }
    guard let folder, job.passageCount > MergePolicy.largestInDatabase else {
      return IndexJob.Product(content: writer.encoded(), passageCount: job.passageCount)
    }
    let name = Self.filePrefix + UUID().uuidString.lowercased()
    let url = folder.appending(path: name)
    try writer.write(to: url)
    let file = try SegmentFile(at: url, kind: .keyword, version: KeywordSegment.version)
    return IndexJob.Product(file: name, identity: file.identity, passageCount: job.passageCount)
  }
}

/// Lock held by the one process that writes and deletes segment files, so that a file that no row names is known to
/// be left over.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock, creating the folder where it is absent; nil where another process holds it.
  init?(_ folder: URL) {
    mkdir(folder.path, 0o700)
    descriptor = open(folder.appending(path: "lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
  }

  /// Waits for the lock; nil after ten seconds.
  static func wait(for folder: URL) async -> FolderLock? {
    for _ in 0..<200 {
      if let lock = FolderLock(folder) { return lock }
      // An interrupted wait only tries again sooner.
      try? await Task.sleep(for: .milliseconds(50))
    }
    return nil
  }

  deinit { close(descriptor) }
}
