import Compute
import Diffusion
import ModelFormats

extension ErrorSentence {
  /// Says what is wrong with a diffusion model or with what it is asked for.
  static func describe(_ error: DiffusionError) -> String {
    func mebibytes(_ bytes: Int) -> String { "\((bytes + (1 << 20) - 1) >> 20) MiB" }
    func shape(_ sizes: [Int]) -> String { "(" + sizes.map(String.init).joined(separator: ", ") + ")" }
    switch error {
    case .notFound(let path): return "there is no file or folder \(path)"
    case .unreadable(let path, let reason): return "\(path) cannot be read: \(reason)"
    case .notADiffusionModel(let path, let found): return "\(path) is no diffusion model: it holds \(found)"
    case .missingPart(let part, let path): return "\(path) has no \(part); a diffusion model needs it"
    case .missingTensor(let name): return "the diffusion model lacks the tensor '\(name)'"
    case .wrongShape(let tensor, let expected, let found):
      return "the tensor '\(tensor)' has the shape \(shape(found)) where \(shape(expected)) fits"
    case .unsupportedType(let tensor, let type):
      return "the tensor '\(tensor)' is stored as \(type), which cannot be used"
    case .badConfiguration(let file, let key, let value):
      return "\(file) says '\(value)' for \(key), which cannot be"
    case .unsupported(let feature): return "the diffusion model needs what is not supported: \(feature)"
    case .badStepCount(let given, let limit): return "\(given) steps cannot be made; from 1 to \(limit) can"
    case .badRequest(let value, let given): return "\(given) cannot be the \(value) of a picture"
    case .promptTooLong(let tokens, let limit):
      return "the prompt is longer than \(limit) tokens (\(tokens) so far); shorten it"
    case .doesNotFit(let needed, let available):
      return
        "the picture needs about \(mebibytes(needed)) of memory, and \(mebibytes(available)) are free; a "
        + "smaller size or model needs less"
    case .noLoRA(let name, let folders):
      return folders.isEmpty
        ? "there is no folder of LoRAs to look for '\(name)' in"
        : "there is no \(name).safetensors in \(folders.joined(separator: ", "))"
    case .foreignLoRA(let name): return "the LoRA '\(name)' was made for another kind of model"
    case .notFinite(let step):
      return "the model produced NaN or infinite values" + (step > 0 ? " at step \(step)" : " while decoding")
        + "; its file may be damaged"
    case .stopped: return "stopped; no picture was kept"
    case .compute(.outOfMemory(let byteCount)):
      return "there is not enough memory: \(mebibytes(byteCount)) were refused; a smaller size needs less"
    case .compute(.fileChanged(let path)): return "\(path) changed while it was in use; load it again"
    case .compute(let error): return describe(error)
    case .gguf(let error): return describe(error)
    case .safetensors(let error): return describe(error)
    case .tokenizer(let error): return "the vocabulary of the diffusion model cannot be used: " + describe(error)
    }
  }
}
