import TextGeneration

extension LanguageModelBackend {
  /// Name of the form of most of the weights, such as Q4_K_M.
  package var quantization: String { description.quantization }

  /// Sampling settings that the model's file or family recommends, by name without `model.` before it.
  package var ownSampling: [String: Double] { SamplingChanges.values(of: description.sampling.settings) }
}
