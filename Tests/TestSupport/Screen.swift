/// Screen of a window after a program's output: the part of a VT100 that line editors use.
public struct Screen {
  /// The rows; a cluster two columns wide is followed by an empty cell.
  public private(set) var cells: [[String]]
  /// The cursor's row.
  public private(set) var row = 0
  /// The cursor's column; the window's width while the next character would wrap.
  public private(set) var column = 0
  private let columns: Int
  private let width: (Character) -> Int

  /// An empty window.
  public init(columns: Int, rows: Int, width: @escaping (Character) -> Int) {
    self.columns = columns
    self.width = width
    cells = Array(repeating: Array(repeating: " ", count: columns), count: rows)
  }

  /// The rows as text, blanks at their ends and empty rows at the bottom left out.
  public var lines: [String] {
    var lines = cells.map { row in
      var text = row.joined()
      while text.hasSuffix(" ") { text.removeLast() }
      return text
    }
    while lines.last == "" { lines.removeLast() }
    return lines
  }

  /// Shows output.
  public mutating func show(_ output: String) {
    // Clusters are found between controls, as a terminal that knows them does.
    var rest = Substring(output)
    while let first = rest.first {
      if first == "\u{1B}" {
        takeSequence(&rest)
      } else {
        rest.removeFirst()
        switch first {
        case "\r": column = 0
        case "\n": lineFeed()
        case "\r\n":
          column = 0
          lineFeed()
        case "\u{07}": break
        default: put(first)
        }
      }
    }
  }

  private mutating func put(_ character: Character) {
    let width = self.width(character)
    if column + width > columns {
      column = 0
      lineFeed()
    }
    if width == 0 {
      if column > 0 { cells[row][column - 1] += String(character) }
      return
    }
    cells[row][column] = String(character)
    if width == 2 { cells[row][column + 1] = "" }
    column += width
  }

  private mutating func lineFeed() {
    row += 1
    if row == cells.count {
      cells.removeFirst()
      cells.append(Array(repeating: " ", count: columns))
      row -= 1
    }
  }

  private mutating func takeSequence(_ rest: inout Substring) {
    rest.removeFirst()
    guard rest.first == "[" else { return }
    rest.removeFirst()
    let parameters = rest.prefix { !($0.isLetter || $0 == "~") }
    rest = rest.dropFirst(parameters.count)
    guard let final = rest.popFirst() else { return }
    let number = Int(parameters.split(separator: ";").first ?? "")
    switch final {
    case "A": row = max(0, row - (number ?? 1))
    case "B": row = min(cells.count - 1, row + (number ?? 1))
    case "C": column = min(columns - 1, min(column, columns - 1) + (number ?? 1))
    case "D": column = max(0, column - (number ?? 1))
    case "H": (row, column) = (0, 0)
    case "J":
      if number == 2 {
        for index in cells.indices { cells[index] = Array(repeating: " ", count: columns) }
      } else {
        eraseLine()
        for index in cells.indices where index > row { cells[index] = Array(repeating: " ", count: columns) }
      }
    case "K": eraseLine()
    default: break
    }
  }

  private mutating func eraseLine() {
    for index in min(column, columns)..<columns { cells[row][index] = " " }
  }
}
