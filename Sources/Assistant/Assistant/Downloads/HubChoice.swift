import ModelStore

/// Choice among the files of a repository on the hub.
package enum HubChoice {
  /// A file's verdict by its size alone, as its header is not here yet. A usual KV cache and work space take a quarter
  /// more.
  package static func verdict(of byteCount: Int, memory: MachineMemory) -> Verdict {
    let needed = Double(byteCount) * 1.25 + 2e8
    let room = Double(memory.available)
    return needed * 1.5 <= room ? .fitsWell : needed * 1.1 <= room ? .fits : needed <= room ? .tight : .doesNotFit
  }

  /// The file to fetch where none is named: the best quantization that fits, of models in one file.
  package static func pick(_ files: [HubFile], memory: MachineMemory) -> HubFile? {
    let whole = files.filter {
      let name = $0.file.lowercased()
      return name.hasSuffix(".gguf") && !name.contains("mmproj") && !SplitModel.isLaterPart($0.file)
    }.map { file in
      // The first part of a split model stands for all of them.
      var file = file
      let parts = Set(SplitModel.parts(file.file))
      if parts.count > 1 { file.bytes = files.reduce(0) { parts.contains($1.file) ? $0 + $1.bytes : $0 } }
      return file
    }
    return whole.min { left, right in
      func key(_ file: HubFile) -> (Verdict, Int, Int) {
        (
          max(verdict(of: file.bytes, memory: memory), .fits),
          Catalogue.rank(QuantizationName.find(in: file.file) ?? ""), file.bytes
        )
      }
      return key(left) < key(right)
    }
  }
}
