/// Fault of the options and places that limit a search.
package enum ScopeError: Error, Sendable, Equatable {
  /// More than one folder is named.
  case severalFolders
  /// A text is no year, month or day.
  case notADate(String)
  /// An end is given twice, by --until and by --before.
  case twoEnds
}
