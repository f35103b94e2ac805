extension PreTokenizer {
  /// Rules that several names share.
  enum Family: String, CaseIterable, Sendable {
    case standard, llama3, jais2, deepseekLLM, deepseekCoder, deepseek3, spark, youtu, falcon, starcoder, gpt2,
      qwen2
    case qwen35, bloom, viking, tekken, chameleon, gpt4o, graniteEmbedding, tinyAya, kimiK2, superBPE, seedCoder
    case ufakzeka, afmoe, laguna, exaoneMoE, newlines, minicpm5, whitespace
  }

  /// Traits that a name in a model file stands for, besides the rules.
  struct Traits: Sendable {
    var family: Family
    /// A word that is a token is taken whole, whatever its merges say.
    var ignoresMerges = false
    var addsBeginningOfText = false
    /// Tokens are written in their own UTF-8, not in the byte alphabet of GPT-2.
    var isRawUTF8 = false
    /// Spaces are written as U+2581.
    var escapesSpaces = false
    /// A word of line feeds is taken whole where it is a token.
    var keepsLineFeeds = false
    /// There is no beginning of text unless the file names one.
    var lacksBeginningOfText = false
  }

  /// The traits of a name of `tokenizer.ggml.pre`, or nil where it is unknown.
  static func traits(named name: String) -> Traits? {
    switch name {
    case "", "default": Traits(family: .standard)
    case "minicpm5": Traits(family: .minicpm5, ignoresMerges: true)
    case "llama3", "llama-v3", "llama-bpe", "falcon3", "falcon-h1", "pixtral", "midm-2.0", "lfm2", "jina-v5-nano":
      Traits(family: .llama3, ignoresMerges: true, addsBeginningOfText: true)
    case "dbrx", "smaug-bpe": Traits(family: .llama3)
    case "glm4", "chatglm-bpe": Traits(family: .llama3, lacksBeginningOfText: true)
    case "jais-2": Traits(family: .jais2)
    case "deepseek-llm": Traits(family: .deepseekLLM)
    case "deepseek-coder": Traits(family: .deepseekCoder)
    case "deepseek-v3", "hunyuan-dense", "hy_v4", "joyai-llm": Traits(family: .deepseek3)
    case "spark2_5": Traits(family: .spark)
    case "youtu": Traits(family: .youtu, ignoresMerges: true)
    case "falcon": Traits(family: .falcon)
    case "starcoder", "refact", "command-r", "smollm", "codeshell", "exaone", "minerva-7b", "mellum2":
      Traits(family: .starcoder)
    case "gpt-2", "phi-2", "jina-es", "jina-de", "gigachat", "jina-v2-es", "jina-v2-de", "a.x-4.0", "mellum",
      "modern-bert", "jina-v1-en", "jina-v2-code", "roberta-bpe", "mpt", "olmo", "jais", "trillion",
      "granite-docling",
      "exaone4":
      Traits(family: .gpt2)
    case "qwen2", "deepseek-r1-qwen", "kormo", "f2llmv2", "megrez", "stablelm2", "hunyuan", "solar-open", "grok-2",
      "bailingmoe", "bailingmoe2", "llada-moe":
      Traits(family: .qwen2)
    case "qwen35": Traits(family: .qwen35)
    case "poro-chat", "bloom", "gpt3-finnish": Traits(family: .bloom)
    case "viking": Traits(family: .viking)
    case "tekken": Traits(family: .tekken, ignoresMerges: true, addsBeginningOfText: true)
    case "chameleon": Traits(family: .chameleon, addsBeginningOfText: true)
    case "gpt-4o", "llama4", "kanana2", "talkie", "minimax-m2": Traits(family: .gpt4o)
    case "granite-embed-multi-97m": Traits(family: .graniteEmbedding, ignoresMerges: true)
    case "tiny_aya", "cohere2moe": Traits(family: .tinyAya)
    case "superbpe": Traits(family: .superBPE)
    case "seed-coder": Traits(family: .seedCoder)
    case "kimi-k2": Traits(family: .kimiK2)
    case "ufakzeka": Traits(family: .ufakzeka)
    case "afmoe": Traits(family: .afmoe)
    case "laguna": Traits(family: .laguna)
    case "exaone-moe": Traits(family: .exaoneMoE)
    case "gemma4", "granite-embed-multi-311m":
      Traits(
        family: .newlines, addsBeginningOfText: true, isRawUTF8: true, escapesSpaces: true, keepsLineFeeds: true)
    case "sarvam-moe": Traits(family: .newlines, isRawUTF8: true, escapesSpaces: true)
    case "whitespace": Traits(family: .whitespace, isRawUTF8: true)
    default: nil
    }
  }
}

extension Tokenizer {
  /// The words into which a pre-tokenizer of a name cuts a text, or nil where the name is unknown.
  package static func words(of text: String, preTokenizer name: String) -> [String]? {
    guard let traits = PreTokenizer.traits(named: name) else { return nil }
    let bytes = Array(text.utf8)
    var start = 0
    return bytes.withUnsafeBufferPointer { PreTokenizer(traits.family).wordEnds($0) }.map { end in
      defer { start = end }
      return String(decoding: bytes[start..<end], as: UTF8.self)
    }
  }
}
