import Compute
import ModelFormats
import Tokenization

/// Reasons for which a diffusion model cannot be loaded or used.
package enum DiffusionError: Error, Sendable, Equatable {
  /// File or folder that does not exist.
  case notFound(path: String)
  /// File that cannot be read.
  case unreadable(path: String, reason: String)
  /// File that holds something else, such as a language model.
  case notADiffusionModel(path: String, found: String)
  /// Part that the model lacks: `unet`, `vae`, `text_encoder`, `text_encoder_2` or `tokenizer`.
  case missingPart(String, path: String)
  /// Tensor that a part lacks.
  case missingTensor(String)
  /// Tensor whose shape does not fit the others.
  case wrongShape(tensor: String, expected: [Int], found: [Int])
  /// Tensor stored in a type that cannot be computed with.
  case unsupportedType(tensor: String, type: String)
  /// Invalid value in a configuration file.
  case badConfiguration(file: String, key: String, value: String)
  /// Feature that the model needs and that is not implemented.
  case unsupported(feature: String)
  /// Number of steps outside `1...limit`.
  case badStepCount(given: Int, limit: Int)
  /// Value of the request that is out of its range.
  case badRequest(value: String, given: String)
  /// Prompt longer than ``CLIPPrompt/maximumTokenCount`` tokens.
  case promptTooLong(tokens: Int, limit: Int)
  /// Request that needs more memory than is available; both in bytes.
  case doesNotFit(needed: Int, available: Int)
  /// LoRA that is in none of the folders searched.
  case noLoRA(name: String, folders: [String])
  /// LoRA none of whose tensors belongs to this model.
  case foreignLoRA(name: String)
  /// Network that produced NaN or infinity; step 0 is the decoder.
  case notFinite(step: Int)
  /// Generation stopped by the caller.
  case stopped
  /// Failure of a computation.
  case compute(ComputeError)
  /// Malformed GGUF file.
  case gguf(GGUFError)
  /// Malformed safetensors file.
  case safetensors(SafetensorsError)
  /// Malformed vocabulary of a tokenizer.
  case tokenizer(TokenizationError)
}

extension DiffusionError {
  /// Runs a body and wraps its error.
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
