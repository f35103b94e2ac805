import Assistant
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
    let doctor = Doctor(program.doctorAccess) { finding in
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

extension Program {
  /// Access of the doctor to what this program opens.
  fileprivate var doctorAccess: Doctor.Access {
    Doctor.Access(
      environment: environment, directories: directories, absolutePath: { self.absolutePath($0) },
      settings: { try self.settings() }, workspace: { try await self.workspace() },
      modelStore: { try self.modelStore() }, memory: { self.machineMemory() },
      model: { try await self.backend() },
      pictureModel: { try self.pictureModelPath().map(self.openPictureModel) },
      fault: { try await self.check($0, in: $1).fault },
      output: { ChildOutput.of($0, $1, environment: $2) }, explain: { Failure.explain($0).sentence })
  }
}
