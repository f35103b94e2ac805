import ImageGeneration
import ModelStore

extension Doctor {
  /// Ways to what the doctor looks at, which the program at hand may have opened already.
  @MainActor
  package struct Access {
    package var environment: [String: String]
    package var directories: Directories
    package var absolutePath: (String) -> String
    package var settings: () throws -> Settings
    package var workspace: () async throws -> Workspace
    package var modelStore: () throws -> ModelStore
    /// Memory there is for models.
    package var memory: () -> MachineMemory
    /// Model that answers; nil where none is chosen.
    package var model: () async throws -> LanguageModelBackend?
    /// Model that makes pictures; nil where the sketcher does.
    package var pictureModel: () throws -> (any ImageEngine)?
    /// Reads a model whole and says what is wrong with it; nil where nothing is.
    package var fault: (ModelRecord, ModelStore) async throws -> String?
    /// Runs a program with arguments and an environment, for its status and output; nil where it cannot be started.
    package var output: (String, [String], [String: String]) -> (status: Int32, text: String)?
    /// Sentence about an error.
    package var explain: (any Error) -> String

    /// Names the ways.
    package init(
      environment: [String: String], directories: Directories, absolutePath: @escaping (String) -> String,
      settings: @escaping () throws -> Settings, workspace: @escaping () async throws -> Workspace,
      modelStore: @escaping () throws -> ModelStore, memory: @escaping () -> MachineMemory,
      model: @escaping () async throws -> LanguageModelBackend?,
      pictureModel: @escaping () throws -> (any ImageEngine)?,
      fault: @escaping (ModelRecord, ModelStore) async throws -> String?,
      output: @escaping (String, [String], [String: String]) -> (status: Int32, text: String)?,
      explain: @escaping (any Error) -> String
    ) {
      self.environment = environment
      self.directories = directories
      self.absolutePath = absolutePath
      self.settings = settings
      self.workspace = workspace
      self.modelStore = modelStore
      self.memory = memory
      self.model = model
      self.pictureModel = pictureModel
      self.fault = fault
      self.output = output
      self.explain = explain
    }
  }
}
