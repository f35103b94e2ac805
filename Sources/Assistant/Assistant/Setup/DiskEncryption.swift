import Foundation

/// Encryption of the disks below a folder, as far as the kernel tells.
///
/// Read from `/proc/self/mountinfo` (proc(5)) and the device mapper's files below `/sys/dev/block`. A drive that
/// encrypts by itself, or a virtual machine's host that does, shows nowhere there.
package enum DiskEncryption: Sendable, Equatable {
  /// Every byte of the folder lies encrypted on its disks.
  case encrypted(Method)
  /// At least one disk holds the folder's bytes as they are.
  /// - Parameter device: its number, for example `8:1`.
  case notEncrypted(device: String)
  /// Neither can be told: the file system names no disk of this machine.
  /// - Parameter fileSystem: its type, for example `nfs4`; nil where no mount holds the folder.
  case unknown(fileSystem: String?)

  /// Layer that encrypts.
  package enum Method: Sendable, Equatable {
    /// The device mapper's crypt target: LUKS and its relatives.
    case deviceMapper
    /// The folder itself (fscrypt, of ext4, F2FS and UBIFS).
    case folder
    /// A file system that stores nothing in the clear, for example `ecryptfs`.
    case fileSystem(String)
  }

  /// Looks a folder up.
  /// - Parameters:
  ///   - folder: an absolute path without links; it need not exist.
  ///   - isFolderEncrypted: whether the folder has a policy of fscrypt.
  ///   - root: stands before `/proc`, `/sys` and `/dev`.
  package init(folder: String, isFolderEncrypted: Bool = false, root: String = "") {
    if isFolderEncrypted {
      self = .encrypted(.folder)
      return
    }
    let mounts = Mount.table((try? String(contentsOfFile: "\(root)/proc/self/mountinfo", encoding: .utf8)) ?? "")
    guard let mount = Mount.holding(folder, in: mounts) else {
      self = .unknown(fileSystem: nil)
      return
    }
    if Self.encryptingFileSystems.contains(mount.fileSystem) {
      self = .encrypted(.fileSystem(mount.fileSystem))
      return
    }
    let devices = BlockDevices(root: root)
    let states = devices.numbers(of: mount).map { number in (number, devices.isEncrypted(number)) }
    if let open = states.first(where: { $0.1 == false }) {
      self = .notEncrypted(device: open.0)
    } else if states.isEmpty || states.contains(where: { $0.1 == nil }) {
      self = .unknown(fileSystem: mount.fileSystem)
    } else {
      self = .encrypted(.deviceMapper)
    }
  }

  /// Looks a folder of this machine up, or where it does not exist yet, the one it will be made in.
  package init(of folder: URL, root: String = "") {
    var place = folder.standardizedFileURL
    while place.path != "/", !FileManager.default.fileExists(atPath: place.path) {
      place = place.deletingLastPathComponent().standardizedFileURL
    }
    let path = place.resolvingSymlinksInPath().path
    self.init(folder: path, isFolderEncrypted: root.isEmpty && Self.isEncryptedFolder(path), root: root)
  }

  /// Returns the answer for several folders together, with the folder it is about: one that is not encrypted counts
  /// before one that cannot be told, and that before an encrypted one.
  package static func weakest(of folders: [URL], root: String = "") -> (folder: URL, encryption: DiskEncryption)? {
    let all = folders.map { (folder: $0, encryption: DiskEncryption(of: $0, root: root)) }
    return all.min { $0.encryption.rank < $1.encryption.rank }
  }

  private var rank: Int {
    switch self {
    case .notEncrypted: 0
    case .unknown: 1
    case .encrypted: 2
    }
  }

  /// Indicates whether the kernel says that a folder has a policy of fscrypt (`FS_ENCRYPT_FL` of ioctl_iflags(2)).
  private static func isEncryptedFolder(_ path: String) -> Bool {
    let descriptor = open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard descriptor >= 0 else { return false }
    defer { close(descriptor) }
    // The number of FS_IOC_GETFLAGS for a long of 64 bits; the kernel writes 32 of them.
    var flags = 0
    return ioctl(descriptor, 0x8008_6601, &flags) == 0 && flags & 0x800 != 0
  }

  /// File systems whose stored form is encrypted.
  private static let encryptingFileSystems: Set<String> = [
    "ecryptfs", "fuse.gocryptfs", "fuse.cryfs", "fuse.encfs", "fuse.securefs",
  ]
}

/// A line of `/proc/self/mountinfo`.
struct Mount: Equatable {
  let id: String
  let parent: String
  /// Number of the device, `major:minor`; the major number is 0 where no device stands behind the file system.
  let device: String
  /// Place in the tree of files.
  let point: String
  let fileSystem: String
  /// Source of the mount, for example `/dev/sda1`, `server:/home` or `tank/home`.
  let source: String

  /// Reads the lines of a mountinfo file; a line of another form is left out.
  static func table(_ text: String) -> [Mount] {
    text.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: " ").map(String.init)
      // A number of optional fields stands before the dash.
      guard let dash = fields.dropFirst(6).firstIndex(of: "-"), fields.count > dash + 2 else { return nil }
      return Mount(
        id: fields[0], parent: fields[1], device: fields[2], point: unescaped(fields[4]),
        fileSystem: fields[dash + 1], source: unescaped(fields[dash + 2]))
    }
  }

  /// Returns the mount that a path lies in, on the way from the root through one mount after another: a mount hides
  /// those that were made below its place before.
  static func holding(_ path: String, in mounts: [Mount]) -> Mount? {
    let ids = Set(mounts.map(\.id))
    guard var mount = mounts.first(where: { $0.point == "/" && ($0.id == $0.parent || !ids.contains($0.parent)) })
    else { return nil }
    var left = mounts.filter { $0.id != mount.id }
    while true {
      let next = left.filter { $0.parent == mount.id && $0.covers(path) }.min { $0.point.count < $1.point.count }
      guard let next else { return mount }
      left.removeAll { $0.id == next.id }
      mount = next
    }
  }

  private func covers(_ path: String) -> Bool {
    point == "/" || path == point || path.hasPrefix(point + "/")
  }

  /// Replaces `\040` and its like, by which the kernel writes spaces, tabs, line ends and backslashes.
  private static func unescaped(_ text: String) -> String {
    guard text.contains("\\") else { return text }
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      if byte == UInt8(ascii: "\\"), let value = UInt8(String(decoding: rest.prefix(3), as: UTF8.self), radix: 8) {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The block devices of a machine, as `/sys` shows them.
struct BlockDevices {
  /// Stands before `/sys` and `/dev`.
  let root: String

  /// Returns the numbers of all devices that a mount's file system is known to lie on; none where it names no device.
  func numbers(of mount: Mount) -> [String] {
    guard mount.device.hasPrefix("0:") else { return [mount.device] }
    // Btrfs gives each subvolume a number without a device; its source is one of its devices.
    guard mount.source.hasPrefix("/dev/"), let name = name(of: mount.source) else { return [] }
    let members = entries("\(root)/sys/fs/btrfs").map { entries("\(root)/sys/fs/btrfs/\($0)/devices") }
    return (members.first { $0.contains(name) } ?? [name]).compactMap { text("\(root)/sys/class/block/\($0)/dev") }
  }

  /// Indicates whether what is written to a device is encrypted before it reaches a disk; nil where it cannot be told.
  /// - Parameter number: `major:minor`.
  func isEncrypted(_ number: String) -> Bool? { isEncrypted(at: "\(root)/sys/dev/block/\(number)", depth: 0) }

  private func isEncrypted(at link: String, depth: Int) -> Bool? {
    let folder = URL(filePath: link).resolvingSymlinksInPath().path
    // Stacks of devices are a handful deep.
    guard depth < 16, FileManager.default.fileExists(atPath: folder) else { return nil }
    if let identifier = text("\(folder)/dm/uuid"), Self.isCryptTarget(identifier) { return true }
    // A file behind a loop device lies on another file system.
    if FileManager.default.fileExists(atPath: "\(folder)/loop/backing_file") { return nil }
    if FileManager.default.fileExists(atPath: "\(folder)/partition") {
      return isEncrypted(at: (folder as NSString).deletingLastPathComponent, depth: depth + 1)
    }
    // Logical volumes and arrays: as good as the worst of what they lie on.
    let below = entries("\(folder)/slaves").map { isEncrypted(at: "\(folder)/slaves/\($0)", depth: depth + 1) }
    if below.isEmpty || below.contains(false) { return false }
    return below.contains(nil) ? nil : true
  }

  /// Indicates whether the device mapper's identifier is that of a target that encrypts. Cryptsetup gives targets that
  /// only verify the same beginning.
  static func isCryptTarget(_ identifier: String) -> Bool {
    identifier.hasPrefix("CRYPT-")
      && !["VERITY", "INTEGRITY", "SUBDEV"].contains { identifier.hasPrefix("CRYPT-\($0)-") }
  }

  /// Returns the kernel's name of a device, for example `dm-0` of `/dev/mapper/home`.
  private func name(of source: String) -> String? {
    let name = URL(filePath: root + source).resolvingSymlinksInPath().lastPathComponent
    if FileManager.default.fileExists(atPath: "\(root)/sys/class/block/\(name)") { return name }
    // Without udev, the device mapper's names are no links.
    return entries("\(root)/sys/class/block").first { text("\(root)/sys/class/block/\($0)/dm/name") == name }
  }

  private func entries(_ folder: String) -> [String] {
    // A folder that is absent or unreadable says nothing.
    ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).sorted()
  }

  private func text(_ path: String) -> String? {
    (try? String(contentsOfFile: path, encoding: .utf8))?.trimmingCharacters(in: .whitespacesAndNewlines)
  }
}
