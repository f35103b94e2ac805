import Foundation
import Persistence
import Threading

extension Library {
  /// Reads from an index that is up to date, in one transaction, so that another process's change does not come between the lookups.
  ///
  /// What turns out to be missing or damaged is made anew from the passages, and the reading done again.
  func reading<Value>(_ body: () throws(LibraryError) -> Value) throws(LibraryError) -> Value {
    var attempt = 0
    while true {
      do throws(LibraryError) {
        try wrapped { () throws(DatabaseError) in try database.execute("BEGIN") }
        defer {
          // Ending a transaction that only read cannot fail in a way that matters.
          try? database.execute("COMMIT")
        }
        try index.refresh()
        return try body()
      } catch {
        guard case .segment = error, attempt < 3 else { throw error }
        attempt += 1
        index.forget()
        // At first a file may only be gone because another process has made a better one.
        if attempt > 1 { try changing { () throws(LibraryError) in _ = try index.repair() } }
      }
    }
  }

  /// Does what a search in the index does, with what is wrong with a segment as the library's error.
  func indexed<Value>(_ body: () throws(SegmentError) -> Value) throws(LibraryError) -> Value {
    do { return try body() } catch { throw .segment(error) }
  }

  /// Runs a change as one transaction; what is remembered of the index is forgotten.
  func changing<Value>(_ body: () throws(LibraryError) -> Value) throws(LibraryError) -> Value {
    defer { index.forget() }
    try wrapped { () throws(DatabaseError) in try database.execute("BEGIN IMMEDIATE") }
    do {
      let value = try body()
      try wrapped { () throws(DatabaseError) in try database.execute("COMMIT") }
      return value
    } catch {
      // SQLite may have rolled back by itself (a full disk); then this fails and says nothing new.
      try? database.execute("ROLLBACK")
      throw error
    }
  }

  // MARK: Background work

  /// Has segments merged and removed text cleared away in the background; ``settle()`` waits for it.
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

  /// Waits until segments are merged and the text that was removed is in no file of the library.
  /// - Returns: whether it is; false where another process kept a file open, and the next start tries again.
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

  private func isClearingDue() throws(LibraryError) -> Bool { try clearingMark() != 0 }

  private func maintain() async throws(LibraryError) {
    if gatheredVectorCount >= segmentSizes.lowerBound { try await tendVectors(waits: false) }
    var lock: FolderLock?
    var rounds = 0
    // What is removed behind this look, here or by another process, is not cleared by this run.
    var mark = try clearingMark()
    while let job = try nextJob() {
      rounds += 1
      mark = try clearingMark()
      if let folder = index.folder, lock == nil {
        lock = await FolderLock.wait(for: folder)
        // Another process does the same work; it is looked at once more when it is needed.
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
    try await tendVectors(waits: true)
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

  /// Deletes the segment files that no row names: what a crash left behind. To be called with the folder's lock.
  func removeOrphans() throws(LibraryError) {
    guard let folder = index.folder else { return }
    let named = try wrapped { () throws(DatabaseError) in Set(try index.entries().compactMap(\.file)) }
    // Where there is no such folder, there is nothing to delete.
    let found = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
    for name in found where !named.contains(name) {
      guard name.hasPrefix(SegmentWriter.temporaryPrefix) || name.hasPrefix(IndexMerger.filePrefix) else {
        continue
      }
      unlink(folder.appending(path: name).path)
    }
  }
}

/// Makes segments on a thread of its own, while the library answers.
actor IndexMerger {
  /// What the names of keyword segments begin with.
  static let filePrefix = "keyword-"

  private let thread = DedicatedThread(name: "index")
  nonisolated var unownedExecutor: UnownedSerialExecutor { thread.asUnownedSerialExecutor() }

  /// Makes one segment of several; nil where nothing is left of them.
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

/// Held by the one process that makes and deletes segment files: a file that no row names is then known to be left over.
final class FolderLock: Sendable {
  private let descriptor: Int32

  /// Takes the lock, makes the folder where it is absent; nil where another process holds it.
  init?(_ folder: URL) {
    mkdir(folder.path, 0o700)
    descriptor = open(folder.appending(path: "lock").path, O_RDWR | O_CREAT | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { return nil }
    guard flock(descriptor, LOCK_EX | LOCK_NB) == 0 else {
      close(descriptor)
      return nil
    }
  }

  /// Takes the lock as soon as it is free; nil where it is not for ten seconds.
  static func wait(for folder: URL) async -> FolderLock? {
    for _ in 0..<200 {
      if let lock = FolderLock(folder) { return lock }
      // A wait that is cut short only tries again sooner.
      try? await Task.sleep(for: .milliseconds(50))
    }
    return nil
  }

  deinit { close(descriptor) }
}
