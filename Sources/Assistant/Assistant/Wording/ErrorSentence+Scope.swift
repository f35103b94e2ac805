extension ErrorSentence {
  /// Says what is wrong with the options that limit a search.
  package static func describe(_ error: ScopeError) -> String {
    switch error {
    case .severalFolders: "only one folder can be named"
    case .notADate(let text): "'\(text)' is no date; write 2024, 2024-03 or 2024-03-15"
    case .twoEnds: "--until and --before exclude each other"
    }
  }

  /// Says why a path is not read.
  package static func describe(_ refusal: FileRefusal) -> String {
    switch refusal {
    case .notRegular: "it is a pipe, a socket or a device"
    case .kernelFiles: "its files are the kernel's"
    case .missing: "there is no such file or folder"
    case .unreadable(let detail): "it cannot be opened: \(detail)"
    }
  }
}
