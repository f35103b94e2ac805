/// Renames UNet tensors of the original checkpoints (CompVis, Stability AI) to their names in diffusers.
///
/// Block numbers are walked in order, so that any number of layers and levels works.
struct UNetNames {
  /// Prefixes of original names and of their replacements, such as `input_blocks.1.0.` → `down_blocks.0.resnets.0.`.
  private var beginnings: [String: String] = [:]

  init(_ names: some Collection<String>) {
    var heads: Set<Substring> = []
    for name in names {
      // `input_blocks.3.0.op` and `output_blocks.2.1.conv` end a level, so up to four words are needed.
      let words = name.split(separator: ".")
      for length in 2...4 where words.count >= length {
        heads.insert(words[..<length].joined(separator: ".")[...])
      }
    }
    walkDown(heads)
    walkUp(heads)
    beginnings["middle_block.0"] = "mid_block.resnets.0"
    beginnings["middle_block.1"] = "mid_block.attentions.0"
    beginnings["middle_block.2"] = "mid_block.resnets.1"
  }

  private mutating func walkDown(_ heads: Set<Substring>) {
    var (block, layer, number) = (0, 0, 1)
    while heads.contains("input_blocks.\(number)") {
      let head = "input_blocks.\(number)"
      if heads.contains("\(head).0.op"[...]) {
        beginnings["\(head).0"] = "down_blocks.\(block).downsamplers.0"
        (block, layer) = (block + 1, 0)
      } else {
        beginnings["\(head).0"] = "down_blocks.\(block).resnets.\(layer)"
        beginnings["\(head).1"] = "down_blocks.\(block).attentions.\(layer)"
        layer += 1
      }
      number += 1
    }
  }

  private mutating func walkUp(_ heads: Set<Substring>) {
    var (block, layer, number) = (0, 0, 0)
    while heads.contains("output_blocks.\(number)") {
      let head = "output_blocks.\(number)"
      beginnings["\(head).0"] = "up_blocks.\(block).resnets.\(layer)"
      layer += 1
      let place = [1, 2].first { heads.contains("\(head).\($0).conv"[...]) }
      if place != 1 { beginnings["\(head).1"] = "up_blocks.\(block).attentions.\(layer - 1)" }
      if let place {
        beginnings["\(head).\(place)"] = "up_blocks.\(block).upsamplers.0"
        (block, layer) = (block + 1, 0)
      }
      number += 1
    }
  }

  /// Renames a table of tensors; names in diffusers' style stay as they are.
  func renamed(_ tensors: [String: StoredTensor]) -> TensorTable {
    var table = TensorTable()
    for (name, tensor) in tensors { table[renamed(name)] = tensor }
    return table
  }

  func renamed(_ name: String) -> String {
    for (original, own) in Self.wholes where name.hasPrefix(original) {
      return own + name.dropFirst(original.count)
    }
    let words = name.split(separator: ".", omittingEmptySubsequences: false)
    // The prefix of a middle block has two words, that of the others three.
    let length = words.first == "middle_block" ? 2 : 3
    guard words.count > length, let beginning = beginnings[words[..<length].joined(separator: ".")] else {
      return name
    }
    var rest = words[length...].joined(separator: ".")
    if beginning.contains("resnets") {
      for (original, own) in Self.residual where rest.hasPrefix(original) {
        rest = own + rest.dropFirst(original.count)
      }
    } else if beginning.contains("downsamplers"), rest.hasPrefix("op.") {
      rest = "conv." + rest.dropFirst(3)
    }
    return "\(beginning).\(rest)"
  }

  static let wholes: [(String, String)] = [
    ("input_blocks.0.0.", "conv_in."), ("time_embed.0.", "time_embedding.linear_1."),
    ("time_embed.2.", "time_embedding.linear_2."), ("time_embed.cond_proj.", "time_embedding.cond_proj."),
    ("label_emb.0.0.", "add_embedding.linear_1."), ("label_emb.0.2.", "add_embedding.linear_2."),
    ("out.0.", "conv_norm_out."), ("out.2.", "conv_out."),
  ]

  static let residual: [(String, String)] = [
    ("in_layers.0.", "norm1."), ("in_layers.2.", "conv1."), ("emb_layers.1.", "time_emb_proj."),
    ("out_layers.0.", "norm2."), ("out_layers.3.", "conv2."), ("skip_connection.", "conv_shortcut."),
  ]
}

/// Renames autoencoder tensors of the original checkpoints to their names in diffusers.
struct VAENames {
  /// Number of levels of the decoder; the original counts them from the other end.
  private let levelCount: Int

  init(_ names: some Collection<String>) {
    var levels = 0
    for name in names where name.hasPrefix("decoder.up.") {
      if let level = Int(name.dropFirst("decoder.up.".count).prefix { $0 != "." }), level < 64 {
        levels = max(levels, level + 1)
      }
    }
    levelCount = levels
  }

  func renamed(_ tensors: [String: StoredTensor]) -> TensorTable {
    var table = TensorTable()
    for (name, tensor) in tensors { table[renamed(name)] = tensor }
    return table
  }

  func renamed(_ name: String) -> String {
    var words = name.split(separator: ".").map(String.init)
    guard words.count > 2, ["encoder", "decoder"].contains(words[0]) else { return name }
    if words[1] == "norm_out" { words[1] = "conv_norm_out" }
    if words.count > 3, words[1] == "down" || words[1] == "up", let level = Int(words[2]) {
      words[2] = String(words[1] == "up" ? levelCount - 1 - level : level)
      words[1] += "_blocks"
      switch words[3] {
      case "block": words[3] = "resnets"
      case "downsample": words.replaceSubrange(3...3, with: ["downsamplers", "0"])
      case "upsample": words.replaceSubrange(3...3, with: ["upsamplers", "0"])
      default: break
      }
    } else if words[1] == "mid" || words[1] == "mid_block" {
      words[1] = "mid_block"
      switch words[2] {
      case "block_1": words.replaceSubrange(2...2, with: ["resnets", "0"])
      case "block_2": words.replaceSubrange(2...2, with: ["resnets", "1"])
      case "attn_1": words.replaceSubrange(2...2, with: ["attentions", "0"])
      default: break
      }
      if let place = words.firstIndex(of: "attentions"), words.count > place + 2 {
        let own = Self.attention[words[place + 2]]
        if let own { words.replaceSubrange((place + 2)...(place + 2), with: own) }
      }
    }
    if let place = words.firstIndex(of: "nin_shortcut") { words[place] = "conv_shortcut" }
    return words.joined(separator: ".")
  }

  private static let attention: [String: [String]] = [
    "norm": ["group_norm"], "q": ["to_q"], "k": ["to_k"], "v": ["to_v"], "proj_out": ["to_out", "0"],
    "query": ["to_q"], "key": ["to_k"], "value": ["to_v"], "proj_attn": ["to_out", "0"],
  ]
}

/// Original names of the layers of a UNet, which some LoRAs use.
struct OriginalUNetNames: Sendable {
  private var beginnings: [String: String] = [
    "mid_block.resnets.0": "middle_block.0", "mid_block.attentions.0": "middle_block.1",
    "mid_block.resnets.1": "middle_block.2",
  ]

  init(_ table: TensorTable) {
    var number = 1
    for block in 0..<table.count("down_blocks.") {
      let name = "down_blocks.\(block)"
      for layer in 0..<table.count(name + ".resnets.") {
        beginnings["\(name).resnets.\(layer)"] = "input_blocks.\(number).0"
        beginnings["\(name).attentions.\(layer)"] = "input_blocks.\(number).1"
        number += 1
      }
      if table.has(name + ".downsamplers.0.") {
        beginnings["\(name).downsamplers.0"] = "input_blocks.\(number).0"
        number += 1
      }
    }
    number = 0
    for block in 0..<table.count("up_blocks.") {
      let name = "up_blocks.\(block)"
      for layer in 0..<table.count(name + ".resnets.") {
        beginnings["\(name).resnets.\(layer)"] = "output_blocks.\(number).0"
        beginnings["\(name).attentions.\(layer)"] = "output_blocks.\(number).1"
        number += 1
      }
      beginnings["\(name).upsamplers.0"] =
        "output_blocks.\(number - 1).\(table.has(name + ".attentions.") ? 2 : 1)"
    }
  }

  /// Returns the original name of a layer, or nil if none is known.
  subscript(name: String) -> String? {
    for (original, own) in UNetNames.wholes where name + "." == own { return String(original.dropLast()) }
    let words = name.split(separator: ".")
    let length = words.first == "mid_block" ? 3 : 4
    guard words.count > length, let beginning = beginnings[words[..<length].joined(separator: ".")] else {
      return nil
    }
    var rest = words[length...].joined(separator: ".")
    if name.contains(".resnets.") {
      for (original, own) in UNetNames.residual where rest + "." == own { rest = String(original.dropLast()) }
    } else if name.contains(".downsamplers.") {
      rest = "op"
    }
    return "\(beginning).\(rest)"
  }
}
