import ChatTemplates
import Tokenization

/// A message in the form that chat templates take.
struct ChatMessage: Sendable, Equatable {
  var role: String
  var content: String
  /// Tool calls of an assistant's message.
  var calls: [ToolCall] = []
  /// Tool call that a tool's message answers.
  var answers: ToolCall?
  /// Tokens that an assistant's message was generated as; empty where they are not known.
  var tokens: [TokenID] = []

  /// Messages of one step of tool calls.
  static func messages(of step: ToolStep) -> [ChatMessage] {
    [ChatMessage(role: "assistant", content: step.said, calls: step.calls)]
      + zip(step.calls, step.results).map { ChatMessage(role: "tool", content: $1, answers: $0) }
  }

  /// The message as templates expect it.
  /// - Parameter argumentsAreText: whether the arguments of calls come as text rather than as an object.
  func template(argumentsAreText: Bool) -> TemplateValue {
    var members: [TemplateValue.Member] = [.init("role", .string(role)), .init("content", .string(content))]
    if !calls.isEmpty {
      members.append(
        .init(
          "tool_calls",
          .array(
            calls.map { call in
              // The arguments were written by this program, so they are JSON.
              let object = argumentsAreText ? nil : try? TemplateValue(json: call.arguments)
              return [
                "id": .string(call.id), "type": "function",
                "function": ["name": .string(call.name), "arguments": object ?? .string(call.arguments)],
              ]
            })))
    }
    if let answers {
      members += [.init("name", .string(answers.name)), .init("tool_call_id", .string(answers.id))]
    }
    return .object(members)
  }
}

/// Tool calls for templates without tools: described in the system prompt, called and answered in plain messages.
struct PlainTools {
  let texts: PromptTexts
  let tools: [ToolDescription]

  func messages(_ messages: [ChatMessage]) -> [ChatMessage] {
    var plain: [ChatMessage] = []
    for message in messages {
      if let call = message.answers {
        let text = PromptTexts.fill(texts.result, ["name": call.name, "result": message.content])
        // Results of one step are one message, so that user and assistant take turns.
        if let last = plain.last, last.role == "user", last.content.hasPrefix(Self.opening(texts)) {
          plain[plain.count - 1].content += "\n\n" + text
        } else {
          plain.append(ChatMessage(role: "user", content: text))
        }
      } else if !message.calls.isEmpty {
        let calls = message.calls.map {
          "<tool_call>{\"name\": \(JSONText.quoted($0.name)), \"arguments\": \($0.arguments)}</tool_call>"
        }
        let content = ([message.content].filter { !$0.isEmpty } + calls).joined(separator: "\n")
        plain.append(ChatMessage(role: "assistant", content: content))
      } else {
        plain.append(message)
      }
    }
    guard !tools.isEmpty else { return plain }
    let list = tools.map { JSONText.of($0.template["function"] ?? .null) }.joined(separator: "\n")
    let about = PromptTexts.fill(texts.tools, ["tools": list])
    if plain.first?.role == "system" {
      plain[0].content += "\n\n" + about
    } else {
      plain.insert(ChatMessage(role: "system", content: about), at: 0)
    }
    return plain
  }

  /// Beginning of every tool's answer, up to its first name.
  private static func opening(_ texts: PromptTexts) -> String {
    String(texts.result.prefix { $0 != "{" })
  }
}
