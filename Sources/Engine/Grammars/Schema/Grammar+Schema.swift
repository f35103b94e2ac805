extension Grammar {
  /// Makes a grammar of the JSON texts that a JSON Schema admits.
  ///
  /// Objects have no other properties than those named, where a schema leaves it open, and properties come in the
  /// schema's order.
  package init(jsonSchema text: String) throws(SchemaError) {
    var compiler = try SchemaCompiler(text)
    self = try compiler.grammar()
  }
}
