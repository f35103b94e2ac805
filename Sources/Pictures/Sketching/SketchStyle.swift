/// Style of a sketch.
package enum SketchStyle: String, Sendable, CaseIterable {
  case plain, line, watercolour, night, blueprint, pixel
}

/// Palette: a change of all colours of a picture.
enum SketchPalette: String, Sendable {
  case natural, pastel, vivid, grey, sepia, warm, cold, dark, neon

  func callAsFunction(_ colour: Colour) -> Colour {
    switch self {
    case .natural: return colour
    case .pastel: return colour.saturated(0.75).lighter(0.38)
    case .vivid: return colour.saturated(1.45)
    case .grey: return colour.saturated(0)
    case .sepia:
      return colour.saturated(0).multiplied(by: Colour(1.0, 0.89, 0.72)).mixed(with: Colour(0xB98A54), 0.12)
    case .warm: return colour.mixed(with: Colour(0xF2A04A), 0.2)
    case .cold: return colour.mixed(with: Colour(0x5F92CF), 0.24)
    case .dark: return colour.multiplied(by: Colour(0.62, 0.6, 0.66))
    case .neon: return colour.saturated(2).mixed(with: colour.luminance > 0.5 ? .white : .black, 0.08)
    }
  }
}

/// Time of day of a picture.
enum SketchHour: String, Sendable {
  case day, dawn, sunset, dusk, night

  /// Colour of the light, by which the colours of things are multiplied.
  var light: Colour {
    switch self {
    case .day: Colour(1, 1, 1)
    case .dawn: Colour(0.98, 0.9, 0.88)
    case .sunset: Colour(0.94, 0.78, 0.68)
    case .dusk: Colour(0.66, 0.6, 0.74)
    case .night: Colour(0.52, 0.56, 0.74)
    }
  }

  /// Colours of the sky from its top to the horizon.
  var sky: [Colour] {
    switch self {
    case .day: [Colour(0x6FB1E8), Colour(0xA9D4F2), Colour(0xE2F1FA)]
    case .dawn: [Colour(0x88A9DA), Colour(0xE8BFCB), Colour(0xFBE2B4)]
    case .sunset: [Colour(0x51508F), Colour(0xD9705F), Colour(0xFBC26A)]
    case .dusk: [Colour(0x1F2556), Colour(0x69507F), Colour(0xD9886A)]
    case .night: [Colour(0x0B1030), Colour(0x1B2450), Colour(0x34406F)]
    }
  }

  /// Indicates whether lamps are lit and stars are out.
  var isDark: Bool { self == .night || self == .dusk }
}
