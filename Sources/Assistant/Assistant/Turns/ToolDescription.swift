import ChatTemplates

/// A tool as a model is told of it.
package struct ToolDescription: Sendable, Equatable {
  /// Its name.
  package var name: String
  /// What it does, in a sentence.
  package var about: String
  /// What it takes, in order.
  package var parameters: [Parameter]

  /// Something that a tool takes.
  package struct Parameter: Sendable, Equatable {
    /// What kind of value it is.
    package enum Kind: String, Sendable { case string, integer, number }
    /// Its name.
    package var name: String
    /// What kind of value it is.
    package var kind: Kind
    /// What it means.
    package var about: String
    /// Whether a call without it is wrong.
    package var isRequired: Bool

    /// Makes a parameter.
    package init(_ name: String, _ kind: Kind = .string, _ about: String, isRequired: Bool = true) {
      self.name = name
      self.kind = kind
      self.about = about
      self.isRequired = isRequired
    }
  }

  /// Makes a description.
  package init(_ name: String, _ about: String, _ parameters: [Parameter] = []) {
    self.name = name
    self.about = about
    self.parameters = parameters
  }

  /// The arguments as a JSON Schema.
  var schema: TemplateValue {
    .object([
      .init("type", "object"),
      .init(
        "properties",
        .object(
          parameters.map { .init($0.name, ["type": .string($0.kind.rawValue), "description": .string($0.about)]) })
      ),
      .init("required", .array(parameters.filter(\.isRequired).map { .string($0.name) })),
    ])
  }

  /// The tool as templates expect it.
  var template: TemplateValue {
    [
      "type": "function",
      "function": ["name": .string(name), "description": .string(about), "parameters": schema],
    ]
  }
}
