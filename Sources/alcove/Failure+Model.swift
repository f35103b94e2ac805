import ChatTemplates
import Compute
import ModelFormats
import TextGeneration

extension Failure {
  /// Says what is wrong with a model file, or nil for another kind of error.
  static func explainModel(_ error: any Error) -> (sentence: String, code: ExitCode)? {
    switch error {
    case let error as GGUFError: explain(error)
    case let error as TextGenerationError: explain(error)
    case let error as ComputeError: explain(error)
    case let error as GrammarError: explain(error)
    case let error as SchemaError: explain(error)
    case let error as TemplateError:
      (error.description + (error.line.map { " (line \($0) of the template)" } ?? ""), .failure)
    case let error as QuantizationError: explain(error)
    default: nil
    }
  }

  private static func explain(_ error: TextGenerationError) -> (sentence: String, code: ExitCode) {
    switch error {
    case .file(let error): explain(error)
    case .compute(let error): explain(error)
    case .unsupportedArchitecture(let found, let supported):
      (
        "models of the family '\(found)' cannot be run; these can: \(supported.joined(separator: ", "))", .failure
      )
    case .contextFull(let needed, let capacity):
      ("the text has \(needed) tokens, but the context holds \(capacity)", .doesNotFit)
    case .unknownToken(let id, let size): ("there is no token \(id); the model knows \(size)", .failure)
    case .wrongKind(let architecture): ("a model of the family '\(architecture)' cannot do this", .failure)
    case .noModel: ("no model is loaded", .notFound)
    case .stopped: ("stopped", .interrupted)
    case .emptyPrompt: ("there is no text to work on", .failure)
    case .grammar(let error): explain(error)
    case .foreignDraft:
      (
        "the draft model has another vocabulary than the model it is to draft for; take one of the same family",
        .failure
      )
    case .tokenizer(let error): ("the model file's vocabulary cannot be used: \(error)", .integrity)
    }
  }

  private static func explain(_ error: GrammarError) -> (sentence: String, code: ExitCode) {
    switch error {
    case .syntax(let line, let column, let expected):
      ("the grammar cannot be read at line \(line), column \(column): \(expected) should stand there", .failure)
    case .undefinedRule(let name): ("the grammar has no rule '\(name)'", .failure)
    case .duplicateRule(let name): ("the grammar defines the rule '\(name)' twice", .failure)
    case .leftRecursion(let rule): ("the grammar's rule '\(rule)' can begin with itself", .failure)
    case .matchesNothing: ("no text fits the grammar", .failure)
    case .tooDeep(let limit): ("the grammar is nested deeper than \(limit)", .failure)
    case .tooLarge(let limit): ("the grammar has more than \(limit) states", .failure)
    case .tooAmbiguous: ("the grammar can be read in too many ways at once", .failure)
    case .unknownToken(let text): ("the model has no token \(text), which the grammar names", .failure)
    }
  }

  /// What to write in place of a keyword that cannot be enforced.
  private static func wayOut(of keyword: String) -> String {
    switch keyword {
    case "uniqueItems": "list what the items can be (enum, or a range of whole numbers), or leave it out"
    case "contains": "take uniqueItems or maxContains away from it"
    case "oneOf", "anyOf": "tell the branches apart by a const or by required members, or name fewer"
    case "multipleOf": "take a step of at most 1000, or narrow the range"
    case "pattern", "minLength", "maxLength": "write a shorter pattern or smaller bounds"
    case "patternProperties", "propertyNames", "additionalProperties": "name the members in properties"
    case "enum": "give only values that fit the rest"
    default: "say it by properties, enum, const or required, or leave it out"
    }
  }

  private static func explain(_ error: SchemaError) -> (sentence: String, code: ExitCode) {
    func place(_ pointer: String) -> String { pointer.isEmpty ? "the schema" : "the schema at \(pointer)" }
    switch error {
    case .notJSON(let byte): return ("the schema is not JSON (at byte \(byte))", .failure)
    case .unsupported(let keyword, let at):
      return ("\(place(at)) uses '\(keyword)' in a way that cannot be enforced; \(wayOut(of: keyword))", .failure)
    case .badValue(let keyword, let at, let expected):
      return ("\(place(at)) has a '\(keyword)' that should be \(expected)", .failure)
    case .unresolved(let reference, let at):
      return ("\(place(at)) refers to '\(reference)', which is not there", .failure)
    case .badPattern(let pattern, let at, let reason):
      return ("\(place(at)) has a pattern that cannot be used, '\(pattern)': \(reason)", .failure)
    case .matchesNothing(let at): return ("nothing fits \(place(at))", .failure)
    case .tooDeep(let limit, let at): return ("\(place(at)) is nested deeper than \(limit)", .failure)
    case .tooComplex(_, let at): return ("\(place(at)) combines too many schemas", .failure)
    case .grammar(let error): return explain(error)
    }
  }

  private static func explain(_ error: ComputeError) -> (sentence: String, code: ExitCode) {
    switch error {
    case .outOfMemory(let byteCount):
      (
        "there is not enough memory: \(byteCount >> 20) MiB were refused; a shorter context needs less",
        .doesNotFit
      )
    case .fileChanged(let path): ("\(path) changed while it was in use; load it again", .integrity)
    default: ("the model file cannot be used: \(error)", .integrity)
    }
  }

  private static func explain(_ error: QuantizationError) -> (sentence: String, code: ExitCode) {
    switch error {
    case .isSource(let path): ("\(path) is the model itself; name another file", .failure)
    case .exists(let path, true): ("\(path) is there already; --force replaces it", .failure)
    case .exists(let path, false): ("\(path) is there and is no file", .failure)
    case .unwritable(let path, let tensor, let reason):
      (
        "\(path) cannot be written: \(reason)" + (tensor.map { " (at the tensor '\($0)')" } ?? "")
          + "; nothing of it is left", .failure
      )
    case .unconvertible(let tensor, let from, let to):
      ("the tensor '\(tensor)' cannot be turned from \(from.name) into \(to.name)", .failure)
    case .unreadable(let path, let tensor):
      ("\(path) changed or could not be read at the tensor '\(tensor)'", .integrity)
    case .stopped: ("stopped", .interrupted)
    }
  }

  private static func explain(_ error: GGUFError) -> (sentence: String, code: ExitCode) {
    switch error {
    case .unusableFile(let path, let reason): ("\(path) cannot be read: \(reason)", .notFound)
    case .badMagic: ("this is not a GGUF file", .integrity)
    case .unsupportedVersion(let version): ("GGUF version \(version) is not supported; 2 and 3 are", .integrity)
    case .truncated(let place, let needed, let available):
      ("the model file ends early: \(needed) bytes are needed at \(place), \(available) are there", .integrity)
    case .missingKey(let key): ("the model file lacks the key '\(key)'", .integrity)
    case .missingTensor(let name): ("the model file lacks the tensor '\(name)'", .integrity)
    case .wrongShape(let tensor, let expected, let found):
      ("the tensor '\(tensor)' has the shape \(found) instead of \(expected)", .integrity)
    case .tensorOutsideFile(let tensor, let needed, let available):
      ("the tensor '\(tensor)' ends at byte \(needed), but the file has \(available)", .integrity)
    case .badSplit(let path, let reason): ("the part \(path) of the model is wrong: \(reason)", .integrity)
    default: ("the model file is damaged: \(error)", .integrity)
    }
  }
}
