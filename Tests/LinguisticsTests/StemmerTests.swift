import Linguistics
import Testing

@Suite struct StemmerTests {
  /// Pairs from the algorithm's own page.
  @Test(arguments: [
    ("consign", "consign"), ("consigned", "consign"), ("consisting", "consist"), ("consolation", "consol"),
    ("consolidate", "consolid"), ("consonantal", "consonant"), ("conspicuously", "conspicu"),
    ("conspiracy", "conspiraci"),
    ("knackeries", "knackeri"), ("knavish", "knavish"), ("knightly", "knight"), ("knots", "knot"),
    ("kneel", "kneel"),
    ("generate", "generat"), ("generic", "generic"), ("general", "general"), ("hopping", "hop"),
    ("hoping", "hope"),
    ("ties", "tie"), ("cries", "cri"), ("gas", "gas"), ("this", "this"), ("kiwis", "kiwi"), ("skies", "sky"),
    ("running", "run"), ("relational", "relat"), ("hopefulness", "hope"), ("sensibility", "sensibl"),
    ("agreed", "agre"), ("feed", "feed"), ("luxuriating", "luxuri"), ("early", "earli"), ("succeeding", "succeed"),
    ("analogously", "analog"), ("geology", "geolog"), ("rationalization", "ration"), ("adoption", "adopt"),
    ("yes", "yes"), ("say", "say"), ("enjoy", "enjoy"), ("été", "été"), ("ab", "ab"),
    ("p53", "p53"),
  ])
  func reduces(word: String, stem: String) { #expect(Stemmer.stem(word) == stem) }
}
