import Foundation
import ModelFormats
import ModelStore
import TestSupport
import Testing

@Suite struct MachineMemoryTests {
  private func machine(_ files: [String: String]) throws -> (MachineMemory, TemporaryFolder) {
    let folder = try TemporaryFolder()
    for (path, text) in files { try folder.write(path, text) }
    return (MachineMemory(root: folder.url.path), folder)
  }

  private let meminfo = "MemTotal:       16000000 kB\nMemFree:  1 kB\nMemAvailable:   8000000 kB\n"

  @Test func readsTheSystem() throws {
    let (memory, _) = try machine(["proc/meminfo": meminfo])
    #expect(memory == MachineMemory(total: 16_000_000 * 1024, available: 8_000_000 * 1024))
  }

  @Test func heedsTheTightestGroupOfVersionTwo() throws {
    let (memory, folder) = try machine([
      "proc/meminfo": meminfo, "proc/self/cgroup": "0::/user.slice/alcove\n",
      "sys/fs/cgroup/user.slice/memory.max": "4294967296\n",
      "sys/fs/cgroup/user.slice/memory.current": "3221225472",
      "sys/fs/cgroup/user.slice/memory.stat": "anon 5\ninactive_file 1073741824\n",
      "sys/fs/cgroup/user.slice/alcove/memory.max": "max",
    ])
    #expect(memory.total == 4 << 30)
    #expect(memory.available == 2 << 30)
    #expect(memory.limitedBy == folder.url.path + "/sys/fs/cgroup/user.slice/memory.max")
  }

  @Test func heedsVersionOne() throws {
    let (memory, _) = try machine([
      "proc/meminfo": meminfo, "proc/self/cgroup": "3:cpu,cpuacct:/x\n5:memory:/box\n",
      "sys/fs/cgroup/memory/box/memory.limit_in_bytes": "1073741824",
      "sys/fs/cgroup/memory/box/memory.usage_in_bytes": "73741824",
      "sys/fs/cgroup/memory/memory.limit_in_bytes": "9223372036854771712",
    ])
    #expect(memory.total == 1 << 30)
    #expect(memory.available == 1_000_000_000)
  }
}

@Suite struct MemoryJudgementTests {
  private let shape = ModelShape(
    weightBytes: 2_000_000_000, attentionLayers: 36, keyValueHeads: 2, heads: 16, keyLength: 128, valueLength: 128,
    width: 2048, innerWidth: 11_008, vocabulary: 151_936, contextLength: 32_768)

  @Test func countsKeysAndValues() {
    // Two bytes of a key and a value for each head, layer and position.
    #expect(MemoryEstimate(shape, context: 8192).cache == 8192 * 36 * 2 * (128 + 128) * 2)
    #expect(MemoryEstimate(shape, context: 8192, cache: .q8_0).cache == 8192 * 36 * 2 * (128 + 128) * 34 / 32)
    // More than the model was trained on is never kept.
    #expect(MemoryEstimate(shape, context: 1 << 20).cache == MemoryEstimate(shape, context: 32_768).cache)
  }

  @Test func verdictsGetWorseAsMemoryShrinks() {
    var last = Verdict.fitsWell
    for gibibytes in stride(from: 12.0, through: 0.5, by: -0.25) {
      let memory = MachineMemory(total: 16 << 30, available: Int(gibibytes * Double(1 << 30)))
      let verdict = Verdict(shape, memory: memory)
      #expect(verdict >= last)
      last = verdict
    }
    #expect(last == .doesNotFit)
  }

  @Test func refusalsNameWhatWouldFit() throws {
    let memory = MachineMemory(total: 4 << 30, available: Int(2.5 * Double(1 << 30)))
    let judgement = LoadJudgement(shape, context: 32_768, cache: .f16, memory: memory)
    #expect(!judgement.fits)
    let context = try #require(judgement.fittingContext)
    #expect(MemoryEstimate(shape, context: context).total <= memory.available)
    #expect(MemoryEstimate(shape, context: context + 256).total > memory.available)
    #expect(try #require(judgement.quantizedCacheTotal) < judgement.estimate.total)
  }

  @Test func hugeNumbersSaturate() {
    let monster = ModelShape(
      weightBytes: .max, attentionLayers: 512, keyValueHeads: 4096, heads: 4096, keyLength: 65_536,
      valueLength: 65_536, width: 1 << 20, innerWidth: 1 << 24, vocabulary: 1 << 40, contextLength: 1 << 30)
    #expect(MemoryEstimate(monster, context: .max).total == .max)
    #expect(Verdict(monster, memory: MachineMemory(total: 1 << 34, available: 1 << 34)) == .doesNotFit)
  }
}

@Suite struct ResidencyTests {
  @Test func theLeastRecentlyUsedGoesFirstAndNothingInUse() {
    var residency = Residency()
    residency.loaded(kind: .text, path: "t", byteCount: 3)
    residency.loaded(kind: .embedder, path: "e", byteCount: 1)
    #expect(residency.plan(kind: .diffusion, path: "d", byteCount: 4, available: 4) == .load(unloading: []))
    #expect(residency.plan(kind: .diffusion, path: "d", byteCount: 4, available: 1) == .load(unloading: ["t"]))
    residency.uses(path: "t", true)
    residency.uses(path: "t", false)
    #expect(
      residency.plan(kind: .diffusion, path: "d", byteCount: 4, available: 1) == .load(unloading: ["e", "t"]))
    residency.uses(path: "t", true)
    #expect(residency.plan(kind: .diffusion, path: "d", byteCount: 4, available: 1) == .refused(missing: 2))
    #expect(residency.plan(kind: .text, path: "u", byteCount: 1, available: 9) == .refused(missing: 0))
    residency.uses(path: "t", false)
    // Never two of a kind, whatever the room.
    #expect(residency.plan(kind: .text, path: "u", byteCount: 1, available: 9) == .load(unloading: ["t"]))
    #expect(residency.plan(kind: .text, path: "t", byteCount: 3, available: 0) == .resident)
  }
}

@Suite struct ResidencyRoomTests {
  @Test func whatIsPromisedToResidentsIsNotGivenTwice() {
    var residency = Residency()
    let memory = MachineMemory(total: 100, available: 50)
    #expect(residency.room(in: memory, held: 5) == 50)
    residency.loaded(kind: .text, path: "t", byteCount: 30)
    // Of its thirty it holds ten so far: the other twenty are still to come out of what is free.
    #expect(residency.room(in: memory, held: 10) == 30)
    #expect(residency.roomOfAll(in: memory, held: 10) == 60)
    // All of it is here, and other things too.
    #expect(residency.room(in: memory, held: 40) == 50)
    #expect(residency.roomOfAll(in: memory, held: 40) == 80)
    #expect(residency.roomOfAll(in: MachineMemory(total: 60, available: 50), held: 40) == 60)
    #expect(residency.room(in: MachineMemory(total: 100, available: 5), held: 0) == 0)
  }
}

@Suite struct PowerConditionTests {
  private func condition(_ files: [String: String], since earlier: PowerCondition? = nil) throws -> PowerCondition
  {
    let folder = try TemporaryFolder()
    for (path, text) in files { try folder.write(path, text) }
    return PowerCondition(root: folder.url.path, since: earlier)
  }

  private let battery = "sys/class/power_supply/BAT0/"

  @Test func nothingStrainsAPlainMachine() throws {
    let plain = try condition([:])
    #expect(plain.strains.isEmpty)
    #expect((plain.context(8192), plain.threads(8)) == (8192, 8))
  }

  @Test func stepsDownOnALowBattery() throws {
    let low = [battery + "type": "Battery\n", battery + "status": "Discharging", battery + "capacity": "12"]
    #expect(try condition(low).strains == [.battery(percent: 12)])
    #expect(try condition(low).context(8192) == 4096)
    #expect(try condition(low).threads(8) == 4)
    #expect(try condition(low).threads(1) == 1)
    #expect(try condition(low.merging([battery + "capacity": "20"]) { $1 }).strains.isEmpty)
    #expect(try condition(low.merging([battery + "scope": "Device"]) { $1 }).strains.isEmpty)
    let mains = ["sys/class/power_supply/AC/type": "Mains", "sys/class/power_supply/AC/online": "1"]
    #expect(try condition(low.merging(mains) { $1 }).strains.isEmpty)
  }

  @Test func heedsProfilesAndHeat() throws {
    #expect(try condition(["sys/firmware/acpi/platform_profile": "low-power"]).strains == [.lowPowerProfile])
    #expect(try condition(["sys/firmware/acpi/platform_profile": "balanced"]).strains.isEmpty)
    let cooling = [
      "sys/class/thermal/cooling_device0/type": "Processor", "sys/class/thermal/cooling_device0/cur_state": "2",
    ]
    #expect(try condition(cooling).strains == [.throttled])
    let zone = "sys/class/thermal/thermal_zone0/"
    let warm = [
      zone + "temp": "80000", zone + "trip_point_0_type": "passive", zone + "trip_point_0_temp": "95000",
    ]
    #expect(try condition(warm).strains.isEmpty)
    #expect(try condition(warm.merging([zone + "temp": "96000"]) { $1 }).strains == [.throttled])
    // Counters tell only by growing.
    let counter = "sys/devices/system/cpu/cpu0/thermal_throttle/core_throttle_count"
    let before = try condition([counter: "7"])
    #expect(before.strains.isEmpty)
    #expect(try condition([counter: "8"], since: before).strains == [.throttled])
  }
}
