/// Parser of prompts: things with their attributes, their relations to each other, and the setting.
struct SketchPromptReader {
  let vocabulary: SketchVocabulary
  let words: [SketchWord]
  var at = 0
  var description = SketchDescription()
  var pending = Pending()
  /// Things since the last relation: subjects of the next one.
  var group: [Int] = []
  var lastGroup: [Int] = []
  var relation: (kind: SketchRelation, subjects: [Int])?
  /// Items of a `between` that wait for its second thing.
  var awaited: [Int] = []
  private var isNegated = false
  /// Indicates whether the next thing fills the scene, as in "a field of sunflowers".
  var fillsScene = false
  private var dropped: Set<String> = []

  /// Attributes of the next thing.
  struct Pending {
    var count: Int?
    var colours: [Colour] = []
    var tint = 0.0
    var size = (x: 1.0, y: 1.0)
    var mood: Look.Mood?
    var pattern = Look.Pattern.none
    var pose: SketchItem.Pose?
    var text: String?
  }

  private init(_ prompt: String, _ vocabulary: SketchVocabulary) {
    self.vocabulary = vocabulary
    words = SketchWord.words(of: prompt)
  }

  /// Parses a prompt; things named by the negative prompt are left out.
  static func read(_ prompt: String, negative: String = "", _ vocabulary: SketchVocabulary) -> SketchDescription {
    var reader = SketchPromptReader(prompt, vocabulary)
    for index in SketchWord.words(of: negative).indices {
      let words = SketchWord.words(of: negative)
      if let (subject, _, _) = match(words, index, vocabulary) { reader.dropped.insert(subject) }
    }
    while reader.at < reader.words.count { reader.step() }
    reader.endPhrase()
    reader.nameCharts()
    return reader.description
  }

  /// Turns unknown words into the title of a chart.
  private mutating func nameCharts() {
    for index in description.items.indices where vocabulary.place(of: description.items[index].subject) == .chart {
      if description.items[index].text == nil, !description.unknown.isEmpty {
        description.items[index].text = description.unknown.prefix(4).joined(separator: " ") + " (example)"
        description.unknown = []
      }
    }
  }

  private mutating func step() {
    let word = words[at]
    if word.isBreak {
      at += 1
      endPhrase()
    } else if word.isQuoted {
      at += 1
      pending.text = word.text
      if let last = group.last { description.items[last].text = word.text }
    } else if let (name, length, isPlural) = Self.match(words, at, vocabulary), length > 1 {
      at += length
      take(name, isPlural: isPlural)
    } else if takeRelation() || takeSetting() || takeAttribute() {
      return
    } else if let (name, length, isPlural) = Self.match(words, at, vocabulary) {
      at += length
      take(name, isPlural: isPlural)
    } else {
      at += 1
      if ["and", "plus", "&"].contains(word.text) { return }
      if ["no", "without", "not", "except", "minus"].contains(word.text) {
        isNegated = true
        relation = nil
      } else if word.text == "of" {
        takeOf()
      } else if !SketchWordTable.silent.contains(word.text), !description.unknown.contains(word.original) {
        description.unknown.append(word.original)
      }
    }
  }

  // MARK: Things

  /// Finds the longest name of a subject that begins at a word.
  static func match(_ words: [SketchWord], _ start: Int, _ vocabulary: SketchVocabulary)
    -> (name: String, length: Int, isPlural: Bool)?
  {
    for length in stride(from: min(vocabulary.longestName, words.count - start), to: 0, by: -1) {
      let slice = words[start..<start + length]
      if slice.contains(where: { $0.isBreak || $0.isQuoted }) { continue }
      let text = slice.map(\.text).joined(separator: " ")
      if let (name, isPlural) = vocabulary.subject(named: text) { return (name, length, isPlural) }
    }
    return nil
  }

  private mutating func take(_ name: String, isPlural: Bool) {
    let place = vocabulary.place(of: name)
    defer {
      pending = Pending()
      isNegated = false
    }
    if isNegated || dropped.contains(name) {
      relation = nil
      return
    }
    if place == .part { return takePart(name) }
    if let (scene, adds) = vocabulary.scene(of: name) { return take(scene, adds) }
    if name == "moon", let kind = relation?.kind, kind == .on {
      description.setting.scene = .moonscape
      relation = nil
      group = lastGroup
      return
    }
    guard description.items.count < 24 else {
      description.notes.append("more than 24 things")
      return
    }
    var item = SketchItem(subject: name)
    item.isPlural = isPlural
    item.count = pending.count ?? (fillsScene ? 12 : isPlural ? Self.usualCount(place) : 1)
    fillsScene = false
    item.colours = pending.colours
    (item.scaleX, item.scaleY) = pending.size
    (item.mood, item.pattern, item.pose, item.text) = (pending.mood, pending.pattern, pending.pose, pending.text)
    if item.count > Self.mostInstances {
      description.notes.append("\(Self.mostInstances) of \(item.count) drawn: \(name)")
      item.count = Self.mostInstances
    }
    description.items.append(item)
    link(description.items.count - 1, place)
    if name == "moon" || name == "star" || name == "owl" || name == "aurora" || name == "firework" {
      if !description.setting.isHourGiven { description.setting.hour = .night }
    }
  }

  static let mostInstances = 30

  private static func usualCount(_ place: SketchSubject.Place) -> Int {
    place == .heaven || place == .sky ? 5 : 3
  }

  private mutating func link(_ new: Int, _ place: SketchSubject.Place) {
    if !awaited.isEmpty, relation == nil {
      // The C of "A between B and C".
      for index in awaited { description.items[index].link?.second = new }
      awaited = []
      group = [new]
      return
    }
    guard let (kind, subjects) = relation, let first = subjects.first else {
      relation = nil
      // "a dog with a hat and glasses": both are worn.
      if place == .hat || place == .face, let wearer = lastGroup.last ?? group.last {
        description.items[new].link = SketchItem.Link(relation: .wearing, other: wearer, second: nil)
        return
      }
      if group.isEmpty, let holder = lastGroup.last, new > 0, Self.isHeld.contains(description.items[new].subject),
        let before = description.items[new - 1].link, before.other == holder,
        [.wearing, .holding].contains(before.relation)
      {
        description.items[new].link = SketchItem.Link(relation: .holding, other: holder, second: nil)
        return
      }
      group.append(new)
      lastGroup = group
      return
    }
    relation = nil
    let isWorn = place == .hat || place == .face
    func attach(_ kind: SketchRelation, _ child: Int, to other: Int) {
      guard child != other else { return }
      description.items[child].link = SketchItem.Link(relation: kind, other: other, second: nil)
    }
    switch kind {
    case .holding, .wearing, .with, .inside, .around:
      let holder = description.items[first].subject
      let holds = vocabulary.hasAnchor("inside", holder) && kind != .inside
      if isWorn {
        attach(.wearing, new, to: first)
      } else if holds, kind != .around {
        attach(.inside, new, to: first)
      } else if kind == .inside {
        for subject in subjects { attach(.inside, subject, to: new) }
      } else if kind == .with, vocabulary.hasAnchor("head", holder),
        Self.isHeld.contains(description.items[new].subject)
      {
        attach(.holding, new, to: first)
      } else if kind == .holding || kind == .wearing {
        attach(.holding, new, to: first)
      } else {
        attach(.beside, new, to: first)
      }
      if kind == .inside, !isWorn { group = [new] } else { lastGroup = subjects }
    case .between:
      for subject in subjects { attach(.between, subject, to: new) }
      awaited = description.items[new].count > 1 ? [] : subjects
      group = [new]
    default:
      for subject in subjects { attach(kind, subject, to: new) }
      lastGroup = subjects
      group = [new]
    }
  }

  private static let isHeld: Set<String> = [
    "balloon", "umbrella", "flower", "rose", "tulip", "sword", "book", "flag", "kite", "candle", "key", "guitar",
    "cup",
    "ice cream", "apple", "lantern", "hammer", "banana", "sunflower", "daisy", "phone", "camera", "trumpet",
    "fishing rod",
    "carrot", "bottle", "pencil", "lollipop", "letter", "magnifying glass", "parasol", "wand", "paintbrush",
    "gift",
  ]

  private mutating func takePart(_ name: String) {
    let colour = pending.colours.first
    let owners = relation?.subjects ?? (group.isEmpty ? lastGroup : group)
    relation = nil
    guard let owner = owners.last(where: { vocabulary.hasSlot(name, in: description.items[$0].subject) }) else {
      description.notes.append("no \(name) of its own")
      return
    }
    for index in owners where vocabulary.hasSlot(name, in: description.items[index].subject) || index == owner {
      if let colour { description.items[index].parts[name] = colour }
    }
  }

  private mutating func take(_ scene: SketchSetting.Scene, _ adds: [String]) {
    let kind = relation?.kind
    relation = nil
    if scene == .sea, kind == .under {
      description.setting.scene = .underwater
    } else if description.setting.scene == nil || scene == .space || description.setting.scene == .sky {
      description.setting.scene = scene
    }
    for name in adds where !dropped.contains(name) {
      let parts = name.split(separator: "*")
      var item = SketchItem(subject: String(parts[0]).replacing("_", with: " "))
      item.count = parts.count > 1 ? Int(parts[1]) ?? 1 : 1
      item.isBackdrop = true
      if description.items.contains(where: { $0.subject == item.subject }) { continue }
      description.items.append(item)
    }
    if let colour = pending.colours.first, scene == .room || scene == .sky {
      description.setting.background = colour
    }
    // "a field of sunflowers": the following things fill it.
    if at < words.count, ["of", "full"].contains(words[at].text) { fillsScene = true }
    group = lastGroup
  }
}
