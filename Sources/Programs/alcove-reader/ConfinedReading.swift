import CPlatform
import Documents
import Glibc
import Ingestion
import Platform
import Reading

/// Work of a child on its one file: read the request, give up every right, read the file, answer.
struct ConfinedReading {
  let job: cp_fork_server_job

  /// Paths that may still be opened, to read: the data that poppler, fontconfig and the C library load when they need
  /// it.
  private static let readable = [
    "/usr/share/poppler", "/usr/share/fonts", "/usr/local/share/fonts", "/usr/share/fontconfig", "/etc/fonts",
    "/var/cache/fontconfig", "/usr/share/ghostscript", "/usr/share/texmf", "/usr/share/mime", "/usr/share/locale",
    "/usr/share/zoneinfo", "/etc/localtime", "/usr/lib", "/usr/lib64", "/lib", "/lib64", "/etc/ld.so.cache",
    "/proc/self/status", "/dev/null",
  ]

  func run() -> Never {
    guard let request = receiveRequest() else { _exit(1) }
    send(answer(to: request))
    // Nothing of the libraries' own leave-taking is wanted.
    _exit(0)
  }

  private func answer(to request: ReaderRequest) -> ReaderAnswer {
    var files = CP_FILES_OPEN
    let error = Self.confine(request.limits, files: &files)
    guard error == 0 else {
      return .failure(.unreadable(detail: "the sandbox could not be set up: \(SystemMessage.of(error))"))
    }
    do {
      return .document(
        try DocumentReader.read(
          descriptor: job.file, fileName: request.fileName, password: request.password, limits: request.limits))
    } catch {
      return .failure(error)
    }
  }

  /// Gives up every right but to compute, to read library data, and to use what is open already.
  /// - Returns: 0, or the system's number of the error.
  static func confine(_ limits: ReadingLimits, files: inout cp_file_confinement) -> CInt {
    var numbers = cp_sandbox_limits(
      address_space: UInt64(clamping: limits.addressSpaceByteCount),
      processor_seconds: UInt64(clamping: limits.processorSeconds), descriptors: 64)
    var paths: [UnsafePointer<CChar>?] = readable.map { UnsafePointer(strdup($0)) }
    paths.append(nil)
    defer { paths.forEach { free(UnsafeMutablePointer(mutating: $0)) } }
    return cp_sandbox_enter(&numbers, paths, &files)
  }

  // MARK: Channel

  private func receiveRequest() -> ReaderRequest? {
    guard let head = receive(4) else { return nil }
    let count = head.reversed().reduce(0) { $0 << 8 | Int($1) }
    guard count < 1 << 20, let fields = receive(count) else { return nil }
    return ReaderRequest(decoding: fields)
  }

  private func receive(_ count: Int) -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: count)
    var filled = 0
    while filled < count {
      let got = bytes.withUnsafeMutableBytes {
        read(job.channel, $0.baseAddress.map { $0 + filled }, count - filled)
      }
      if got <= 0 { return nil }
      filled += got
    }
    return bytes
  }

  private func send(_ answer: ReaderAnswer) {
    answer.write { piece in
      var rest = piece[...]
      while !rest.isEmpty {
        let sent = rest.withUnsafeBytes { write(job.channel, $0.baseAddress, $0.count) }
        // The owner has gone: nobody is left to tell.
        if sent <= 0 { _exit(1) }
        rest = rest.dropFirst(sent)
      }
    }
  }
}
