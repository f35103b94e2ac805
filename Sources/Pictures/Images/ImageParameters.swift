/// Generation parameters of a picture, in the text form that other tools read from its file.
///
/// The form is that of the AUTOMATIC1111 web UI: the prompt, a line `Negative prompt: …` if there is one, and a last
/// line of `Key: value` pairs separated by commas.
package struct ImageParameters: Sendable, Equatable {
  /// Description of the picture.
  package var prompt: String
  /// Description of things that the picture must not show; empty for none.
  package var negativePrompt: String
  /// Number of denoising steps; nil for sketches.
  package var steps: Int?
  /// Scheduler, by the name other tools give it; see ``SchedulerKind/samplerName``.
  package var sampler: String?
  /// Scale of classifier-free guidance; nil for sketches.
  package var guidance: Double?
  /// Seed of the random numbers.
  package var seed: UInt64
  /// Size in pixels; nil for one that ``ImageSize`` does not allow.
  package var size: ImageSize?
  /// First digits of the model file's hash.
  package var modelHash: String?
  /// Name of the model, or `sketch`.
  package var model: String
  /// Prompt as the user wrote it, if a language model enriched it; else nil.
  package var originalPrompt: String?

  /// Makes parameters from their values.
  package init(
    prompt: String, negativePrompt: String = "", steps: Int? = nil, sampler: String? = nil,
    guidance: Double? = nil,
    seed: UInt64, size: ImageSize?, modelHash: String? = nil, model: String, originalPrompt: String? = nil
  ) {
    (self.prompt, self.negativePrompt, self.steps) = (prompt, negativePrompt, steps)
    (self.sampler, self.guidance, self.seed, self.size) = (sampler, guidance, seed, size)
    (self.modelHash, self.model, self.originalPrompt) = (modelHash, model, originalPrompt)
  }

  private static let negativeMark = "Negative prompt:"

  /// Text as stored in the file.
  package var text: String {
    var lines = [Self.plain(prompt)]
    if !negativePrompt.isEmpty { lines.append("\(Self.negativeMark) " + Self.plain(negativePrompt)) }
    var pairs: [String] = []
    func add(_ key: String, _ value: (some CustomStringConvertible)?) {
      if let value { pairs.append("\(key): \(Self.quoted(value.description))") }
    }
    add("Steps", steps)
    add("Sampler", sampler)
    add("CFG scale", guidance.map { Int(exactly: $0).map(String.init) ?? "\($0)" })
    add("Seed", seed)
    add("Size", size)
    add("Model hash", modelHash)
    add("Model", model)
    add("Original prompt", originalPrompt.map(Self.plain))
    add("Version", "Alcove")
    return (lines + [pairs.joined(separator: ", ")]).joined(separator: "\n")
  }

  /// Parses the text of a file written by Alcove or another tool.
  /// - Throws: ``ImageError/noParameters`` for a text without a prompt.
  package init(parsing text: String) throws(ImageError) {
    var lines = text.prefix(100_000).split(omittingEmptySubsequences: false, whereSeparator: \.isNewline).map(
      String.init)
    while lines.last?.allSatisfy(\.isWhitespace) ?? false { lines.removeLast() }
    let values = lines.last.map(Self.pairs) ?? [:]
    if values.count >= 3 { lines.removeLast() }
    var (prompt, negative, isNegative) = ([String](), [String](), false)
    for line in lines {
      if line.hasPrefix(Self.negativeMark) {
        isNegative = true
        negative.append(String(line.dropFirst(Self.negativeMark.count)))
      } else if isNegative {
        negative.append(line)
      } else {
        prompt.append(line)
      }
    }
    func joined(_ lines: [String]) -> String {
      var text = lines.joined(separator: "\n")[...]
      while text.first?.isWhitespace ?? false { text.removeFirst() }
      while text.last?.isWhitespace ?? false { text.removeLast() }
      return String(text)
    }
    guard !joined(prompt).isEmpty else { throw .noParameters }
    var size: ImageSize?
    // A size that is not allowed here is left to the caller.
    if let given = values["Size"] { size = try? ImageSize(given) }
    self.init(
      prompt: joined(prompt), negativePrompt: joined(negative), steps: values["Steps"].flatMap { Int($0) },
      sampler: values["Sampler"], guidance: values["CFG scale"].flatMap { Double($0) },
      seed: values["Seed"].flatMap { UInt64($0) } ?? 0, size: size, modelHash: values["Model hash"],
      model: values["Model"] ?? "", originalPrompt: values["Original prompt"])
  }

  /// Removes control characters, and line breaks that would turn a line of the prompt into the negative prompt.
  private static func plain(_ text: String) -> String {
    var result = ""
    for character in text {
      if character.isNewline {
        result.append("\n")
      } else if !character.unicodeScalars.contains(where: { $0.properties.generalCategory == .control }) {
        result.append(character)
      }
    }
    return result.split(separator: "\n", omittingEmptySubsequences: false).enumerated().map { index, line in
      (index == 0 ? "" : line.hasPrefix(negativeMark) ? " " : "\n") + line
    }.joined()
  }

  private static func quoted(_ value: String) -> String {
    guard value.contains(where: { ",:\n\"".contains($0) }) else { return value }
    return "\"" + value.map { "\"\\".contains($0) ? "\\\($0)" : $0 == "\n" ? "\\n" : String($0) }.joined() + "\""
  }

  /// Parses the pairs of a line such as `Steps: 20, Sampler: "Euler, a", Size: 512x512`.
  private static func pairs(_ line: String) -> [String: String] {
    var result: [String: String] = [:]
    var rest = line[...]
    while let colon = rest.firstIndex(of: ":") {
      let key = rest[..<colon].drop { $0 == " " || $0 == "," }
      rest = rest[rest.index(after: colon)...].drop { $0 == " " }
      guard !key.isEmpty, key.count < 40, key.allSatisfy({ $0.isLetter || $0.isNumber || " -_/".contains($0) })
      else {
        return result
      }
      var value = ""
      if rest.first == "\"" {
        rest.removeFirst()
        while let character = rest.popFirst(), character != "\"" {
          value.append(character == "\\" ? rest.popFirst() ?? "\\" : character)
        }
        rest = rest.drop { $0 != "," }
      } else {
        let end = rest.firstIndex(of: ",") ?? rest.endIndex
        value = String(rest[..<end])
        rest = rest[end...]
      }
      result[String(key)] = value
    }
    return result
  }
}
