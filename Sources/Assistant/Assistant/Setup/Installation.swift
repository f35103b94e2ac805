import Foundation

/// Folders of the program's own files: its resources, its defaults, and its other programs.
package struct Installation: Sendable {
  /// The folder that holds `Resources` and `Config`.
  package let root: URL
  /// The folder of the running program.
  package let programs: URL

  /// Finds the files: `ALCOVE_SHARE`, else `../share/alcove` of the program, else the checkout it was built in.
  /// - Throws: ``InstallationError/resourcesMissing(looked:)``.
  package init(environment: [String: String] = ProcessInfo.processInfo.environment) throws(InstallationError) {
    programs = URL(filePath: "/proc/self/exe").resolvingSymlinksInPath().deletingLastPathComponent()
    var candidates: [URL] = []
    if let named = environment["ALCOVE_SHARE"], !named.isEmpty { candidates.append(URL(filePath: named)) }
    candidates.append(programs.appending(path: "../share/alcove").standardizedFileURL)
    var ancestor = programs
    while ancestor.path != "/" {
      ancestor = ancestor.deletingLastPathComponent().standardizedFileURL
      candidates.append(ancestor)
    }
    let found = candidates.first {
      FileManager.default.fileExists(atPath: $0.appending(path: "Resources/Rules").path)
        && FileManager.default.fileExists(atPath: $0.appending(path: "Config/alcove.json").path)
    }
    guard let found else { throw .resourcesMissing(looked: candidates.map(\.path)) }
    root = found
  }

  /// Rules for small talk and answers.
  package var rules: URL { root.appending(path: "Resources/Rules") }
  /// The drawings that the sketcher knows.
  package var sketches: URL { root.appending(path: "Resources/Sketches") }
  /// Prompt texts.
  package var prompts: URL { root.appending(path: "Resources/Prompts") }
  /// Defaults of all settings.
  package var defaults: URL { root.appending(path: "Config/alcove.json") }
  /// The embedder that comes with the program.
  package var embedder: URL { root.appending(path: "Resources/Models/all-minilm-l6-v2-q8_0.gguf") }
  /// The merges of CLIP's tokenizer, for diffusion models that come without it.
  package var clipMerges: URL { root.appending(path: "Resources/Models/clip-merges.txt") }
  /// The program that opens one foreign file.
  package var reader: URL { programs.appending(path: "alcove-reader") }
}

/// Reasons for which the program cannot find its own files.
package enum InstallationError: Error, Sendable, Equatable {
  /// None of the places holds `Resources` and `Config`.
  case resourcesMissing(looked: [String])
}
