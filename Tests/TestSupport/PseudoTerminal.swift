import Foundation

/// A terminal without a window: what is typed into it, and what a program shows on it.
public final class PseudoTerminal: @unchecked Sendable {
  /// The program's side.
  public let programSide: Int32
  private let userSide: Int32
  private let lock = NSLock()
  private var shown: [UInt8] = []
  private var child: pid_t = 0

  /// Error of a program that could not be started.
  public struct Refused: Error {
    /// The system's error number.
    public let number: Int32
  }

  /// Opens a terminal of a size.
  public init(columns: Int = 80, rows: Int = 24) throws {
    var (user, program): (Int32, Int32) = (0, 0)
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    guard openpty(&user, &program, nil, nil, &size) == 0 else { throw Refused(number: errno) }
    (userSide, programSide) = (user, program)
    for side in [userSide, programSide] { _ = fcntl(side, F_SETFD, FD_CLOEXEC) }
    let source = userSide
    let reader = Thread { [weak self] in
      var bytes = [UInt8](repeating: 0, count: 65536)
      while true {
        let count = read(source, &bytes, bytes.count)
        if count <= 0 { return }
        guard let self else { return }
        self.lock.withLock { self.shown += bytes[..<count] }
      }
    }
    reader.start()
  }

  deinit {
    if child > 0 {
      kill(child, SIGKILL)
      waitpid(child, nil, 0)
    }
    close(programSide)
    close(userSide)
  }

  /// Starts a program, of this build unless it is a whole path, in a session of its own, with this as its terminal.
  public func start(_ name: String, _ arguments: [String] = [], environment: [String: String] = [:]) throws {
    var actions = posix_spawn_file_actions_t()
    var attributes = posix_spawnattr_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawnattr_init(&attributes)
    defer {
      posix_spawn_file_actions_destroy(&actions)
      posix_spawnattr_destroy(&attributes)
    }
    // Opening the terminal as a session's first makes it the controlling one.
    guard let path = ttyname(programSide) else { throw Refused(number: errno) }
    posix_spawn_file_actions_addopen(&actions, 0, path, O_RDWR, 0)
    posix_spawn_file_actions_adddup2(&actions, 0, 1)
    posix_spawn_file_actions_adddup2(&actions, 0, 2)
    // Tests run on threads that block signals; the program must not inherit that. Swift does not see glibc's SETSID.
    var (none, every) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&every)
    posix_spawnattr_setsigmask(&attributes, &none)
    posix_spawnattr_setsigdefault(&attributes, &every)
    let newSession: Int32 = 0x80
    posix_spawnattr_setflags(&attributes, Int16(newSession | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF))
    let program = name.hasPrefix("/") ? name : Programs.folder.appending(path: name).path
    let merged = ProcessInfo.processInfo.environment.merging(["TERM": "xterm-256color"]) { $1 }
      .merging(environment) { $1 }
    var words: [UnsafeMutablePointer<CChar>?] = ([program] + arguments).map { strdup($0) } + [nil]
    var variables: [UnsafeMutablePointer<CChar>?] = merged.map { strdup("\($0)=\($1)") } + [nil]
    defer { (words + variables).forEach { free($0) } }
    let failure = posix_spawn(&child, program, &actions, &attributes, &words, &variables)
    if failure != 0 { throw Refused(number: failure) }
  }

  /// Types text, escape sequences included.
  public func type(_ text: String) { type(Array(text.utf8)) }

  /// Types bytes.
  public func type(_ bytes: [UInt8]) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(userSide, $0.baseAddress, $0.count) }
      if count <= 0 { return }
      rest = rest.dropFirst(count)
    }
  }

  /// Everything shown so far.
  public var output: String { lock.withLock { String(decoding: shown, as: UTF8.self) } }

  /// Waits until what was shown fulfils a condition; false when it did not within the time.
  @discardableResult
  public func wait(seconds: Double = 10, until isFulfilled: (String) -> Bool) -> Bool {
    let end = Date().addingTimeInterval(seconds)
    while Date() < end {
      if isFulfilled(output) { return true }
      usleep(2000)
    }
    return isFulfilled(output)
  }

  /// Waits until something was shown.
  @discardableResult
  public func wait(for text: String, seconds: Double = 10) -> Bool {
    wait(seconds: seconds) { $0.contains(text) }
  }

  /// Changes the window's size, of which the program is told.
  public func resize(columns: Int, rows: Int) {
    var size = winsize(ws_row: UInt16(rows), ws_col: UInt16(columns), ws_xpixel: 0, ws_ypixel: 0)
    _ = ioctl(userSide, UInt(TIOCSWINSZ), &size)
  }

  /// Sends the program a signal.
  public func signal(_ number: Int32) { if child > 0 { kill(child, number) } }

  /// Waits for the program's end: its exit status, or 128 and the number of the signal that ended it.
  public func exitCode(seconds: Double = 10) -> Int32? {
    let end = Date().addingTimeInterval(seconds)
    var status: Int32 = 0
    while Date() < end {
      if waitpid(child, &status, WNOHANG) == child {
        child = 0
        drain()
        return status & 0x7F == 0 ? (status >> 8) & 0xFF : 128 + (status & 0x7F)
      }
      usleep(2000)
    }
    return nil
  }

  /// Waits until the reader has taken all that the program wrote before it ended.
  private func drain() {
    var (waiting, before) = (Int32(1), -1)
    for _ in 0..<500 {
      let count = lock.withLock { shown.count }
      if ioctl(userSide, UInt(FIONREAD), &waiting) == 0, waiting == 0, count == before { return }
      before = count
      usleep(10_000)
    }
  }

  /// Indicates whether typed characters are echoed and gathered into lines, as a shell wants them.
  public var isOrdinary: Bool {
    var settings = termios()
    tcgetattr(userSide, &settings)
    let wanted = UInt32(ECHO | ICANON | ISIG)
    return settings.c_lflag & wanted == wanted
  }
}
