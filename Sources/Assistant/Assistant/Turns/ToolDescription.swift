import ChatTemplates

/// Description of a tool for a model.
package struct ToolDescription: Sendable, Equatable {
  /// Its name.
  package var name: String
  /// Its purpose, in a sentence.
  package var about: String
  /// Its parameters, in order.
  package var parameters: [Parameter]

  /// A parameter of a tool.
  package struct Parameter: Sendable, Equatable {
    /// Kinds of value.
    package enum Kind: String, Sendable { case string, integer, number }
    /// Its name.
    package var name: String
    /// Kind of its value.
    package var kind: Kind
    /// Its meaning.
    package var about: String
    /// Indicates whether a call without it is wrong.
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

  /// The tool in the form that templates take.
  var template: TemplateValue {
    [
      "type": "function",
      "function": ["name": .string(name), "description": .string(about), "parameters": schema],
    ]
  }
}
