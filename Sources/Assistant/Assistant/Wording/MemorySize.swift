import Foundation

extension Int {
  /// This number of bytes for a person: "1.3 GB".
  package var memorySize: String { formatted(.byteCount(style: .memory)) }
}
