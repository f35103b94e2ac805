import Linguistics
import Testing

@Suite struct LanguageTests {
  @Test(arguments: [
    ("The quick brown fox jumps over the lazy dog and is then seen by all.", Language.english),
    ("Der Hund ist in dem Haus und die Katze schläft auf der Bank, aber nicht heute.", .german),
    ("Le chat est dans la maison et le chien dort sur le lit avec les enfants.", .french),
    ("El perro está en la casa y los gatos duermen en el jardín con su madre.", .spanish),
    ("Il cane è nella casa e il gatto dorme sul letto con la mamma, ma non oggi.", .italian),
    ("O cão está na casa e os gatos dormem no jardim com a mãe deles.", .portuguese),
    ("De hond is in het huis en de kat slaapt op de bank, maar niet vandaag.", .dutch),
    ("Это собака, она спит в доме на диване.", .russian), ("狗在房子里。", .other),
    ("invoice total amount item price", .english),
  ])
  func guesses(text: String, language: Language) {
    #expect(Language.guess(from: Words.split(text).map(\.text)) == language)
  }
}
