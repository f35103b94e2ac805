/// Which models stay in memory: a text and a picture model share it, the one used least recently goes first, and
/// nothing in use is unloaded. Never are there two of one kind.
package struct Residency: Sendable, Equatable {
  /// The kinds of models that can be loaded at once.
  package enum Kind: String, Sendable, CaseIterable, Codable {
    case text, diffusion, embedder
  }

  /// One loaded model.
  package struct Resident: Sendable, Equatable {
    /// What it is.
    package var kind: Kind
    /// Its file or folder.
    package var path: String
    /// Bytes it takes at most.
    package var byteCount: Int
    /// Whether it answers or draws right now.
    package var isInUse: Bool
    var lastUse: Int
  }

  /// What must happen before a model can be loaded.
  package enum Plan: Sendable, Equatable {
    /// It is loaded already.
    case resident
    /// These are unloaded first, in order; then it fits.
    case load(unloading: [String])
    /// It does not fit even with everything unloaded that may be; so many bytes are missing.
    case refused(missing: Int)
  }

  /// The models loaded, least recently used first.
  package private(set) var residents: [Resident] = []
  private var clock = 0

  /// Nothing loaded.
  package init() {}

  /// Bytes that all residents take at most.
  package var byteCount: Int { residents.reduce(0) { $0.saturatingSum($1.byteCount) } }

  /// What can be had besides what the residents take: a context that was not filled yet is promised all the same.
  /// - Parameter held: bytes of this process that are no file's (``MachineMemory/heldByThisProcess()``).
  package func room(in memory: MachineMemory, held: Int) -> Int {
    max(0, memory.available - max(0, byteCount - held))
  }

  /// What could be had with every resident unloaded.
  package func roomOfAll(in memory: MachineMemory, held: Int) -> Int {
    min(memory.total, memory.available.saturatingSum(min(byteCount, held)))
  }

  /// Says what loading a model takes.
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
