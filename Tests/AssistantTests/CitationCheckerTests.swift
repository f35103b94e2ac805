import Assistant
import Documents
import Testing

@Suite struct CitationCheckerTests {
  private func source(_ number: Int, _ quote: String, title: String = "lease") -> Source {
    let start = TextPosition(page: 1, line: 1, byte: 0)
    return Source(
      number: number, path: "/a/\(title).txt", title: title, pageLabel: nil,
      citation: Citation(documentHash: "00", span: TextSpan(start: start, end: start), quote: quote))
  }

  private func check(_ answer: String, _ quotes: [String], stored: [String]? = nil) -> CitationChecker.Outcome {
    let sources = quotes.enumerated().map { source($0.offset + 1, $0.element) }
    let texts = stored ?? quotes
    return CitationChecker().check(CitedSentence.split(answer), sources: sources) { citation in
      sources.firstIndex { $0.citation == citation }.map { texts[$0] }
    }
  }

  @Test(arguments: [
    ("The monthly rent is 935 euros. [1]", "The monthly rent is 935 euros."),
    ("The rent is 1234.50 [1]", "Rent: 1,234.50 EUR"),
    ("It was signed by Mireille Oduya. [1]", "Owner: Mireille\nOduya, since May"),
    ("The Constitution was adopted in 1787 [1].", "the consti-\ntution was adopted in 1787; see Constitution"),
    ("Größe is named. [1]", "GRÖSSE or Grosse: Größe"),
    ("Nothing cited here about Napoleon in 1805.", "something else"),
    ("Yes, it bakes at 190 degrees. [1]", "Bake at 190 degrees for 35 minutes"),
    ("Heating cost 88 [1] and water 12 [2].", "Heating 88"),
    ("租赁合同第一条租金为8000元。 [1]", "租赁合同\n第一条 租金每月8000元"),
    ("血圧は128です。 [1]", "健康診断の結果\n血圧は上が128、下が82"),
    ("월세는 85만 원입니다. [1]", "월세는 85만원이며"),
  ])
  func whatTheQuoteContainsStandsUnmarked(answer: String, quote: String) {
    #expect(check(answer, [quote, "Water 12"]).unverified == [])
    #expect(check(answer, [quote, "Water 12"]).answer == answer)
  }

  @Test(arguments: [
    ("The monthly rent is 953 euros. [1]", "953", "The monthly rent is 953 [unverified] euros. [1]"),
    ("The monthly rent is 935.50 euros. [1]", "935.50", "The monthly rent is 935.50 [unverified] euros. [1]"),
    ("The rent goes to Napoleon. [1]", "Napoleon", "The rent goes to Napoleon [unverified]. [1]"),
  ])
  func whatItDoesNotContainIsMarkedWhereItStands(answer: String, claim: String, marked: String) {
    let outcome = check(answer, ["The monthly rent is 935 euros."])
    #expect(outcome.unverified == [claim])
    #expect(outcome.answer == marked)
  }

  @Test(arguments: [
    ("租金为9000元。 [1]", "9000"), ("租金为九千元。 [1]", "九千"), ("押金为8000.50元。 [1]", "8000.50"),
  ])
  func soIsANumberWithoutSpacesAroundIt(answer: String, claim: String) {
    #expect(check(answer, ["租金每月8000元，押金一万六千元"]).unverified == [claim])
  }

  @Test func aCitationThatDoesNotOpenToItsQuoteIsBroken() {
    let outcome = check("Rent is 935. [1]", ["Rent is 935."], stored: ["Rent is 936."])
    #expect(outcome.broken == [1])
    #expect(outcome.unverified == ["935"])
    #expect(check("See [7].", ["x"]).broken == [7])
  }
}
