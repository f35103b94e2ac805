import Assistant
import Testing

/// Documents and questions in other languages than English, by words alone.
@Suite struct ForeignLanguageTests {
  private static let documents = [
    (
      "mietvertrag.txt",
      "Die monatliche Miete beträgt 935 Euro.\n\nDer Mietvertrag endet am 31. März 2027.\n\nDen Ersatzschlüssel hat Frau Berger."
    ),
    (
      "bail.txt",
      "Le loyer mensuel est de 820 euros.\n\nLe contrat prend fin le 15 juin 2026.\n\nLa propriétaire est Madame Lefèvre."
    ),
    (
      "alquiler.txt",
      "El alquiler mensual es de 640 euros.\n\nLos contratos terminan el 3 de mayo de 2028.\n\nLa dueña es la señora Ortega."
    ),
    (
      "договор.txt",
      "Арендная плата составляет 45000 рублей в месяц.\n\nСрок договора истекает 1 сентября 2026 года.\n\nКлючи хранятся у Ирины Петровой."
    ),
    ("合同.txt", "公司的注册资本为五百万元。\n\n合同从2026年3月1日开始生效。\n\n仓库的钥匙在王经理那里。"),
    ("契約.txt", "家賃は月額八万円です。\n\n契約は2027年3月31日に終了します。\n\n予備の鍵は管理人の佐藤さんが持っています。"),
  ]

  @Test(arguments: [
    ("Wie hoch ist die Miete?", "935"), ("Wann endet der Mietvertrag?", "31. März 2027"),
    ("Wer hat die Ersatzschlüssel?", "Berger"), ("Quel est le loyer mensuel ?", "820"),
    ("Quand le contrat prend-il fin ?", "15 juin 2026"), ("Qui est la propriétaire ?", "Lefèvre"),
    ("¿Cuánto es el alquiler mensual?", "640"), ("¿Cuándo termina el contrato?", "3 de mayo"),
    ("¿Quién es la dueña?", "Ortega"), ("Какая арендная плата?", "45000"),
    ("Когда истекает срок договоров?", "1 сентября"), ("У кого хранятся ключи?", "Ирины"),
    ("公司的注册资本是多少？", "五百万元"), ("合同什么时候开始生效？", "2026年3月1日"), ("仓库的钥匙在哪里？", "王经理"),
    ("家賃はいくらですか", "八万円"), ("契約はいつ終了しますか", "2027年3月31日"), ("予備の鍵は誰が持っていますか", "佐藤"),
  ])
  func questionsAreAnswered(question: String, answer: String) async throws {
    let fixture = try await Fixture(environment: ["ALCOVE_EMBEDDER_FILE": "off"])
    for (name, text) in Self.documents { try await fixture.add(name, text) }
    let told = try await Told.collect(fixture.workspace.session(), question)
    #expect(told.text.contains(answer), "\(question) \(told.text)")
    #expect(told.summary?.hasEvidence == true)
  }

  @Test(arguments: [
    "Wie heißt der Hund des Nachbarn?", "Quel est le nom du chien ?", "¿Cómo se llama el perro?",
    "Как зовут собаку?",
    "狗叫什么名字？", "犬の名前は何ですか",
  ])
  func whatIsNotThereIsRefused(question: String) async throws {
    let fixture = try await Fixture(environment: ["ALCOVE_EMBEDDER_FILE": "off"])
    for (name, text) in Self.documents { try await fixture.add(name, text) }
    let told = try await Told.collect(fixture.workspace.session(), question)
    #expect(told.summary?.hasEvidence == false, "\(question) \(told.text)")
  }
}
