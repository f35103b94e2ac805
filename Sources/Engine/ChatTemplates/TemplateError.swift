/// Error of reading or rendering a template, in the words that its author knows from Jinja.
package struct TemplateError: Error, Sendable, Equatable, CustomStringConvertible {
  /// The kind of error, as Python names it.
  package enum Kind: String, Sendable {
    /// The template is not well formed.
    case syntax = "TemplateSyntaxError"
    /// The template asks for a filter or test that does not exist.
    case assertion = "TemplateAssertionError"
    /// The template itself refused, by `raise_exception`.
    case raised = "TemplateError"
    /// Something that does not exist was used.
    case undefined = "UndefinedError"
    /// The sandbox does not allow it.
    case security = "SecurityError"
    /// An operation does not exist for these types.
    case type = "TypeError"
    /// An argument is of the right type and still wrong.
    case value = "ValueError"
    /// A key is not there.
    case key = "KeyError"
    /// An object has no such attribute.
    case attribute = "AttributeError"
    /// An index is out of range.
    case index = "IndexError"
    /// A division by zero.
    case zeroDivision = "ZeroDivisionError"
    /// A number is too large.
    case overflow = "OverflowError"
    /// An assertion of a filter failed.
    case assert = "AssertionError"
    /// A filter was given arguments it does not take.
    case filterArgument = "FilterArgumentError"
    /// An error of the running template.
    case runtime = "TemplateRuntimeError"
    /// Calls are nested too deeply.
    case recursion = "RecursionError"
    /// The template took more steps, or made more text, than it may.
    case limit = "LimitError"
  }

  /// The kind of error.
  package let kind: Kind
  /// Message of the error.
  package let message: String
  /// The line of the template, where the template could not be read.
  package let line: Int?

  /// Creates an error.
  init(_ kind: Kind, _ message: String, line: Int? = nil) {
    self.kind = kind
    self.message = message
    self.line = line
  }

  /// Kind and message, as a traceback would end.
  package var description: String { "\(kind.rawValue): \(message)" }
}

/// Limits of running a template.
package struct TemplateLimits: Sendable {
  /// Largest number of expressions, statements and items evaluated.
  package var steps = 2_000_000
  /// Largest number of characters of all strings made together.
  package var characters = 48_000_000
  /// Largest nesting depth of evaluation.
  package var depth = 260

  /// The limits that are fit for every template in use.
  package init() {}
}
