/// What a question is taken for.
package enum Route: String, Sendable, Codable, CaseIterable {
  case chat, documents, image
}
