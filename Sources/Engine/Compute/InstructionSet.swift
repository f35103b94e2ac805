import CKernels

/// Instruction sets that the kernels are compiled for; the raw values are those of `enum ck_set`.
package enum InstructionSet: Int32, CaseIterable, Sendable {
  /// Plain C: the reference for all other sets.
  case scalar = 0
  /// AVX2 with FMA and F16C.
  case avx2 = 1
  /// AVX2 with VNNI in 256 bits.
  case avxVNNI = 7
  /// AVX-512 with VNNI.
  case avx512 = 2
  /// AVX-512 with VNNI and BF16.
  case avx512bf16 = 4
  /// NEON as on every 64-bit Arm processor.
  case neon = 3
  /// NEON with the dot products of Armv8.2.
  case neonDot = 5
  /// NEON with the dot products of Armv8.2 and the matrix products of Armv8.6 (i8mm).
  case neonI8mm = 6

  /// Sets that this machine can run, slowest first.
  package static let available: [InstructionSet] = allCases.filter { ck_set_is_available($0.rawValue) != 0 }
  /// Fastest set of this machine.
  package static let best: InstructionSet = available.last ?? .scalar
}
