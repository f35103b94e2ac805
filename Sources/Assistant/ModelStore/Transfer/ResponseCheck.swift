import Foundation

/// Identity of the content as a server states it, by which a later answer is known to be of the same content.
package struct Representation: Sendable, Equatable {
  /// The size of the whole.
  package var total: Int
  /// Strong entity tag, where there is one; weak ones vouch for nothing.
  package var tag: String?
  /// Time of the last change, as the server writes it; it can show that two answers differ, not that they agree.
  package var modified: String?

  /// Makes a representation.
  package init(total: Int, tag: String?, modified: String? = nil) {
    self.total = total
    self.tag = tag
    self.modified = modified
  }

  /// Indicates whether an answer may be of the same content, as far as both say.
  package func mayBe(_ other: Representation) -> Bool {
    func agree(_ one: String?, _ two: String?) -> Bool { one == nil || two == nil || one == two }
    return total == other.total && agree(tag, other.tag) && (tag != nil || agree(modified, other.modified))
  }
}

/// Verdict on the beginning of a server's answer.
package enum ResponseVerdict: Sendable, Equatable {
  /// The bytes asked for follow.
  case part(Representation)
  /// The whole follows from its first byte: the server knows no ranges.
  case whole(Representation)
  /// Other content than before.
  case changed
  /// Failure that may pass; `seconds` is the wait that the server asks for, where it does.
  case later(seconds: Double?, ServerFault)
  /// Failure that will not pass.
  case refused(ServerFault)
}

/// Judges the status and headers of an answer to a request for a range (RFC 9110, 14 and 15).
package struct ResponseCheck: Sendable {
  /// The bytes asked for; the end may lie beyond the content's where its size is not known.
  package var range: Range<Int>
  /// Identity of the content, as far as it is known.
  package var known: Representation?
  /// The size that was promised elsewhere; 0 where none was.
  package var promisedTotal: Int

  /// Makes a check.
  package init(range: Range<Int>, known: Representation?, promisedTotal: Int = 0) {
    self.range = range
    self.known = known
    self.promisedTotal = promisedTotal
  }

  /// Says what to make of an answer.
  /// - Parameter header: the value of a header by its lower-case name.
  package func judge(status: Int, header: (String) -> String?) -> ResponseVerdict {
    switch status {
    case 200, 206:
      if let coding = header("content-encoding")?.lowercased(), coding != "identity", !coding.isEmpty {
        return .refused(.compressed(coding: coding))
      }
      let kind = header("content-type")?.lowercased() ?? ""
      if kind.hasPrefix("text/html") || kind.hasPrefix("application/xhtml") {
        return .refused(.webPage)
      }
      return status == 206 ? judgePart(header) : judgeWhole(header)
    case 416: return judgeUnsatisfied(header)
    case 401, 403:
      return .refused(.accessRefused(status: status))
    case 404, 410: return .refused(.noSuchFile(status: status))
    case 408, 425, 429, 500...599:
      return .later(seconds: Self.retryDelay(header("retry-after")), .status(status))
    default: return .refused(.status(status))
    }
  }

  private func judgePart(_ header: (String) -> String?) -> ResponseVerdict {
    guard let text = header("content-range"), let (served, total) = Self.contentRange(text) else {
      return .later(seconds: nil, .unknownRange)
    }
    let representation = Self.representation(total, header)
    if let known, !known.mayBe(representation) { return .changed }
    if let refusal = refusal(ofTotal: total) { return refusal }
    guard served.lowerBound == range.lowerBound, served.upperBound == min(range.upperBound, total) else {
      return .later(seconds: nil, .otherRange(first: served.lowerBound, end: served.upperBound))
    }
    if let length = header("content-length").flatMap({ Int($0) }), length != served.count {
      return .later(seconds: nil, .otherLength(announced: length, expected: served.count))
    }
    return .part(representation)
  }

  private func judgeWhole(_ header: (String) -> String?) -> ResponseVerdict {
    guard let total = header("content-length").flatMap({ Int($0) }), total > 0 else {
      return .refused(.unknownSize)
    }
    let representation = Self.representation(total, header)
    if let known, !known.mayBe(representation) { return .changed }
    return refusal(ofTotal: total) ?? .whole(representation)
  }

  private func judgeUnsatisfied(_ header: (String) -> String?) -> ResponseVerdict {
    // `bytes */1234` tells the size there is.
    let size = header("content-range").flatMap { text -> Int? in
      let parts = text.split(separator: "/")
      return parts.count == 2 ? Int(parts[1]) : nil
    }
    if let size, let known, size != known.total { return .changed }
    return .later(seconds: nil, .shorter)
  }

  private func refusal(ofTotal total: Int) -> ResponseVerdict? {
    promisedTotal > 0 && promisedTotal != total
      ? .refused(.otherSize(found: total, expected: promisedTotal)) : nil
  }

  private static func representation(_ total: Int, _ header: (String) -> String?) -> Representation {
    Representation(total: total, tag: strongTag(header("etag")), modified: header("last-modified"))
  }

  /// Reads `bytes 0-99/1234`.
  static func contentRange(_ text: String) -> (range: Range<Int>, total: Int)? {
    guard let found = text.wholeMatch(of: #/\s*[Bb]ytes\s+(\d{1,18})-(\d{1,18})/(\d{1,18})\s*/#),
      let first = Int(found.1), let last = Int(found.2), let total = Int(found.3), first <= last, last < total
    else { return nil }
    return (first..<last + 1, total)
  }

  /// An entity tag that vouches for every byte.
  static func strongTag(_ text: String?) -> String? {
    guard let text, !text.hasPrefix("W/"), text.count > 2 else { return nil }
    return text
  }

  /// Reads `Retry-After`: seconds, or a date. An hour at most.
  package static func retryDelay(_ text: String?) -> Double? {
    guard let text else { return nil }
    if let seconds = Double(text) { return seconds >= 0 && seconds.isFinite ? min(seconds, 3600) : nil }
    guard let date = HTTPDate.parse(text) else { return nil }
    return min(3600, max(0, date.timeIntervalSinceNow))
  }
}
