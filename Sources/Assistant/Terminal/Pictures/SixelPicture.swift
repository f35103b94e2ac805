/// DEC's sixels: bands of six rows, one pass for each colour in a band.
enum SixelPicture {
  static func text(_ picture: TerminalPicture) -> String {
    let palette = ColourPalette(picture.pixels, most: 255)
    let indices = (0..<picture.width * picture.height).map { palette.index(picture.pixels, $0 * 3) }
    var text = "\u{1B}P0;1q\"1;1;\(picture.width);\(picture.height)"
    for (number, colour) in palette.colours.enumerated() {
      func percent(_ value: Int) -> Int { (value * 100 + 127) / 255 }
      text += "#\(number);2;\(percent(colour.0));\(percent(colour.1));\(percent(colour.2))"
    }
    for top in stride(from: 0, to: picture.height, by: 6) {
      var masks: [Int: [UInt8]] = [:]
      for row in top..<min(top + 6, picture.height) {
        for column in 0..<picture.width {
          let colour = indices[row * picture.width + column]
          masks[colour, default: [UInt8](repeating: 0, count: picture.width)][column] |= 1 << UInt8(row - top)
        }
      }
      for (number, colour) in masks.keys.sorted().enumerated() {
        if number > 0 { text += "$" }
        text += "#\(colour)"
        appendRuns(masks[colour] ?? [], to: &text)
      }
      text += "-"
    }
    return text + "\u{1B}\\"
  }

  private static func appendRuns(_ masks: [UInt8], to text: inout String) {
    var place = 0
    while place < masks.count {
      var end = place + 1
      while end < masks.count, masks[end] == masks[place] { end += 1 }
      let character = Character(Unicode.Scalar(63 + masks[place]))
      if end - place > 3 {
        text += "!\(end - place)"
        text.append(character)
      } else {
        text += String(repeating: character, count: end - place)
      }
      place = end
    }
  }
}

/// Colour palette of a picture (median cut; Heckbert, "Color image quantization for frame buffer display", SIGGRAPH
/// 1982).
struct ColourPalette {
  private(set) var colours: [(Int, Int, Int)] = []
  private var byBucket: [Int: Int] = [:]

  init(_ pixels: [UInt8], most: Int) {
    var counts: [Int: Int] = [:]
    for place in stride(from: 0, to: pixels.count - 2, by: 3) {
      counts[Self.bucket(pixels, place), default: 0] += 1
    }
    var boxes: [[Int]] = [counts.keys.sorted()]
    while boxes.count < most {
      // The box with most pixels that can still be cut, ties by the order of cutting.
      let sizes = boxes.map { box in box.count < 2 ? 0 : box.reduce(0) { $0 + (counts[$1] ?? 0) } }
      guard let largest = sizes.indices.max(by: { sizes[$0] < sizes[$1] }), sizes[largest] > 0 else { break }
      let box = boxes[largest]
      let shift = [10, 5, 0].max { Self.spread(box, $0) < Self.spread(box, $1) } ?? 0
      let sorted = box.sorted { ($0 >> shift & 31, $0) < ($1 >> shift & 31, $1) }
      boxes[largest] = Array(sorted[..<(sorted.count / 2)])
      boxes.append(Array(sorted[(sorted.count / 2)...]))
    }
    for box in boxes where !box.isEmpty {
      var (sum, total) = ((0, 0, 0), 0)
      for bucket in box {
        let count = counts[bucket] ?? 0
        sum = (
          sum.0 + (bucket >> 10 & 31) * count, sum.1 + (bucket >> 5 & 31) * count, sum.2 + (bucket & 31) * count
        )
        total += count
        byBucket[bucket] = colours.count
      }
      func level(_ value: Int) -> Int { total == 0 ? 0 : min(255, value * 255 / (31 * total)) }
      colours.append((level(sum.0), level(sum.1), level(sum.2)))
    }
  }

  func index(_ pixels: [UInt8], _ place: Int) -> Int { byBucket[Self.bucket(pixels, place)] ?? 0 }

  private static func bucket(_ pixels: [UInt8], _ place: Int) -> Int {
    Int(pixels[place] >> 3) << 10 | Int(pixels[place + 1] >> 3) << 5 | Int(pixels[place + 2] >> 3)
  }

  private static func spread(_ box: [Int], _ shift: Int) -> Int {
    let values = box.map { $0 >> shift & 31 }
    return (values.max() ?? 0) - (values.min() ?? 0)
  }
}
