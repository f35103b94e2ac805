import Analysis

/// Decides by rules where a sentence goes: a reply that rules settle, a picture, the documents, or the model.
///
/// It is pure: the same sentence in the same context goes the same way. ``Session`` asks it once for every turn, and
/// `alcove inspect route` prints that very decision. Commands such as `/image` never ask it.
package struct Router: Sendable {
  /// Words for things that can be drawn.
  private let things: Set<String>
  /// Replies to small talk.
  private let conversation: Conversation

  /// Creates a router with the things that can be drawn and the replies to small talk.
  package init(things: some Sequence<String>, conversation: Conversation) {
    self.things = Set(things)
    self.conversation = conversation
  }

  /// Decides where a sentence goes.
  package func route(_ sentence: String, _ context: RouteContext = RouteContext()) -> Route {
    if context.isSummary { return Route(.documents) }
    if context.canDraw {
      // A sentence that asks to draw may refer to any earlier picture; one that only asks for a change, to the last
      // turn.
      if asksForPicture(sentence) {
        return Route(.image, changesLastPicture: context.picture != .none && Self.pointsBack(sentence))
      }
      if context.picture == .last, Self.asksForChange(sentence) { return Route(.image, changesLastPicture: true) }
    }
    let reply = conversation.reply(to: sentence)?.text ?? Arithmetic.reply(to: sentence)
    if reply != nil || context.isChat && context.hasModel { return Route(.chat, reply: reply) }
    let isForTheModel = ModelRequest.isForTheModel(sentence, isFollowUp: context.isFollowUp)
    return Route(.documents, fallsBackToChat: context.hasModel && (!context.hasDocuments || isForTheModel))
  }

  // MARK: The picture before

  /// Indicates whether a short sentence refers to something before it: "draw it again", "the same at night".
  private static func pointsBack(_ sentence: String) -> Bool {
    let words = words(sentence)
    return words.count < 12 && words.contains { ["it", "them", "again", "same", "that"].contains($0) }
  }

  /// Indicates whether a sentence that draws nothing by itself asks for another form of the picture right before it:
  /// "now the same but with a green boat", "once more at night, please".
  private static func asksForChange(_ sentence: String) -> Bool {
    let words = words(sentence).drop { ["and", "now", "then", "please", "ok", "okay"].contains($0) }
    if sentence.contains("?") { return false }
    return [
      ["the", "same"], ["same"], ["again"], ["once", "again"], ["once", "more"], ["make", "it"], ["make", "that"],
    ].contains {
      words.starts(with: $0)
    }
  }

  private static func words(_ sentence: String) -> [String] {
    sentence.lowercased().split { !$0.isLetter }.map(String.init)
  }

  // MARK: Pictures

  /// Indicates whether a sentence asks for a picture, rather than about one.
  package func asksForPicture(_ sentence: String) -> Bool {
    var request = RoutedRequest(sentence)
    if request.words.count < 2 || request.words.count > 400 { return false }
    // "How about a drawing of …" is a wish, all other questions are questions.
    let opening = request.takeOpening()
    if let wish = opening.wish { return wishes(request, wish) }
    guard let first = request.words.first else { return false }
    if first == "do", request.words.count > 2, RouterTable.indefinite.contains(request.words[1]) {
      return wishes(request.dropping(1), isShowing: false)
    }
    if opening.asks == nil, RouterTable.questionWords.contains(first) { return false }
    if opening.asks?.last == "mind", ["drawing", "painting", "sketching"].contains(first) {
      return draws("draw", request.dropping(1))
    }
    if RouterTable.drawing.contains(first) { return draws(first, request.dropping(1)) }
    if RouterTable.foreignDrawing.contains(first), request.words.count > 2,
      RouterTable.foreignArticles.contains(request.words[1])
    {
      return true
    }
    // "Picture of a cat" names one; "picture a cat" asks for one.
    if request.words.count > 1, ["of", ":"].contains(request.words[1]) { return isNamedPicture(request) }
    if ["turn", "convert", "transform", "make"].contains(first), request.turnsIntoPicture { return true }
    if RouterTable.seeing.contains(first), sees(first, request.dropping(1)) { return true }
    if RouterTable.making.contains(first) { return makes(first, request.dropping(1)) }
    return isNamedPicture(request)
  }

  private func wishes(_ request: RoutedRequest, _ opening: [String]) -> Bool {
    let isShowing = !Set(opening).isDisjoint(with: ["show", "see", "get", "give", "bring", "send"])
    return wishes(
      request, isShowing: isShowing, verb: opening.contains("show") || opening.contains("see") ? "show" : "")
  }

  // MARK: Verbs

  /// Indicates whether "draw …" asks for a picture: unless an idiom follows or the thing drawn is abstract.
  private func draws(_ verb: String, _ rest: RoutedRequest) -> Bool {
    var rest = rest
    rest.dropRecipient()
    guard !rest.words.isEmpty else { return false }
    let isMade = rest.namesMediumLater
    let base = verb == "redraw" ? "draw" : verb == "repaint" ? "paint" : verb
    // "A line drawing" is drawn, "a line" is an idiom, "a bleak picture" a matter of words.
    let namesPicture = rest.mediumPlace != nil && RouterTable.indefinite.contains(rest.words[0])
    if rest.isFigurative { return false }
    if !isMade, !namesPicture, rest.begins(with: RouterTable.idioms[base] ?? []) { return false }
    // "Paint a picture of the economy" is a matter of words.
    if let of = rest.pictureObject {
      return !of.beginsClause && !of.isAbstract
    }
    return isMade || !rest.isAbstract
  }

  /// Indicates whether "imagine a cat" asks for a picture: where nothing is asked of it.
  private func sees(_ verb: String, _ rest: RoutedRequest) -> Bool {
    var rest = rest
    rest.dropRecipient()
    if rest.begins(with: RouterTable.idioms[verb] ?? []) { return false }
    if rest.asksSomething || rest.isAbstract { return false }
    guard let first = rest.words.first else { return false }
    let isNew =
      RouterTable.indefinite.contains(first) || Int(first) != nil || RoutedRequest.numbers.contains(first)
    if isNew {
      return verb == "imagine" || rest.names(things, within: 12) || rest.names(RouterTable.media, within: 4)
    }
    return rest.names(things, within: 3) && !rest.hasFiniteVerb
  }

  /// Indicates whether "make …" asks for a picture: where the thing made is one.
  private func makes(_ verb: String, _ rest: RoutedRequest) -> Bool {
    wishes(
      rest, isShowing: ["show", "give", "get", "see", "display", "bring", "provide"].contains(verb), verb: verb)
  }

  /// Indicates whether what is wished for is a picture that is yet to be made.
  private func wishes(_ rest: RoutedRequest, isShowing: Bool, verb: String = "") -> Bool {
    var rest = rest
    rest.dropRecipient()
    rest.dropFillers()
    guard let first = rest.words.first else { return false }
    if RouterTable.drawing.contains(first) { return draws(first, rest.dropping(1)) }
    if ["drawing", "painting", "sketching", "to"].contains(first), rest.words.count > 1,
      rest.mediumPlace == nil || first == "to"
    {
      let next = first == "to" ? rest.words[1] : "draw"
      return RouterTable.drawing.contains(next) && draws(next, rest.dropping(first == "to" ? 2 : 1))
    }
    if first == "you", rest.words.count > 2, rest.words[1] == "to" {
      return draws(rest.words[2], rest.dropping(3))
    }
    if isShowing, ["what", "how"].contains(first), rest.saysLooksLike { return true }
    if RouterTable.definite.contains(first) || RouterTable.questionWords.contains(first) || first == "where" {
      return false
    }
    guard let place = rest.mediumPlace else {
      if rest.namesChart { return !rest.isAboutDocuments }
      let isNew =
        RouterTable.indefinite.contains(first) || Int(first) != nil || RoutedRequest.numbers.contains(first)
      let concrete = things.subtracting(RouterTable.ambiguousThings)
      return isNew && RouterTable.generating.contains(verb) && rest.names(concrete, within: 4, asHead: true)
        && !rest.isAboutDocuments && !rest.isAbstract && !rest.asksSomething
    }
    if rest.isFigurative || rest.isAboutDocuments { return false }
    let isPlural = rest.words[place].hasSuffix("s") && rest.words[place] != "canvas"
    let isOfSomething =
      place + 1 < rest.words.count && ["of", "with", ":", "showing", "von", "de"].contains(rest.words[place + 1])
    if isShowing, isPlural, !isOfSomething { return false }
    if let of = rest.pictureObject, of.isAbstract || of.isDocument || of.beginsClause { return false }
    return true
  }

  /// Indicates whether the picture itself is named and nothing is asked about it: "a photo of an astronaut".
  private func isNamedPicture(_ request: RoutedRequest) -> Bool {
    if request.endsWithStyle, !request.isQuestion, request.names(things, within: 12), !request.hasFiniteVerb {
      return true
    }
    guard let first = request.words.first, !RouterTable.definite.contains(first), let place = request.mediumPlace,
      place < 6, place + 1 < request.words.count, !request.isQuestion, !request.isFigurative
    else { return false }
    let before = request.words[..<place]
    guard
      !before.contains(where: {
        RouterTable.definite.contains($0) || $0 == "," || RoutedRequest.verbs.contains($0)
      })
    else { return false }
    guard
      [":", "of", "with", "showing", "depicting", ",", "von", "de", "d'", "del", "featuring"].contains(
        request.words[place + 1])
        || (request.words[place + 1] == "for" && RouterTable.commissioned.contains(request.words[place]))
    else { return false }
    if request.words[place + 1] == "for" { return !request.hasFiniteVerb }
    if request.words[place + 1] == "," { return request.dropping(place + 2).names(things, within: 8) }
    if let of = request.pictureObject, of.isAbstract || of.isDocument || of.beginsClause { return false }
    return !request.hasFiniteVerb && !request.isAboutDocuments
  }
}
