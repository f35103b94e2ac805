extension ChatTemplate {
  /// Source of a template for a model file that has none.
  package enum Standard: Sendable, Equatable {
    /// A family whose format is known, by its name.
    case family(String)
    /// ChatML, where no family is known: many models understand it, but perhaps not this one.
    case chatML
  }

  /// The template to use for a model whose file has none.
  /// - Parameters:
  ///   - architecture: `general.architecture`.
  ///   - modelName: `general.name` or the file's name.
  ///   - hasToken: whether the vocabulary has a token with this text: what a model has words for tells more than
  ///     what it is called.
  package static func standard(
    architecture: String, modelName: String, hasToken: (String) -> Bool = { _ in false }
  ) throws(TemplateError) -> (template: ChatTemplate, standard: Standard) {
    for family in families where !family.tokens.isEmpty && family.tokens.allSatisfy(hasToken) {
      return (try ChatTemplate(family.source), .family(family.name))
    }
    if hasToken("<|im_start|>"), hasToken("<|im_end|>") { return (try ChatTemplate(chatML), .family("ChatML")) }
    let name = modelName.lowercased().filter { !" -_.".contains($0) }
    let architecture = architecture.lowercased()
    for family in families
    where family.names.contains(where: { name.contains($0) }) || family.architectures.contains(architecture) {
      return (try ChatTemplate(family.source), .family(family.name))
    }
    return (try ChatTemplate(chatML), .chatML)
  }

  private static let chatML = """
    {%- for message in messages -%}
    {{- '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' -}}
    {%- endfor -%}
    {%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif -%}
    """

  private struct Family: Sendable {
    let name: String
    /// Parts of names, in lower case and without spaces, dashes and dots.
    let names: [String]
    let architectures: [String]
    /// Tokens that no other family has.
    var tokens: [String] = []
    let source: String
  }

  /// The first that fits is taken; the more particular come first.
  private static let families: [Family] = [
    Family(
      name: "llama-3", names: ["llama3", "llama31", "llama32", "llama33"], architectures: [],
      tokens: ["<|start_header_id|>", "<|eot_id|>"],
      source: """
        {{- bos_token -}}
        {%- for message in messages -%}
        {{- '<|start_header_id|>' + message['role'] + '<|end_header_id|>\\n\\n' + message['content'] | trim + '<|eot_id|>' -}}
        {%- endfor -%}
        {%- if add_generation_prompt %}{{ '<|start_header_id|>assistant<|end_header_id|>\\n\\n' }}{% endif -%}
        """),
    Family(
      name: "zephyr", names: ["zephyr", "tinyllama"], architectures: [],
      source: """
        {%- for message in messages -%}
        {{- '<|' + message['role'] + '|>\\n' + message['content'] + eos_token + '\\n' -}}
        {%- endfor -%}
        {%- if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% endif -%}
        """),
    Family(
      name: "mistral", names: ["mistral", "mixtral", "ministral", "codestral"], architectures: ["mistral3"],
      source: """
        {{- bos_token -}}
        {%- set ns = namespace(system='') -%}
        {%- for message in messages -%}
        {%- if message['role'] == 'system' -%}
        {%- set ns.system = message['content'] + '\\n\\n' -%}
        {%- elif message['role'] == 'user' -%}
        {{- '[INST] ' + ns.system + message['content'] + ' [/INST]' -}}
        {%- set ns.system = '' -%}
        {%- else -%}
        {{- ' ' + message['content'] + eos_token -}}
        {%- endif -%}
        {%- endfor -%}
        """),
    Family(
      name: "llama-2", names: ["llama2"], architectures: [],
      source: """
        {%- set ns = namespace(system='') -%}
        {%- for message in messages -%}
        {%- if message['role'] == 'system' -%}
        {%- set ns.system = '<<SYS>>\\n' + message['content'] + '\\n<</SYS>>\\n\\n' -%}
        {%- elif message['role'] == 'user' -%}
        {{- bos_token + '[INST] ' + ns.system + message['content'] | trim + ' [/INST]' -}}
        {%- set ns.system = '' -%}
        {%- else -%}
        {{- ' ' + message['content'] | trim + ' ' + eos_token -}}
        {%- endif -%}
        {%- endfor -%}
        """),
    Family(
      name: "gemma", names: ["gemma"], architectures: ["gemma", "gemma2", "gemma3"],
      tokens: ["<start_of_turn>", "<end_of_turn>"],
      source: """
        {{- bos_token -}}
        {%- set ns = namespace(system='') -%}
        {%- for message in messages -%}
        {%- if message['role'] == 'system' -%}
        {%- set ns.system = message['content'] | trim + '\\n\\n' -%}
        {%- else -%}
        {%- set role = 'model' if message['role'] == 'assistant' else message['role'] -%}
        {{- '<start_of_turn>' + role + '\\n' + ns.system + message['content'] | trim + '<end_of_turn>\\n' -}}
        {%- set ns.system = '' -%}
        {%- endif -%}
        {%- endfor -%}
        {%- if add_generation_prompt %}{{ '<start_of_turn>model\\n' }}{% endif -%}
        """),
    Family(
      name: "phi-3", names: ["phi3", "phi35"], architectures: ["phi3", "phimoe"],
      tokens: ["<|user|>", "<|assistant|>", "<|end|>"],
      source: """
        {%- for message in messages -%}
        {{- '<|' + message['role'] + '|>\\n' + message['content'] + '<|end|>\\n' -}}
        {%- endfor -%}
        {%- if add_generation_prompt %}{{ '<|assistant|>\\n' }}{% endif -%}
        """),
    Family(
      name: "granite", names: ["granite3", "granite4"], architectures: ["granite", "granitemoe", "granitehybrid"],
      tokens: ["<|start_of_role|>", "<|end_of_role|>"],
      source: """
        {%- for message in messages -%}
        {{- '<|start_of_role|>' + message['role'] + '<|end_of_role|>' + message['content'] + '<|end_of_text|>\\n' -}}
        {%- endfor -%}
        {%- if add_generation_prompt %}{{ '<|start_of_role|>assistant<|end_of_role|>' }}{% endif -%}
        """),
    Family(
      name: "deepseek", names: ["deepseekv3", "deepseekr1", "deepseekv2"], architectures: ["deepseek2"],
      tokens: ["<｜User｜>", "<｜Assistant｜>"],
      source: """
        {{- bos_token -}}
        {%- for message in messages -%}
        {%- if message['role'] == 'user' -%}
        {{- '<｜User｜>' + message['content'] -}}
        {%- elif message['role'] == 'assistant' -%}
        {{- '<｜Assistant｜>' + message['content'] + '<｜end▁of▁sentence｜>' -}}
        {%- else -%}
        {{- message['content'] -}}
        {%- endif -%}
        {%- endfor -%}
        {%- if add_generation_prompt %}{{ '<｜Assistant｜>' }}{% endif -%}
        """),
    Family(
      name: "command-r", names: ["commandr", "c4ai", "aya"], architectures: ["command-r", "cohere2"],
      tokens: ["<|START_OF_TURN_TOKEN|>", "<|CHATBOT_TOKEN|>"],
      source: """
        {{- bos_token -}}
        {%- for message in messages -%}
        {%- set role = {'system': 'SYSTEM', 'user': 'USER', 'assistant': 'CHATBOT'}.get(message['role'], 'USER') -%}
        {{- '<|START_OF_TURN_TOKEN|><|' + role + '_TOKEN|>' + message['content'] + '<|END_OF_TURN_TOKEN|>' -}}
        {%- endfor -%}
        {%- if add_generation_prompt %}{{ '<|START_OF_TURN_TOKEN|><|CHATBOT_TOKEN|>' }}{% endif -%}
        """),
    Family(
      name: "vicuna", names: ["vicuna", "wizardlm"], architectures: [],
      source: """
        {%- for message in messages -%}
        {%- if message['role'] == 'user' -%}
        {{- 'USER: ' + message['content'] + '\\n' -}}
        {%- elif message['role'] == 'assistant' -%}
        {{- 'ASSISTANT: ' + message['content'] + eos_token + '\\n' -}}
        {%- else -%}
        {{- message['content'] + '\\n\\n' -}}
        {%- endif -%}
        {%- endfor -%}
        {%- if add_generation_prompt %}{{ 'ASSISTANT:' }}{% endif -%}
        """),
  ]
}
