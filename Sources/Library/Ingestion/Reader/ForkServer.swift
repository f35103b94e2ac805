import CPlatform
import Glibc
import Platform

/// A running `alcove-reader` that forks a child for each file.
///
/// It has loaded all libraries and opened no user file, so that the child of one file knows nothing of another file.
final class ForkServer {
  private let process: pid_t
  /// Socket on which children are requested and their ends reported.
  let control: CInt

  /// Starts the program.
  /// - Throws: the errno of the step that failed.
  init(program: String) throws(Errno) {
    var (ours, theirs): (CInt, CInt) = (-1, -1)
    try Errno.check(cp_message_pair(&ours, &theirs))
    defer { close(theirs) }
    do {
      process = try Self.spawn(program, control: theirs)
      control = ours
    } catch {
      close(ours)
      throw error
    }
  }

  deinit {
    close(control)
    // It exits by itself when the owner's side closes, unless it is suspended.
    kill(process, SIGKILL)
    var status: CInt = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
  }

  private static func spawn(_ program: String, control: CInt) throws(Errno) -> pid_t {
    var actions = posix_spawn_file_actions_t()
    try Errno.check(posix_spawn_file_actions_init(&actions))
    defer { posix_spawn_file_actions_destroy(&actions) }
    for target in [CInt(0), 1, 2] {
      try Errno.check(posix_spawn_file_actions_addopen(&actions, target, "/dev/null", O_RDWR, 0))
    }
    try Errno.check(posix_spawn_file_actions_adddup2(&actions, control, ReaderDescriptors.control))

    var attributes = posix_spawnattr_t()
    try Errno.check(posix_spawnattr_init(&attributes))
    defer { posix_spawnattr_destroy(&attributes) }
    // A process group of its own: an interrupt at the terminal is for alcove, not for the reader.
    let flags = POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF
    try Errno.check(posix_spawnattr_setflags(&attributes, Int16(flags)))
    var (none, all) = (sigset_t(), sigset_t())
    sigemptyset(&none)
    sigfillset(&all)
    try Errno.check(posix_spawnattr_setsigmask(&attributes, &none))
    try Errno.check(posix_spawnattr_setsigdefault(&attributes, &all))

    var process = pid_t()
    let arguments = [program, ReaderDescriptors.forkServerArgument].map { (text: String) in strdup(text) } + [nil]
    let environment = environment().map { (text: String) in strdup(text) } + [nil]
    defer { (arguments + environment).forEach { free($0) } }
    try Errno.check(posix_spawn(&process, program, &actions, &attributes, arguments, environment))
    return process
  }

  /// Returns a fixed environment: the text of a file must depend on the file alone, not on the user's settings.
  private static func environment() -> [String] {
    let fixed = [
      "LANG=C.UTF-8", "GIO_USE_VFS=local", "GIO_MODULE_DIR=/nonexistent", "GSETTINGS_BACKEND=memory",
      "SWIFT_BACKTRACE=enable=no", "MALLOC_ARENA_MAX=1",
    ]
    return fixed + (getenv("LD_LIBRARY_PATH").map { ["LD_LIBRARY_PATH=" + String(cString: $0)] } ?? [])
  }
}

/// Descriptors and arguments on which alcove and `alcove-reader` agree.
package enum ReaderDescriptors {
  /// Argument that makes `alcove-reader` confine itself, attempt forbidden operations, and print the results.
  package static let trialArgument = "--trial"
  /// Descriptor of the fork server's socket to its owner.
  package static let control: CInt = 3
  /// Argument that makes `alcove-reader` a fork server.
  package static let forkServerArgument = "--fork-server"
}

/// A system error by its number.
struct Errno: Error, Equatable {
  let code: CInt

  var text: String { SystemMessage.of(code) }

  static func check(_ code: CInt) throws(Errno) {
    if code != 0 { throw Errno(code: code) }
  }
}
