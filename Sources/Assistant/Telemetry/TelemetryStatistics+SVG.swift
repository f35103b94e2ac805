import Foundation

extension TelemetryStatistics {
  /// Renders the statistics as a page of charts in SVG 1.1; it holds no text but our own names.
  package func svg() -> String {
    var page = SVGPage(width: 720)
    page.title("Alcove telemetry (kept on this machine only)")
    page.bars("Events", counts.map { ($0.event, Double($0.count)) })
    page.bars(
      "Preview funnel",
      [
        ("previews used", Double(funnel.previewsUsed)), ("exhausted", Double(funnel.exhausted)),
        ("gate triggered", Double(funnel.gateTriggered)), ("conversions", Double(funnel.conversions)),
      ])
    page.bars(
      "Events per day, today last",
      perDay.enumerated().map { ("\($0.offset - perDay.count + 1)", Double($0.element)) })
    for figure in figures {
      page.line(
        "\(figure.name): p50 \(Self.short(figure.p50)), p95 \(Self.short(figure.p95)) \(figure.unit), "
          + "\(figure.count) values",
        figure.recent)
    }
    return page.finish()
  }

  private static func short(_ value: Double) -> String { String(format: value < 100 ? "%.1f" : "%.0f", value) }
}

/// Page of charts, one below another.
private struct SVGPage {
  let width: Double
  private var body = ""
  private var y = 24.0

  init(width: Double) { self.width = width }

  mutating func title(_ text: String) {
    write(text, x: 16, size: 16, weight: "bold")
    y += 28
  }

  mutating func bars(_ heading: String, _ values: [(String, Double)]) {
    guard !values.isEmpty else { return }
    title(heading)
    let largest = max(values.map(\.1).max() ?? 0, 1)
    for (name, value) in values {
      let length = value / largest * (width - 300)
      body += #"<rect x="190" y="\#(y - 11)" width="\#(number(length))" height="14" fill="steelblue"/>"# + "\n"
      write(name, x: 16, size: 12)
      write(number(value), x: 198 + length, size: 12)
      y += 20
    }
    y += 16
  }

  mutating func line(_ heading: String, _ values: [Double]) {
    write(heading, x: 16, size: 13)
    y += 10
    let (height, span) = (60.0, width - 32)
    let largest = max(values.max() ?? 0, .leastNormalMagnitude)
    let points = values.enumerated().map { place, value in
      let x = 16 + (values.count > 1 ? Double(place) / Double(values.count - 1) : 0.5) * span
      return "\(number(x)),\(number(y + height - value / largest * height))"
    }
    body +=
      #"<rect x="16" y="\#(number(y))" width="\#(number(span))" height="\#(height)" fill="whitesmoke"/>"# + "\n"
    body +=
      #"<polyline fill="none" stroke="sienna" stroke-width="1.5" points="\#(points.joined(separator: " "))"/>"#
      + "\n"
    for point in points {
      let parts = point.split(separator: ",")
      body += #"<circle cx="\#(parts[0])" cy="\#(parts[1])" r="2" fill="sienna"/>"# + "\n"
    }
    y += height + 34
  }

  func finish() -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <svg xmlns="http://www.w3.org/2000/svg" width="\(number(width))" height="\(number(y))" font-family="sans-serif">
    <rect width="100%" height="100%" fill="white"/>
    \(body)</svg>

    """
  }

  private mutating func write(_ text: String, x: Double, size: Int, weight: String = "normal") {
    body +=
      #"<text x="\#(number(x))" y="\#(number(y))" font-size="\#(size)" font-weight="\#(weight)">\#(text)</text>"#
      + "\n"
  }

  private func number(_ value: Double) -> String {
    value == value.rounded() ? String(Int(value)) : String(format: "%.1f", value)
  }
}
