import CPlatform
import Glibc

/// User's own editor, for texts that do not fit a line.
package enum ExternalEditor {
  /// Opens a text in `$VISUAL`, `$EDITOR` or `vi` and returns what was saved.
  ///
  /// The text is passed in a file of mode 0600, which is removed at once.
  package static func edit(_ text: String, environment: [String: String]) throws(TerminalError) -> String {
    let command = [environment["VISUAL"], environment["EDITOR"]].compactMap { $0 }.first { !$0.isEmpty } ?? "vi"
    let folder =
      [environment["XDG_RUNTIME_DIR"], environment["TMPDIR"]].compactMap { $0 }.first { !$0.isEmpty } ?? "/tmp"
    var template = Array((folder + "/alcove-XXXXXX.txt").utf8CString)
    let file = template.withUnsafeMutableBufferPointer { mkstemps($0.baseAddress!, 4) }
    if file < 0 { throw .inputOutput(errno: errno) }
    let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    defer { unlink(path) }
    let isWritten = ByteFile.write(Array(text.utf8), to: file)
    close(file)
    if !isWritten { throw .inputOutput(errno: errno) }
    let status = cp_terminal_run_shell(command + " \"$1\"", path, nil, 0)
    if status != 0 { throw .programFailed(command: command, status: status) }
    // Editors often save by replacing the file with a new one, so it is opened again.
    let savedFile = open(path, O_RDONLY | O_CLOEXEC)
    if savedFile < 0 { throw .inputOutput(errno: errno) }
    defer { close(savedFile) }
    var saved = String(decoding: try ByteFile.read(from: savedFile), as: UTF8.self)
    while saved.hasSuffix("\n") { saved.removeLast() }
    return saved
  }
}
