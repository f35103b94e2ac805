import Foundation

/// The functions that ``Calculator`` knows by name.
enum CalculatorFunctions {
  static func value(_ name: String, _ arguments: [Decimal]) throws(Calculator.Fault) -> Decimal {
    switch name {
    case "min": return arguments.min() ?? 0
    case "max": return arguments.max() ?? 0
    case "sum": return arguments.reduce(0, +)
    case "avg", "average", "mean": return arguments.reduce(0, +) / Decimal(arguments.count)
    case "round" where arguments.count <= 2:
      let digits = arguments.count == 2 ? NSDecimalNumber(decimal: arguments[1]).intValue : 0
      return rounded(arguments[0], min(max(digits, -20), 20), .plain)
    default: break
    }
    guard arguments.count == 1, let argument = arguments.first else {
      if ["pow", "power"].contains(name), arguments.count == 2 {
        let numbers = arguments.map { NSDecimalNumber(decimal: $0).doubleValue }
        return try Calculator.decimal(pow(numbers[0], numbers[1]), name)
      }
      throw .unexpected(name)
    }
    switch name {
    case "abs": return abs(argument)
    case "floor": return rounded(argument, 0, .down)
    case "ceil", "ceiling": return rounded(argument, 0, .up)
    default: break
    }
    guard let function = functions[name] else { throw .unexpected(name) }
    return try Calculator.decimal(function(NSDecimalNumber(decimal: argument).doubleValue), name)
  }

  private static func rounded(_ value: Decimal, _ digits: Int, _ mode: NSDecimalNumber.RoundingMode) -> Decimal {
    var (value, result) = (value, Decimal())
    NSDecimalRound(&result, &value, digits, mode)
    return result
  }

  private static let functions: [String: @Sendable (Double) -> Double] = [
    "sqrt": { $0.squareRoot() }, "√": { $0.squareRoot() }, "cbrt": { cbrt($0) }, "exp": { exp($0) },
    "ln": { $0 > 0 ? log($0) : .nan }, "log": { $0 > 0 ? log10($0) : .nan },
    "log10": { $0 > 0 ? log10($0) : .nan },
    "log2": { $0 > 0 ? log2($0) : .nan }, "sin": { sin($0) }, "cos": { cos($0) }, "tan": { tan($0) },
    "asin": { asin($0) }, "acos": { acos($0) }, "atan": { atan($0) }, "rad": { $0 * .pi / 180 },
    "deg": { $0 * 180 / .pi },
  ]
}
