/// Models that come in several files, `NAME-00001-of-00003.gguf` and its like.
package enum SplitModel {
  /// All parts of a split model, named by any of them; or the file alone.
  package static func parts(_ path: String) -> [String] {
    guard let (prefix, _, count) = split(path) else { return [path] }
    return (1...count).map { "\(prefix)-\(padded($0))-of-\(padded(count)).gguf" }
  }

  /// Indicates whether a file is a part behind the first, which stands for all.
  package static func isLaterPart(_ path: String) -> Bool { (split(path)?.number ?? 1) > 1 }

  private static func split(_ path: String) -> (prefix: String, number: Int, count: Int)? {
    guard let found = path.firstMatch(of: #/^(.*)-(\d{5})-of-(\d{5})\.gguf$/#), let number = Int(found.2),
      let count = Int(found.3), number >= 1, number <= count, count <= 1000
    else { return nil }
    return (String(found.1), number, count)
  }

  private static func padded(_ number: Int) -> String {
    String(repeating: "0", count: max(0, 5 - "\(number)".count)) + "\(number)"
  }
}
