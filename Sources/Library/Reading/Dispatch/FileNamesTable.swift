import Documents

/// Forms by file name and magic bytes.
enum FileNames {
  static let packed: [String: DocumentKind] = [
    "docx": .docx, "docm": .docx, "dotx": .docx, "odt": .odt, "ott": .odt, "epub": .epub, "pptx": .pptx,
    "pptm": .pptx, "ppsx": .pptx, "potx": .pptx, "odp": .odp, "otp": .odp, "xlsx": .xlsx, "xlsm": .xlsx,
    "xltx": .xlsx, "ods": .ods, "ots": .ods,
  ]

  static let kinds: [String: DocumentKind] = {
    var kinds: [String: DocumentKind] = [
      "md": .markdown, "markdown": .markdown, "mdown": .markdown, "mkd": .markdown, "mdx": .markdown,
      "rmd": .markdown, "qmd": .markdown, "rst": .restructuredText, "rest": .restructuredText, "csv": .csv,
      "tsv": .tsv, "tab": .tsv, "json": .json, "geojson": .json, "webmanifest": .json, "jsonl": .jsonLines,
      "ndjson": .jsonLines, "html": .html, "htm": .html, "xhtml": .html, "xht": .html, "shtml": .html,
      "txt": .text,
      "text": .text, "log": .text, "tex": .text, "org": .text, "adoc": .text, "asciidoc": .text, "srt": .text,
      "vtt": .text, "eml": .text, "nfo": .text,
    ]
    let code =
      """
      ada adb ads asm awk bash bat bib c cc cfg clj cljs cmake cmd coffee conf cpp cr cs css cu cxx d dart diff el
      elm erl ex exs f f03 f90 f95 fish for fs fsx glsl go gradle graphql groovy h hcl hh hpp hrl hs hxx ini inl ipp
      java jl js jsx kt kts less lisp lua m mak mjs mk ml mli mm nim nix pas patch php pl plist pm pp properties
      proto ps1 py pyi pyx r rb rkt rs s sass sbt scala scm scss sh sol sql svelte svg swift tcl tf toml ts tsx v vala
      vb vhd vim vue wat xml xsd xsl xslt yaml yml zig zsh
      """
    for suffix in code.split(whereSeparator: \.isWhitespace) { kinds[String(suffix)] = .sourceCode }
    return kinds
  }()

  static let wholeNames: [String: DocumentKind] = [
    "makefile": .sourceCode, "gnumakefile": .sourceCode, "dockerfile": .sourceCode, "containerfile": .sourceCode,
    "rakefile": .sourceCode, "gemfile": .sourceCode, "jenkinsfile": .sourceCode, "vagrantfile": .sourceCode,
    "justfile": .sourceCode, "meson.build": .sourceCode, "build.gradle": .sourceCode,
  ]

  /// Known forms that are not read, each with the remedy.
  static let unsupported: [String: String] = {
    let office = "old Office format: save it as DOCX, XLSX, PPTX or PDF"
    let archive = "archive: unpack it first"
    var reasons = [
      "rtf": "RTF: save it as DOCX, ODT or PDF", "pages": "Pages: export it as DOCX or PDF",
      "numbers": "Numbers: export it as XLSX or PDF", "key": "Keynote: export it as PPTX or PDF",
      "djvu": "DjVu: convert it to PDF", "ps": "PostScript: convert it to PDF",
      "eps": "PostScript: convert it to PDF",
      "mobi": "Mobipocket: convert it to EPUB", "azw": "Kindle: convert it to EPUB",
      "azw3": "Kindle: convert it to EPUB",
      "chm": "compiled help: convert it to HTML or PDF", "wpd": "WordPerfect: convert it to ODT or PDF",
      "msg": "Outlook message: save it as text or PDF", "xlsb": "binary workbook: save it as XLSX",
      "odg": "drawing: export it as PDF", "fodt": "flat OpenDocument: save it as ODT",
      "vsd": "Visio: export it as PDF",
      "vsdx": "Visio: export it as PDF", "one": "OneNote: export it as PDF", "pub": "Publisher: export it as PDF",
    ]
    for suffix in ["doc", "dot", "xls", "xlt", "ppt", "pps"] { reasons[suffix] = office }
    for suffix in ["zip", "tar", "gz", "tgz", "bz2", "xz", "zst", "7z", "rar", "jar"] { reasons[suffix] = archive }
    return reasons
  }()

  /// Magic bytes of common files without text.
  static let binaryMagics: [[UInt8]] = [
    [0x7F, 0x45, 0x4C, 0x46], [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], Array("GIF8".utf8), Array("GGUF".utf8),
    Array("SQLite format 3".utf8), [0x1F, 0x8B], [0xFD, 0x37, 0x7A, 0x58, 0x5A], Array("BZh".utf8),
    Array("OggS".utf8),
    Array("ID3".utf8), Array("RIFF".utf8), Array("7z\u{BC}".utf8), [0x28, 0xB5, 0x2F, 0xFD],
  ]
}
