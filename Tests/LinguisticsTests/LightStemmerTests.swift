import Linguistics
import Testing

@Suite struct LightStemmerTests {
  @Test(arguments: [
    (Language.german, ["vertrag", "vertrage", "vertragen", "vertrags"]), (.german, ["kundigung", "kundigungen"]),
    (.german, ["miete", "mieten"]), (.french, ["contrat", "contrats"]), (.french, ["cheval", "chevaux"]),
    (.french, ["loyer", "loyers"]), (.spanish, ["contrato", "contratos"]), (.spanish, ["mes", "meses"]),
    (.spanish, ["vez", "veces"]), (.italian, ["contratto", "contratti"]), (.italian, ["casa", "case"]),
    (.portuguese, ["contrato", "contratos"]), (.portuguese, ["pensao", "pensoes"]), (.dutch, ["boek", "boeken"]),
    (.russian, ["договор", "договора", "договоры", "договором", "договоров"]),
    (.russian, ["аренда", "аренды", "аренду"]),
    (.russian, ["квартира", "квартиры", "квартире"]),
  ])
  func formsOfAWordShareAStem(language: Language, forms: [String]) {
    #expect(Set(forms.map { LightStemmer.stem($0, in: language) }).count == 1)
  }

  @Test(arguments: Language.allCases) func staysWithinTheWord(language: Language) {
    for word in ["", "a", "ab", "abc", "eseses", "iiii", "ssss", "a1b2c3d4", "ennnn", "aux", "ыыыы", "自然言語"] {
      let stem = LightStemmer.stem(word, in: language)
      #expect(stem.count <= word.count && (stem.isEmpty == word.isEmpty))
    }
  }

  @Test(arguments: [
    ("Who wrote Don Quixote de la Mancha?", Language.english), ("Wann endet der Vertrag?", .german),
    ("Quel est le loyer mensuel?", .french), ("¿Cuánto es el alquiler?", .spanish),
    ("Когда заканчивается договор аренды?", .russian), ("spare key", .english), ("契約はいつ終わりますか", .other),
  ])
  func questionsTellTheirLanguage(text: String, language: Language) {
    #expect(Language.ofQuestion(Words.split(text).filter { !$0.kind.isAdditional }.map(\.text)) == language)
  }

  @Test func whatOnlyAsksIsBlankedInItsPlace() {
    for text in ["合同什么时候开始？", "家賃はいくらですか", "계약은 언제 끝납니까?", "公司的注册资本是多少?"] {
      let blanked = QuestionParticles.blanked(text)
      #expect(blanked.utf8.count == text.utf8.count && blanked != text)
    }
    #expect(QuestionParticles.blanked("合同什么时候开始？").contains("合同"))
    // What is no question stays as it is.
    for text in ["目的地", "ありがとう", "plain words?", ""] { #expect(QuestionParticles.blanked(text) == text) }
  }
}
