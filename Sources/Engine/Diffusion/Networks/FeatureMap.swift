import Compute

/// Activations of pictures or tokens, `(count, height, width, channels)`, in memory from a workspace.
struct FeatureMap {
  let memory: WorkspaceMemory
  /// Number of pictures in the batch.
  let count: Int
  let height: Int
  let width: Int
  let channels: Int

  var base: UnsafeMutablePointer<Float> { memory.base }
  /// Number of pixels of one picture.
  var pixels: Int { height * width }
  /// Number of pixels of all pictures.
  var tokens: Int { count * height * width }
  var elementCount: Int { tokens * channels }
  var values: UnsafeMutableBufferPointer<Float> { UnsafeMutableBufferPointer(start: base, count: elementCount) }
}

/// Memory that returns to its workspace when the last reference goes.
final class WorkspaceMemory {
  let buffer: AlignedBuffer<Float>
  private weak var workspace: Workspace?

  init(_ buffer: AlignedBuffer<Float>, _ workspace: Workspace) {
    (self.buffer, self.workspace) = (buffer, workspace)
  }
  deinit { workspace?.free.append(buffer) }

  var base: UnsafeMutablePointer<Float> { buffer.base }
}

/// Memory of one network's activations, reused from layer to layer and step to step.
final class Workspace {
  let context: ComputeContext
  fileprivate var free: [AlignedBuffer<Float>] = []

  init(_ context: ComputeContext) { self.context = context }

  /// Allocates a map with undefined contents.
  func map(count: Int, height: Int, width: Int, channels: Int) throws(DiffusionError) -> FeatureMap {
    let needed = count * height * width * channels
    // The smallest buffer that is large enough, unless it is far too large.
    let fitting = free.indices.filter { free[$0].count >= needed && free[$0].count <= max(needed * 2, 1 << 16) }
    let memory: WorkspaceMemory
    if let best = fitting.min(by: { free[$0].count < free[$1].count }) {
      memory = WorkspaceMemory(free.remove(at: best), self)
    } else {
      // The smallest buffer is freed first, so that sizes no longer needed do not pile up.
      if free.count > 6, let least = free.indices.min(by: { free[$0].count < free[$1].count }) {
        free.remove(at: least)
      }
      memory = WorkspaceMemory(try DiffusionError.wrapping { try AlignedBuffer<Float>(count: needed) }, self)
    }
    return FeatureMap(memory: memory, count: count, height: height, width: width, channels: channels)
  }

  func map(like other: FeatureMap, channels: Int) throws(DiffusionError) -> FeatureMap {
    try map(count: other.count, height: other.height, width: other.width, channels: channels)
  }

  /// Makes a map from planes `(count, channels, height, width)`, the order of noise and of files.
  func map(planes: [Float], count: Int, height: Int, width: Int, channels: Int) throws(DiffusionError)
    -> FeatureMap
  {
    precondition(planes.count == count * height * width * channels, "values of a picture")
    let map = try map(count: count, height: height, width: width, channels: channels)
    let pixels = height * width
    for picture in 0..<count {
      for channel in 0..<channels {
        let plane = (picture * channels + channel) * pixels
        for pixel in 0..<pixels {
          map.base[(picture * pixels + pixel) * channels + channel] = planes[plane + pixel]
        }
      }
    }
    return map
  }

  /// Runs a convolution.
  func convolve(
    _ layer: Convolution, _ input: FeatureMap, prologue: Prologue = .none, epilogue: Epilogue = .none
  ) throws(DiffusionError) -> FeatureMap {
    let scale = prologue.upsamples ? 2 : 1
    let size = layer.outputSize(height: input.height * scale, width: input.width * scale)
    let output = try map(
      count: input.count, height: size.height, width: size.width, channels: layer.outputChannels)
    try DiffusionError.wrapping {
      try context.convolve(
        layer, input.base, count: input.count, height: input.height, width: input.width, prologue: prologue,
        epilogue: epilogue, into: output.base)
    }
    return output
  }

  /// Runs a linear layer on every token.
  func multiply(
    _ layer: Convolution, _ input: FeatureMap, prologue: Prologue = .none, epilogue: Epilogue = .none,
    into given: FeatureMap? = nil
  ) throws(DiffusionError) -> FeatureMap {
    let output = if let given { given } else { try map(like: input, channels: layer.outputChannels) }
    try DiffusionError.wrapping {
      try context.multiply(
        layer, input.base, tokens: input.tokens, prologue: prologue, epilogue: epilogue, into: output.base)
    }
    return output
  }

  /// Frees all memory that is not in use.
  func trim() { free = [] }
}

extension FeatureMap {
  /// Returns the values as planes, `(count, channels, height, width)`.
  func planes() -> [Float] {
    var result = [Float](repeating: 0, count: elementCount)
    for picture in 0..<count {
      for channel in 0..<channels {
        let plane = (picture * channels + channel) * pixels
        for pixel in 0..<pixels { result[plane + pixel] = base[(picture * pixels + pixel) * channels + channel] }
      }
    }
    return result
  }
}
