import Foundation
import Tokenization

// What repeating costs; both steps change scores in place.
enum Repetition {
  /// Repetition (Keskar et al. 2019), frequency and presence penalties (as OpenAI's interface defines them); llama.cpp
  /// `llama_sampler_init_penalties`.
  static func penalise(
    _ logits: MutableFloats, count: Int, history: [TokenID], _ settings: SamplingSettings
  ) {
    let (again, often, ever) = (settings.repeatPenalty, settings.frequencyPenalty, settings.presencePenalty)
    guard again != 1 || often != 0 || ever != 0 else { return }
    var counts: [TokenID: Int] = [:]
    for token in window(history, settings.penaltyWindow) { counts[token, default: 0] += 1 }
    for (token, times) in counts where token >= 0 && Int(token) < count {
      let logit = logits[Int(token)]
      logits[Int(token)] = (logit <= 0 ? logit * again : logit / again) - Float(times) * often - ever
    }
  }

  /// Returns the part of a history that a window of this number of tokens sees.
  private static func window(_ history: [TokenID], _ size: Int) -> ArraySlice<TokenID> {
    size < 0 ? history[...] : history.suffix(size)
  }

  /// DRY: takes `multiplier · base^(length − allowed)` from each token that would prolong a repeated sequence of a
  /// length.
  static func discourage(
    _ logits: MutableFloats, count: Int, history: [TokenID], _ settings: DrySettings, breakers: DryBreakers
  ) {
    guard settings.multiplier != 0, settings.base >= 1, settings.window != 0 else { return }
    // Newest first.
    let recent = Array(window(history, settings.window).reversed())
    guard recent.count > settings.allowedLength else { return }
    let limit = breakers.distance(in: recent) ?? recent.count
    guard limit >= settings.allowedLength else { return }
    var longest: [TokenID: Int] = [:]
    let matches = Self.matches(recent)
    for place in 1..<recent.count {
      let length = min(matches[place], limit)
      // The token that followed the earlier sequence would prolong this one.
      if length >= settings.allowedLength {
        longest[recent[place - 1]] = max(longest[recent[place - 1]] ?? 0, length)
      }
    }
    // No power may overflow.
    let largest = settings.base > 1.000001 ? Int(88.722_839 / logf(settings.base)) : Int.max
    for (token, length) in longest where token >= 0 && Int(token) < count && !breakers.isBreaker(token) {
      let exponent = min(length - settings.allowedLength, largest)
      logits[Int(token)] -= settings.multiplier * powf(settings.base, Float(exponent))
    }
  }

  /// Returns, for each place, the number of elements from there on that repeat the beginning (Z algorithm, Gusfield
  /// 1997).
  private static func matches(_ list: [TokenID]) -> [Int] {
    var lengths = [Int](repeating: 0, count: list.count)
    var (start, end) = (0, 0)
    for place in list.indices.dropFirst() {
      var length = place < end ? min(end - place, lengths[place - start]) : 0
      while place + length < list.count, list[length] == list[place + length] { length += 1 }
      lengths[place] = length
      if place + length > end { (start, end) = (place, place + length) }
    }
    return lengths
  }
}

/// The token sequences that spell the texts no repeated sequence reaches across.
package struct DryBreakers: Sendable {
  /// Tokens that must follow each first token; empty where that token alone is a breaker.
  private var tails: [TokenID: [[TokenID]]] = [:]

  /// Makes an empty set of breakers.
  package init() {}

  /// Sequences given as tokens, for tests.
  package init(sequences: [[TokenID]]) {
    for sequence in sequences where !sequence.isEmpty {
      tails[sequence[0], default: []].append(Array(sequence.dropFirst()))
    }
  }

  /// Finds the tokens that contain a text, and those that end as it begins with what must follow them
  /// (llama.cpp, `get_overlapping_token_sequences`).
  package init(_ texts: [String], _ tokenizer: Tokenizer) {
    let breakers = texts.map { Array($0.utf8.prefix(40)) }.filter { !$0.isEmpty }
    guard !breakers.isEmpty else { return }
    for token in 0..<TokenID(tokenizer.count) {
      let piece = tokenizer.piece(of: token, showsSpecial: true)
      for breaker in breakers {
        if Self.contains(piece, breaker) {
          tails[token] = [[]]
          continue
        }
        for overlap in stride(from: min(piece.count, breaker.count - 1), to: 0, by: -1)
        where piece.suffix(overlap).elementsEqual(breaker.prefix(overlap)) {
          let rest = tokenizer.encode(String(decoding: breaker.dropFirst(overlap), as: UTF8.self)).prefix(20)
          if tails[token]?.contains(Array(rest)) != true { tails[token, default: []].append(Array(rest)) }
        }
      }
    }
  }

  private static func contains(_ text: [UInt8], _ part: [UInt8]) -> Bool {
    guard text.count >= part.count else { return false }
    return (0...text.count - part.count).contains { text[$0...].starts(with: part) }
  }

  /// Indicates whether a token is a breaker by itself.
  func isBreaker(_ token: TokenID) -> Bool { tails[token]?.contains([]) == true }

  /// Returns the number of tokens after the newest breaker; nil where there is none.
  /// - Parameter recent: newest first.
  func distance(in recent: [TokenID]) -> Int? {
    guard !tails.isEmpty else { return nil }
    for (place, token) in recent.enumerated() {
      guard let tails = tails[token] else { continue }
      let longest = tails.filter { tail in
        tail.count <= place && tail.indices.allSatisfy { tail[$0] == recent[place - $0 - 1] }
      }.map(\.count).max()
      if let longest { return place - longest }
    }
    return nil
  }
}
