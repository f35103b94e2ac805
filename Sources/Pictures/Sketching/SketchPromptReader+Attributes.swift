/// Words that are not things: relations, the setting, and attributes of things.
extension SketchPromptReader {
  /// Returns the number of words of a phrase if it stands at a position.
  private func length(of phrase: String, at start: Int) -> Int? {
    let parts = phrase.split(separator: " ")
    guard start + parts.count <= words.count else { return nil }
    for (offset, part) in parts.enumerated() where words[start + offset].text != part { return nil }
    return parts.count
  }

  /// Finds the longest of some phrases that stands here.
  private func longest<Value>(_ phrases: [(words: String, value: Value)]) -> (value: Value, length: Int)? {
    var best: (value: Value, length: Int)?
    for phrase in phrases {
      if let length = length(of: phrase.words, at: at), length > best?.length ?? 0 {
        best = (phrase.value, length)
      }
    }
    return best
  }

  mutating func takeRelation() -> Bool {
    guard let (kind, length) = longest(SketchWordTable.relations.map { ($0.words, $0.relation) }) else {
      return false
    }
    settleAttributes()
    at += length
    // In "left of a house and right of a tree" both relations have the same subject.
    let isAfterAnd = at - length > 0 && ["and", ","].contains(words[at - length - 1].text)
    let subjects = group.isEmpty || (isAfterAnd && !lastGroup.isEmpty) ? lastGroup : group
    relation = (kind, subjects)
    if kind != .with, kind != .holding, kind != .wearing { awaited = [] }
    lastGroup = subjects
    group = []
    if subjects.isEmpty { relation = (kind, []) }
    return true
  }

  mutating func takeSetting() -> Bool {
    let word = words[at].text
    // "a row of trees" is a number, not a line drawing.
    if at + 1 < words.count, words[at + 1].text == "of", SketchWordTable.countsBeforeOf.contains(word) {
      return false
    }
    if let (hour, length) = sunPhrase() ?? longest(SketchWordTable.hours.map { ($0.words, $0.hour) }) {
      at += length
      if !isNegatedHere {
        description.setting.hour = hour
        description.setting.isHourGiven = true
      }
      return finishSetting()
    }
    if let (style, length) = longest(SketchWordTable.styles.map { ($0.words, $0.style) }) {
      at += length
      description.setting.style = style
      if style == .night, !description.setting.isHourGiven { description.setting.hour = .night }
      return finishSetting()
    }
    for length in [3, 1] where at + length <= words.count {
      let phrase = words[at..<at + length].map(\.text).joined(separator: " ")
      guard let palette = SketchWordTable.palettes[phrase] else { continue }
      if ["dark", "bright", "pale", "soft", "warm", "cold"].contains(phrase), isColour(at + 1) { continue }
      at += length
      description.setting.palette = palette
      return finishSetting()
    }
    if word == "background" || word == "backdrop" {
      at += 1
      if let colour = pending.colours.last { description.setting.background = colour }
      pending.colours = []
      return finishSetting()
    }
    guard !isBeforeThing || Self.match(words, at, vocabulary) == nil else { return false }
    if let weather = SketchWordTable.weather[word] {
      at += 1
      if !isNegatedHere { description.setting.weather.insert(weather) }
      return finishSetting()
    }
    if let season = SketchWordTable.seasons[word], Self.match(words, at, vocabulary) == nil || !isBeforeThing {
      at += 1
      if !isNegatedHere { description.setting.season = season }
      return finishSetting()
    }
    return false
  }

  private var isNegatedHere: Bool {
    words[..<at].suffix(3).contains { ["no", "without"].contains($0.text) }
  }

  /// Finds "the sun sets": an hour, and still a sun.
  private func sunPhrase() -> (value: SketchHour, length: Int)? {
    let isNearSun =
      (at > 0 && words[at - 1].text == "sun") || (at + 1 < words.count && words[at + 1].text == "sun")
      || (at > 1 && words[at - 2].text == "sun")
    guard isNearSun else { return nil }
    switch words[at].text {
    case "setting", "sets", "sinking": return (.sunset, 1)
    case "rising", "rises": return (.dawn, 1)
    default: return nil
    }
  }

  /// Ends a relation whose object was an hour or a weather ("in the rain").
  private mutating func finishSetting() -> Bool {
    if let subjects = relation?.subjects, !subjects.isEmpty { group = subjects }
    relation = nil
    return true
  }

  mutating func takeAttribute() -> Bool {
    let word = words[at].text
    if let number = Int(word), (0...100_000).contains(number) {
      at += 1
      pending.count = max(1, (pending.count ?? 1) * max(number, 1))
      return true
    }
    if let count = SketchWordTable.counts[word], isCount(word) {
      at += 1
      pending.count = word == "dozen" || word == "hundred" ? count * (pending.count ?? 1) : count
      return true
    }
    if let size = SketchWordTable.sizes[word], isBeforeThing || Self.match(words, at, vocabulary) == nil {
      at += 1
      pending.size = (pending.size.x * size.x, pending.size.y * size.y)
      return true
    }
    if let mood = SketchWordTable.moods[word] {
      at += 1
      pending.mood = mood
      if group.count > 0, !isBeforeThing, let last = group.last { description.items[last].mood = mood }
      if let pose = SketchWordTable.poses[word] { pending.pose = pose }
      return true
    }
    if let pattern = SketchWordTable.patterns[word] {
      at += 1
      pending.pattern = pattern
      return true
    }
    if let pose = SketchWordTable.poses[word] {
      at += 1
      pending.pose = pose
      return true
    }
    return takeColour(word)
  }

  private mutating func takeColour(_ word: String) -> Bool {
    if ["light", "pale", "dark", "deep", "bright"].contains(word), isColour(at + 1) {
      at += 1
      pending.tint = ["light", "pale"].contains(word) ? 0.4 : ["dark", "deep"].contains(word) ? -0.35 : 0
      return true
    }
    guard var colour = Self.colour(of: word) else { return false }
    // An orange is a fruit unless something orange follows.
    if Self.match(words, at, vocabulary) != nil, !isBeforeThing { return false }
    at += 1
    if pending.tint > 0 { colour = colour.lighter(pending.tint) }
    if pending.tint < 0 { colour = colour.darker(-pending.tint) }
    pending.tint = 0
    pending.colours.append(colour)
    if word == "rainbow" { pending.pattern = .stripes }
    return true
  }

  private func isColour(_ index: Int) -> Bool {
    words.indices.contains(index) && ColourTable.named[words[index].text] != nil
  }

  static func colour(of word: String) -> Colour? {
    let bare =
      word.hasSuffix("-colored") || word.hasSuffix("-coloured") ? String(word.split(separator: "-")[0]) : word
    return (ColourTable.named[bare] ?? ColourTable.materials[bare]).map { Colour($0) }
  }

  /// Indicates whether a thing, perhaps after further attributes, follows the current word in the same phrase.
  private var isBeforeThing: Bool {
    var next = at + 1
    while next < words.count, next < at + 4, !words[next].isBreak {
      if Self.match(words, next, vocabulary) != nil { return true }
      let word = words[next].text
      let isAttribute =
        Self.colour(of: word) != nil || SketchWordTable.sizes[word] != nil || SketchWordTable.moods[word] != nil
        || SketchWordTable.patterns[word] != nil || word == "and" && Self.colour(of: words[at].text) != nil
      if !isAttribute { return false }
      next += 1
    }
    return false
  }

  private func isCount(_ word: String) -> Bool {
    guard SketchWordTable.countsBeforeOf.contains(word) else { return true }
    return at + 1 < words.count && words[at + 1].text == "of"
  }

  /// Applies attributes that follow their thing: "a house that is red".
  mutating func settleAttributes() {
    if let last = group.last {
      if description.items[last].colours.isEmpty { description.items[last].colours = pending.colours }
      if pending.pose != nil { description.items[last].pose = pending.pose }
      if pending.pattern != .none { description.items[last].pattern = pending.pattern }
      if let mood = pending.mood { description.items[last].mood = mood }
    }
    pending = Pending()
  }

  mutating func endPhrase() {
    settleAttributes()
    // The comma in "on a sofa, a lamp" ends the relation; those in "red, white and blue" end nothing.
    if relation?.subjects.isEmpty ?? true { relation = nil }
    if !group.isEmpty { lastGroup = group }
    if let subjects = relation?.subjects, group.isEmpty { lastGroup = subjects }
    if awaited.isEmpty { group = [] }
    relation = nil
  }

  /// Handles "a bowl of fruit": the following things are inside.
  mutating func takeOf() {
    guard !fillsScene, let last = group.last, vocabulary.hasAnchor("inside", description.items[last].subject)
    else { return }
    settleAttributes()
    relation = (.holding, [last])
  }
}
