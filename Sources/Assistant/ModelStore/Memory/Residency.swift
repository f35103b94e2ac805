/// Choice of the models that stay in memory: a text and a picture model share it, the one used least recently is
/// unloaded first, and one in use never. There are never two of one kind.
package struct Residency: Sendable, Equatable {
  /// The kinds of models that can be loaded at once.
  package enum Kind: String, Sendable, CaseIterable, Codable {
    case text, diffusion, embedder
  }

  /// One loaded model.
  package struct Resident: Sendable, Equatable {
    /// Kind of the model.
    package var kind: Kind
    /// File or folder of the model.
    package var path: String
    /// Bytes it takes at most.
    package var byteCount: Int
    /// Indicates whether it answers or draws right now.
    package var isInUse: Bool
    var lastUse: Int
  }

  /// Steps that must come before a model is loaded.
  package enum Plan: Sendable, Equatable {
    /// Loaded already.
    case resident
    /// Fits once these are unloaded, in order.
    case load(unloading: [String])
    /// Does not fit even with everything unloaded that may be; `missing` is the number of bytes that lack.
    case refused(missing: Int)
  }

  /// The models loaded, least recently used first.
  package private(set) var residents: [Resident] = []
  private var clock = 0

  /// Begins with nothing loaded.
  package init() {}

  /// Bytes that all residents take at most.
  package var byteCount: Int { residents.reduce(0) { $0.saturatingSum($1.byteCount) } }

  /// Bytes that are available besides those of the residents: a context that is not filled yet counts in full.
  /// - Parameter held: bytes of this process that are no file's (``MachineMemory/heldByThisProcess()``).
  package func room(in memory: MachineMemory, held: Int) -> Int {
    max(0, memory.available - max(0, byteCount - held))
  }

  /// Bytes that would be available with every resident unloaded.
  package func roomOfAll(in memory: MachineMemory, held: Int) -> Int {
    min(memory.total, memory.available.saturatingSum(min(byteCount, held)))
  }

  /// Returns the steps that loading a model takes.
  /// - Parameter available: bytes that can be had besides those of the residents.
  package func plan(kind: Kind, path: String, byteCount: Int, available: Int) -> Plan {
    if residents.contains(where: { $0.path == path && $0.kind == kind }) { return .resident }
    var unloading: [String] = []
    var room = available
    // Two of a kind never stay, whatever the room.
    if let same = residents.first(where: { $0.kind == kind }) {
      guard !same.isInUse else { return .refused(missing: max(0, byteCount - room)) }
      unloading.append(same.path)
      room = room.saturatingSum(same.byteCount)
    }
    for resident in residents where room < byteCount && !resident.isInUse && resident.kind != kind {
      unloading.append(resident.path)
      room = room.saturatingSum(resident.byteCount)
    }
    return room >= byteCount ? .load(unloading: unloading) : .refused(missing: byteCount - room)
  }

  /// Notes that a model was loaded.
  package mutating func loaded(kind: Kind, path: String, byteCount: Int) {
    residents.removeAll { $0.path == path || $0.kind == kind }
    clock += 1
    residents.append(Resident(kind: kind, path: path, byteCount: byteCount, isInUse: false, lastUse: clock))
  }

  /// Notes that a model was unloaded.
  package mutating func unloaded(path: String) { residents.removeAll { $0.path == path } }

  /// Notes that a model begins or ends to work.
  package mutating func uses(path: String, _ isInUse: Bool) {
    guard let index = residents.firstIndex(where: { $0.path == path }) else { return }
    clock += 1
    residents[index].isInUse = isInUse
    residents[index].lastUse = clock
    residents.sort { $0.lastUse < $1.lastUse }
  }
}
