import Assistant
import Foundation
import TestSupport
import Testing

@Suite struct CalculatorTests {
  @Test(arguments: [
    ("1 + 2 * 3", "7"), ("0.1 + 0.2", "0.3"), ("(12.5 + 3) * 4", "62"), ("15% of 80", "12"), ("80 + 15%", "92"),
    ("200 - 10%", "180"), ("1,234.5 * 2", "2469"), ("1'000 / 8", "125"), ("2^10", "1024"), ("2**-2", "0.25"),
    ("-2^2", "-4"), ("2^3^2", "512"), ("10 mod 4", "2"), ("10 % 4", "2"), ("5!", "120"), ("sqrt(16)^2", "16"),
    ("√16", "4"), ("3 × 4 ÷ 2 − 1", "5"), ("max(3, 9, 4)", "9"), ("round(2.567, 2)", "2.57"),
    ("avg(1, 2, 6)", "3"),
    ("1/3", "0.333333333333333"), ("2(3 + 4)", "14"), ("$935 * 12", "11220"), ("1e3 + 1", "1001"), ("7 = ", "7"),
    ("99999999999999 * 99999999999999", "9999999999999800000000000001"), ("ln(e)", "1"), ("abs(-3.5)", "3.5"),
    ("floor(-2.5)", "-3"), ("12²", "144"),
  ])
  func works(expression: String, expected: String) throws {
    #expect(Calculator.text(of: try Calculator.value(of: expression)) == expected)
  }

  @Test(arguments: [
    "", "1 +", "1 / 0", "5 mod 0", "(1", "1)", "foo(2)", "2 ** 99999", "9^9^9", "1..2", "sqrt(-1)", "1000!",
    "ln(0)",
    "system('ls')", "1; 2", "((((", "pow(1)", "min()", "1,2,3",
  ])
  func saysNoToTheRest(expression: String) {
    #expect(throws: Calculator.Fault.self) { try Calculator.value(of: expression) }
  }

  @Test func nothingTraps() {
    var random = SeededGenerator(seed: 3)
    let bits = [
      "1", "9", "0", ".", ",", "e", "(", ")", "+", "-", "*", "/", "^", "%", "!", "sqrt", "max", " ", "of", "π",
      "²",
    ]
    for _ in 0..<3000 {
      let text = (0..<Int.random(in: 0...24, using: &random)).map { _ in bits.randomElement(using: &random) ?? "" }
        .joined()
      // Whether it has a value is not the point.
      if let value = try? Calculator.value(of: text) { _ = Calculator.text(of: value) }
    }
    #expect(throws: Calculator.Fault.tooDeep) { try Calculator.value(of: String(repeating: "(", count: 400)) }
    #expect(throws: Calculator.Fault.tooLong) { try Calculator.value(of: String(repeating: "1+", count: 4000)) }
  }
}
