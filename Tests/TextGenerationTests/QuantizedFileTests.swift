import Foundation
import ModelFormats
import TestSupport
import Testing
import TextGeneration

@Suite(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
struct QuantizedFileTests {
  /// Files of ours are as near to the unquantized model as llama.cpp's of the same mix.
  @Test(arguments: Reference.quantizedModels)
  func logitsAreAsNearAsTheReference(name: String) throws {
    // The types that are read but not written have no file of ours.
    guard let type = QuantizedFileType(name: String(name.dropFirst("llama-".count))) else { return }
    let folder = try TemporaryFolder()
    let path = folder.url.appending(path: "model.gguf").path
    try GGUFQuantizer(GGUFFile(path: SharedData.file("engine/llama-dense.gguf").path), as: type).write(to: path)
    var settings = LanguageModel.Settings()
    settings.cacheType = .f32
    let found = try LanguageModel(path: path, settings: settings).logits(of: Reference.tokens)
    let exact = try Reference.logits("engine/llama-dense")
    let ours = Reference.deviation(found, exact)
    let theirs = Reference.deviation(try Reference.logits("quants/\(name)"), exact)
    #expect(ours <= 1.5 * theirs + 2e-3, "\(name): \(ours), of llama.cpp's weights \(theirs)")
  }
}
