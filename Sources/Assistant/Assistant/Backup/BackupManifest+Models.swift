import ModelStore

extension BackupManifest {
  /// Returns the list of the models on this machine, with where they came from.
  /// - Throws: `ModelStoreError`
  package static func models(of store: ModelStore) async throws -> [Model] {
    try await store.models().map { Model(name: $0.name, source: $0.source, sha256: $0.sha256) }
  }

  /// Returns the models of the list that are not on this machine.
  /// - Throws: `ModelStoreError`
  package func models(missingFrom store: ModelStore) async throws -> [Model] {
    var missing: [Model] = []
    for model in models where try await store.model(hash: model.sha256) == nil { missing.append(model) }
    return missing
  }
}
