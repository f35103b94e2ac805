import CPlatform
import Foundation

/// Confines this process to the folder of models, before it connects anywhere.
enum Confinement {
  /// Paths it may read besides: certificates, and what tells names and time zones; and `/proc`, where libdispatch looks
  /// after its own threads. Of other processes Landlock shows their names and command lines there, not their memory or
  /// files.
  private static let readable = [
    "/etc/ssl", "/etc/pki", "/etc/ca-certificates", "/usr/share/ca-certificates",
    "/usr/local/share/ca-certificates",
    "/usr/lib/ssl", "/etc/resolv.conf", "/etc/hosts", "/etc/host.conf", "/etc/nsswitch.conf", "/etc/gai.conf",
    "/etc/services", "/etc/protocols", "/etc/localtime", "/usr/share/zoneinfo", "/run/systemd/resolve", "/lib",
    "/lib64",
    "/usr/lib", "/usr/lib64", "/etc/ld.so.cache", "/dev/null", "/dev/urandom", "/proc",
  ]

  /// Enters it. Call it while the process has one thread.
  /// - Returns: 0, or the system's number of the error; then the process must end.
  static func enter(models: String) -> Int32 {
    var files = CP_FILES_OPEN
    let paths = readable.map { (text: String) in UnsafePointer(strdup(text)) } + [nil]
    defer { paths.forEach { free(UnsafeMutableRawPointer(mutating: $0)) } }
    return paths.withUnsafeBufferPointer { list in
      list.baseAddress.map { cp_sandbox_enter_folder(models, $0, &files) } ?? EINVAL
    }
  }
}
