import ChatTemplates
import Grammars

/// Grammar of an answer that has to be a call of one of some tools.
enum CallGrammar {
  /// A JSON object with the tool's name and its arguments; texts are kept short.
  static func of(_ tools: [ToolDescription]) throws(SchemaError) -> Grammar {
    let calls = tools.map { tool -> TemplateValue in
      let properties = tool.parameters.map { parameter in
        TemplateValue.Member(
          parameter.name,
          parameter.kind == .string
            ? ["type": "string", "minLength": 1, "maxLength": 60]
            : ["type": .string(parameter.kind.rawValue), "minimum": 1, "maximum": 999])
      }
      let required = tool.parameters.filter(\.isRequired).map { TemplateValue.string($0.name) }
      return [
        "type": "object",
        "properties": [
          "name": ["const": .string(tool.name)],
          "arguments": [
            "type": "object", "properties": .object(properties), "required": .array(required),
            "additionalProperties": false,
          ],
        ],
        "required": ["name", "arguments"], "additionalProperties": false,
      ]
    }
    return try Grammar(jsonSchema: JSONText.of(["anyOf": .array(calls)]))
  }
}
