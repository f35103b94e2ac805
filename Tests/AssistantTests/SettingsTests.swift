import Assistant
import Foundation
import TestSupport
import Testing

@Suite struct SettingsTests {
  let folder: TemporaryFolder
  init() throws { folder = try TemporaryFolder() }

  private static let declarations = URL(filePath: #filePath).deletingLastPathComponent()
    .appending(path: "../../Config/alcove.json").standardizedFileURL

  private func settings(file: String? = nil, environment: [String: String] = [:]) throws -> Settings {
    let userFile = try file.map { try folder.write("config.json", $0) }
    return try Settings(declarations: Self.declarations, userFile: userFile, environment: environment)
  }

  @Test func flagBeatsEnvironmentBeatsFileBeatsDefault() throws {
    var settings = try settings(
      file: #"{"search.top": 3, "chunking.words": 200}"#, environment: ["ALCOVE_SEARCH_TOP": "4"])
    #expect(settings.integer("search.top") == 4)
    #expect(settings.integer("chunking.words") == 200)
    #expect(settings.integer("chunking.overlap") == 75)
    try settings.set("search.top", to: "5", origin: .flag)
    #expect(settings.integer("search.top") == 5)
    #expect(settings.value("search.top")?.origin == .flag)
  }

  @Test(arguments: [
    ("search.tops", "1", "search.top"), ("search.top", "many", "whole number"),
    ("search.top", "0", "from 1 to 200"),
    ("terminal.color", "blue", "auto, always, never"),
  ])
  func aBadValueNamesTheSettingAndTheWayOut(name: String, text: String, expected: String) throws {
    var settings = try settings()
    let error = #expect(throws: SettingError.self) { try settings.set(name, to: text, origin: .session) }
    #expect(error.map(ErrorSentence.describe)?.contains(expected) == true)
  }

  @Test func aBadFileIsNamed() throws {
    for file in ["[1]", "{", #"{"nonsense": 1}"#, #"{"search.top": true}"#] {
      let error = #expect(throws: SettingError.self) { _ = try self.settings(file: file) }
      #expect(error.map(ErrorSentence.describe)?.contains("config.json") == true, "\(file)")
    }
  }

  @Test func everyDeclarationExplainsItself() throws {
    for declaration in try settings().declarations {
      #expect(!declaration.about.isEmpty, "\(declaration.name)")
      #expect(try Settings.parse(declaration.initial.description, for: declaration) == declaration.initial)
    }
  }
}
