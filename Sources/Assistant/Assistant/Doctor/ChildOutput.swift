import Foundation

/// Runs a program of ours to its end and takes what it prints.
///
/// Foundation's own way opens sockets that the network lock refuses.
enum ChildOutput {
  /// The exit status and the standard output; nil where it cannot be started.
  static func of(_ path: String, _ arguments: [String] = [], environment: [String: String]) -> (
    status: Int32, text: String
  )? {
    var ends: [Int32] = [-1, -1]
    guard pipe(&ends) == 0 else { return nil }
    for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
    var actions = posix_spawn_file_actions_t()
    posix_spawn_file_actions_init(&actions)
    posix_spawn_file_actions_addopen(&actions, 0, "/dev/null", O_RDONLY, 0)
    posix_spawn_file_actions_adddup2(&actions, ends[1], 1)
    posix_spawn_file_actions_addopen(&actions, 2, "/dev/null", O_WRONLY, 0)
    var words = ([path] + arguments).map { strdup($0) } + [nil]
    var variables = environment.map { strdup("\($0)=\($1)") } + [nil]
    defer {
      (words + variables).forEach { free($0) }
      posix_spawn_file_actions_destroy(&actions)
      close(ends[0])
    }
    var process = pid_t()
    let code = posix_spawn(&process, path, &actions, nil, &words, &variables)
    close(ends[1])
    guard code == 0 else { return nil }
    var (bytes, buffer) = ([UInt8](), [UInt8](repeating: 0, count: 4096))
    while true {
      let count = read(ends[0], &buffer, buffer.count)
      if count < 0, errno == EINTR { continue }
      if count <= 0 { break }
      bytes += buffer[..<count]
    }
    var status: Int32 = 0
    while waitpid(process, &status, 0) < 0, errno == EINTR {}
    return (
      status & 0x7f == 0 ? (status >> 8) & 0xff : 128 + (status & 0x7f), String(decoding: bytes, as: UTF8.self)
    )
  }
}
