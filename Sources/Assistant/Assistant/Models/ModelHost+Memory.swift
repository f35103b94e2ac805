import Foundation
import ModelFormats
import ModelStore

extension ModelHost {
  /// Root of the system's own files; another one in tests.
  var systemRoot: String { environment["ALCOVE_SYSTEM_ROOT"] ?? "" }

  /// Returns the memory there is; the loaded models count as free, since they would go first.
  package func memory() -> MachineMemory {
    var memory = MachineMemory(root: systemRoot)
    memory.available = residency.roomOfAll(in: memory, held: MachineMemory.heldByThisProcess())
    return memory
  }

  /// Judges whether a model file goes into memory with a context and a KV cache.
  /// - Parameters:
  ///   - context: tokens; 0 or nil for the setting's, else the usual.
  ///   - cache: how keys and values are kept; nil for the setting's.
  package func judge(model name: String, context: Int? = nil, cache: String? = nil) throws -> ModelFit {
    let path = try file(ofModel: name)
    let file = try GGUFFile(path: path)
    let shape = try ModelShape(file.header, tensors: file.tensors)
    let set = try settings.current().integer("model.context")
    let judgement = LoadJudgement(
      shape, context: context ?? (set == 0 ? ContextWindow.usual : set),
      cache: try cache.flatMap(CacheForm.init) ?? cacheForm(),
      memory: memory())
    return ModelFit(path: path, judgement: judgement, verdict: Verdict(shape, memory: judgement.memory))
  }

  /// Estimates the memory a model takes.
  /// - Returns: nil for a file whose hyperparameters cannot be read; loading it then says why.
  /// - Throws: ``ModelHostError/tooLarge(name:judgement:smaller:)`` where it does not fit, unless the load is forced.
  func judge(_ file: GGUFFile, path: String, context: Int) throws -> LoadJudgement? {
    guard let shape = try? ModelShape(file.header, tensors: file.tensors) else { return nil }
    let judgement = LoadJudgement(shape, context: context, cache: try cacheForm(), memory: memory())
    guard !judgement.fits, !isForced, try settings.current().isOn("model.memory-check") else { return judgement }
    throw ModelHostError.tooLarge(
      name: URL(filePath: path).lastPathComponent, judgement: judgement,
      smaller: try smallerForm(of: path, shape, judgement))
  }

  private func cacheForm() throws -> CacheForm {
    CacheForm(rawValue: try settings.current().text("model.cache")) ?? .f16
  }

  /// Finds the largest other quantization of a model that fits: among the files next to it, else in the catalogue.
  private func smallerForm(
    of path: String, _ shape: ModelShape, _ judgement: LoadJudgement
  ) throws -> (name: String, byteCount: Int)? {
    let room = judgement.memory.available
    let others = files().filter { $0.path != path && $0.byteCount < shape.weightBytes }
    let here = others.compactMap { other -> (name: String, byteCount: Int)? in
      guard other.family == ModelFileEntry.family(URL(filePath: path).lastPathComponent),
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

  /// Picks, of several quantizations of one model, the one to load: the first of the usual order that fits, else the
  /// smallest.
  func fittingForm(_ files: [ModelFileEntry]) -> String? {
    guard files.count > 1 else { return files.first?.path }
    let memory = memory()
    let context = (try? settings.current().integer("model.context")) ?? 0
    let judged = files.map { file in
      let header = try? GGUFFile(path: file.path)
      let shape = header.flatMap { try? ModelShape($0.header, tensors: $0.tensors) }
      let total = shape.map { MemoryEstimate($0, context: context == 0 ? ContextWindow.usual : context).total }
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

  /// Unloads models to make room for another: the one of its kind, then those used least recently, but none in use.
  /// - Throws: ``ModelHostError/noRoom(name:needed:missing:atWork:)`` where it still does not fit, unless the load is
  ///   forced.
  func makeRoom(for kind: Residency.Kind, path: String, byteCount: Int) async throws {
    let room = residency.room(
      in: MachineMemory(root: systemRoot), held: MachineMemory.heldByThisProcess())
    switch residency.plan(kind: kind, path: path, byteCount: byteCount, available: room) {
    case .resident: return
    case .load(let leaving):
      for path in leaving { await evict(path) }
    case .refused(let missing):
      guard try isForced || !settings.current().isOn("model.memory-check") else {
        throw ModelHostError.noRoom(
          name: URL(filePath: path).lastPathComponent, needed: byteCount, missing: missing,
          atWork: residency.residents.filter(\.isInUse).map { URL(filePath: $0.path).lastPathComponent })
      }
      // A forced load gets all the room that can be freed.
      for resident in residency.residents where !resident.isInUse { await evict(resident.path) }
    }
  }

  private func evict(_ path: String) async {
    switch residency.residents.first(where: { $0.path == path })?.kind {
    case .text: await unload()
    case .diffusion: await unloadPictureModel()
    case .embedder, nil: break
    }
    residency.unloaded(path: path)
  }
}
