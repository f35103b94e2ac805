/// The formats of strings that JSON Schema names, each as a pattern of texts that surely have it.
enum StringFormats {
  /// Returns the pattern of a format; nil for names that do not constrain values.
  static func pattern(of format: String) -> String? { patterns[format].map { "^(\($0))$" } }

  private static let date =
    "[12][0-9]{3}-((0[13578]|1[02])-(0[1-9]|[12][0-9]|3[01])|(0[469]|11)-(0[1-9]|[12][0-9]|30)|02-(0[1-9]|1[0-9]|2[0-8]))"
  private static let time =
    "([01][0-9]|2[0-3]):[0-5][0-9]:[0-5][0-9](\\.[0-9]{1,6})?(Z|[+-]([01][0-9]|2[0-3]):[0-5][0-9])"
  private static let label = "[a-z0-9]([a-z0-9-]{0,20}[a-z0-9])?"
  private static let host = "\(label)(\\.\(label)){0,3}\\.[a-z]{2,10}"
  private static let mailbox = "[A-Za-z0-9]{1,20}([._+-][A-Za-z0-9]{1,20}){0,3}"
  private static let byte = "(25[0-5]|2[0-4][0-9]|1[0-9]{2}|[1-9]?[0-9])"
  private static let path = "(/[A-Za-z0-9._~-]{1,30}){0,8}/?(\\?[A-Za-z0-9=&_-]{1,60})?(#[A-Za-z0-9_-]{1,30})?"

  private static let patterns: [String: String] = [
    "date": date,
    "time": time,
    "date-time": "\(date)T\(time)",
    "duration":
      "P([0-9]{1,4}W|([0-9]{1,4}Y([0-9]{1,2}M([0-9]{1,2}D)?)?|[0-9]{1,2}M([0-9]{1,2}D)?|[0-9]{1,3}D)(T[0-9]{1,2}H([0-9]{1,2}M([0-9]{1,2}S)?)?)?|T([0-9]{1,2}H([0-9]{1,2}M([0-9]{1,2}S)?)?|[0-9]{1,2}M([0-9]{1,2}S)?|[0-9]{1,2}S))",
    "uuid": "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}",
    "email": "\(mailbox)@\(host)",
    "idn-email": "\(mailbox)@\(host)",
    "hostname": host,
    "idn-hostname": host,
    "ipv4": "\(byte)(\\.\(byte)){3}",
    "ipv6": "[0-9a-fA-F]{1,4}(:[0-9a-fA-F]{1,4}){7}",
    "uri": "https?://\(host)(:[1-9][0-9]{0,3})?\(path)",
    "uri-reference": "https?://\(host)\(path)",
    "iri": "https?://\(host)\(path)",
    "iri-reference": "https?://\(host)\(path)",
    "uri-template": "https?://\(host)\(path)",
    "json-pointer": "(/[A-Za-z0-9_-]{0,30}){0,8}",
    "relative-json-pointer": "(0|[1-9][0-9]{0,3})(#|(/[A-Za-z0-9_-]{0,30}){0,8})",
    "regex": "[A-Za-z0-9 ]{0,60}",
  ]
}
