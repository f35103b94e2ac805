import CPlatform
import Foundation
import Glibc
import Platform
import Threading

/// A change to a path below a watched folder.
package enum FolderChange: Sendable, Hashable {
  /// A file was written, created or moved here.
  case changed(path: String)
  /// A file or folder is no longer there.
  case gone(path: String)
  /// Anything below a folder may have changed: it is new, its ignore rules changed, or events were lost.
  case rescan(folder: String)
  /// A folder cannot be watched: changes in it are not seen.
  case unwatched(folder: String, detail: String)

  var path: String {
    switch self {
    case .changed(let path), .gone(let path), .rescan(let path), .unwatched(let path, _): path
    }
  }
}

/// Watches folders and their subfolders, and reports changes in batches once no more have come for a moment.
///
/// Hidden names are skipped, but a changed `.alcoveignore` asks for a rescan of its folder.
package final class FolderWatcher: Sendable {
  /// Batches of changes, each in the order of the paths; the stream ends with the watcher.
  ///
  /// The first batch is empty: from then on no change is missed.
  package let changes: AsyncStream<[FolderChange]>
  private let stop: StopSignal

  /// Starts watching.
  /// - Parameters:
  ///   - folders: absolute paths.
  ///   - quiet: time without changes after which a batch is reported; none waits longer than ten times that.
  package init(folders: [String], quiet: Duration = .milliseconds(500)) {
    let (stream, continuation) = AsyncStream.makeStream(of: [FolderChange].self)
    let stop = StopSignal()
    (changes, self.stop) = (stream, stop)
    let pause = max(Int(quiet / .milliseconds(1)), 1)
    continuation.onTermination = { _ in stop.give() }
    Thread.detachNewThread {
      cp_set_thread_name("folder-watcher")
      var watch = FolderWatch(stop: stop)
      watch.begin(folders)
      continuation.yield([])
      while let batch = watch.nextBatch(quiet: pause) { continuation.yield(batch) }
      watch.end()
      continuation.finish()
    }
  }

  deinit { stop.give() }
}

/// State of the watcher, confined to its thread.
private struct FolderWatch {
  private let stop: StopSignal
  private let descriptor = cp_watch_make()
  private var folders: [CInt: String] = [:]
  private var numbers: [String: CInt] = [:]
  private var roots: [String] = []
  private var pending: [String: FolderChange] = [:]

  private static let deepest = 256

  init(stop: StopSignal) { self.stop = stop }

  mutating func begin(_ folders: [String]) {
    roots = folders
    for folder in folders { add(folder, depth: 0) }
  }

  func end() { if descriptor >= 0 { close(descriptor) } }

  /// Waits for the next batch of changes; nil when the watcher is to end.
  mutating func nextBatch(quiet: Int) -> [FolderChange]? {
    var waited = 0
    while true {
      var events = [
        pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0),
        pollfd(fd: stop.descriptor, events: Int16(POLLIN), revents: 0),
      ]
      let ready = poll(&events, 2, pending.isEmpty ? -1 : CInt(clamping: quiet))
      if ready < 0, errno != EINTR { return nil }
      if events[1].revents != 0 { return nil }
      if ready == 0 || waited > 10 * quiet {
        defer { pending = [:] }
        return pending.values.sorted { $0.path < $1.path }
      }
      if events[0].revents & Int16(POLLIN) != 0 { take() }
      // Bounds the wait during a steady stream of events.
      if !pending.isEmpty {
        usleep(10_000)
        waited += 10
      }
    }
  }

  // MARK: Events

  private struct Event {
    let number: CInt
    let flags: UInt32
    let name: String
  }

  private mutating func take() {
    var events: [Event] = []
    withUnsafeMutablePointer(to: &events) { list in
      _ = cp_watch_read(descriptor, list) { context, number, flags, name in
        context?.assumingMemoryBound(to: [Event].self).pointee.append(
          Event(number: number, flags: flags, name: String(cString: name)))
      }
    }
    for event in events { take(event) }
  }

  private mutating func take(_ event: Event) {
    func has(_ flag: Int) -> Bool { event.flags & UInt32(flag) != 0 }
    if has(CP_WATCH_LOST) { return roots.forEach { note(.rescan(folder: $0)) } }
    guard let folder = folders[event.number] else { return }
    if event.name.isEmpty {
      if has(CP_WATCH_GONE) {
        forget(folder)
        note(.gone(path: folder))
      }
      return
    }
    if event.name == IgnoreRules.fileName { return note(.rescan(folder: folder)) }
    if event.name.hasPrefix(".") { return }
    let path = folder == "/" ? "/" + event.name : folder + "/" + event.name
    if has(CP_WATCH_LEFT) {
      if has(CP_WATCH_FOLDER) { forget(path) }
      note(.gone(path: path))
    } else if has(CP_WATCH_FOLDER) {
      guard has(CP_WATCH_ARRIVED) else { return }
      // A rescan finds files that came into it before it was watched.
      add(path, depth: 0)
      note(.rescan(folder: path))
    } else if has(CP_WATCH_CHANGED) || has(CP_WATCH_ARRIVED) {
      note(.changed(path: path))
    }
  }

  private mutating func note(_ change: FolderChange) { pending[change.path] = change }

  // MARK: Folders

  private mutating func add(_ folder: String, depth: Int) {
    let number = cp_watch_add(descriptor, folder)
    guard number >= 0 else {
      let isGone = errno == ENOENT || errno == ENOTDIR
      return note(
        isGone ? .gone(path: folder) : .unwatched(folder: folder, detail: SystemMessage.of(errno)))
    }
    // The same folder again, through a link.
    if folders[number] != nil { return }
    folders[number] = folder
    numbers[folder] = number
    guard depth < Self.deepest, let list = opendir(folder) else { return }
    var names: [String] = []
    while let entry = readdir(list) {
      let name = withUnsafePointer(to: &entry.pointee.d_name) {
        $0.withMemoryRebound(to: CChar.self, capacity: 256) { String(cString: $0) }
      }
      if !name.hasPrefix(".") { names.append(name) }
    }
    closedir(list)
    for name in names {
      let path = folder == "/" ? "/" + name : folder + "/" + name
      var status = stat()
      if stat(path, &status) == 0, status.st_mode & S_IFMT == S_IFDIR { add(path, depth: depth + 1) }
    }
  }

  private mutating func forget(_ folder: String) {
    let inside = folder + "/"
    for (path, number) in numbers where path == folder || path.hasPrefix(inside) {
      cp_watch_remove(descriptor, number)
      folders[number] = nil
      numbers[path] = nil
    }
  }
}
