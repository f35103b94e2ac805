import Compute

extension GGUFHeader {
  /// A tensor as the header lists it, its size computed but its place not yet checked against the file.
  struct TensorEntry {
    let name: String
    let dimensions: [Int]
    let type: TensorType
    let offset: UInt64
    let byteCount: Int

    init(_ cursor: inout ByteCursor, alignment: Int, nameLimit: Int) throws(GGUFError) {
      let start = cursor.position
      name = try cursor.string("bytes of a tensor's name", limit: nameLimit)
      guard !name.isEmpty else { throw .emptyName(atByte: start) }
      let dimensionCount: UInt32 = try cursor.integer()
      guard dimensionCount <= GGUFLimits.dimensionCount else {
        throw .tooManyDimensions(tensor: name, count: dimensionCount)
      }
      var dimensions: [Int] = []
      var elementCount = 1
      for index in 0..<Int(dimensionCount) {
        let size: UInt64 = try cursor.integer()
        guard size > 0, size <= UInt64(GGUFLimits.dimension) else {
          throw .badDimension(tensor: name, index: index, size: size)
        }
        let (product, overflow) = elementCount.multipliedReportingOverflow(by: Int(size))
        guard !overflow else { throw .tensorTooLarge(tensor: name) }
        elementCount = product
        dimensions.append(Int(size))
      }
      self.dimensions = dimensions
      let typeNumber: UInt32 = try cursor.integer()
      guard let type = TensorType(rawValue: typeNumber) else {
        throw .unknownTensorType(tensor: name, type: typeNumber)
      }
      self.type = type
      let columnCount = dimensions.first ?? 1
      guard columnCount % type.blockSize == 0 else {
        throw .partialBlock(tensor: name, rowLength: columnCount, blockLength: type.blockSize)
      }
      guard let bytes = type.byteCount(rows: elementCount / columnCount, columns: columnCount) else {
        throw .tensorTooLarge(tensor: name)
      }
      byteCount = bytes
      offset = try cursor.integer()
      guard offset % UInt64(alignment) == 0 else {
        throw .misalignedTensor(tensor: name, offset: offset, alignment: alignment)
      }
    }
  }

  /// Checks that every tensor lies within the file and that no two share bytes.
  static func place(
    _ entries: [TensorEntry], dataOffset: Int, fileSize: Int
  ) throws(GGUFError) -> [GGUFTensor] {
    var tensors: [GGUFTensor] = []
    tensors.reserveCapacity(entries.count)
    for entry in entries {
      let (start, startOverflow) = entry.offset.addingReportingOverflow(UInt64(dataOffset))
      let (end, endOverflow) = start.addingReportingOverflow(UInt64(entry.byteCount))
      guard !startOverflow, !endOverflow else { throw .tensorTooLarge(tensor: entry.name) }
      guard end <= UInt64(fileSize) else {
        throw .tensorOutsideFile(tensor: entry.name, needed: end, available: UInt64(fileSize))
      }
      tensors.append(
        GGUFTensor(
          name: entry.name, dimensions: entry.dimensions, type: entry.type, offset: Int(start),
          byteCount: entry.byteCount))
    }
    let byPlace = tensors.indices.sorted { (tensors[$0].offset, $0) < (tensors[$1].offset, $1) }
    for (first, second) in zip(byPlace, byPlace.dropFirst()) {
      guard tensors[first].offset + tensors[first].byteCount <= tensors[second].offset else {
        throw .overlappingTensors(tensors[first].name, tensors[second].name)
      }
    }
    return tensors
  }
}
