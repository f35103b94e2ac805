/// Marks that models write around tool calls and thoughts, from the chat templates of their families.
enum CallMarksTable {
  /// A mark that begins a call, and those that end it; without one, the message's end does.
  struct Call {
    let opener: String
    var closers: [String] = []
    /// Indicates whether the mark is a part of the call.
    var isPart = false
  }

  static let calls: [Call] = [
    // Hermes, Qwen, Granite 4, GLM, MiMo
    Call(opener: "<tool_call>", closers: ["</tool_call>"]),
    Call(opener: "<tool_calls>", closers: ["</tool_calls>"]),
    Call(opener: "<function_call>", closers: ["</function_call>"]),
    Call(opener: "<function_calls>", closers: ["</function_calls>"]),
    Call(opener: "<function=", closers: ["</function>"], isPart: true),
    Call(opener: "<invoke name=", closers: ["</invoke>"], isPart: true),
    Call(opener: "<seed:tool_call>", closers: ["</seed:tool_call>"]),
    Call(opener: "<tool_calls:opensource>", closers: ["</tool_calls:opensource>"]),
    Call(opener: "<tool_call:opensource>", closers: ["</tool_call:opensource>"]),
    Call(opener: "<atem:function_calls>", closers: ["</atem:function_calls>"]),
    Call(opener: "]<]minimax[>[<tool_call>", closers: ["]<]minimax[>[</tool_call>"]),
    // Nemotron
    Call(opener: "<TOOLCALL>", closers: ["</TOOLCALL>"]),
    // Llama 3
    Call(opener: "<|python_tag|>"),
    // Mistral
    Call(opener: "[TOOL_CALLS]"),
    // Granite 3, Phi 4
    Call(opener: "<|tool_call|>", closers: ["<|/tool_call|>", "</|tool_call|>"]),
    // Gemma 4
    Call(opener: "<|tool_call>", closers: ["<tool_call|>"]),
    // LFM2
    Call(opener: "<|tool_call_start|>", closers: ["<|tool_call_end|>"]),
    // Command R
    Call(opener: "<|START_ACTION|>", closers: ["<|END_ACTION|>"]),
    // Apertus
    Call(opener: "<|tools_prefix|>", closers: ["<|tools_suffix|>"]),
    // DeepSeek
    Call(opener: "<｜tool▁calls▁begin｜>", closers: ["<｜tool▁calls▁end｜>"]),
    Call(opener: "<｜tool▁call▁begin｜>", closers: ["<｜tool▁call▁end｜>"]),
    Call(opener: "<｜DSML｜tool_calls>", closers: ["</｜DSML｜tool_calls>"]),
    Call(opener: "<｜DSML｜function_calls>", closers: ["</｜DSML｜function_calls>"]),
    // Kimi
    Call(opener: "<|tool_calls_section_begin|>", closers: ["<|tool_calls_section_end|>"]),
    Call(opener: "<|tool_call_begin|>", closers: ["<|tool_call_end|>"]),
    // Solar
    Call(opener: "<|tool_calls|>", closers: ["<|calls|>"]),
    Call(opener: "<|tool_call:begin|>", closers: ["<|tool_call:end|>"]),
    // GigaChat
    Call(opener: "<|function_call|>"),
    Call(opener: "function call<|role_sep|>"),
    // Firefunction, Phi
    Call(opener: "functools[", isPart: true),
    // Gemma 2 and 3
    Call(opener: "```tool_code", closers: ["```"]),
    Call(opener: "```tool_call", closers: ["```"]),
    // InternLM
    Call(opener: "<|action_start|>", closers: ["<|action_end|>"]),
  ]

  /// A mark that begins a thought, and the one that ends it.
  static let thoughts: [(opener: String, closer: String)] = [
    ("<think>", "</think>"), ("<thinking>", "</thinking>"), ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"), ("[THINK]", "[/THINK]"), ("<seed:think>", "</seed:think>"),
    ("<mm:think>", "</mm:think>"), ("<think:opensource>", "</think:opensource>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"), ("<|channel>thought", "<channel|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"), ("<|think|>", "<|end|>"), ("◁think▷", "◁/think▷"),
    ("Here are my reasoning steps:", "[BEGIN FINAL RESPONSE]"),
  ]

  /// Marks without a meaning for a reader.
  static let noise: [String] =
    thoughts.map(\.closer) + [
      "[END FINAL RESPONSE]", "<|begin|>assistant", "</tool_call>", "</tool_calls>", "<s>", "</s>", "<pad>",
      "<unk>",
      "<eos>", "<bos>", "<turn|>", "<end_of_turn>", "[/INST]",
    ]

  /// Marks between which a model quotes text that is not its own: no call stands there.
  static let quotations: [(opener: String, closer: String)] = [
    ("<tool_response>", "</tool_response>"), ("<tool_result>", "</tool_result>"), ("<document>", "</document>"),
    ("<documents>", "</documents>"), ("<passage>", "</passage>"), ("<quote>", "</quote>"),
    ("<blockquote>", "</blockquote>"), ("=== passage [", "=== end of passage ["),
    ("=== data ", "=== end of data "),
  ]
}
