import Compute
import Foundation
import ModelFormats
import Tokenization

extension PrefixCache {
  /// Identity of a model file and KV cache layout, in 16 bytes: a checksum of the header, the beginning and end of each
  /// tensor, and the layout of the cache.
  static func identity(of model: LanguageModel) -> [UInt8] {
    var sum = StateChecksum()
    for part in model.file.parts {
      let bytes = part.file.bytes
      sum.add(UnsafeRawBufferPointer(rebasing: bytes[..<min(bytes.count, part.header.dataOffset)]))
      for tensor in part.header.tensors where tensor.offset >= 0 && tensor.offset + tensor.byteCount <= bytes.count
      {
        let whole = UnsafeRawBufferPointer(rebasing: bytes[tensor.offset..<tensor.offset + tensor.byteCount])
        sum.add(UnsafeRawBufferPointer(rebasing: whole.prefix(4096)))
        sum.add(UnsafeRawBufferPointer(rebasing: whole.suffix(4096)))
      }
    }
    var layout = StateChecksum()
    let facts = model.transformer.caches.map { cache in
      cache.map { "\($0.headCount) \($0.keyDim) \($0.valueDim) \($0.type.rawValue)" } ?? "-"
    }
    // Some models rotate positions differently in longer contexts.
    let text = "\(model.file.byteCount) \(model.contextLength) \(facts)"
    Array(text.utf8).withUnsafeBytes { layout.add($0) }
    return [sum.value, layout.value].flatMap { value in withUnsafeBytes(of: value.littleEndian) { Array($0) } }
  }

  /// Returns the bytes of the KV cache for the first `count` positions, layer by layer.
  private func sections(_ count: Int) -> [UnsafeMutableRawBufferPointer] {
    model.transformer.caches.flatMap { $0?.storage(ofFirst: count) ?? [] }
  }

  private var markSize: Int { model.transformer.state.count }

  /// Saves the KV cache with its tokens.
  /// - Parameters:
  ///   - length: number of first tokens to save; nil: all.
  ///   - tags: the sessions and documents it comes from.
  /// - Returns: the file's bytes; 0 where it was there already, or where there is nothing to save.
  func save(
    to files: StateFiles, identity: [UInt8], length: Int?, tags: Set<String>
  ) throws(StateFileError) -> Int {
    var count = min(length ?? tokens.count, tokens.count)
    // Positions are kept in groups: none may come along that is no part of what is saved.
    if count < tokens.count { count = count / PrefixCache.group * PrefixCache.group }
    var kept = marks.filter { $0.length <= count }
    if isRecurrent {
      if count == tokens.count, kept.last?.length != count, count > 0 {
        kept.append(Mark(length: count, state: model.transformer.state.snapshot()))
      }
      while let last = kept.last, last.length < tokens.count, last.length % PrefixCache.group != 0 {
        kept.removeLast()
      }
      count = kept.last?.length ?? 0
    }
    if count == tokens.count { clearGroup(from: count) }
    guard count > 0 else { return 0 }
    let header = StateHeader(
      identity: identity, tokens: Array(tokens.prefix(count)), tags: tags.sorted(), markLengths: kept.map(\.length)
    )
    let start = header.bytes
    var portions = start.withUnsafeBytes { [Data($0)] }
    for mark in kept { portions.append(mark.state.withUnsafeBytes { Data($0) }) }
    let sections = sections(count)
    let size = portions.reduce(8) { $0 + $1.count } + sections.reduce(0) { $0 + $1.count }
    guard size <= files.byteLimit else { throw .tooLarge(byteCount: size, limit: files.byteLimit) }
    let name = StateWriter.name(start)
    let path = files.directory.appending(path: "\(name).\(StateFiles.suffix)").path
    if StateWriter.touch(path) { return 0 }
    files.makeRoom(for: size)
    try StateWriter.write(portions, sections, to: path, in: files.directory)
    removeBeginnings(of: header, but: path, in: files)
    return size
  }

  /// Overwrites the positions after the last one, up to the end of its group: what stood there is another answer's.
  private func clearGroup(from count: Int) {
    for case .some(let cache) in model.transformer.caches {
      let end = min((count + PrefixCache.group - 1) / PrefixCache.group * PrefixCache.group, cache.capacity)
      guard count < end else { continue }
      let keys = [Float](repeating: 0, count: (end - count) * cache.headCount * cache.keyDim)
      let values = [Float](repeating: 0, count: (end - count) * cache.headCount * cache.valueDim)
      cache.store(ArraySlice(count..<end), keys: keys, values: values)
    }
  }

  /// Removes the files that hold no more than the beginning of another one from the same places.
  private func removeBeginnings(of header: StateHeader, but path: String, in files: StateFiles) {
    for file in files.files() where file.path != path {
      guard let other = try? StateHeader(path: file.path), other.identity == header.identity,
        other.tags == header.tags,
        other.tokens.count < header.tokens.count, header.tokens.starts(with: other.tokens)
      else { continue }
      // It only takes room.
      try? FileManager.default.removeItem(atPath: file.path)
    }
  }

  /// Restores the saved KV cache that shares most with a prompt, if it shares more than the present one does.
  /// - Returns: the number of the prompt's tokens in the KV cache then; 0 where nothing was restored.
  mutating func restore(from files: StateFiles, identity: [UInt8], for prompt: [TokenID]) -> Int {
    var best: (path: String, common: Int)?
    for file in files.files() {
      guard let header = try? StateHeader(path: file.path), header.identity == identity else { continue }
      let common = zip(header.tokens, prompt.dropLast()).prefix { $0 == $1 }.count
      let usable = isRecurrent ? header.markLengths.last { $0 <= common } ?? 0 : common
      if usable > best?.common ?? 0 { best = (file.path, usable) }
    }
    // Evaluating a few tokens takes less time than reading a file.
    guard let best, best.common >= usable(for: prompt) + Self.leastGain else { return 0 }
    do {
      try restore(path: best.path, identity: identity, length: best.common)
      _ = StateWriter.touch(best.path)
      return best.common
    } catch {
      // A file that cannot be used is of no use later either.
      try? FileManager.default.removeItem(atPath: best.path)
      return 0
    }
  }

  private static let leastGain = 16

  /// Returns the number of a prompt's tokens that the KV cache spares evaluating.
  private func usable(for prompt: [TokenID]) -> Int {
    let common = commonPrefix(with: prompt)
    guard isRecurrent, common < tokens.count else { return common }
    return marks.last { $0.length <= common }?.length ?? 0
  }

  /// Restores a file's first tokens, once every byte of it was checked.
  private mutating func restore(path: String, identity: [UInt8], length: Int) throws(StateFileError) {
    let file: MappedFile
    do {
      file = try MappedFile(path: path)
    } catch {
      throw .damaged(path: path)
    }
    let header = try StateHeader(parsing: file.bytes, path: path)
    guard header.identity == identity else { throw .foreign(path: path) }
    guard header.tokens.count <= model.contextLength, length <= header.tokens.count,
      !isRecurrent || header.markLengths.contains(length)
    else { throw .damaged(path: path) }
    let (markSize, saved) = (markSize, sections(header.tokens.count))
    let markBytes = markSize * 4 * header.markLengths.count
    let expected = header.byteCount + markBytes + saved.reduce(0) { $0 + $1.count } + 8
    guard expected == file.bytes.count,
      header.tokens.allSatisfy({ $0 >= 0 && Int($0) < model.vocabularySize })
    else { throw .damaged(path: path) }
    var sum = StateChecksum()
    sum.add(UnsafeRawBufferPointer(rebasing: file.bytes.dropLast(8)))
    let written = UInt64(littleEndian: file.bytes.loadUnaligned(fromByteOffset: expected - 8, as: UInt64.self))
    guard sum.value == written, (try? file.check()) != nil else { throw .damaged(path: path) }
    reset()
    var place = header.byteCount
    var restored: [Mark] = []
    for markLength in header.markLengths {
      let numbers = (0..<markSize).map { file.bytes.loadUnaligned(fromByteOffset: place + 4 * $0, as: Float.self) }
      place += 4 * markSize
      if markLength <= length { restored.append(Mark(length: markLength, state: numbers)) }
    }
    for (target, whole) in zip(sections(length), saved) {
      target.copyMemory(from: UnsafeRawBufferPointer(rebasing: file.bytes[place..<place + target.count]))
      place += whole.count
    }
    guard (try? file.check()) != nil else {
      reset()
      throw .damaged(path: path)
    }
    model.transformer.adopt(restored.last?.state, length: length)
    adopt(Array(header.tokens.prefix(length)), marks: restored)
  }
}

/// Writer of saved KV cache files.
enum StateWriter {
  /// Returns a name that the same prefix always gets.
  static func name(_ header: [UInt8]) -> String {
    var sum = StateChecksum()
    header.withUnsafeBytes { sum.add($0) }
    let digits = String(sum.value, radix: 16)
    return String(repeating: "0", count: 16 - digits.count) + digits
  }

  /// Notes that a file is used now, if it is there.
  static func touch(_ path: String) -> Bool { utimensat(AT_FDCWD, path, nil, AT_SYMLINK_NOFOLLOW) == 0 }

  /// Writes a file under another name first, so that it is there whole or not at all.
  static func write(
    _ portions: [Data], _ sections: [UnsafeMutableRawBufferPointer], to path: String, in directory: URL
  ) throws(StateFileError) {
    do {
      try FileManager.default.createDirectory(
        at: directory, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
    } catch {
      throw .system(path: directory.path, call: "mkdir", code: errno)
    }
    let partial = "\(path).\(getpid()).partial"
    unlink(partial)
    let descriptor = open(partial, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0o600)
    guard descriptor >= 0 else { throw .system(path: partial, call: "open", code: errno) }
    do throws(StateFileError) {
      defer { close(descriptor) }
      try write(portions, sections, to: descriptor, partial)
    } catch {
      unlink(partial)
      throw error
    }
    guard rename(partial, path) == 0 else {
      let code = errno
      unlink(partial)
      throw .system(path: path, call: "rename", code: code)
    }
  }

  private static func write(
    _ portions: [Data], _ sections: [UnsafeMutableRawBufferPointer], to descriptor: Int32, _ path: String
  ) throws(StateFileError) {
    var buffer: [UInt8] = []
    for portion in portions { buffer.append(contentsOf: portion) }
    buffer.reserveCapacity(buffer.count + sections.reduce(8) { $0 + $1.count })
    for section in sections { buffer.append(contentsOf: UnsafeRawBufferPointer(section)) }
    var sum = StateChecksum()
    buffer.withUnsafeBytes { sum.add($0) }
    withUnsafeBytes(of: sum.value.littleEndian) { buffer.append(contentsOf: $0) }
    var done = 0
    while done < buffer.count {
      let wrote = buffer.withUnsafeBytes {
        Glibc.write(descriptor, $0.baseAddress! + done, min($0.count - done, 1 << 30))
      }
      guard wrote > 0 || errno == EINTR else { throw .system(path: path, call: "write", code: errno) }
      done += max(0, wrote)
    }
  }
}
