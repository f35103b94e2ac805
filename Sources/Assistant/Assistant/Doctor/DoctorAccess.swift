extension Doctor {
  /// Ways to what the doctor looks at, which the program at hand may have opened already.
  @MainActor
  package struct Access {
    let environment: [String: String]
    let models: ModelHost
    let workspace: () async throws -> Workspace

    var directories: Directories { models.directories }

    /// Names the ways.
    package init(
      environment: [String: String], models: ModelHost, workspace: @escaping () async throws -> Workspace
    ) {
      (self.environment, self.models, self.workspace) = (environment, models, workspace)
    }
  }
}
