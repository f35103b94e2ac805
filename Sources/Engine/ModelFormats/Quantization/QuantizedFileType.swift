import Compute

/// A usual mix of tensor types, as model files are named after: `Q4_K_M` say.
package enum QuantizedFileType: UInt32, CaseIterable, Sendable {
  // The raw values are those of the key `general.file_type`.
  case f32 = 0
  case f16 = 1
  case q4_0 = 2
  case q4_1 = 3
  case q8_0 = 7
  case q5_0 = 8
  case q5_1 = 9
  case q2_K = 10
  case q3_K_S = 11
  case q3_K_M = 12
  case q3_K_L = 13
  case q4_K_S = 14
  case q4_K_M = 15
  case q5_K_S = 16
  case q5_K_M = 17
  case q6_K = 18
  case q2_K_S = 21
  case iq4_NL = 25
  case iq4_XS = 30
  case bf16 = 32
  case mxfp4_MOE = 38

  /// The name that files carry.
  package var name: String { String(describing: self).uppercased() }

  /// Finds a mix by its name in any case; `Q3_K`, `Q4_K` and `Q5_K` mean the middle ones.
  package init?(name: String) {
    let wanted = name.uppercased()
    guard let type = Self.allCases.first(where: { $0.name == wanted || $0.name == wanted + "_M" }) else {
      return nil
    }
    self = type
  }

  /// The type of the tensors that nothing special is said about.
  var base: TensorType {
    switch self {
    case .f32: .f32
    case .f16: .f16
    case .bf16: .bf16
    case .q4_0: .q4_0
    case .q4_1: .q4_1
    case .q5_0: .q5_0
    case .q5_1: .q5_1
    case .q8_0: .q8_0
    case .q2_K, .q2_K_S: .q2_K
    case .q3_K_S, .q3_K_M, .q3_K_L: .q3_K
    case .q4_K_S, .q4_K_M: .q4_K
    case .q5_K_S, .q5_K_M: .q5_K
    case .q6_K: .q6_K
    case .iq4_NL: .iq4_NL
    case .iq4_XS: .iq4_XS
    case .mxfp4_MOE: .mxfp4
    }
  }
}
