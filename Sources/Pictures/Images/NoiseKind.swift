/// Where a picture's noise comes from.
package enum NoiseKind: String, Sendable, CaseIterable {
  /// PyTorch's CPU generator: a seed means the same picture as in diffusers.
  case torch
  /// Philox, as PyTorch's CUDA generator: as in most web interfaces.
  case cuda
}
