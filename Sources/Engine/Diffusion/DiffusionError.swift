import Compute
import ModelFormats
import Tokenization

/// Why a diffusion model cannot be loaded or used.
package enum DiffusionError: Error, Sendable, Equatable {
  /// There is no such file or folder.
  case notFound(path: String)
  /// A file cannot be read.
  case unreadable(path: String, reason: String)
  /// The file holds something else, such as a language model.
  case notADiffusionModel(path: String, found: String)
  /// The model lacks a part: `unet`, `vae`, `text_encoder`, `text_encoder_2`, `tokenizer`.
  case missingPart(String, path: String)
  /// A part lacks a tensor.
  case missingTensor(String)
  /// A tensor does not have the shape that the others ask for.
  case wrongShape(tensor: String, expected: [Int], found: [Int])
  /// A tensor is stored in a way that cannot be computed with.
  case unsupportedType(tensor: String, type: String)
  /// A configuration file says what cannot be.
  case badConfiguration(file: String, key: String, value: String)
  /// The model needs what is not implemented.
  case unsupported(feature: String)
  /// So many steps cannot be made.
  case badStepCount(given: Int, limit: Int)
  /// A number of the request is out of its range.
  case badRequest(value: String, given: String)
  /// The prompt is longer than ``CLIPPrompt/mostTokens`` tokens.
  case promptTooLong(tokens: Int, limit: Int)
  /// It needs more memory than there is; in bytes.
  case doesNotFit(needed: Int, available: Int)
  /// There is no LoRA of that name in the folders looked in.
  case noLoRA(name: String, folders: [String])
  /// No tensor of the LoRA belongs to this model.
  case foreignLoRA(name: String)
  /// The network computed what is no number.
  case notFinite(step: Int)
  /// It was stopped.
  case stopped
  /// The computation failed.
  case compute(ComputeError)
  /// The GGUF file is wrong.
  case gguf(GGUFError)
  /// The safetensors file is wrong.
  case safetensors(SafetensorsError)
  /// The tokenizer's vocabulary is wrong.
  case tokenizer(TokenizationError)
}

extension DiffusionError {
  /// Runs a body and gives its error as one of this module's.
  static func wrapping<Result>(_ body: () throws -> Result) throws(DiffusionError) -> Result {
    do {
      return try body()
    } catch let error as DiffusionError {
      throw error
    } catch let error as ComputeError {
      throw .compute(error)
    } catch let error as GGUFError {
      throw .gguf(error)
    } catch let error as SafetensorsError {
      throw .safetensors(error)
    } catch let error as TokenizationError {
      throw .tokenizer(error)
    } catch {
      throw .unreadable(path: "", reason: "\(error)")
    }
  }
}
