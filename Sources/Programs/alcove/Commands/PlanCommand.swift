import Assistant
import Entitlements
import Foundation
import JSON
import Terminal

extension Command {
  static let plan = Command(
    name: "plan", summary: "show and change the plan, and how many local runs it has left",
    subcommands: [.planShow, .planSet])

  private static let jsonOption = Option(name: "json", help: "write JSON")

  private static let planShow = Command(
    name: "show", summary: "show the plan in force, the previews left, and how the plan came to be",
    options: [jsonOption]
  ) { invocation, program in
    let store = try await program.workspace().store
    let listing = PlanListing(
      standing: try await store.planStanding(), counts: try await store.previewCounts(),
      changes: try await store.planChanges())
    program.output.write(invocation.has("json") ? listing.json.text + "\n" : listing.text(program.output.ink))
    return .ok
  }

  private static let planSet = Command(
    name: "set", summary: "change to another plan",
    details: """
      The change is recorded with its time. Previews that were used stay used, whatever the plan; those that were not \
      come back with a plan that has them.
      """,
    arguments: [Argument(name: "PLAN", kind: .choice(Plan.allCases.map(\.rawValue)))],
    options: [
      Option(
        name: "until", value: ("DATE", .text),
        help: "date on which it ends, such as 2027-05-31; then the plan before it is in force again"),
      Option(name: "grace", value: ("DAYS", .integer(0...365)), help: "days it stays in force after its end (0)"),
    ],
    examples: ["alcove plan set pro", "alcove plan set pro --until 2027-05-31 --grace 7"]
  ) { invocation, program in
    guard let plan = invocation.value("PLAN").flatMap(Plan.init) else { return .usage }
    var ends: Date?
    if let text = invocation.value("until") {
      guard let date = try? Date(text, strategy: .iso8601.year().month().day()) else {
        throw UsageError(message: "--until takes a date such as 2027-05-31, not '\(text)'", path: invocation.path)
      }
      ends = date
    } else if invocation.has("grace") {
      throw UsageError(message: "--grace goes with --until", path: invocation.path)
    }
    let store = try await program.workspace().store
    try await store.setPlan(plan, ends: ends, grace: Double(invocation.integer("grace") ?? 0) * 86_400)
    let listing = PlanListing(
      standing: try await store.planStanding(), counts: try await store.previewCounts(), changes: [])
    program.output.write(listing.text(program.output.ink))
    return .ok
  }

  static let tickets = Command(
    name: "tickets", summary: "list the preview tickets: used, given back, and reserved by whom",
    options: [
      Option(name: "top", letter: "n", value: ("N", .integer(1...100_000)), help: "the newest N (20)"), jsonOption,
    ]
  ) { invocation, program in
    let tickets = try await program.workspace().store.tickets(limit: invocation.integer("top") ?? 20)
    if invocation.has("json") {
      program.output.writeLine(JSON.document("tickets", [("tickets", .array(tickets.map(PlanListing.json)))]).text)
      return .ok
    }
    if tickets.isEmpty {
      program.output.writeLine("No local model has run yet.")
      return .ok
    }
    var table = Table(columns: [
      .init("issued"), .init("backend"), .init("state"), .init("counts"), .init("process"),
    ])
    for ticket in tickets {
      let owner = ticket.state == .reserved ? "\(ticket.owner.pid)\(ticket.owner.isAlive ? "" : " (gone)")" : ""
      table.add([
        ticket.issued.formatted(date: .abbreviated, time: .standard), ticket.backend.rawValue,
        ticket.state.rawValue,
        ticket.isConsuming ? "one preview" : "no preview", owner,
      ])
    }
    program.output.write(table.text(width: program.output.columns, ink: program.output.ink))
    return .ok
  }
}

/// Plan and its previews, for people and for programs.
struct PlanListing {
  let standing: PlanStanding
  let counts: PreviewCounts
  let changes: [PlanChange]

  func text(_ ink: Ink) -> String {
    var text = "Plan: " + ink(standing.plan.rawValue, .bold)
    if let ends = standing.ends {
      let day = ends.formatted(date: .abbreviated, time: .omitted)
      text += standing.isInGrace ? " (ended on \(day); in its grace period)" : " until \(day)"
    }
    text += "\n"
    if let allowance = counts.allowance {
      text += "Local runs: \(counts.remaining) of \(allowance) previews left, \(counts.consumed) used"
      text += counts.reserved > 0 ? ", \(counts.reserved) under way\n" : "\n"
      text +=
        counts.remaining == 0
        ? "Documents are answered by the rule-based analysis; `alcove plan set pro` unlocks local models again.\n"
        : "When they are used up, the rule-based analysis goes on answering.\n"
    } else {
      text += "Local runs: without limit (\(counts.consumed) previews used before)\n"
    }
    for change in changes {
      text +=
        ink(
          "  \(change.at.formatted(date: .abbreviated, time: .shortened))  \(change.plan.rawValue) "
            + "(\(change.source.rawValue))",
          .dim) + "\n"
    }
    return text
  }

  var json: JSON {
    JSON.document(
      "plan",
      [
        ("plan", .string(standing.plan.rawValue)), ("ends", .optional(standing.ends?.formatted(.iso8601))),
        ("isInGrace", .bool(standing.isInGrace)),
        ("previewsLeft", counts.allowance == nil ? .null : .int(counts.remaining)),
        ("previewsReserved", .int(counts.reserved)), ("previewRunsConsumed", .int(counts.consumed)),
        ("allowance", counts.allowance.map(JSON.int) ?? .null),
        (
          "changes",
          .array(
            changes.map {
              .object([
                ("at", .string($0.at.formatted(.iso8601))), ("plan", .string($0.plan.rawValue)),
                ("source", .string($0.source.rawValue)), ("ends", .optional($0.ends?.formatted(.iso8601))),
              ])
            })
        ),
      ])
  }

  static func json(_ ticket: TicketRecord) -> JSON {
    .object([
      ("id", .string(ticket.id.uuidString)), ("backend", .string(ticket.backend.rawValue)),
      ("state", .string(ticket.state.rawValue)), ("isConsuming", .bool(ticket.isConsuming)),
      ("issued", .string(ticket.issued.formatted(.iso8601))),
      ("ended", .optional(ticket.ended?.formatted(.iso8601))),
      ("process", .int(Int(ticket.owner.pid))),
    ])
  }
}
