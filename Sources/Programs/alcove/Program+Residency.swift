import Assistant
import Foundation
import ModelStore
import TextGeneration

/// A model for which there is no room beside those at work.
struct RoomRefusal: Error {
  let name: String
  /// What it takes, and what there is without unloading anything in use.
  let needed: Int
  let missing: Int
  /// The models at work.
  let atWork: [String]
}

/// Which models stay in memory, by the policy of ``Residency``.
extension Program {
  /// Unloads what must go for a model to be loaded: the one of its kind, then those used least recently, nothing in use.
  ///
  /// Whoever loads a model says so before it is loaded, tells `residency` when it is, and when it begins and ends to work.
  /// - Throws: ``RoomRefusal`` where it does not fit all the same and nobody insists.
  func makeRoom(for kind: Residency.Kind, path: String, byteCount: Int) async throws {
    let memory = MachineMemory(root: environment["ALCOVE_SYSTEM_ROOT"] ?? "")
    let room = residency.room(in: memory, held: MachineMemory.heldByThisProcess())
    switch residency.plan(kind: kind, path: path, byteCount: byteCount, available: room) {
    case .resident: return
    case .load(let leaving):
      for path in leaving { await unload(path) }
    case .refused(let missing):
      let atWork = residency.residents.filter(\.isInUse).map { URL(filePath: $0.path).lastPathComponent }
      guard try isForced || !settings().isOn("model.memory-check") else {
        throw RoomRefusal(
          name: URL(filePath: path).lastPathComponent, needed: byteCount, missing: missing, atWork: atWork)
      }
      // Whoever insists gets what room there can be.
      for resident in residency.residents where !resident.isInUse { await unload(resident.path) }
    }
  }

  /// Notes that the model that answers begins or ends to work, so that nothing unloads it meanwhile.
  func markTextModel(isInUse: Bool) {
    if let path = loadedModel?.description.path { residency.uses(path: path, isInUse) }
  }

  private func unload(_ path: String) async {
    guard let resident = residency.residents.first(where: { $0.path == path }) else { return }
    if resident.kind == .text { await unloadModel() }
    await unloaders[resident.kind]?()
    residency.unloaded(path: path)
  }
}
