// swift-tools-version: 6.2
import PackageDescription

// One line per module: its folder, its name, and what it may import. A folder imports only folders above it.
// `Config/check` builds with `--explicit-target-dependency-import-check error`, so a missing line is an error.

let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ folder: String, _ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(
    name: name, dependencies: dependencies, path: "Sources/\(folder)/\(name)", swiftSettings: swiftSettings)
}

func program(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .executableTarget(
    name: name, dependencies: dependencies, path: "Sources/Programs/\(name)", swiftSettings: swiftSettings)
}

func systemLibrary(_ name: String, _ pkgConfig: String, _ package: String) -> Target {
  .systemLibrary(name: name, path: "Sources/Base/\(name)", pkgConfig: pkgConfig, providers: [.apt([package])])
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude, swiftSettings: swiftSettings)
}

let package = Package(
  name: "alcove",
  targets: [
    // Base: what everything stands on. No model, no file format, no application.
    systemLibrary("CSQLite", "sqlite3", "libsqlite3-dev"),
    systemLibrary("CCairo", "cairo", "libpoppler-glib-dev"),
    systemLibrary("CGLib", "gobject-2.0", "libpoppler-glib-dev"),
    systemLibrary("CPoppler", "poppler-glib", "libpoppler-glib-dev"),
    .target(name: "CPlatform", path: "Sources/Base/CPlatform"),
    module("Base", "Platform", ["CPlatform"]),
    module("Base", "JSON"),
    module("Base", "Threading", ["CPlatform"]),
    module("Base", "Persistence", ["CSQLite"]),
    module("Base", "Documents"),
    module("Base", "Linguistics"),

    // Pictures: pixels, PNG, the rule-based sketcher.
    module("Pictures", "Images", ["CCairo", "Platform"]),
    module("Pictures", "Sketching", ["CCairo", "Images", "Threading"]),

    // Engine: models and mathematics. It knows nothing of documents, tickets or terminals.
    .target(
      name: "CKernels", path: "Sources/Engine/CKernels",
      cSettings: ["attention", "lanes", "pictures", "products", "quantization", "sets", "vectors"].map {
        .headerSearchPath($0)
      }),
    module("Engine", "Compute", ["CKernels", "CPlatform", "Platform", "Threading"]),
    module("Engine", "ModelFormats", ["Compute", "Platform"]),
    module("Engine", "Tokenization"),
    module("Engine", "ChatTemplates"),
    module("Engine", "Grammars", ["JSON"]),
    module("Engine", "TextGeneration", ["Compute", "Grammars", "ModelFormats", "Threading", "Tokenization"]),
    module("Engine", "Diffusion", ["Compute", "Images", "ModelFormats", "Platform", "Threading", "Tokenization"]),

    // Library: from a file to passages, hits and exact answers.
    module("Library", "Reading", ["CPoppler", "CGLib", "Documents", "Platform"]),
    module("Library", "Ingestion", ["CPlatform", "Documents", "Linguistics", "Platform", "Threading"]),
    module("Library", "Retrieval", ["Compute", "Documents", "Linguistics", "Persistence", "Threading"]),
    module("Library", "Analysis", ["Documents", "Linguistics"]),

    // Assistant: the application.
    module("Assistant", "Entitlements", ["Persistence"]),
    module("Assistant", "Telemetry", ["Persistence"]),
    module(
      "Assistant", "ModelStore",
      ["CKernels", "CPlatform", "Compute", "ModelFormats", "Persistence", "Platform", "Threading"]),
    module("Assistant", "Terminal", ["CPlatform"]),
    module(
      "Assistant", "Assistant",
      [
        "Analysis", "CPlatform", "ChatTemplates", "Compute", "Diffusion", "Documents", "Entitlements", "Grammars",
        "Images",
        "Ingestion", "JSON", "Linguistics", "ModelFormats", "ModelStore", "Persistence", "Platform", "Retrieval",
        "Sketching", "Telemetry", "TextGeneration", "Threading", "Tokenization",
      ]),

    // Programs
    program(
      "alcove",
      [
        "Assistant", "CPlatform", "ChatTemplates", "Compute", "Diffusion", "Documents", "Entitlements", "Grammars",
        "Images", "Ingestion", "JSON", "Linguistics", "ModelFormats", "ModelStore", "Persistence", "Platform",
        "Retrieval", "Sketching", "Telemetry", "Terminal", "TextGeneration", "Threading", "Tokenization",
      ]),
    program("alcove-reader", ["CPlatform", "Documents", "Ingestion", "Platform", "Reading"]),
    program("alcove-fetch", ["CPlatform", "ModelFormats", "ModelStore", "Persistence", "Platform", "Threading"]),
    program(
      "alcove-bench",
      [
        "Analysis", "Assistant", "Compute", "Diffusion", "Documents", "Entitlements", "Grammars", "Images",
        "Ingestion",
        "ModelFormats", "Persistence", "Retrieval", "Telemetry", "TextGeneration", "Threading", "Tokenization",
      ]),

    // Tests
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: swiftSettings),
    tests("PlatformTests", ["CGLib", "Platform"]),
    tests("JSONTests", ["JSON"]),
    tests("DocumentsTests", ["Documents"]),
    tests("ThreadingTests", ["Threading"]),
    tests("ComputeTests", ["Compute", "Threading"]),
    tests("ModelFormatsTests", ["ModelFormats", "Compute"]),
    tests("TokenizationTests", ["Tokenization"], exclude: ["Golden"]),
    tests("ChatTemplatesTests", ["ChatTemplates"], exclude: ["Golden"]),
    tests("GrammarsTests", ["Grammars"]),
    tests("TextGenerationTests", ["TextGeneration", "Grammars", "ModelFormats", "Compute", "Tokenization"]),
    tests("ImagesTests", ["Images"]),
    tests("SketchingTests", ["Images", "Sketching"]),
    tests(
      "DiffusionTests", ["Compute", "Diffusion", "Images", "ModelFormats", "Tokenization"], exclude: ["Golden"]),
    tests("PersistenceTests", ["Persistence"]),
    tests("EntitlementsTests", ["Entitlements", "Persistence"]),
    tests("TelemetryTests", ["Telemetry", "Persistence"]),
    tests("ModelStoreTests", ["ModelStore", "ModelFormats", "Compute", "Platform", "alcove-fetch", "alcove"]),
    tests("IngestionTests", ["Ingestion", "Documents", "alcove-reader"]),
    .executableTarget(
      name: "gate-worker", dependencies: ["Assistant", "Entitlements"], path: "Tests/GateWorker",
      swiftSettings: swiftSettings),
    tests(
      "AssistantTests",
      [
        "Analysis", "Assistant", "Compute", "Diffusion", "Documents", "Entitlements", "Grammars", "Images",
        "Ingestion", "ModelFormats", "Retrieval", "Sketching", "Telemetry", "TextGeneration", "Tokenization",
        "alcove", "gate-worker",
      ], exclude: ["Router"]),
    tests("LinguisticsTests", ["Linguistics"]),
    tests("AnalysisTests", ["Analysis", "Documents"]),
    .target(
      name: "RetrievalSupport", dependencies: ["Documents", "Persistence", "Retrieval", "TestSupport"],
      path: "Tests/RetrievalSupport", swiftSettings: swiftSettings),
    .executableTarget(
      name: "library-worker", dependencies: ["Documents", "Retrieval", "RetrievalSupport", "TestSupport"],
      path: "Tests/LibraryWorker", swiftSettings: swiftSettings),
    tests(
      "RetrievalTests",
      [
        "Compute", "Documents", "Linguistics", "Persistence", "Retrieval", "RetrievalSupport", "library-worker",
      ]),
    tests("ReadingTests", ["Reading", "Documents"]),
    tests("TerminalTests", ["Terminal"]),
    tests("AlcoveTests", ["Assistant", "Persistence", "Terminal", "alcove"]),
  ],
  cLanguageStandard: .c17
)
