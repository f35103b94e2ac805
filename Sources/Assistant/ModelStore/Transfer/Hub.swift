import Foundation

/// One file of a repository on the Hugging Face Hub.
package struct HubFile: Sendable, Equatable, Codable {
  /// Owner and name.
  package var repository: String
  /// Path in the repository.
  package var file: String
  /// Size in bytes; 0 where the hub does not say.
  package var bytes: Int
  /// SHA-256 in hexadecimal, where the hub gives it.
  package var sha256: String?
  /// Number of times that the repository was fetched of late.
  package var downloads: Int?

  /// Makes a file.
  package init(repository: String, file: String, bytes: Int, sha256: String? = nil, downloads: Int? = nil) {
    self.repository = repository
    self.file = file
    self.bytes = bytes
    self.sha256 = sha256
    self.downloads = downloads
  }
}

/// The Hugging Face Hub: its addresses, and what its answers mean. Whatever it sends is taken with limits.
package struct Hub: Sendable, Equatable {
  /// Address of the hub, without a slash at the end.
  package let endpoint: String

  /// The hub the environment names (`HF_ENDPOINT`), else huggingface.co.
  package init(environment: [String: String]) {
    let named = environment["HF_ENDPOINT"] ?? ""
    var text = named.isEmpty ? "https://huggingface.co" : named
    while text.hasSuffix("/") { text.removeLast() }
    endpoint = text
  }

  /// The address of a file.
  package func address(of file: String, in repository: String) -> String {
    "\(endpoint)/\(Self.escaped(repository))/resolve/main/\(Self.escaped(file))"
  }

  /// The address of the list of a repository's files.
  package func listing(of repository: String) -> String {
    "\(endpoint)/api/models/\(Self.escaped(repository))/tree/main?recursive=true"
  }

  /// The address of a search for repositories with GGUF files.
  package func search(_ words: [String], limit: Int) -> String {
    let query = words.joined(separator: " ").addingPercentEncoding(withAllowedCharacters: Self.unreserved) ?? ""
    return "\(endpoint)/api/models?search=\(query)&filter=gguf&sort=downloads&direction=-1&limit=\(limit)"
  }

  /// Reads a list of files; what is no file, or has a name that is none, is left out.
  package static func files(_ data: Data, of repository: String) -> [HubFile]? {
    guard let items = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]] else { return nil }
    return items.prefix(5000).compactMap { item in
      guard item["type"] as? String == "file", let path = item["path"] as? String, isFit(path) else { return nil }
      let large = item["lfs"] as? [String: Any]
      let size = (large?["size"] ?? item["size"]) as? NSNumber
      let hash = (large?["oid"] as? String).flatMap { isHash($0) ? $0.lowercased() : nil }
      return HubFile(repository: repository, file: path, bytes: max(0, size?.intValue ?? 0), sha256: hash)
    }
  }

  /// Reads the repositories a search found.
  package static func repositories(_ data: Data) -> [(name: String, downloads: Int)]? {
    guard let items = try? JSONSerialization.jsonObject(with: data) as? [[String: Any]] else { return nil }
    return items.prefix(100).compactMap { item in
      guard let name = (item["id"] ?? item["modelId"]) as? String, isRepository(name) else { return nil }
      return (name, (item["downloads"] as? NSNumber)?.intValue ?? 0)
    }
  }

  /// Indicates whether a text is owner and name.
  package static func isRepository(_ text: String) -> Bool {
    text.wholeMatch(of: #/[A-Za-z0-9][A-Za-z0-9._-]*/[A-Za-z0-9][A-Za-z0-9._-]*/#) != nil && !text.contains("..")
  }

  /// Indicates whether a text is a SHA-256 in hexadecimal.
  package static func isHash(_ text: String) -> Bool { text.wholeMatch(of: #/[0-9A-Fa-f]{64}/#) != nil }

  private static func isFit(_ path: String) -> Bool {
    path.utf8.count < 512 && !path.hasPrefix("/")
      && path.split(separator: "/", omittingEmptySubsequences: false).allSatisfy {
        !$0.isEmpty && $0 != ".." && ModelName.isFit(String($0).replacingOccurrences(of: ".", with: "_"))
      }
  }

  private static let unreserved = CharacterSet(
    charactersIn: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~")

  private static func escaped(_ path: String) -> String {
    path.addingPercentEncoding(withAllowedCharacters: unreserved.union(CharacterSet(charactersIn: "/"))) ?? path
  }
}

/// Reference of a user to a file to be fetched.
package enum ModelReference: Sendable, Equatable {
  /// An entry of the catalogue, and the form of it if one was named.
  case catalogue(name: String, quantization: String?)
  /// A repository on the hub, and a file in it if one was named.
  case hub(repository: String, file: String?)
  /// An address.
  case address(String)

  /// Reads `NAME`, `NAME:QUANT`, `hf:OWNER/REPO`, `hf:OWNER/REPO/FILE` or an address.
  package init(_ text: String) throws(ModelStoreError) {
    if text.hasPrefix("hf:") {
      let parts = text.dropFirst(3).split(separator: "/", maxSplits: 2, omittingEmptySubsequences: false)
      guard parts.count >= 2, Hub.isRepository("\(parts[0])/\(parts[1])"), parts.count < 3 || !parts[2].isEmpty
      else {
        throw .badAddress(text, fault: .badHubForm)
      }
      self = .hub(repository: "\(parts[0])/\(parts[1])", file: parts.count == 3 ? String(parts[2]) : nil)
    } else if text.contains("://") {
      guard let url = URL(string: text), let scheme = url.scheme?.lowercased(),
        ["https", "http"].contains(scheme),
        url.host() != nil
      else {
        throw .badAddress(text, fault: .badScheme)
      }
      self = .address(text)
    } else {
      let parts = text.split(separator: ":", maxSplits: 1)
      guard let name = parts.first else { throw .badAddress(text, fault: .empty) }
      self = .catalogue(name: String(name), quantization: parts.count == 2 ? String(parts[1]) : nil)
    }
  }
}
