/// The settings that the makers of a family recommend in its model cards or `generation_config.json`.
struct FamilySampling {
  /// Lowercase texts of which the model's name must contain one; empty for any of the architectures.
  let names: [String]
  /// The architectures, as `general.architecture` gives them; empty where the name says it all.
  let architectures: Set<String>
  let temperature: Float
  var topP: Float = 1
  var topK = 0
  var minP: Float = 0
  var repeatPenalty: Float = 1
  var presencePenalty: Float = 0

  /// The first that fits a model holds.
  static let table: [FamilySampling] = [
    FamilySampling(names: ["deepseek-r1", "qwq"], architectures: [], temperature: 0.6, topP: 0.95, topK: 40),
    FamilySampling(
      names: ["qwen3-coder", "qwen3 coder"], architectures: [], temperature: 0.7, topP: 0.8, topK: 20,
      repeatPenalty: 1.05),
    FamilySampling(
      names: [], architectures: ["qwen35", "qwen35moe", "qwen3next"], temperature: 1, topP: 0.95, topK: 20,
      presencePenalty: 1.5),
    FamilySampling(
      names: ["instruct"], architectures: ["qwen3", "qwen3moe"], temperature: 0.7, topP: 0.8, topK: 20),
    FamilySampling(
      names: [], architectures: ["qwen3", "qwen3moe", "qwen3vl", "qwen3vlmoe"], temperature: 0.6, topP: 0.95,
      topK: 20),
    FamilySampling(
      names: [], architectures: ["qwen2", "qwen2moe", "qwen2vl"], temperature: 0.7, topP: 0.8, topK: 20,
      repeatPenalty: 1.05),
    FamilySampling(
      names: [], architectures: ["gemma3", "gemma3n", "gemma4"], temperature: 1, topP: 0.95, topK: 64),
    FamilySampling(names: [], architectures: ["gemma", "gemma2"], temperature: 1, topP: 0.95, topK: 64),
    FamilySampling(names: [], architectures: ["gpt-oss"], temperature: 1),
    FamilySampling(
      names: [], architectures: ["lfm2", "lfm2moe"], temperature: 0.3, minP: 0.15, repeatPenalty: 1.05),
    FamilySampling(names: [], architectures: ["smollm3"], temperature: 0.6, topP: 0.95),
    FamilySampling(names: ["smollm2", "smollm"], architectures: [], temperature: 0.2, topP: 0.9, topK: 50),
    FamilySampling(
      names: ["mistral-small", "mistral small", "ministral", "devstral"], architectures: [], temperature: 0.15),
    FamilySampling(names: [], architectures: ["mistral3"], temperature: 0.15),
    FamilySampling(names: ["nemo"], architectures: ["llama"], temperature: 0.3),
    FamilySampling(names: ["mistral", "mixtral"], architectures: ["llama"], temperature: 0.7),
    FamilySampling(names: ["tinyllama"], architectures: [], temperature: 0.7, topP: 0.95, topK: 50),
    FamilySampling(
      names: ["llama-3", "llama 3", "meta-llama", "meta llama"], architectures: ["llama"], temperature: 0.6,
      topP: 0.9),
    FamilySampling(names: ["phi-4", "phi 4"], architectures: [], temperature: 0.8, topP: 0.95, topK: 50),
    FamilySampling(names: [], architectures: ["phi3", "phimoe"], temperature: 0.3, topP: 0.95),
    FamilySampling(names: [], architectures: ["command-r", "cohere2"], temperature: 0.3, topP: 0.95),
    FamilySampling(names: [], architectures: ["glm4", "glm4moe", "chatglm"], temperature: 0.6, topP: 0.95),
    FamilySampling(names: [], architectures: ["granite", "granitemoe"], temperature: 0.3, topP: 0.95),
    FamilySampling(names: [], architectures: ["exaone", "exaone4"], temperature: 0.6, topP: 0.95),
    FamilySampling(names: [], architectures: ["seed_oss"], temperature: 1.1, topP: 0.95),
    FamilySampling(
      names: [], architectures: ["hunyuan-dense", "hunyuan-moe"], temperature: 0.7, topP: 0.8, topK: 20,
      repeatPenalty: 1.05),
    FamilySampling(names: [], architectures: ["ernie4_5", "ernie4_5-moe"], temperature: 0.8, topP: 0.8),
    FamilySampling(names: [], architectures: ["minimax-m2"], temperature: 1, topP: 0.95, topK: 40),
    FamilySampling(names: [], architectures: ["olmo2", "olmoe"], temperature: 0.6, topP: 0.9),
  ]
}
