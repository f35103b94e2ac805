import Documents
import Foundation
import Retrieval
import RetrievalSupport
import TestSupport
import Testing

/// Meaning of a query beyond its words, without a model.
@Suite struct UnderstandingTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  func library(_ texts: [String]) async throws -> Library { try await .holding(texts, in: folder) }

  @Test(arguments: [
    ("3 March 2024", "It was signed on 2024-03-03 here."), ("2024-03-03", "It was signed on 3 March 2024 here."),
    ("March 3rd, 2024", "Signed 03.03.2024 in Bonn."), ("03/04/2024", "Signed on 3 April 2024."),
    ("04/03/2024", "Signed on April 3, 2024."), ("the 3rd of March 2024", "Am 3. März 2024 geschlossen."),
    ("March 2024", "On 2024-03-17 it rained."), ("17 March", "On 2024-03-17 it rained."),
    ("17 mars 2024", "On 2024-03-17 it rained."), ("1.2 million", "They paid 1,200,000 euros."),
    ("1,200,000", "They paid 1.2 million euros."), ("3 billion", "It is 3,000,000,000 years old."),
    ("Dec 24 1999", "On the 24th of December, 1999."),
  ])
  func findsOtherForms(query: String, text: String) async throws {
    let decoys = [
      "It was signed on 4 May 2023 here.", "On 2021-08-09 it was dry.", "They paid 7 euros for 3 cats.",
    ]
    let library = try await library(decoys + [text])
    #expect(try await library.hits(query).first == text)
  }

  @Test func datesThatAreNoneAreNotRead() async throws {
    let library = try await library(["version 2024-13-45 of it", "room 31 March hare"])
    for query in ["2024-13-45", "99 March 2024", "31 31 2024", "2024-00-00"] {
      let results = try await library.search(SearchQuery(query), limit: 5)
      #expect(results.understanding.expansions.allSatisfy { $0.sought != ["2024-13-45"] }, "\(query)")
    }
  }

  @Test func acronymsFindWhatTheyStandForAndBack() async throws {
    let library = try await library([
      "Both sign a non-disclosure agreement (NDA) first.", "The non-disclosure agreement ends in May.",
      "The NDA is kept by the notary.", "An agreement on disclosure.", "SLA (service level agreement) holds.",
      "Our service level agreement is strict.",
    ])
    let short = try await library.search(SearchQuery("NDA"), limit: 9)
    #expect(
      Set(short.hits.map(\.passage.passage.text)) == [
        "Both sign a non-disclosure agreement (NDA) first.", "The non-disclosure agreement ends in May.",
        "The NDA is kept by the notary.",
      ])
    #expect(short.understanding.expansions.map(\.typed) == ["nda"])
    #expect(try await library.hits("non-disclosure agreement").contains("The NDA is kept by the notary."))
    #expect(try await library.hits("what does the SLA say").contains("Our service level agreement is strict."))
    // What introduced it is gone: so is the acronym.
    try await library.remove(paths: ["/d/file0.txt"])
    #expect(try await library.hits("NDA") == ["The NDA is kept by the notary."])
  }

  @Test func wordsThatNoDocumentHasAreCorrected() async throws {
    let library = try await library([
      "The agreement was signed.", "The harbour master waits.", "Their arrangements are temporary.", "a cat sat",
    ])
    let results = try await library.search(SearchQuery("agreemnt"), limit: 3)
    #expect(results.hits.map(\.passage.passage.text) == ["The agreement was signed."])
    #expect(results.understanding.corrections.map(\.typed) == ["agreemnt"])
    #expect(results.understanding.corrections.map(\.sought) == ["agreement"])
    #expect(try await library.hits("harbuor") == ["The harbour master waits."])
    #expect(try await library.hits("tempurary") == ["Their arrangements are temporary."])
    // Known words stay, short ones too, and what is near to nothing finds nothing.
    #expect(try await library.search(SearchQuery("harbour"), limit: 3).understanding.corrections.isEmpty)
    #expect(try await library.hits("caz").isEmpty)
    #expect(try await library.hits("zebrafish").isEmpty)
    #expect(try await library.hits("\"agreemnt\"").isEmpty)
  }

  @Test func scopesByDateAndTypeNarrow() async throws {
    let library = try await Library(at: folder.url.appending(path: "library.db"))
    for (place, kind) in [DocumentKind.pdf, .text, .pdf].enumerated() {
      let sample = Sample("fox \(place)", kind: kind)
      let file = FileFacts(
        path: "/f\(place)/a.txt", byteCount: 1, modified: Date(timeIntervalSince1970: Double(place) * 1_000))
      try await library.store(sample.document, passages: sample.passages, hash: sample.hash, file: file)
    }
    func found(_ scope: SearchScope) async throws -> Set<String> {
      Set(try await library.hits("fox", scope: scope))
    }
    #expect(try await found(SearchScope(kinds: [.pdf])) == ["fox 0", "fox 2"])
    #expect(try await found(SearchScope(since: Date(timeIntervalSince1970: 1_000))) == ["fox 1", "fox 2"])
    #expect(try await found(SearchScope(before: Date(timeIntervalSince1970: 1_000))) == ["fox 0"])
    let both = SearchScope(folder: "/f2").narrowed(by: SearchScope(kinds: [.pdf]))
    #expect(try await found(both) == ["fox 2"])
    #expect(try await found(both.narrowed(by: SearchScope(folder: "/f1"))).isEmpty)
    #expect(try await found(SearchScope(folder: "/f")).isEmpty)
    let results = try await library.search(SearchQuery("fox"), limit: 9, scope: SearchScope(kinds: [.pdf]))
    #expect(results.documentCount == 2 && results.passageCount == 2 && results.matchedPassageCount == 2)
  }
}

extension UnderstandingTests {
  @Test(arguments: [
    ("Vertrag", "Die Verträge sind von allen unterschrieben und liegen bei der Bank."),
    ("contrats", "Le contrat est signé par les deux parties et il est dans la boîte."),
    ("contratos", "El contrato es de los dos y está en la casa del vecino."),
    ("договор", "Срок договоров истекает в мае, и это не все, что было в них."),
    ("\"die Verträge sind\"", "Die Verträge sind von allen unterschrieben und liegen bei der Bank."),
    ("「契約は」", "契約は2027年に終了します。"),
  ])
  func wordsAreFoundInTheFormsOfTheirLanguage(query: String, text: String) async throws {
    let library = try await library(["An English text about nothing in particular.", text])
    #expect(try await library.hits(query) == [text])
  }

  @Test(arguments: [
    ("employmnt", "employment", "Her employment ended."), ("governmant", "government", "The governments agree."),
    ("paymentts", "payment", "The payment is due."), ("runnig", "running", "He runs a shop."),
    ("догавор", "договор", "Срок договора истекает."),
    ("verrtrag", "vertrag", "Der Vertrag ist von der Bank und nicht von mir."),
  ])
  func wrongLettersInEndingsAndOtherScriptsAreCorrected(typed: String, sought: String, text: String) async throws {
    let library = try await library(["The weather is fine.", text])
    let results = try await library.search(SearchQuery(typed), limit: 3)
    #expect(results.hits.map(\.passage.passage.text) == [text], "\(results.understanding)")
    #expect(results.understanding.corrections.map(\.typed) == [typed])
    #expect(results.understanding.corrections.first?.sought.hasPrefix(sought.prefix(3)) == true)
  }

  @Test func aNumberIsFoundWhereItStands() async throws {
    let library = try await library([
      "Room 341 is upstairs.", "Room 342 is downstairs.", "It cost 341.50 euros.", "3410 people",
    ])
    let embedder = MadeVectors("numbers")
    try await embedder.embed(library)
    func found(_ query: String) async throws -> [String] {
      try await library.search(SearchQuery(query), vector: embedder.query(query), limit: 9).hits
        .map(\.passage.passage.text)
    }
    #expect(try await found("341") == ["Room 341 is upstairs."])
    #expect(try await found("\"341\"") == ["Room 341 is upstairs."])
    #expect(try await found("341.50") == ["It cost 341.50 euros."])
    #expect(try await found("9999").isEmpty)
  }

  @Test func phrasesHoldAcrossTheEndsOfLines() async throws {
    let library = try await library(["The notice\nperiod is three\nmonths."])
    for query in ["\"notice period\"", "\"period is three months\"", "\"notice\nperiod\""] {
      #expect(try await library.hits(query).count == 1, "\(query)")
    }
  }
}
