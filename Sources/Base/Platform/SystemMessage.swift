import Glibc

/// Turns the system's error numbers into words.
package enum SystemMessage {
  /// Returns the system's words for an error number, for example "No such file or directory".
  /// - Parameter number: a value of `errno`.
  package static func of(_ number: Int32) -> String { String(cString: strerror(number)) }
}
