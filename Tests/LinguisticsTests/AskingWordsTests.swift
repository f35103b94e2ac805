import Linguistics
import Testing

@Suite struct AskingWordsTests {
  @Test(arguments: [
    ("wann muss die miete", Language.german, [0, 1]), ("darf ich", .german, [0]),
    ("quand doit on payer", .french, [0, 1]),
    ("cuando debe pagar", .spanish, [0, 1]), ("wanneer moet de huur", .dutch, [0, 1]),
  ])
  func whatMustOrMayBeIsNotLookedFor(question: String, language: Language, places: [Int]) {
    let words = question.split(separator: " ").map(String.init)
    #expect(AskingWords.read(words, in: language).places.sorted() == places)
  }
}
