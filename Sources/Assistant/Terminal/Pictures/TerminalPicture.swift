/// Picture to be shown between the lines of a terminal.
package struct TerminalPicture: Sendable {
  /// Width in pixels.
  package let width: Int
  /// Height in pixels.
  package let height: Int
  /// Pixels `(height, width, 3)`: red, green, blue.
  package let pixels: [UInt8]
  /// Picture as a PNG file, for terminals that read those.
  package let file: [UInt8]

  /// Makes a picture of pixels, of which there must be width × height × 3.
  package init(width: Int, height: Int, pixels: [UInt8], file: [UInt8]) {
    precondition(pixels.count == width * height * 3 && width > 0 && height > 0, "pixels of a picture")
    (self.width, self.height, self.pixels, self.file) = (width, height, pixels, file)
  }

  /// Returns the text that shows the picture, with a line break behind it; empty where none is to be shown.
  package func text(_ manner: PictureManner, in window: PictureWindow) -> String {
    let cells = cells(in: window)
    switch manner {
    case .off: return ""
    case .blocks:
      return BlockPicture.text(self, columns: cells.columns, rows: cells.rows, isTrueColour: window.isTrueColour)
    case .kitty: return wrapped(KittyPicture.text(file, columns: cells.columns, rows: cells.rows), window) + "\n"
    case .iterm: return wrapped([ITermPicture.text(file, columns: cells.columns, rows: cells.rows)], window) + "\n"
    case .sixel:
      let size = (cells.columns * window.cellWidth, cells.rows * window.cellHeight)
      let fitted = fitted(into: size)
      return SixelPicture.text(scaled(fitted.width, fitted.height)) + "\n"
    }
  }

  /// Wraps sequences for tmux, which passes unknown ones on only in that form (`allow-passthrough`).
  private func wrapped(_ sequences: [String], _ window: PictureWindow) -> String {
    guard window.isInTmux else { return sequences.joined() }
    return sequences.map { "\u{1B}Ptmux;" + $0.replacing("\u{1B}", with: "\u{1B}\u{1B}") + "\u{1B}\\" }.joined()
  }

  /// Returns the size in cells: at most the window's width, and its height except for a few lines.
  func cells(in window: PictureWindow) -> (columns: Int, rows: Int) {
    let most = (columns: max(1, min(window.columns - 1, 72)), rows: max(1, min(window.rows - 4, 36)))
    let (cellWidth, cellHeight) = (Double(window.cellWidth), Double(window.cellHeight))
    let aspect = Double(width) / Double(height) * cellHeight / cellWidth
    var columns = Double(most.columns)
    var rows = columns / aspect
    if rows > Double(most.rows) {
      rows = Double(most.rows)
      columns = rows * aspect
    }
    return (max(1, min(most.columns, Int(columns.rounded()))), max(1, min(most.rows, Int(rows.rounded()))))
  }

  private func fitted(into size: (Int, Int)) -> (width: Int, height: Int) {
    let factor = min(Double(size.0) / Double(width), Double(size.1) / Double(height), 2)
    return (max(1, Int(Double(width) * factor)), max(1, Int(Double(height) * factor)))
  }

  /// Returns the picture at another size; each pixel is the mean of those it covers.
  func scaled(_ newWidth: Int, _ newHeight: Int) -> TerminalPicture {
    var result = [UInt8](repeating: 0, count: newWidth * newHeight * 3)
    func covered(_ index: Int, _ count: Int, _ total: Int) -> Range<Int> {
      let start = min(index * total / count, total - 1)
      return start..<max(start + 1, min((index + 1) * total / count, total))
    }
    for row in 0..<newHeight {
      let rows = covered(row, newHeight, height)
      for column in 0..<newWidth {
        let columns = covered(column, newWidth, width)
        var (red, green, blue) = (0, 0, 0)
        for y in rows {
          for x in columns {
            let place = (y * width + x) * 3
            red += Int(pixels[place])
            green += Int(pixels[place + 1])
            blue += Int(pixels[place + 2])
          }
        }
        let (count, place) = (rows.count * columns.count, (row * newWidth + column) * 3)
        (result[place], result[place + 1], result[place + 2]) = (
          UInt8(red / count), UInt8(green / count), UInt8(blue / count)
        )
      }
    }
    return TerminalPicture(width: newWidth, height: newHeight, pixels: result, file: [])
  }
}

/// Protocol by which a terminal shows pictures.
package enum PictureManner: String, Sendable, CaseIterable {
  /// Kitty's graphics protocol.
  case kitty
  /// iTerm2's inline images.
  case iterm
  /// DEC's sixels.
  case sixel
  /// Half blocks in colour, for every terminal with colours.
  case blocks
  /// No pictures.
  case off
}

/// Window that a picture is shown in.
package struct PictureWindow: Sendable, Equatable {
  /// Columns of text.
  package var columns: Int
  /// Rows of text.
  package var rows: Int
  /// Width of a cell in pixels.
  package var cellWidth = 10
  /// Height of a cell in pixels.
  package var cellHeight = 20
  /// Indicates whether 24-bit colours are shown.
  package var isTrueColour = true
  /// Indicates whether the program runs inside tmux.
  package var isInTmux = false

  /// Makes a window of a size.
  package init(columns: Int, rows: Int) { (self.columns, self.rows) = (columns, rows) }
}

/// Half blocks: each cell shows two pixels, one above the other.
enum BlockPicture {
  static func text(_ picture: TerminalPicture, columns: Int, rows: Int, isTrueColour: Bool) -> String {
    let small = picture.scaled(columns, rows * 2)
    var text = ""
    for row in 0..<rows {
      var last = ("", "")
      for column in 0..<columns {
        let upper = code(small, column, row * 2, isTrueColour)
        let lower = code(small, column, row * 2 + 1, isTrueColour)
        if last != (upper, lower) { text += "\u{1B}[38;\(upper);48;\(lower)m" }
        last = (upper, lower)
        text += "▀"
      }
      text += "\u{1B}[0m\n"
    }
    return text
  }

  private static func code(_ picture: TerminalPicture, _ x: Int, _ y: Int, _ isTrueColour: Bool) -> String {
    let place = (y * picture.width + x) * 3
    let (red, green, blue) = (
      Int(picture.pixels[place]), Int(picture.pixels[place + 1]), Int(picture.pixels[place + 2])
    )
    return isTrueColour ? "2;\(red);\(green);\(blue)" : "5;\(index(red, green, blue))"
  }

  /// Returns the nearest colour of xterm's 256: its cube of six levels, or its greys.
  static func index(_ red: Int, _ green: Int, _ blue: Int) -> Int {
    let levels = [0, 95, 135, 175, 215, 255]
    func nearest(_ value: Int) -> Int {
      levels.indices.min { abs(levels[$0] - value) < abs(levels[$1] - value) } ?? 0
    }
    let (r, g, b) = (nearest(red), nearest(green), nearest(blue))
    let grey = max(0, min(23, ((red + green + blue) / 3 - 3) / 10))
    func distance(_ a: Int, _ b: Int, _ c: Int) -> Int {
      (a - red) * (a - red) + (b - green) * (b - green) + (c - blue) * (c - blue)
    }
    let shade = 8 + grey * 10
    return distance(shade, shade, shade) < distance(levels[r], levels[g], levels[b])
      ? 232 + grey : 16 + 36 * r + 6 * g + b
  }
}

/// Kitty's graphics protocol: a PNG file in chunks of base64.
enum KittyPicture {
  static func text(_ file: [UInt8], columns: Int, rows: Int) -> [String] {
    let encoded = Array(Base64.encode(file))
    let size = 4096
    return stride(from: 0, to: max(encoded.count, 1), by: size).map { start in
      let end = min(start + size, encoded.count)
      let more = end < encoded.count ? 1 : 0
      // a=T shows at once, f=100 is PNG, q=2 asks for no answer.
      let keys = start == 0 ? "a=T,f=100,q=2,c=\(columns),r=\(rows),m=\(more)" : "m=\(more)"
      return "\u{1B}_G\(keys);" + String(decoding: encoded[start..<end], as: UTF8.self) + "\u{1B}\\"
    }
  }
}

/// iTerm2's inline images (OSC 1337), which WezTerm and others show too.
enum ITermPicture {
  static func text(_ file: [UInt8], columns: Int, rows: Int) -> String {
    "\u{1B}]1337;File=inline=1;size=\(file.count);width=\(columns);height=\(rows);preserveAspectRatio=1:"
      + String(decoding: Base64.encode(file), as: UTF8.self) + "\u{07}"
  }
}

/// Base64 (RFC 4648).
enum Base64 {
  private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)

  static func encode(_ bytes: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let part = bytes[start..<min(start + 3, bytes.count)]
      let word = part.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - part.count))
      for place in 0..<4 {
        result.append(place <= part.count ? alphabet[word >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return result
  }
}
