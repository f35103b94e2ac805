import Assistant
import Foundation
import TestSupport
import Testing

/// `alcove inspect route` prints the decision by which a turn is answered.
struct RouteAgreementTests {
  /// Sentences of every kind, the first of a conversation.
  private static let sentences = [
    "draw a boat and tell me what a keel is", "blueprint style drawing of a windmill",
    "picture this: a library inside a whale", "now the same but with a green boat", "draw me a cat",
    "sketch out a plan", "draw a conclusion from the report", "paint a picture of the economy", "hello",
    "hi there!",
    "thanks a lot", "good morning", "I feel stressed", "what can you do?", "who are you?", "12 * 7",
    "what is 3.5 + 4?", "calculate (2 + 3) * 4", "what is 2026-05-01?", "When is the report due?",
    "how many invoices are there?", "Who signed the lease?", "write a poem about the sea",
    "translate this into French",
    "summarize the meeting", "compare the rent of Alder and Birch", "imagine a cat on the moon",
    "imagine a firm; what would it owe?", "make me a logo for my bakery", "make a list of tenants",
    "show me the picture on page 3", "show me what a dragon would look like", "explain the picture of Dorian Gray",
    "what is Stable Diffusion?", "a photo of an astronaut riding a horse", "watercolour of a lighthouse",
    "plot the rents as a bar chart", "draw it again at night", "again", "and at what price?", "why?", "yes", "ok",
    "zeichne einen Hund", "dessine un chat", "dibuja una casa", "Wann ist die Miete fällig?",
    "¿Quién firmó el contrato?",
    "draw", "?", "…", "tell me a joke", "what day is it?", "how about a drawing of a windmill?",
    "could you please paint me a castle in the fog", "generate an image of a robot holding a flower",
    "turn the report into a picture", "illustrate with an example", "sketch a dragon breathing fire",
    "where is the spare key?",
  ]

  @Test func thePromptAnswersAsInspectRouteSays() async throws {
    #expect(Self.sentences.count == 60)
    let fixture = try await Fixture()
    try await fixture.add("notes.txt", "The spare key is under flowerpot 5.")
    let printed = try Self.inspect(Self.sentences, [], fixture)
    var taken: [String] = []
    for sentence in Self.sentences {
      let session = fixture.workspace.session()
      await session.draw(with: try fixture.workspace.illustrator { _ in nil })
      taken.append(try await Self.route(of: sentence, in: session))
    }
    #expect(printed == taken)
    #expect(Set(taken) == ["chat", "documents", "image"])
  }

  @Test func afterAPictureItsChangeIsAPicture() async throws {
    let fixture = try await Fixture()
    let session = fixture.workspace.session()
    await session.draw(with: try fixture.workspace.illustrator { _ in nil })
    let changes = ["now the same but with a green boat", "again, at night", "once more, please"]
    let others = ["Where is the same boat moored?", "thanks", "what colour is it?"]
    for sentence in changes + others {
      // Each follows a picture of its own.
      let drawn = try await Told.collect(session, "draw a red boat")
      #expect(drawn.summary?.route == .image && drawn.summary?.status == .complete)
      let route = try await Self.route(of: sentence, in: session)
      #expect(try Self.inspect([sentence], ["--after-picture"], fixture) == [route])
      #expect((route == "image") == changes.contains(sentence), "\(sentence)")
    }
    let told = try await Told.collect(session, "draw it again at night")
    let prompts = told.events.compactMap {
      if case .picture(let report) = $0 { report.picture.prompt } else { nil }
    }
    #expect(prompts.count == 1 && prompts[0].hasSuffix(", draw it again at night"))
  }

  @Test func aPictureIsATurnLikeAllOthers() async throws {
    let fixture = try await Fixture()
    let session = fixture.workspace.session()
    await session.draw(with: try fixture.workspace.illustrator { _ in nil })
    let told = try await Told.collect(session, "draw a red boat under the moon")
    #expect(told.error == nil && told.text.isEmpty)
    #expect(told.events.first == .routed(.image))
    let turn = try #require(try await session.turns().last)
    #expect(turn.status == .complete && turn.author == "sketch" && turn.answer.hasPrefix("[Picture 1: "))
    // Without anything that draws, it goes where any other sentence goes.
    let plain = fixture.workspace.session()
    #expect(try await Self.route(of: "draw a red boat", in: plain) == "documents")
  }

  /// The route of a sentence's turn, which goes no further.
  private static func route(of sentence: String, in session: Session) async throws -> String {
    var route = ""
    for try await event in try await session.respond(to: sentence) {
      guard case .routed(let kind) = event else { continue }
      route = kind.rawValue
      break
    }
    await session.stop()
    return route
  }

  private static func inspect(_ sentences: [String], _ options: [String], _ fixture: Fixture) throws -> [String] {
    let outcome = try Programs.run(
      "alcove", ["inspect", "route"] + options + ["-"], environment: fixture.environment,
      input: sentences.joined(separator: "\n"))
    #expect(outcome.exitCode == 0)
    return outcome.output.split(separator: "\n").map(String.init)
  }
}
