import CPlatform
import Documents
import Glibc
import Ingestion
import Platform

/// Tries, from inside, what a confined reader must not be able to do.
enum ConfinementTrial {
  /// Confines this process like a reader of files, tries everything, and prints one line a trial: what was tried and
  /// `refused` or `allowed`.
  /// - Returns: the exit code: 0 where everything was refused.
  static func run() -> CInt {
    let parent = getppid()
    var files = CP_FILES_OPEN
    let error = ConfinedReading.confine(.standard, files: &files)
    guard error == 0 else {
      print("confinement: failed with error \(error)")
      return 1
    }
    var isTight = true
    func expect(_ attempt: String, refused: Bool) {
      print("\(attempt): \(refused ? "refused" : "allowed")")
      if !refused { isTight = false }
    }
    for trial in NetworkLock.probe() { expect(trial.attempt, refused: trial.error == EPERM) }
    let local = socket(AF_UNIX, CInt(SOCK_STREAM.rawValue), 0)
    expect("local socket", refused: local < 0)
    let made = open("/tmp/alcove-confinement-trial", O_WRONLY | O_CREAT, 0o600)
    expect("make a file", refused: made < 0)
    expect("write to a device", refused: open("/dev/null", O_WRONLY) < 0)
    expect("remove a file", refused: unlink("/tmp/alcove-confinement-trial-absent") < 0 && errno == EPERM)
    expect("make a folder", refused: mkdir("/tmp/alcove-confinement-trial.d", 0o700) < 0)
    var arguments: [UnsafeMutablePointer<CChar>?] = [strdup("true"), nil]
    expect("start a program", refused: execv("/bin/true", &arguments) < 0)
    expect("end another process", refused: kill(parent, 0) < 0)
    expect(
      "executable memory",
      refused: mmap(nil, 4096, PROT_READ | PROT_WRITE | PROT_EXEC, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0)
        == MAP_FAILED)
    expect(
      "more memory than allowed",
      refused: mmap(nil, 1 << 30, PROT_READ, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) == MAP_FAILED)
    if files == CP_FILES_CONFINED {
      expect("read a user's file", refused: open("/etc/passwd", O_RDONLY) < 0)
      expect("list the root", refused: opendir("/") == nil)
    } else {
      print("read a user's file: the kernel has no Landlock")
    }
    return isTight ? 0 : 1
  }
}
