import Assistant
import Foundation
import TestSupport
import Testing

/// The answer about a disk, read from `/proc` and `/sys` as a machine of each kind shows them.
@Suite struct DiskEncryptionTests {
  private let machine: TemporaryFolder
  private let home = "/home/me/.local/share/alcove"

  init() throws { machine = try TemporaryFolder() }

  /// Writes the list of mounts; each line is a device, a place, a type and a source.
  private func mount(_ lines: [(device: String, point: String, type: String, source: String)]) throws {
    let text = lines.enumerated().map { index, line in
      let parent = index == 0 ? 1 : 20
      return "\(20 + index) \(parent) \(line.device) / \(line.point) rw,noatime shared:\(index) - \(line.type) "
        + "\(line.source) rw\n"
    }
    try machine.write("proc/self/mountinfo", text.joined())
  }

  /// Makes a block device: its folder, its number, and what tells more of it.
  private func device(
    _ name: String, _ number: String, partitionOf disk: String? = nil, identifier: String? = nil,
    on below: [String] = []
  ) throws {
    let folder = disk.map { "sys/devices/\($0)/\(name)" } ?? "sys/devices/\(name)"
    try machine.write("\(folder)/dev", number + "\n")
    if disk != nil { try machine.write("\(folder)/partition", "1\n") }
    if let identifier { try machine.write("\(folder)/dm/uuid", identifier + "\n") }
    for place in below { try link("\(folder)/slaves/\(place)", to: "sys/class/block/\(place)") }
    try link("sys/dev/block/\(number)", to: folder)
    try link("sys/class/block/\(name)", to: folder)
  }

  private func link(_ path: String, to target: String) throws {
    let place = machine.url.appending(path: path)
    try FileManager.default.createDirectory(
      at: place.deletingLastPathComponent(), withIntermediateDirectories: true)
    try FileManager.default.createSymbolicLink(
      atPath: place.path, withDestinationPath: machine.url.appending(path: target).path)
  }

  private var answer: DiskEncryption { DiskEncryption(folder: home, root: machine.url.path) }

  @Test func aPlainPartitionIsNotEncrypted() throws {
    try device("sda", "8:0")
    try device("sda1", "8:1", partitionOf: "sda")
    try mount([("8:1", "/", "ext4", "/dev/sda1")])
    #expect(answer == .notEncrypted(device: "8:1"))
  }

  @Test func homeOnLUKSIsEncryptedWhereTheRootIsNot() throws {
    try device("sda1", "8:1")
    try device("dm-0", "253:0", identifier: "CRYPT-LUKS2-0123456789abcdef-home", on: ["sda1"])
    try mount([
      ("8:1", "/", "ext4", "/dev/sda1"), ("253:0", "/home", "ext4", "/dev/mapper/home"),
      ("8:1", "/home/melanie", "ext4", "/dev/sda1"),
    ])
    #expect(answer == .encrypted(.deviceMapper))
    #expect(DiskEncryption(folder: "/var", root: machine.url.path) == .notEncrypted(device: "8:1"))
  }

  @Test func logicalVolumesAreAsGoodAsTheWorstDiskBelow() throws {
    try device("sda2", "8:2")
    try device("sdb1", "8:17")
    try device("dm-0", "253:0", identifier: "CRYPT-LUKS1-00-disk", on: ["sda2"])
    try device("dm-1", "253:1", identifier: "LVM-abc", on: ["dm-0"])
    try device("dm-2", "253:2", identifier: "LVM-def", on: ["dm-0", "sdb1"])
    try mount([("253:1", "/", "xfs", "/dev/mapper/vg-root")])
    #expect(answer == .encrypted(.deviceMapper))
    try mount([("253:2", "/", "xfs", "/dev/mapper/vg-root")])
    #expect(answer == .notEncrypted(device: "253:2"))
  }

  @Test func aPartitionOfAnEncryptedDeviceIsEncrypted() throws {
    try device("sda", "8:0")
    try device("dm-0", "253:0", identifier: "CRYPT-PLAIN-disk", on: ["sda"])
    try device("dm-0p1", "253:1", partitionOf: "dm-0")
    try mount([("253:1", "/", "ext4", "/dev/mapper/disk1")])
    #expect(answer == .encrypted(.deviceMapper))
  }

  @Test(arguments: ["CRYPT-VERITY-00-usr", "CRYPT-INTEGRITY-data", "LVM-CRYPT-"])
  func whatOnlyVerifiesDoesNotEncrypt(identifier: String) throws {
    try device("sda1", "8:1")
    try device("dm-0", "253:0", identifier: identifier, on: ["sda1"])
    try mount([("253:0", "/", "ext4", "/dev/mapper/x")])
    #expect(answer == .notEncrypted(device: "253:0"))
  }

  @Test func btrfsIsJudgedByAllOfItsDevices() throws {
    try device("sda1", "8:1")
    try device("sda2", "8:2")
    try device("dm-0", "253:0", identifier: "CRYPT-LUKS2-00-a", on: ["sda1"])
    try link("dev/mapper/a", to: "dev/dm-0")
    try machine.write("dev/dm-0", "")
    try mount([("0:35", "/", "btrfs", "/dev/mapper/a")])
    #expect(answer == .encrypted(.deviceMapper))
    try link("sys/fs/btrfs/1234/devices/dm-0", to: "sys/class/block/dm-0")
    try link("sys/fs/btrfs/1234/devices/sda2", to: "sys/class/block/sda2")
    #expect(answer == .notEncrypted(device: "8:2"))
  }

  @Test func namesOfTheDeviceMapperAreFoundWithoutUdev() throws {
    try device("dm-0", "253:0", identifier: "CRYPT-LUKS2-00-a b")
    try machine.write("sys/devices/dm-0/dm/name", "a b\n")
    try mount([("0:35", "/", "btrfs", "/dev/mapper/a\\040b")])
    #expect(answer == .encrypted(.deviceMapper))
  }

  @Test func fileSystemsThatEncryptAreNamed() throws {
    try mount([("8:1", "/", "ext4", "/dev/sda1"), ("0:50", "/home/me", "ecryptfs", "/home/.ecryptfs/me")])
    #expect(answer == .encrypted(.fileSystem("ecryptfs")))
    #expect(DiskEncryption(folder: home, isFolderEncrypted: true, root: "/nowhere") == .encrypted(.folder))
  }

  @Test(arguments: [("0:40", "nfs4", "server:/home"), ("0:41", "zfs", "tank/home"), ("0:42", "tmpfs", "tmpfs")])
  func whatNamesNoDiskIsUnknown(device: String, type: String, source: String) throws {
    try mount([(device, "/", type, source)])
    #expect(answer == .unknown(fileSystem: type))
  }

  @Test func whatIsMissingIsUnknown() throws {
    #expect(answer == .unknown(fileSystem: nil))
    try mount([("8:1", "/", "ext4", "/dev/sda1")])
    #expect(answer == .unknown(fileSystem: "ext4"))
    try machine.write("proc/self/mountinfo", "20 1 8:1 / /\n\n- - -\n20 20 8:1 / / rw - ext4\n")
    #expect(answer == .unknown(fileSystem: nil))
  }

  @Test func aLaterMountHidesTheOnesBelowItsPlace() throws {
    try device("sda1", "8:1")
    try device("dm-0", "253:0", identifier: "CRYPT-LUKS2-00-a")
    // /home/me was mounted on the root first; then /home was mounted over it.
    try mount([
      ("253:0", "/", "ext4", "/dev/mapper/a"), ("253:0", "/home/me", "ext4", "/dev/mapper/a"),
      ("8:1", "/home", "ext4", "/dev/sda1"),
    ])
    #expect(answer == .notEncrypted(device: "8:1"))
  }

  @Test func theWeakestFolderCounts() throws {
    try device("sda1", "8:1")
    try device("dm-0", "253:0", identifier: "CRYPT-LUKS2-00-a")
    let data = machine.url.appending(path: "data"), state = machine.url.appending(path: "state")
    try FileManager.default.createDirectory(at: state, withIntermediateDirectories: true)
    try mount([
      ("253:0", "/", "ext4", "/dev/mapper/a"), ("8:1", state.resolvingSymlinksInPath().path, "ext4", "/dev/sda1"),
    ])
    let weakest = try #require(DiskEncryption.weakest(of: [data, state], root: machine.url.path))
    #expect(weakest.folder == state && weakest.encryption == .notEncrypted(device: "8:1"))
  }
}
