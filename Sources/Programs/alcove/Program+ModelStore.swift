import Assistant
import Foundation
import ModelFormats
import ModelStore
import Terminal
import Threading

/// A model that does not fit into the memory, with the ways out.
struct MemoryRefusal: Error {
  let name: String
  let judgement: LoadJudgement
  /// A smaller form of the same model that is here or in the catalogue, and what it takes.
  let smaller: (name: String, byteCount: Int)?
}

extension Program {
  /// The models on this machine, opened when first asked for.
  func modelStore() throws -> ModelStore {
    if let openedModelStore { return openedModelStore }
    try directories.prepare()
    let store = try ModelStore(at: directories.models)
    openedModelStore = store
    return store
  }

  /// The models worth fetching, with what the user changed of them.
  func catalogue() throws -> Catalogue {
    try Catalogue(
      Installation(environment: environment).root.appending(path: "Config/catalog.json"),
      user: directories.config.appending(path: "catalog.json"))
  }

  /// The memory there is; what the loaded models take counts as free, since they would go first.
  func machineMemory() -> MachineMemory {
    var memory = MachineMemory(root: environment["ALCOVE_SYSTEM_ROOT"] ?? "")
    memory.available = residency.roomOfAll(in: memory, held: MachineMemory.heldByThisProcess())
    return memory
  }

  /// Reckons whether a model goes into the memory, and throws ``MemoryRefusal`` where it does not and nobody insists.
  /// - Returns: what it takes at most, or nil for a file whose numbers cannot be read; loading it then says why.
  func judgeMemory(of path: String, context: Int) throws -> LoadJudgement? {
    guard let file = try? GGUFFile(path: path), let shape = try? ModelShape(file.header, tensors: file.tensors)
    else { return nil }
    let wanted = context == 0 ? PowerNotice.usualContext : context
    let judgement = LoadJudgement(shape, context: wanted, cache: try cacheForm(), memory: machineMemory())
    guard !judgement.fits, !isForced, try settings().isOn("model.memory-check") else { return judgement }
    throw MemoryRefusal(
      name: URL(filePath: path).lastPathComponent, judgement: judgement,
      smaller: try smallerForm(of: path, shape, judgement))
  }

  private func cacheForm() throws -> CacheForm { CacheForm(rawValue: try settings().text("model.cache")) ?? .f16 }

  /// The largest other form of a model that fits: among the files beside it, else in the catalogue.
  private func smallerForm(
    of path: String, _ shape: ModelShape, _ judgement: LoadJudgement
  ) throws -> (name: String, byteCount: Int)? {
    let room = judgement.memory.available
    let others = modelFiles().filter { $0.path != path && $0.byteCount < shape.weightBytes }
    let here = others.compactMap { other -> (name: String, byteCount: Int)? in
      guard Self.family(other.name) == Self.family(URL(filePath: path).lastPathComponent),
        let file = try? GGUFFile(path: other.path), let shape = try? ModelShape(file.header, tensors: file.tensors)
      else { return nil }
      return (other.name, MemoryEstimate(shape, context: judgement.context).total)
    }
    if let best = here.filter({ $0.byteCount <= room }).max(by: { $0.byteCount < $1.byteCount }) { return best }
    let fetched = try catalogue().choices(memory: judgement.memory).first {
      $0.entry.kind == .text && $0.verdict <= .fits && $0.entry.byteCount(of: $0.file) < shape.weightBytes
    }
    return fetched.map {
      ("\($0.entry.name):\($0.file.quantization)", $0.entry.memory(of: $0.file, context: judgement.context))
    }
  }

  /// A file's name without its quantization, by which forms of one model are known.
  nonisolated static func family(_ name: String) -> String {
    let lowered = name.lowercased()
    guard let form = QuantizationName.find(in: name)?.lowercased(), let place = lowered.range(of: form) else {
      return lowered
    }
    return String(lowered[..<place.lowerBound])
  }

  /// Of several forms of one model, the one to load: the first of the usual order that fits, else the smallest.
  func fittingForm(_ files: [(name: String, path: String, byteCount: Int)]) -> String? {
    guard files.count > 1 else { return files.first?.path }
    let memory = machineMemory()
    let context = (try? settings().integer("model.context")) ?? 0
    let judged = files.map { file in
      let header = try? GGUFFile(path: file.path)
      let shape = header.flatMap { try? ModelShape($0.header, tensors: $0.tensors) }
      let total = shape.map {
        MemoryEstimate($0, context: context == 0 ? PowerNotice.usualContext : context).total
      }
      return (
        file: file, fits: (total ?? .max) <= memory.available,
        rank: Catalogue.rank(QuantizationName.find(in: file.name) ?? "")
      )
    }
    let best = judged.min { left, right in
      if left.fits != right.fits { return left.fits }
      return left.fits
        ? (left.rank, left.file.name) < (right.rank, right.file.name)
        : left.file.byteCount < right.file.byteCount
    }
    return best?.file.path
  }

  /// A number of bytes for people.
  nonisolated static func size(_ byteCount: Int) -> String { byteCount.formatted(.byteCount(style: .memory)) }
}

/// What power and heat change about loading a model.
struct PowerNotice {
  /// The context where nobody asks for another.
  static let usualContext = 8192

  let condition: PowerCondition
  /// The context and threads to load with; 0 leaves them to the model.
  var context: Int
  var threads: Int
  /// What to tell the user; nil where nothing changes.
  var sentence: String?

  init(condition: PowerCondition, context: Int, threads: Int, isAllowed: Bool) {
    self.condition = condition
    self.context = context
    self.threads = threads
    guard isAllowed, !condition.strains.isEmpty else { return }
    self.context = condition.context(context == 0 ? Self.usualContext : context)
    self.threads = condition.threads(threads == 0 ? ProcessorCount.usable : threads)
    let reasons = condition.strains.map {
      switch $0 {
      case .battery(let percent): "the battery is at \(percent) %"
      case .lowPowerProfile: "the low-power profile is on"
      case .throttled: "the processor is too hot"
      }
    }
    sentence =
      "As \(reasons.joined(separator: " and ")), the model runs with a context of \(self.context) tokens on "
      + "\(self.threads) thread\(self.threads == 1 ? "" : "s") (power.step-down off forbids that)."
  }
}
