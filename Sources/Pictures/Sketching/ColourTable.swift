/// Colours by name, for prompts and drawings.
enum ColourTable {
  /// Colours that people name in a prompt.
  static let named: [String: UInt32] = [
    "red": 0xD7372E, "orange": 0xEE8A2B, "yellow": 0xF5CE3E, "green": 0x4C9B46, "blue": 0x3573C4,
    "purple": 0x8148A8, "violet": 0x7A4FC0, "pink": 0xEE8CB0, "brown": 0x8A5A33, "black": 0x2B2A2E,
    "white": 0xF7F6F2, "grey": 0x8D9196, "gray": 0x8D9196, "gold": 0xE0B030, "golden": 0xE0B030,
    "silver": 0xBFC5CC, "beige": 0xE6D8B8, "cream": 0xF4EBD0, "turquoise": 0x3FBFB6, "teal": 0x23827F,
    "cyan": 0x45C4DC, "magenta": 0xC93C98, "crimson": 0xB01E3C, "scarlet": 0xD82A20, "maroon": 0x7B2230,
    "navy": 0x22356B, "lime": 0x9BCB3C, "olive": 0x7F8138, "indigo": 0x44409C, "lavender": 0xB9A5DE,
    "tan": 0xCDA878, "khaki": 0xB5A76A, "coral": 0xF0806A, "salmon": 0xF19E86, "peach": 0xF7BE9A,
    "copper": 0xB8703A, "bronze": 0xA8763A, "ginger": 0xD8803A, "blonde": 0xEBCB76, "blond": 0xEBCB76,
    "azure": 0x4F9FE0, "aqua": 0x52CBD0, "emerald": 0x2A9A66, "ruby": 0xB31B46, "charcoal": 0x45474C,
    "ivory": 0xF6F1E0, "mint": 0xA5DDBE, "lilac": 0xC6A8DA, "burgundy": 0x761F3C, "mustard": 0xD9AE35,
    "rust": 0xAA4F28, "amber": 0xF0A828, "plum": 0x79386C, "chestnut": 0x86482E, "fuchsia": 0xD8388E,
    "ochre": 0xC98B32, "reddish": 0xC45A44, "bluish": 0x5E86BE, "greenish": 0x6FA464, "pale": 0xEFE6D6,
  ]

  /// Colours of materials.
  static let materials: [String: UInt32] = [
    "wooden": 0xA4723E, "wood": 0xA4723E, "brick": 0xB5573F, "stone": 0x9C9A94, "marble": 0xE6E4E2,
    "metal": 0xA6AEB6, "metallic": 0xA6AEB6, "iron": 0x6E747C, "steel": 0xAAB4BE, "glass": 0xBFE0EA,
    "crystal": 0xC6E6F2, "paper": 0xF4F0E4, "leather": 0x8A532E, "rusty": 0xA0552E, "straw": 0xDCBF68,
    "clay": 0xC07848, "concrete": 0xA8A6A2, "ice": 0xCFEAF6, "chocolate": 0x6B3E26, "snowy": 0xF2F6FA,
    "sandy": 0xDDC38A, "cardboard": 0xC39A63, "plastic": 0xE6583E, "velvet": 0x7A1F4A, "porcelain": 0xEDF1F6,
    "diamond": 0xCBEEF6, "mossy": 0x6E8A48, "strawberry": 0xE8607A, "vanilla": 0xF4E6BC,
  ]

  /// Further colours, for drawings only.
  static let drawn: [String: UInt32] = [
    "skin": 0xF0C29C, "hair": 0x5C3A24, "bark": 0x7A5434, "leaf": 0x5A9E47, "needle": 0x2F6E46,
    "grass": 0x86B65A, "water": 0x4B93C7, "glass": 0xB9DCEC, "steel": 0xA9B3BD, "iron": 0x5C636B,
    "tyre": 0x33343A, "stone": 0x9C9A94, "brick": 0xB5573F, "wood": 0xA4723E, "roof": 0xB04A38,
    "sand": 0xE3CB92, "snow": 0xF4F8FC, "cloud": 0xF6F8FB, "fire": 0xF08A24, "flame": 0xF7CF46,
    "lamp": 0xFFE48A, "moon": 0xF4EFCF, "sun": 0xFBD34B, "bone": 0xF0EAD8, "nose": 0x4A3436,
    "tongue": 0xE58A92, "cheek": 0xF2A79A, "jeans": 0x3F5F95, "shoe": 0x3A3436, "paper": 0xFBF8EE,
    "ink": 0x2B2E3A, "crust": 0xD29A52, "cheese": 0xF4C64E, "earth": 0x8F6A45, "horn": 0xE8DCC0,
  ]
}
