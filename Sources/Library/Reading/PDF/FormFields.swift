import CGLib
import CPoppler

/// Values filled into the form on a page, which poppler's text leaves out.
struct FormFields {
  private(set) var values: [(text: String, isMark: Bool, box: PrintedLine.Box)] = []

  init(page: OpaquePointer, pageHeight: Double) {
    let list = poppler_page_get_form_field_mapping(page)
    defer { poppler_page_free_form_field_mapping(list) }
    var link = list
    while let entry = link, values.count < 5_000 {
      link = entry.pointee.next
      guard let data = entry.pointee.data else { continue }
      let mapping = data.assumingMemoryBound(to: PopplerFormFieldMapping.self).pointee
      guard let field = mapping.field, let value = Self.value(of: field) else { continue }
      let area = mapping.area
      let box = PrintedLine.Box(
        left: min(area.x1, area.x2), top: pageHeight - max(area.y1, area.y2), right: max(area.x1, area.x2),
        bottom: pageHeight - min(area.y1, area.y2))
      values.append((value.text, value.isMark, box))
    }
    values.sort { ($0.box.top, $0.box.left) < ($1.box.top, $1.box.left) }
  }

  private static func value(of field: OpaquePointer) -> (text: String, isMark: Bool)? {
    switch poppler_form_field_get_field_type(field) {
    case POPPLER_FORM_FIELD_TEXT:
      if poppler_form_field_text_is_password(field) != 0 { return nil }
      return PopplerFile.text(poppler_form_field_text_get_text(field)).map { ($0, false) }
    case POPPLER_FORM_FIELD_BUTTON:
      return poppler_form_field_button_get_state(field) != 0 ? ("☑", true) : nil
    case POPPLER_FORM_FIELD_CHOICE:
      var chosen: [String] = []
      for index in 0..<min(poppler_form_field_choice_get_n_items(field), 1_000)
      where poppler_form_field_choice_is_item_selected(field, index) != 0 {
        if let item = PopplerFile.text(poppler_form_field_choice_get_item(field, index)) { chosen.append(item) }
      }
      return chosen.isEmpty ? nil : (chosen.joined(separator: ", "), false)
    default: return nil
    }
  }

  /// Adds each value to the line next to it, or as a line of its own below the text above it.
  func insert(into lines: inout [PrintedLine]) {
    for value in values {
      if lines.contains(where: {
        $0.box.map { Self.overlaps($0, value.box) } ?? false && $0.text.contains(value.text)
      }) {
        continue
      }
      let beside = lines.indices.filter { index in
        lines[index].box.map { Self.isBeside($0, value.box) } ?? false
      }
      func distance(_ index: Int) -> Double {
        guard let box = lines[index].box else { return .infinity }
        let gap = box.left < value.box.left ? value.box.left - box.right : box.left - value.box.right
        // A check mark stands before its label, a value behind it.
        return (box.left < value.box.left) == value.isMark ? gap + 1_000 : gap
      }
      if let nearest = beside.min(by: { distance($0) < distance($1) }), let box = lines[nearest].box {
        let isBefore = value.box.left < box.left
        lines[nearest].text =
          isBefore ? value.text + "  " + lines[nearest].text : lines[nearest].text + "  " + value.text
        lines[nearest].box = box.union(value.box)
      } else {
        let above = lines.lastIndex { $0.box.map { $0.top < value.box.top } ?? false }
        lines.insert(
          PrintedLine(
            text: value.text, box: value.box, fontSize: 0, isBold: false, isHidden: false, isWhite: false),
          at: above.map { $0 + 1 } ?? 0)
      }
    }
  }

  private static func overlaps(_ box: PrintedLine.Box, _ other: PrintedLine.Box) -> Bool {
    min(box.bottom, other.bottom) > max(box.top, other.top)
      && min(box.right, other.right) > max(box.left, other.left)
  }

  private static func isBeside(_ box: PrintedLine.Box, _ field: PrintedLine.Box) -> Bool {
    let middle = (box.top + box.bottom) / 2
    guard middle > field.top - 2, middle < field.bottom + 2 else { return false }
    let gap = box.left < field.left ? field.left - box.right : box.left - field.right
    return gap > -4 && gap < 200
  }
}
