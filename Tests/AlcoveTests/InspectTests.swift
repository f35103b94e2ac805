import Foundation
import TestSupport
import Testing

@Suite struct InspectTests {
  @Test func templateIsRenderedToTheByte() throws {
    let folder = try TemporaryFolder()
    let template = try folder.write(
      "t.jinja", "{{ bos_token }}{{ messages[0].content }}|{{ strftime_now('%d %B %Y') }}\n\n")
    let context = """
      {"bos_token": "<s>", "now": "2026-01-15T10:30:00", "messages": [{"role": "user", "content": "Hi \\u001b[31m"}]}
      """
    let outcome = try Programs.run(
      "alcove", ["inspect", "template", template.path, "--context", "-"], input: context)
    #expect(outcome.exitCode == 0)
    #expect(outcome.output == "<s>Hi \u{1b}[31m|15 January 2026\n")
    let json = try Programs.run(
      "alcove", ["inspect", "template", template.path, "--context", "-", "--json"], input: context)
    #expect(json.output.contains(#"{"text":"<s>","trusted":true}"#))
    #expect(json.output.contains(#"\u001b[31m","trusted":false}"#))
  }

  @Test func refusalsAndFaultsAreNamed() throws {
    let folder = try TemporaryFolder()
    let context = try folder.write("c.json", "{\"messages\": []}").path
    func run(_ template: String, context: String = context) throws -> Programs.Outcome {
      let file = try folder.write("t.jinja", template).path
      return try Programs.run("alcove", ["inspect", "template", file, "--context", context])
    }
    let refusal = try run("{{ raise_exception('System role not supported') }}")
    #expect(refusal.exitCode == 1 && refusal.output.isEmpty)
    #expect(refusal.errors.contains("TemplateError: System role not supported"))
    let syntax = try run("{% if %}")
    #expect(syntax.exitCode == 1 && syntax.errors.contains("TemplateSyntaxError: Expected an expression"))
    let broken = try folder.write("b.json", "{\"messages\": [}").path
    #expect(try run("x", context: broken).exitCode == 2)
  }

  @Test func modelFilesThatCannotBeUsedAreNamed() throws {
    let folder = try TemporaryFolder()
    func run(_ path: String) throws -> Programs.Outcome {
      try Programs.run("alcove", ["inspect", "gguf", path])
    }
    let missing = folder.url.appending(path: "none.gguf").path
    let absent = try run(missing)
    #expect(absent.exitCode == 3)
    #expect(absent.errors == "alcove: \(missing) cannot be read: No such file or directory\n")
    let text = try folder.write("notes.gguf", "Dear Anna, here is the model.")
    let foreign = try run(text.path)
    #expect(foreign.exitCode == 4)
    #expect(foreign.errors == "alcove: \(text.path): this is not a GGUF file\n")
    let cut = try folder.write("cut.gguf", "GGUF\u{3}\0\0\0\u{1}\0")
    #expect(try run(cut.path).errors.hasPrefix("alcove: \(cut.path): the model file ends early: "))
    let imported = try Programs.run(
      "alcove", ["models", "import", cut.path], environment: ["HOME": folder.url.path])
    #expect(imported.errors.hasPrefix("alcove: \(cut.path) is no sound model: the model file ends early: "))
  }

  @Test(
    .enabled(if: SharedData.isPresent, "needs ../shared/data"),
    arguments: [
      "bert-bge", "deepseek-llm", "falcon", "gemma-4", "gpt-2", "llama-bpe", "llama-spm", "phi-3", "qwen2",
      "starcoder",
    ])
  func tokensOfEveryVocabulary(name: String) throws {
    let model = SharedData.file("tokenizers/\(name).gguf").path
    let texts = SharedData.file("tokenizers/texts.txt").path
    for (suffix, options) in [("ids", []), ("special.ids", ["--special"])] {
      let outcome = try Programs.run("alcove", ["inspect", "tokens", model, "--texts", texts] + options)
      let expected = try String(contentsOf: SharedData.file("tokenizers/\(name).\(suffix)"), encoding: .utf8)
      #expect(outcome.exitCode == 0)
      #expect(outcome.output == expected, "\(name).\(suffix)")
    }
  }

  @Test(.enabled(if: SharedData.isPresent, "needs ../shared/data"))
  func emptyTextsKeepTheirLine() throws {
    let model = SharedData.file("tokenizers/gpt-2.gguf").path
    let outcome = try Programs.run(
      "alcove", ["inspect", "tokens", model, "--texts", "-"], input: "a\n----\n\n----\nb")
    #expect(outcome.output == "64\n\n65\n")
  }
}
