import Foundation

/// Heights of a scene in pixels from the top.
struct SketchGround {
  var scene: SketchSetting.Scene
  var horizon: Double
  /// Height at which near things stand.
  var front: Double
  /// Height at which things float.
  var water: Double
}

extension SketchLayout {
  /// Chooses the scene for the things of a prompt that names none.
  func chooseScene() -> SketchSetting.Scene {
    let roots = description.items.indices.filter { !isChild($0) }
    let places = Set(roots.map { subjects[$0].place })
    if places.contains(.chart) { return .page }
    let hasLand = !places.isDisjoint(with: [.ground, .far, .room])
    if let scene = description.setting.scene {
      if scene == .sea, hasLand, places.intersection([.ground, .room]).count > 0 { return .beach }
      return scene
    }
    let isWinter = description.setting.season == .winter || description.setting.weather.contains(.snow)
    if places.contains(.water) { return hasLand ? .lake : .sea }
    if places == [.under] { return .underwater }
    if places.contains(.space), !hasLand { return .space }
    let isOutside =
      !description.setting.weather.isEmpty || description.setting.season != nil
      || !places.isDisjoint(with: [.far, .heaven, .sky])
    if !isOutside {
      if places.isSubset(of: [.table, .hat, .face]), !places.isEmpty { return .table }
      if places.contains(.room) { return .room }
    }
    if !places.isEmpty, places.isSubset(of: [.heaven, .sky, .hat, .face]) { return .sky }
    return isWinter ? .snow : .meadow
  }

  func ground(_ scene: SketchSetting.Scene) -> SketchGround {
    func at(_ horizon: Double, _ front: Double, _ water: Double) -> SketchGround {
      SketchGround(scene: scene, horizon: horizon * height, front: front * height, water: water * height)
    }
    switch scene {
    case .sea: return at(0.56, 0.8, 0.76)
    case .beach: return at(0.48, 0.88, 0.64)
    case .lake: return at(0.52, 0.9, 0.72)
    case .street: return at(0.58, 0.86, 0.86)
    case .room: return at(0.68, 0.88, 0.88)
    case .table: return at(0.62, 0.84, 0.84)
    case .underwater: return at(0.84, 0.9, 0.62)
    case .space: return at(1.2, 0.62, 0.62)
    case .sky: return at(1.1, 0.7, 0.7)
    case .page: return at(1.2, 0.9, 0.9)
    case .moonscape: return at(0.66, 0.84, 0.84)
    case .meadow, .desert, .snow: return at(0.6, 0.86, 0.86)
    }
  }

  /// Returns the place of everything, farthest first.
  mutating func placements(_ ground: SketchGround) -> [SketchPlacement] {
    var (row, sky, far, heaven, aside) = ([Int](), [Int](), [Int](), [Int](), [Int]())
    let roots = description.items.indices.filter { !isChild($0) }
    let hasRow = roots.contains { isRow(subjects[$0].place, ground.scene) && !description.items[$0].isBackdrop }
    let farCount = roots.filter { subjects[$0].place == .far }.reduce(0) { $0 + description.items[$1].count }
    var scenery: [Int] = []
    for index in roots {
      let place = subjects[index].place
      let relation = description.items[index].link?.relation
      let isFlying = description.items[index].pose == .flying && place != .water
      if description.items[index].isBackdrop {
        scenery.append(index)
      } else if place == .far, children(index).isEmpty, hasRow || farCount > 1 {
        far.append(index)
      } else if place == .heaven, children(index).isEmpty,
        hasRow || roots.contains(where: { subjects[$0].place != .heaven })
      {
        heaven.append(index)
      } else if hasRow, place == .sky || isFlying, ground.scene != .space {
        if relation == .above || roots.count > 1 { sky.append(index) } else { row.append(index) }
      } else if relation == .behind || relation == .front, row.count + aside.count < roots.count,
        description.items[index].link.map({ isRow(subjects[$0.other].place, ground.scene) }) ?? false
      {
        aside.append(index)
      } else {
        row.append(index)
      }
    }
    if row.isEmpty { (row, aside) = (aside, []) }
    if row.isEmpty, far.isEmpty { (row, scenery) = (scenery, []) }
    var placed: [SketchPlacement] = []
    var spans: [Int: (x: Double, half: Double, top: Double, scale: Double, base: Double)] = [:]
    layRow(
      ordered(row), aside, ground, headroom: !sky.isEmpty ? 0.32 : !heaven.isEmpty ? 0.2 : 0.12, &placed, &spans)
    for (number, index) in aside.enumerated() { layAside(index, number, ground, &placed, &spans) }
    layScenery(scenery, ground, &placed)
    for (number, index) in far.enumerated() { layFar(index, number, far.count, ground, &placed, &spans) }
    for (number, index) in heaven.enumerated() { layHeaven(index, number, ground, &placed, spans) }
    for (number, index) in sky.enumerated() { laySky(index, number, sky.count, ground, &placed, spans) }
    return placed.sorted { $0.depth < $1.depth }
  }

  private func children(_ index: Int) -> [Int] {
    description.items.indices.filter { description.items[$0].link?.other == index && isChild($0) }
  }

  private func isRow(_ place: SketchSubject.Place, _ scene: SketchSetting.Scene) -> Bool {
    switch place {
    case .ground, .room, .water, .under, .table, .space, .hat, .face: true
    default: false
    }
  }

  /// Orders a row from left to right by the relations.
  private func ordered(_ items: [Int]) -> [Int] {
    var order = items
    for _ in 0..<3 {
      for index in items {
        guard let link = description.items[index].link, order.contains(link.other) else { continue }
        guard let from = order.firstIndex(of: index) else { continue }
        switch link.relation {
        case .left, .right, .beside, .with, .around:
          let isLeft = link.relation == .left
          guard let to = order.firstIndex(of: link.other), isLeft ? from > to : from < to else { continue }
          order.remove(at: from)
          let target = order.firstIndex(of: link.other) ?? 0
          order.insert(index, at: isLeft ? target : target + 1)
        case .between:
          order.remove(at: from)
          if let second = link.second, let place = order.firstIndex(of: second),
            let first = order.firstIndex(of: link.other)
          {
            // The two may be apart: the second moves next to the first, with the thing between them.
            order.remove(at: place)
            let anchor = order.firstIndex(of: link.other) ?? first
            order.insert(contentsOf: [index, second], at: anchor + 1)
          } else {
            order.insert(index, at: (order.firstIndex(of: link.other) ?? 0) + 1)
          }
        default: break
        }
      }
    }
    return order
  }

  private mutating func layRow(
    _ row: [Int], _ aside: [Int], _ ground: SketchGround, headroom: Double, _ placed: inout [SketchPlacement],
    _ spans: inout [Int: (x: Double, half: Double, top: Double, scale: Double, base: Double)]
  ) {
    guard !row.isEmpty else { return }
    var groups = row.map { group($0) }
    // "Between" with one plural: half of the things on either side.
    for index in row.indices { splitAround(&groups, index) }
    let gap = 0.14
    var total = 0.0
    for group in groups { total += group.box.width * (1 + gap) }
    // Things in front of or behind others need room as well.
    let extra = aside.map { self.group($0).box }
    let wide = total + extra.reduce(0) { $0 + $1.width * 0.8 }
    let tallest = max(groups.map(\.box.height).max() ?? 1, (extra.map(\.height).max() ?? 0) * 0.95)
    let floats = [.sky, .space].contains(ground.scene)
    let room = floats ? height * 0.66 : ground.front - height * headroom
    let zoom = min(width * 0.88 / max(wide, 1), room / max(tallest, 1), height * 0.6 / 20)
    var x = width / 2 - total * zoom / 2
    for group in groups {
      let span = group.box.width * (1 + gap) * zoom
      let middle = x + span / 2 - (group.box.minX + group.box.maxX) / 2 * zoom
      x += span
      let subject = subjects[group.root]
      var base = ground.front + random.within(-0.02...0.02) * height
      if subject.place == .water || description.items[group.root].pose == .swimming { base = ground.water }
      if ground.scene == .underwater, subject.place != .ground {
        base = height * 0.5 + group.box.height * zoom / 2 + random.within(-0.12...0.12) * height
      }
      if floats {
        base =
          height * 0.5 + group.box.height * zoom / 2 + random.within(-0.05...0.05) * height
          * (groups.count > 1 ? 1 : 0.3)
      }
      spans[group.root] = (middle, span / 2, base - group.box.maxY * zoom, zoom, base)
      place(group, at: Point(middle, base), zoom, depth: 100 + base / height, ground, &placed)
    }
  }

  /// Splits a group around the thing between its members: of two trees with a house between, one goes to the left.
  private func splitAround(_ groups: inout [SketchGroup], _ index: Int) {
    guard let link = description.items[groups[index].root].link, link.relation == .between, link.second == nil,
      let other = groups.firstIndex(where: { $0.root == link.other }), groups[other].parts.count > 1
    else { return }
    let middle = groups[index]
    let gap = middle.box.width * 1.15
    var host = groups[other]
    host.parts.sort { $0.x < $1.x }
    let half = host.parts.count / 2
    let left = host.parts[..<half].map(\.x).max() ?? 0
    let right = host.parts[half...].map(\.x).min() ?? 0
    let centre = (left + right) / 2
    let extra = max(0, gap - (right - left) + size(host.root).width)
    for part in host.parts.indices { host.parts[part].x += part < half ? -extra / 2 : extra / 2 }
    for var part in middle.parts {
      part.x += centre
      part.order += 0.5
      host.parts.append(part)
    }
    host.box.add(Point(host.box.minX - extra / 2, 0))
    host.box.add(Point(host.box.maxX + extra / 2, middle.box.height))
    groups[other] = host
    groups[index].parts = []
    groups[index].box = Box(0, 0, 0, 0)
  }

  private func place(
    _ group: SketchGroup, at base: Point, _ zoom: Double, depth: Double, _ ground: SketchGround,
    _ placed: inout [SketchPlacement]
  ) {
    for part in group.parts {
      let item = description.items[part.item]
      let scale = unitScale(part.item) * part.scale * zoom
      var point = Point(base.x + part.x * zoom, base.y - part.y * zoom)
      let lift =
        item.pose == .jumping
        ? size(part.item).height * 0.3 * zoom
        : item.pose == .flying && part.item == group.root && ![.sky, .space].contains(ground.scene)
          ? 0.16 * height : 0
      point.y -= lift
      let stands = part.y < 1 && ![.space, .sky, .underwater, .page].contains(ground.scene)
      placed.append(
        SketchPlacement(
          item: part.item, base: point, scaleX: scale * item.scaleX * (part.isFlipped ? -1 : 1),
          scaleY: scale * item.scaleY, turn: item.pose == .upsideDown ? 180 : part.turn, layer: part.layer,
          depth: depth + part.order * 0.01,
          hasShadow: stands && part.layer != .front && subjects[part.item].place != .water && lift == 0))
    }
  }

  private mutating func layAside(
    _ index: Int, _ number: Int, _ ground: SketchGround, _ placed: inout [SketchPlacement],
    _ spans: inout [Int: (x: Double, half: Double, top: Double, scale: Double, base: Double)]
  ) {
    guard let link = description.items[index].link, let host = spans[link.other] else { return }
    let group = group(index)
    let isBehind = link.relation == .behind
    let zoom = host.scale * (isBehind ? 0.86 : 1)
    let hides = isBehind ? group.box.height * zoom < (host.base - host.top) * 1.05 : true
    let side = number.isMultiple(of: 2) ? 1.0 : -1.0
    let shift =
      hides
      ? side * (host.half + group.box.width * zoom * (isBehind ? 0.12 : 0.02)) * (isBehind ? 0.85 : 0.6)
      : side * host.half * 0.2
    let x = min(max(host.x + shift, group.box.width * zoom / 2), width - group.box.width * zoom / 2)
    let base =
      isBehind
      ? max(ground.horizon + height * 0.03, host.base - height * 0.08)
      : min(host.base + height * 0.06, height * 0.97)
    spans[index] = (x, group.box.width * zoom / 2, base - group.box.maxY * zoom, zoom, base)
    place(group, at: Point(x, base), zoom, depth: (isBehind ? 90 : 110) + base / height, ground, &placed)
  }

  /// Places the things that only belong to the scene, small at its back.
  private mutating func layScenery(_ items: [Int], _ ground: SketchGround, _ placed: inout [SketchPlacement]) {
    let copies = items.flatMap { index in [Int](repeating: index, count: description.items[index].count) }
    for (number, index) in copies.enumerated() {
      let isFloating = subjects[index].place == .water
      let x = (Double(number) + random.within(0.3...0.7)) / Double(copies.count) * width
      let base = isFloating ? ground.water : ground.horizon + height * random.within(0.05...0.09)
      let scale = height * 0.34 / 60 * unitScale(index)
      placed.append(
        SketchPlacement(
          item: index, base: Point(x, base), scaleX: scale, scaleY: scale, depth: 60 + base / height,
          hasShadow: !isFloating))
    }
  }

  private mutating func layFar(
    _ index: Int, _ number: Int, _ count: Int, _ ground: SketchGround, _ placed: inout [SketchPlacement],
    _ spans: inout [Int: (x: Double, half: Double, top: Double, scale: Double, base: Double)]
  ) {
    let (item, subject) = (description.items[index], subjects[index])
    let copies = item.count
    let base = min(ground.horizon, height) + height * 0.012
    let scale = 0.42 * height / 60 * unitScale(index)
    for copy in 0..<copies {
      let place = (Double(copy) + 0.5) / Double(copies)
      let x = count == 1 || copies > 1 ? place * width : (Double(number) + 0.5) / Double(count) * width
      let grown = random.within(0.85...1.1)
      let point = Point(x + random.within(-0.05...0.05) * width, base)
      if copy == copies / 2 {
        let top = point.y - subject.height * item.scaleY * 0.42 * height / 60 * grown
        spans[index] = (point.x, subject.bounds.width * scale / 2, top, scale, base)
      }
      placed.append(
        SketchPlacement(
          item: index, base: point, scaleX: scale * item.scaleX * grown * (random.chance(0.5) ? 1 : -1),
          scaleY: scale * item.scaleY * grown, depth: 30 - subject.height / 4 + random.within(0...0.5)))
    }
  }

  private mutating func layHeaven(
    _ index: Int, _ number: Int, _ ground: SketchGround, _ placed: inout [SketchPlacement],
    _ spans: [Int: (x: Double, half: Double, top: Double, scale: Double, base: Double)]
  ) {
    let (item, subject) = (description.items[index], subjects[index])
    let scale = min(height, width * 1.2) / 100 * unitScale(index)
    let size = (subject.bounds.width * scale * item.scaleX, subject.height / 100 * height * item.scaleY)
    let linked = description.items.indices.first { description.items[$0].link?.other == index && !isChild($0) }
    let owner = item.link.flatMap { spans[$0.other] }
    for copy in 0..<item.count {
      var x = (0.5 + Double(copy)) / Double(item.count) * width + random.within(-0.08...0.08) * width
      var y = random.within(0.1...0.32) * min(ground.horizon, height) + size.1 / 2
      var depth = 2 + Double(number)
      if item.count == 1 {
        let side = (number + (random.chance(0.5) ? 1 : 0)).isMultiple(of: 2)
        x = width * (side ? 0.22 : 0.78)
        if subject.name == "rainbow" { x = width / 2 }
        y = height * 0.08 + size.1
        if let linked, let host = spans[linked] {
          x = min(max(host.x + width * 0.04, size.0 / 2), width - size.0 / 2)
        }
        if let owner, item.link?.relation == .behind {
          x = owner.x + owner.half * 0.3
          y = owner.top + size.1 * 0.75
          depth = 5
        } else if let owner, item.link?.relation == .above {
          x = owner.x
        } else if subject.name == "sun", [.sunset, .dawn].contains(description.setting.hour), spans.count < 3 {
          y = min(ground.horizon, height) + size.1 * 0.35
          x = width * (side ? 0.3 : 0.7)
        }
        if subject.name == "rainbow" { y = min(ground.horizon, height * 0.8) + height * 0.02 }
      }
      placed.append(
        SketchPlacement(
          item: index, base: Point(x, y), scaleX: scale * item.scaleX, scaleY: scale * item.scaleY, depth: depth))
    }
  }

  private mutating func laySky(
    _ index: Int, _ number: Int, _ count: Int, _ ground: SketchGround, _ placed: inout [SketchPlacement],
    _ spans: [Int: (x: Double, half: Double, top: Double, scale: Double, base: Double)]
  ) {
    let item = description.items[index]
    let group = group(index)
    let usual = spans.values.map(\.scale).max() ?? height / 90
    let host = item.link.flatMap { item.link?.relation == .above ? spans[$0.other] : nil }
    let wanted = min(usual, height * 0.34 / max(group.box.height, 1), width * 0.46 / max(group.box.width, 1))
    let zoom = max(wanted, height * 0.1 / max(group.box.height, 1))
    // The place with the most free sky.
    var best = (x: width / 2, free: -Double.infinity)
    for step in 1...9 {
      let x = width * Double(step) / 10
      var top = min(ground.horizon, height)
      for span in spans.values where abs(span.x - x) < span.half + group.box.width * zoom / 2 {
        top = min(top, span.top)
      }
      let crowd = placed.filter { $0.depth > 50 && $0.depth < 60 && abs($0.base.x - x) < width * 0.2 }.count
      let free = top - Double(crowd) * height * 0.2 + random.within(0...0.05) * height
      if free > best.free { best = (x, free) }
    }
    let half = group.box.width * zoom / 2
    let x = host.map { $0.x } ?? min(max(best.x, half), max(half, width - half))
    let y = max(
      height * 0.05 + group.box.height * zoom,
      min((host?.top ?? best.free) - height * 0.05, height * 0.36 + group.box.height * zoom / 2))
    place(
      group, at: Point(x, y), zoom, depth: 50 + Double(number),
      SketchGround(scene: .sky, horizon: 0, front: 0, water: 0), &placed)
  }
}
