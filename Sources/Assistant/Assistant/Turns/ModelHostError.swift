import ModelStore

/// Reasons for which a model is not loaded.
package enum ModelHostError: Error, Sendable {
  /// No model file of that name exists; `known` are the names there are.
  case noModelFile(name: String, known: [String], folder: String)
  /// No picture model of that name exists.
  case noPictureModel(name: String, known: [String], folder: String)
  /// The model does not fit into memory. `smaller` is a smaller quantization of it that is here or in the catalogue,
  /// with its estimate in bytes.
  case tooLarge(name: String, judgement: LoadJudgement, smaller: (name: String, byteCount: Int)?)
  /// No room is left besides the models at work.
  case noRoom(name: String, needed: Int, missing: Int, atWork: [String])
}

/// Facts that a user should know about a model that was loaded.
package enum ModelNotice: Sendable, Equatable {
  /// The setting asks for a graphics processor, for which there is no engine.
  case noGraphicsEngine
  /// Power or heat makes the model run with a shorter context or fewer threads.
  case steppedDown(strains: [PowerCondition.Strain], context: Int, threads: Int)
  /// The model answers from now on.
  case answers(name: String, quantization: String, window: Int, isLimitedByMemory: Bool)
  /// The file has no chat template; the one of this family is used.
  case borrowedTemplate(family: String)
  /// The file has no chat template; ChatML is used.
  case assumedChatML
}
