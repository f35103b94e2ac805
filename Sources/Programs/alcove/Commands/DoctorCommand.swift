import Assistant
import JSON
import Terminal

extension Command {
  static let doctor = Command(
    name: "doctor", summary: "check everything Alcove needs, and say what to do about what is wrong",
    details: """
      It checks the programs and libraries, the processor, memory, disk, the databases and the index, the models, one \
      short run of each engine, and the confinement. The exit code is 0 where nothing failed, 1 otherwise.
      """,
    options: [
      Option(name: "hash", help: "read every model whole and compare its hash"),
      Option(name: "json", help: "write JSON"),
    ]
  ) { invocation, program in
    let isJSON = invocation.has("json")
    let ink = program.output.ink
    let doctor = Doctor(
      Doctor.Access(
        environment: program.environment, models: program.models, workspace: { try await program.workspace() })
    ) { finding in
      guard !isJSON else { return }
      let mark =
        switch finding.status {
        case .ok: ink("ok     ", .plain)
        case .warning: ink("warning", .warning)
        case .failed: ink("failed ", .failure)
        }
      program.output.writeLine("\(mark)  \(TextSanitizer.line("\(finding.name): \(finding.detail)"))")
      if let wayOut = finding.wayOut { program.output.writeLine("         → \(TextSanitizer.line(wayOut))") }
    }
    await doctor.examine(hashesModels: invocation.has("hash"))
    let failed = doctor.findings.count { $0.status == .failed }
    if isJSON {
      program.output.writeLine(
        JSON.document(
          "doctor",
          [
            ("healthy", .bool(failed == 0)),
            (
              "findings",
              .array(
                doctor.findings.map {
                  .object([
                    ("name", .string($0.name)), ("status", .string($0.status.rawValue)),
                    ("detail", .string($0.detail)),
                    ("wayOut", .optional($0.wayOut)),
                  ])
                })
            ),
          ]
        ).text)
    }
    return failed == 0 ? .ok : .failure
  }
}
