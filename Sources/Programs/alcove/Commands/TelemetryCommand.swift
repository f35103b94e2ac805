import Assistant
import Foundation
import JSON
import Telemetry
import Terminal

extension Command {
  static let telemetry = Command(
    name: "telemetry", summary: "show what Alcove counted on this machine; nothing is ever sent",
    details: "Events hold numbers and fixed words, never text. DO_NOT_TRACK=1 turns recording off.",
    subcommands: [
      .telemetryShow, .telemetryStats, .telemetryExport, .telemetryPlot, .telemetryWipe, .telemetryOn,
      .telemetryOff,
    ])

  private static let since = Option(
    name: "since", value: ("TIME", .text),
    help: "only events of the last 90m, 12h, 2d or 3w, or since a date "
      + "such as 2026-11-21")
  private static let json = Option(name: "json", help: "write JSON, an object a line")

  private static let telemetryShow = Command(
    name: "show", summary: "list events, oldest first",
    options: [
      Option(
        name: "event", value: ("PATTERN", .text),
        help: "only events of this name; * stands for "
          + "anything, as in preview_*"),
      since,
      Option(
        name: "severity", value: ("LEVEL", .choice(TelemetryEvent.Severity.allCases.map(\.rawValue))),
        help: "only events at least this severe"),
      Option(name: "top", letter: "n", value: ("N", .integer(1...10_000_000)), help: "the newest N (50)"),
      Option(name: "follow", letter: "f", help: "wait for new events until Ctrl-C"), json,
    ], examples: ["alcove telemetry show --event 'preview_*' --since 2d"]
  ) { invocation, program in
    var query = TelemetryQuery(
      pattern: invocation.value("event"), since: try TelemetryListing.time(invocation),
      severity: invocation.value("severity").flatMap(TelemetryEvent.Severity.init) ?? .info,
      limit: invocation.integer("top") ?? 50)
    let store = try await program.workspace().store
    let isJSON = invocation.has("json")
    let follows = invocation.has("follow")
    return try await program.interruptible {
      repeat {
        let events = try await store.telemetry(query)
        for event in events {
          program.output.writeLine(isJSON ? event.json : TelemetryListing.line(event, program.output.ink))
        }
        program.output.flush()
        if let last = events.last { query.after = last.sequence }
        if follows { try await Task.sleep(for: .milliseconds(400)) }
      } while follows
      return .ok
    }
  }

  private static let telemetryStats = Command(
    name: "stats", summary: "show counts, the preview funnel, and the distribution of measured times",
    options: [since, json]
  ) { invocation, program in
    let statistics = try await program.workspace().store.telemetryStatistics(
      since: TelemetryListing.time(invocation))
    if invocation.has("json") {
      let encoder = JSONEncoder()
      encoder.outputFormatting = [.sortedKeys]
      program.output.writeLine(String(decoding: try encoder.encode(statistics), as: UTF8.self))
    } else {
      program.output.write(TelemetryListing.text(statistics, program))
    }
    return .ok
  }

  private static let telemetryExport = Command(
    name: "export", summary: "write every event to a file, an object a line",
    arguments: [Argument(name: "FILE", kind: .path)]
  ) { invocation, program in
    let events = try await program.workspace().store.telemetry(TelemetryQuery(limit: .max))
    let file = program.directories.absolutePath(invocation.value("FILE") ?? "")
    try Data(events.map { $0.json + "\n" }.joined().utf8).write(to: URL(filePath: file), options: .atomic)
    program.output.writeLine("\(events.count) events written to \(TextSanitizer.line(file))")
    return .ok
  }

  private static let telemetryPlot = Command(
    name: "plot", summary: "draw the statistics as charts", arguments: [Argument(name: "FILE.svg", kind: .path)],
    options: [since]
  ) { invocation, program in
    let statistics = try await program.workspace().store.telemetryStatistics(
      since: TelemetryListing.time(invocation))
    let file = program.directories.absolutePath(invocation.value("FILE.svg") ?? "")
    try Data(statistics.svg().utf8).write(to: URL(filePath: file), options: .atomic)
    program.output.writeLine("charts written to \(TextSanitizer.line(file))")
    return .ok
  }

  private static let telemetryWipe = Command(name: "wipe", summary: "remove every event") { _, program in
    let count = try await program.workspace().store.wipeTelemetry()
    program.output.writeLine("\(count) events removed")
    return .ok
  }

  private static let telemetryOn = Command(name: "on", summary: "record events from now on") { _, program in
    let store = try await program.workspace().store
    try await store.setTelemetry(on: true)
    let isOn = try await store.isTelemetryOn()
    program.output.writeLine(isOn ? "recording is on" : "DO_NOT_TRACK keeps recording off")
    return .ok
  }

  private static let telemetryOff = Command(name: "off", summary: "record nothing from now on") { _, program in
    try await program.workspace().store.setTelemetry(on: false)
    program.output.writeLine("recording is off")
    return .ok
  }
}

/// Events and statistics as a terminal shows them.
@MainActor
enum TelemetryListing {
  /// Returns the moment that `--since` names; nil where it is not given.
  static func time(_ invocation: Invocation, now: Date = Date()) throws(UsageError) -> Date? {
    guard let text = invocation.value("since") else { return nil }
    let units: [Character: Double] = ["s": 1, "m": 60, "h": 3600, "d": 86_400, "w": 604_800]
    if let unit = text.last.flatMap({ units[$0] }), let count = Double(text.dropLast()), count >= 0, count.isFinite
    {
      return now.addingTimeInterval(-count * unit)
    }
    if let date = try? Date(text, strategy: .iso8601.year().month().day()) { return date }
    throw UsageError(
      message: "--since takes 90m, 12h, 2d, 3w or a date such as 2026-11-21, not '\(text)'", path: invocation.path)
  }

  static func line(_ event: TelemetryRecord, _ ink: Ink) -> String {
    let time = event.at.formatted(
      .iso8601.year().month().day().dateTimeSeparator(.space).time(includingFractionalSeconds: false))
    let fields = event.fields.dropFirst().dropLast().replacing("\"", with: "").replacing(",", with: "  ")
    return ink("\(event.sequence) \(time)", .dim) + " " + ink(event.name, .bold) + " " + fields
  }

  static func text(_ statistics: TelemetryStatistics, _ program: Program) -> String {
    let ink = program.output.ink
    guard !statistics.counts.isEmpty else { return "Nothing is recorded yet.\n" }
    var counts = Table(columns: [.init("event"), .init("count", isRightAligned: true)])
    for count in statistics.counts { counts.add([count.event, "\(count.count)"]) }
    var text = counts.text(width: program.output.columns, ink: ink)
    let funnel = statistics.funnel
    text +=
      "\nPreviews: \(funnel.previewsUsed) used → \(funnel.exhausted) exhausted → \(funnel.gateTriggered) refused"
    text += " → \(funnel.conversions) upgraded\n"
    text += "Events a day: " + Sparkline.text(statistics.perDay.map(Double.init)) + "\n\n"
    var figures = Table(columns: [
      .init("figure"), .init("p50", isRightAligned: true), .init("p95", isRightAligned: true), .init("unit"),
      .init("n", isRightAligned: true), .init("newest"),
    ])
    for figure in statistics.figures {
      figures.add([
        figure.name, short(figure.p50), short(figure.p95), figure.unit, "\(figure.count)",
        Sparkline.text(figure.recent),
      ])
    }
    return text + (statistics.figures.isEmpty ? "" : figures.text(width: program.output.columns, ink: ink))
  }

  private static func short(_ value: Double) -> String { String(format: value < 100 ? "%.1f" : "%.0f", value) }
}
