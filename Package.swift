// swift-tools-version: 6.2
import PackageDescription

// One line per module: name, what it may import. The order is that of the design page.
// `Config/check` builds with `--explicit-target-dependency-import-check error`, so a missing line is an error.

let swiftSettings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
]

func module(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .target(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func program(_ name: String, _ dependencies: [Target.Dependency] = []) -> Target {
  .executableTarget(name: name, dependencies: dependencies, swiftSettings: swiftSettings)
}

func tests(_ name: String, _ dependencies: [Target.Dependency], exclude: [String] = []) -> Target {
  .testTarget(
    name: name, dependencies: dependencies + ["TestSupport"], exclude: exclude, swiftSettings: swiftSettings)
}

let package = Package(
  name: "alcove",
  targets: [
    // System libraries
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CCairo", pkgConfig: "cairo", providers: [.apt(["libpoppler-glib-dev"])]),
    .systemLibrary(name: "CGLib", pkgConfig: "gobject-2.0", providers: [.apt(["libpoppler-glib-dev"])]),
    .systemLibrary(name: "CPoppler", pkgConfig: "poppler-glib", providers: [.apt(["libpoppler-glib-dev"])]),

    // Modules
    module("Documents"),
    module("Linguistics"),
    .target(name: "CKernels"),
    .target(name: "CPlatform"),
    module("Threading", ["CPlatform"]),
    module("Compute", ["CKernels", "CPlatform", "Threading"]),
    module("ModelFormats", ["Compute"]),
    module("Tokenization"),
    module("ChatTemplates"),
    module("TextGeneration", ["Compute", "ModelFormats", "Threading", "Tokenization"]),
    module("ImageGeneration", ["CCairo", "Compute", "ModelFormats", "Threading", "Tokenization"]),
    module("Persistence", ["CSQLite"]),
    module("Retrieval", ["Compute", "Documents", "Linguistics", "Persistence", "Threading"]),
    module("Analysis", ["Documents", "Linguistics"]),
    module("Entitlements", ["Persistence"]),
    module("Telemetry", ["Persistence"]),
    module(
      "ModelStore", ["CKernels", "Compute", "ModelFormats", "Persistence", "Threading", "CPlatform", "CGLib"]),
    module("Ingestion", ["Documents", "Linguistics", "CPlatform", "Threading", "CGLib"]),
    module("Reading", ["CPoppler", "CGLib", "Documents"]),
    module(
      "Assistant",
      [
        "Analysis", "ChatTemplates", "Documents", "Entitlements", "ImageGeneration", "Ingestion", "Linguistics",
        "ModelFormats", "Persistence", "Retrieval", "Telemetry", "TextGeneration", "Threading", "Tokenization",
      ]),
    module("Terminal", ["CPlatform"]),

    // Programs
    program(
      "alcove",
      [
        "Assistant", "CPlatform", "ChatTemplates", "Compute", "Documents", "Entitlements", "ImageGeneration",
        "Ingestion", "Linguistics", "ModelFormats", "ModelStore", "Persistence", "Retrieval", "Telemetry",
        "Terminal", "TextGeneration", "Threading", "Tokenization",
      ]),
    program("alcove-reader", ["Reading", "Ingestion", "Documents", "CPlatform"]),
    program("alcove-fetch", ["ModelStore", "CPlatform", "ModelFormats", "Persistence", "Threading"]),
    program(
      "alcove-bench",
      [
        "Analysis", "Assistant", "Compute", "Documents", "Entitlements", "ImageGeneration", "Ingestion",
        "ModelFormats", "Persistence", "Retrieval", "Telemetry", "TextGeneration", "Threading", "Tokenization",
      ]),

    // Tests
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: swiftSettings),
    tests("DocumentsTests", ["Documents"]),
    tests("ThreadingTests", ["Threading"]),
    tests("ComputeTests", ["Compute", "Threading"]),
    tests("ModelFormatsTests", ["ModelFormats", "Compute"]),
    tests("TokenizationTests", ["Tokenization"], exclude: ["Golden"]),
    tests("ChatTemplatesTests", ["ChatTemplates"], exclude: ["Golden"]),
    tests("TextGenerationTests", ["TextGeneration", "ModelFormats", "Compute", "Tokenization"]),
    tests(
      "ImageGenerationTests", ["Compute", "ImageGeneration", "ModelFormats", "Tokenization"], exclude: ["Golden"]),
    tests("PersistenceTests", ["Persistence"]),
    tests("EntitlementsTests", ["Entitlements", "Persistence"]),
    tests("TelemetryTests", ["Telemetry", "Persistence"]),
    tests("ModelStoreTests", ["ModelStore", "ModelFormats", "Compute", "alcove-fetch", "alcove"]),
    tests("IngestionTests", ["Ingestion", "Documents", "alcove-reader"]),
    .executableTarget(
      name: "gate-worker", dependencies: ["Assistant", "Entitlements"], path: "Tests/GateWorker",
      swiftSettings: swiftSettings),
    tests(
      "AssistantTests",
      [
        "Assistant", "Compute", "Documents", "Entitlements", "ImageGeneration", "Ingestion", "ModelFormats",
        "Retrieval", "Telemetry", "TextGeneration", "Tokenization", "gate-worker",
      ], exclude: ["Router"]),
    tests("LinguisticsTests", ["Linguistics"]),
    tests("AnalysisTests", ["Analysis", "Documents"]),
    tests("RetrievalTests", ["Compute", "Documents", "Linguistics", "Persistence", "Retrieval"]),
    tests("ReadingTests", ["Reading", "Documents"]),
    tests("TerminalTests", ["Terminal"]),
    tests("AlcoveTests", ["Terminal", "alcove"]),
  ],
  cLanguageStandard: .c17
)
