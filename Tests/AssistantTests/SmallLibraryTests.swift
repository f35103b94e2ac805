import Assistant
import Testing

/// One short document: no word is rare, and its one passage is about everything at once.
@Suite struct SmallLibraryTests {
  private static let lease = """
    Rental agreement
    This agreement is made between Mr Tom Field (landlord) and Ms Jane Moss (tenant).
    The flat is at 8 Harbour Street, Bristol and has two bedrooms and 58 square metres.
    The tenancy begins on 1 April 2026 and runs for twelve months.
    The rent is 1,240 pounds a month, payable on the third day of each month.
    The notice period is two months.
    Pets are allowed only with the written consent of the landlord.
    """

  private static let mietvertrag = """
    Mietvertrag
    Zwischen Herrn Karl Sommer (Vermieter) und Frau Anna Winter (Mieterin) wird folgender Vertrag geschlossen.
    Die Wohnung in der Lindenstraße 12 in Leipzig hat drei Zimmer mit 74 Quadratmetern.
    Das Mietverhältnis beginnt am 1. April 2026 und läuft auf unbestimmte Zeit.
    Die Kaltmiete beträgt 890 Euro im Monat, die Nebenkosten betragen 160 Euro.
    Die Kündigungsfrist beträgt drei Monate zum Monatsende.
    Haustiere sind nur mit schriftlicher Zustimmung des Vermieters gestattet.
    """

  @Test(arguments: [
    (lease, "How long is the notice period?", "two months"), (lease, "How big is the flat?", "58 square metres"),
    (lease, "How many bedrooms are there?", "two bedrooms"), (lease, "What is the tenant called?", "Jane Moss"),
    (lease, "How much does the flat cost per month?", "1,240"),
    (mietvertrag, "Wie lang ist die Kündigungsfrist?", "drei Monate"),
    (mietvertrag, "Wie groß ist die Wohnung?", "74"),
    (mietvertrag, "Wie teuer sind die Nebenkosten?", "160"), (mietvertrag, "Wie viel kostet die Miete?", "890"),
    (mietvertrag, "Seit wann besteht das Mietverhältnis?", "1. April"),
    (mietvertrag, "Wie viele Zimmer hat die Wohnung?", "drei Zimmer"),
    (mietvertrag, "Darf ich einen Hund halten?", "Haustiere"),
  ])
  func isAnsweredFrom(document: String, question: String, answer: String) async throws {
    let fixture = try await Fixture()
    try await fixture.add("contract.txt", document)
    let told = try await Told.collect(fixture.workspace.session(), question)
    #expect(told.text.contains(answer), "\(question) \(told.text)")
    #expect(told.summary?.hasEvidence == true)
  }

  @Test func whatComesNearestIsShownWhereNothingAnswers() async throws {
    let fixture = try await Fixture()
    try await fixture.add("lease.txt", Self.lease)
    let told = try await Told.collect(fixture.workspace.session(), "Who feeds the pets at weekends?")
    #expect(told.summary?.hasEvidence == false)
    let nearest = told.text.split(separator: "\n").first { $0.hasPrefix("•") }
    #expect(nearest?.contains("Pets are allowed") == true, "\(told.text)")
  }

  @Test(arguments: [
    "Who won the football match?", "What is the capital of France?", "How tall is the Eiffel tower?",
  ])
  func whatItDoesNotSayIsRefused(question: String) async throws {
    let fixture = try await Fixture()
    try await fixture.add("lease.txt", Self.lease)
    let told = try await Told.collect(fixture.workspace.session(), question)
    #expect(told.summary?.hasEvidence == false, "\(question) \(told.text)")
  }
}
