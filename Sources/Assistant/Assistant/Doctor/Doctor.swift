import Foundation
import Ingestion
import Platform

/// Looks at everything Alcove needs and says what is wrong with it, and the way out.
@MainActor
package final class Doctor {
  /// State of one thing.
  package enum Status: String, Sendable {
    case ok, warning, failed
  }

  /// One line of the report.
  package struct Finding: Sendable {
    package let name: String
    package let status: Status
    package let detail: String
    /// Advice for the user; nil where nothing is wrong.
    package var wayOut: String?
  }

  let access: Access
  /// Findings so far, in order.
  package private(set) var findings: [Finding] = []
  private let report: (Finding) -> Void

  /// Makes a doctor.
  /// - Parameter report: called with each finding at once.
  package init(_ access: Access, report: @escaping (Finding) -> Void) {
    self.access = access
    self.report = report
  }

  /// Examines all.
  /// - Parameter hashesModels: whether every model is read whole and compared with its hash.
  package func examine(hashesModels: Bool) async {
    checkToolchain()
    checkPrograms()
    checkProcessor()
    checkMemory()
    checkDisk()
    checkDatabases()
    await checkIndex()
    await checkModels(hashesModels: hashesModels)
    await checkTextEngine()
    await checkEmbedder()
    await checkPictureEngines()
    checkConfinement()
  }

  func add(_ name: String, _ status: Status, _ detail: String, _ wayOut: String? = nil) {
    let finding = Finding(name: name, status: status, detail: detail, wayOut: wayOut)
    findings.append(finding)
    report(finding)
  }

  // MARK: Confinement

  private func checkConfinement() {
    let open = NetworkLock.probe().filter { $0.error == 0 }.map(\.attempt)
    if open.isEmpty {
      add("seccomp", .ok, "internet sockets are refused to this process")
    } else {
      add(
        "seccomp", .failed, "allowed: \(open.joined(separator: ", "))",
        "`alcove privacy` shows what is refused; this kernel refuses too little")
    }
    guard let reader = try? Installation(environment: access.environment).reader else { return }
    let environment = ProcessInfo.processInfo.environment
    guard
      let (status, text) = ChildOutput.of(reader.path, [ReaderDescriptors.trialArgument], environment: environment)
    else { return add("reader's confinement", .failed, "it cannot be started", "run ./run install again") }
    let lines = text.split(separator: "\n")
    let allowed = lines.filter { $0.hasSuffix("allowed") }
    if !allowed.isEmpty || status != 0 {
      add(
        "reader's confinement", .failed, allowed.joined(separator: "; "),
        "foreign files are read with less protection")
    } else if lines.contains(where: { $0.contains("no Landlock") }) {
      add(
        "Landlock", .warning, "this kernel has none: readers can open any file of yours",
        "Linux 5.13 or newer has it")
    } else {
      add("Landlock", .ok, "readers of files are confined, tried just now")
    }
  }
}
