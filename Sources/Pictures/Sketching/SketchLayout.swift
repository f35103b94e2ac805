import Foundation

/// Thing at its place in the picture.
struct SketchPlacement {
  var item: Int
  /// Middle of its base in pixels, y down from the top.
  var base: Point
  /// Number of pixels per unit of its drawing, in both directions.
  var scaleX: Double
  var scaleY: Double
  var turn = 0.0
  var layer = DrawingRunner.Layer.whole
  /// Drawing order: the smallest is drawn first.
  var depth = 0.0
  var hasShadow = false
}

/// Thing with everything on, in and under it, in scene units with the middle of its base at 0.
struct SketchGroup {
  struct Part {
    var item: Int
    var x: Double
    /// Height above the base.
    var y: Double
    var scale: Double
    var turn = 0.0
    var layer = DrawingRunner.Layer.whole
    var order = 0.0
    var isFlipped = false
  }

  var root: Int
  var parts: [Part] = []
  var box = Box()
}

/// Layout of a description: places for all its things.
struct SketchLayout {
  let description: SketchDescription
  let subjects: [SketchSubject]
  let width: Double
  let height: Double
  var random: SketchRandom

  // MARK: Sizes

  /// Returns the number of scene units per unit of the drawing.
  func unitScale(_ index: Int) -> Double {
    let subject = subjects[index]
    return subject.height / max(subject.bounds.maxY - min(0, subject.bounds.minY), 1)
  }

  func size(_ index: Int) -> (width: Double, height: Double) {
    let (subject, item, scale) = (subjects[index], description.items[index], unitScale(index))
    return (max(subject.bounds.width, 1) * scale * item.scaleX, subject.height * item.scaleY)
  }

  private func children(of index: Int) -> [Int] {
    description.items.indices.filter { child in
      guard let link = description.items[child].link, link.other == index else { return false }
      return isChild(child)
    }
  }

  /// Indicates whether a thing is placed together with the one it is linked to.
  func isChild(_ index: Int) -> Bool {
    guard let link = description.items[index].link else { return false }
    let other = subjects[link.other].place
    switch link.relation {
    case .wearing, .holding: return true
    case .on, .inside: return other != .far || link.relation == .on
    case .under: return other != .heaven && other != .far
    case .above: return other != .far && subjects[index].place != .heaven
    default: return false
    }
  }

  // MARK: Groups

  /// Makes the group of a thing and everything placed together with it.
  mutating func group(_ root: Int, depth: Int = 0) -> SketchGroup {
    var group = SketchGroup(root: root)
    group.parts = arrangement(root)
    guard depth < 5 else { return measured(group) }
    let own = group.parts
    for (number, child) in children(of: root).enumerated() {
      let relation = description.items[child].link?.relation ?? .beside
      let inner = self.group(child, depth: depth + 1)
      attach(inner, child, relation, number, to: root, own, in: &group)
    }
    return measured(group)
  }

  /// Places the copies of a thing side by side.
  private mutating func arrangement(_ index: Int) -> [SketchGroup.Part] {
    let (item, size) = (description.items[index], size(index))
    let count = item.count
    func part(_ x: Double, _ y: Double, _ scale: Double, _ order: Double, _ isFlipped: Bool) -> SketchGroup.Part {
      SketchGroup.Part(item: index, x: x, y: y, scale: scale, order: order, isFlipped: isFlipped)
    }
    let flip = random.chance(0.5) && !subjects[index].drawing.hasText
    if count == 1 { return [part(0, 0, 1, 0, flip)] }
    let rows = count <= 5 ? 1 : count <= 12 ? 2 : 3
    let columns = Int((Double(count) / Double(rows)).rounded(.up))
    var parts: [SketchGroup.Part] = []
    for number in 0..<count {
      let (row, column) = (number / columns, number % columns)
      let inRow = min(columns, count - row * columns)
      let shift = row.isMultiple(of: 2) ? 0.0 : 0.35
      let x = (Double(column) - Double(inRow - 1) / 2 + shift) * size.width * 1.12
      let scale = (1 - 0.1 * Double(row)) * random.within(0.93...1.05)
      let wave = rows == 1 && count > 2 ? size.height * 0.09 * (number.isMultiple(of: 2) ? 0 : 1) : 0
      let y = size.height * 0.38 * Double(row) + wave
      parts.append(
        part(
          x + random.within(-0.06...0.06) * size.width, y, scale, -y,
          random.chance(0.5) && !subjects[index].drawing.hasText))
    }
    return parts
  }

  private func measured(_ group: SketchGroup) -> SketchGroup {
    var group = group
    group.box = Box()
    for part in group.parts {
      let size = size(part.item)
      group.box.add(Point(part.x - size.width * part.scale / 2, part.y))
      group.box.add(Point(part.x + size.width * part.scale / 2, part.y + size.height * part.scale))
    }
    return group
  }

  private mutating func attach(
    _ inner: SketchGroup, _ child: Int, _ relation: SketchRelation, _ number: Int, to root: Int,
    _ hosts: [SketchGroup.Part], in group: inout SketchGroup
  ) {
    let (subject, item, size) = (subjects[root], description.items[root], size(root))
    let unit = (x: unitScale(root) * item.scaleX, y: unitScale(root) * item.scaleY)
    let isSpread = hosts.count > 1 && description.items[child].count == 1
    // One hat for each head; one cat for the whole row of chairs.
    let chosen =
      relation == .wearing || relation == .holding ? hosts : isSpread ? [hosts[hosts.count / 2]] : [hosts[0]]
    for host in chosen {
      let sign = host.isFlipped ? -1.0 : 1.0
      func anchor(_ name: String) -> [Double]? {
        subject.anchors[name].map { values in
          [values[0] * unit.x * host.scale * sign] + (values.count > 1 ? [values[1] * unit.y * host.scale] : [])
            + (values.count > 2 ? [values[2] * unit.x * host.scale] : [])
            + (values.count > 3 ? [values[3] * unit.y * host.scale] : [])
        }
      }
      let inBox = inner.box
      var place = (x: host.x, y: host.y, scale: 1.0, order: host.order + 0.01, turn: 0.0)
      switch relation {
      case .wearing:
        let isFace = subjects[child].place == .face
        let fallback = [0, size.height * host.scale * (isFace ? 0.82 : 0.98), size.width * host.scale * 0.5]
        let head = anchor(isFace ? "face" : "head") ?? fallback
        place.x += head[0]
        place.y += head[1]
        // A worn thing is drawn 20 units wide at its anchor.
        place.scale = (head.count > 2 ? head[2] : fallback[2]) / (20 * unitScale(child))
      case .holding:
        let hand = anchor("hand") ?? [size.width * host.scale * 0.42 * sign, size.height * host.scale * 0.5]
        place.x += hand[0]
        place.y += hand[1]
        place.scale = min(1, size.height * host.scale * 0.75 / max(inBox.height, 1))
      case .inside:
        if let inside = anchor("inside"), inside.count > 3 {
          place.x += inside[0] + sign * inside[2] / 2
          place.y += inside[1]
          let crowd = inner.parts.count > 1 ? 0.6 : 1.0
          let room = min(abs(inside[2]) / max(inBox.width * crowd, 1), inside[3] / max(inBox.height, 1))
          place.scale = min(description.items[child].count > 1 ? 1 : 1.3, room)
          split(root, in: &group)
        } else {
          place.scale = min(1, size.height * 0.35 / max(inBox.height, 1))
          place.y += size.height * host.scale * 0.5
        }
      case .under:
        if size.height > inBox.height * 1.1 {
          place.scale = min(1, size.height * 0.55 / max(inBox.height, 1))
          place.x += size.width * 0.1 * Double(number)
          place.y -= size.height * 0.02
          place.order = host.order + 0.02
        } else {
          let growth = min(2, max(1, inBox.width * 0.95 / max(size.width, 1)))
          for index in group.parts.indices where group.parts[index].item == root {
            group.parts[index].y += inBox.height * 0.62
            group.parts[index].scale *= growth
            group.parts[index].order -= 0.05
          }
        }
      case .above: place.y += size.height * host.scale + inBox.height * 0.25
      default:
        let seat =
          subject.anchors["seat"]?.first.map { $0 * unit.y * host.scale } ?? size.height * host.scale * 0.97
        let count = children(of: root).count { description.items[$0].link?.relation == .on }
        if count > 1 { place.x += (Double(number) - Double(count - 1) / 2) * size.width * 0.8 / Double(count) }
        place.y += seat
        // Things on a table are scaled to fit on it.
        place.scale = min(1, size.width * 1.25 / max(inBox.width, 1))
        if subjects[root].place == .far { place.scale = min(place.scale, size.width * 0.7 / max(inBox.width, 1)) }
        if subjects[root].place == .far || subjects[child].height > subject.height * 2.2 {
          place.scale = min(place.scale, size.height * 1.2 / max(inBox.height, 1))
        }
      }
      // Things in a vessel stand closer than things on the ground.
      let spread = relation == .inside && inner.parts.count > 1 ? 0.6 : 1.0
      for part in inner.parts {
        var moved = part
        moved.x = place.x + part.x * place.scale * spread
        moved.y =
          place.y + (part.y - (relation == .wearing || relation == .holding ? 0 : min(0, inBox.minY)))
          * place.scale
        moved.scale *= place.scale
        moved.order = place.order + part.order * 0.001
        if relation == .wearing || relation == .holding { moved.isFlipped = host.isFlipped }
        group.parts.append(moved)
      }
    }
  }

  /// Splits a container into two halves, with its contents between them.
  private func split(_ root: Int, in group: inout SketchGroup) {
    for index in group.parts.indices where group.parts[index].item == root && group.parts[index].layer == .whole {
      var front = group.parts[index]
      group.parts[index].layer = .back
      front.layer = .front
      front.order += 0.02
      group.parts.append(front)
    }
  }
}
