/// Schemas that cannot be enforced, or are none, each with the JSON pointer to the place that the error must name.
enum RefusedSchemas {
  static let all: [(schema: String, pointer: String)] = [
    (#"{"type":"array","uniqueItems":true}"#, ""),

    (##"{"items":{"$ref":"#/$defs/none"}}"##, "/items"), (#"{"$ref":"https://example.org/schema"}"#, ""),
    (#"{"properties":{"a/b":{"pattern":"(?=x)"}}}"#, "/properties/a~1b"),
    (#"{"items":{"pattern":"("}}"#, "/items"),
    (#"{"items":{"pattern":"\\bx"}}"#, "/items"), (#"{"type":"strange"}"#, ""), (#"{"minLength":-1}"#, ""),
    (#"{"enum":[]}"#, ""),
    (#"{"minItems":1,"items":{"minimum":5,"maximum":3}}"#, "/items"),
    (#"{"type":"string","minLength":5,"maxLength":2}"#, ""),
    (#"{"anyOf":[]}"#, ""), (#"{"multipleOf":0}"#, ""),
    (#"{"items":false,"minItems":1}"#, ""),
    ("false", ""), ("3", ""),
    (#"{"type":"object","required":["a"],"additionalProperties":false}"#, "/required"),
    (##"{"type":"object","properties":{"x":{"$ref":"#"}},"required":["x"]}"##, ""), (##"{"$ref":"#"}"##, ""),
    (#"{"properties":[]}"#, ""),
    (#"{"not":{"type":"string","format":"email"}}"#, "/not"), (#"{"not":{}}"#, ""),
    (#"{"not":{"uniqueItems":true}}"#, "/not"),
    (#"{"properties":{"a":{"if":{"patternProperties":{"x":false}},"else":false}}}"#, "/properties/a/if"),
    (#"{"type":"array","items":{"type":"string"},"uniqueItems":true,"minItems":2}"#, ""),
    (#"{"type":"integer","multipleOf":1234567,"minimum":-1}"#, ""), (#"{"dependentRequired":[1]}"#, ""),
    (#"{"contains":{},"minContains":-1}"#, ""), (#"{"type":"array","contains":{"const":1},"maxContains":0}"#, ""),
    (#"{"oneOf":[{"format":"email"},{"format":"date"}]}"#, ""),
    (#"{"items":{"properties":{"a":{"enum":3}}}}"#, "/items/properties/a"),
  ]
}
