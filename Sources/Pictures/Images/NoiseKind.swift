/// Random number generators that a picture's noise can come from.
package enum NoiseKind: String, Sendable, CaseIterable {
  /// PyTorch's CPU generator: a seed gives the same picture as in diffusers.
  case torch
  /// Philox, PyTorch's CUDA generator: a seed gives the same picture as in most web interfaces.
  case cuda
}
