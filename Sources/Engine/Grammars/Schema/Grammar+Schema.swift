extension Grammar {
  /// Makes a grammar of the JSON texts that a JSON Schema admits.
  ///
  /// Objects have no properties besides those named unless the schema asks for them, and properties come in the
  /// schema's order.
  package init(jsonSchema text: String) throws(SchemaError) {
    var compiler = try SchemaCompiler(text)
    self = try compiler.grammar()
  }
}
