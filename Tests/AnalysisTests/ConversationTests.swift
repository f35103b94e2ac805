import Analysis
import Testing

@Suite("Small talk")
struct ConversationTests {
  @Test(
    "what is said to Alcove itself is answered",
    arguments: [
      ("Hello!", "greeting"), ("hi there", "greeting"), ("Good morning", "greeting"),
      ("How are you?", "wellbeing"),
      ("what's up", "wellbeing"), ("Thanks a lot!", "thanks"), ("thank you very much", "thanks"),
      ("Thanks for your help", "thanks"), ("bye", "farewell"), ("see you tomorrow", "farewell"),
      ("Who are you?", "identity"), ("What is Alcove?", "identity"), ("What's your name?", "identity"),
      ("are you a robot", "identity"), ("help", "help"), ("What can you do?", "help"),
      ("How does this work?", "help"),
      ("Do you send my data anywhere?", "privacy"), ("Are you online?", "privacy"),
      ("Is my data safe?", "privacy"),
      ("How do I add documents?", "adding"), ("how can I quit?", "leaving"),
      ("I'm so stressed about my exam tomorrow", "stress"), ("I feel overwhelmed", "stress"),
      ("I am feeling really sad", "stress"), ("I feel lonely", "loneliness"),
      ("I had a fight with my best friend", "friends"), ("my boyfriend left me", "friends"), ("I am happy", "joy"),
      ("Tell me a joke", "joke"), ("ok", "agreement"), ("Great job!", "praise"), ("sorry about that", "apology"),
    ])
  func replies(message: String, topic: String) throws {
    #expect(try Sample.conversation().reply(to: message)?.topic == topic)
  }

  @Test(
    "a question of documents is never taken for small talk",
    arguments: [
      "What does the report say about stress?", "Who is the owner of the project?", "How much is the rent?",
      "Hello, how much is the monthly rent?", "thanks, and when is it due?", "Is Harvard a private university?",
      "What is the name of my dentist?", "How do I reset the router?", "Who are you referring to in chapter 3?",
      "Where are my documents about the lease?", "I am stressed, what does the lease say about notice?",
      "Who said good morning in chapter two?", "stress", "What can be done against anxiety?",
      "friends in the letters",
      "my brother is mentioned where?", "How do I add salt to the dough?", "What is Alcove Street's postcode?", "",
      "What do the friends do?", "is it safe to bake at 190 degrees?", "Are you sure the rent is 935?",
    ])
  func passes(message: String) throws {
    #expect(try Sample.conversation().reply(to: message) == nil)
  }

  @Test("the same message has the same reply")
  func deterministic() throws {
    #expect(try Sample.conversation().reply(to: "hello") == Sample.conversation().reply(to: "Hello!!"))
  }

  @Test("faulty rules are named with their line")
  func faults() {
    #expect(throws: AnalysisError.badRule(file: "r", line: 2)) {
      try Conversation(parsing: "[a]\nwhat", file: "r")
    }
    #expect(throws: AnalysisError.badRule(file: "r", line: 2)) {
      try Conversation(parsing: "[a]\nwhen: ?b *\nsay: c", file: "r")
    }
    #expect(throws: AnalysisError.incompleteTopic(file: "r", topic: "a")) {
      try Conversation(parsing: "[a]\nwhen: b", file: "r")
    }
    #expect(throws: AnalysisError.missingPhrase(file: "p", key: "yes")) {
      try Phrases(parsing: "no: No", file: "p")
    }
  }
}
