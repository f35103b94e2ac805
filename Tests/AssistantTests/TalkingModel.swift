import Compute
import Foundation
import ModelFormats
import TestSupport

/// A tiny model of `data/engine` given a vocabulary of characters, so that it can read any prompt in ASCII and talk.
struct TalkingModel {
  let path: String
  private let folder: TemporaryFolder

  /// - Parameters:
  ///   - context: the positions that the model claims to know.
  ///   - template: its chat template; nil for none.
  ///   - special: control tokens, by the text they are written with.
  init(_ name: String = "llama-dense", context: Int = 16384, template: String? = nil, special: [String] = [])
    throws
  {
    folder = try TemporaryFolder()
    let file = try GGUFFile(path: SharedData.file("engine/\(name).gguf").path)
    var writer = GGUFWriter()
    for key in file.header.keys where !key.hasPrefix("tokenizer.") {
      if let value = file.header[key] { writer.set(key, value) }
    }
    if let architecture = try file.header.string("general.architecture") {
      writer.set("\(architecture).context_length", .uint32(UInt32(context)))
    }
    var tokens = ["<unk>", "<s>", "</s>"] + special
    let controlCount = tokens.count
    tokens += (32..<127).map { $0 == 32 ? "▁" : String(UnicodeScalar(UInt8($0))) } + ["\n"]
    while tokens.count < 128 { tokens.append("<unused\(tokens.count)>") }
    writer.set("tokenizer.ggml.model", .string("llama"))
    writer.set("tokenizer.ggml.tokens", .array(GGUFArray(Array(tokens.prefix(128)))))
    writer.set("tokenizer.ggml.scores", .array(GGUFArray([Float](repeating: 0, count: 128))))
    writer.set("tokenizer.ggml.add_space_prefix", .bool(false))
    let types = tokens.indices.map { place -> Int32 in
      place == 0 ? 2 : place < controlCount ? 3 : tokens[place].hasPrefix("<unused") ? 5 : 1
    }
    writer.set("tokenizer.ggml.token_type", .array(GGUFArray(Array(types.prefix(128)))))
    if let template { writer.set("tokenizer.chat_template", .string(template)) }
    for tensor in file.tensors {
      guard let (_, mapping) = file.tensor(tensor.name) else { continue }
      writer.add(
        tensor.name, dimensions: tensor.dimensions, type: tensor.type,
        bytes: Array(mapping.bytes[tensor.offset..<tensor.offset + tensor.byteCount]))
    }
    path = folder.url.appending(path: "\(name).gguf").path
    try writer.write(to: path)
  }

  /// ChatML with tools in the form of Hermes.
  static let chatML = """
    {%- if tools %}{{ '<|im_start|>system\\n' }}{%- if messages[0].role == 'system' %}{{ messages[0].content + '\\n' }}{%- endif %}\
    {{ '<tools>\\n' }}{%- for tool in tools %}{{ tool | tojson }}{{ '\\n' }}{%- endfor %}{{ '</tools><|im_end|>\\n' }}\
    {%- elif messages[0].role == 'system' %}{{ '<|im_start|>system\\n' + messages[0].content + '<|im_end|>\\n' }}{%- endif %}\
    {%- for message in messages %}\
    {%- if message.role == 'user' or (message.role == 'assistant' and not message.tool_calls) %}\
    {{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}\
    {%- elif message.role == 'assistant' %}{{ '<|im_start|>assistant\\n' + message.content }}\
    {%- for call in message.tool_calls %}{{ '<tool_call>{"name": "' + call.function.name + '", "arguments": ' }}{{ call.function.arguments | tojson }}{{ '}</tool_call>' }}{%- endfor %}\
    {{ '<|im_end|>\\n' }}\
    {%- elif message.role == 'tool' %}{{ '<|im_start|>user\\n<tool_response>\\n' + message.content + '\\n</tool_response><|im_end|>\\n' }}{%- endif %}\
    {%- endfor %}{%- if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{%- endif %}
    """

  /// The control tokens of ChatML.
  static let chatMLTokens = ["<|im_start|>", "<|im_end|>"]
}
