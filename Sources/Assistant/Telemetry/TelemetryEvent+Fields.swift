import Foundation

/// Value of a field: a number, a word of a closed list, or a duration in milliseconds.
package enum TelemetryValue: Sendable, Equatable {
  case integer(Int), real(Double), milliseconds(Double), flag(Bool)
  /// Raw value of one of the enums of ``TelemetryEvent``; it cannot be made from other text.
  case word(TelemetryWord)
}

/// Word of one of the closed lists of ``TelemetryEvent``.
package struct TelemetryWord: Sendable, Equatable {
  /// Text of the word.
  package let text: String

  init<Word: RawRepresentable & CaseIterable>(_ word: Word) where Word.RawValue == String { text = word.rawValue }
}

extension TelemetryEvent {
  /// Version of the fields of all events.
  package static let schemaVersion = 1

  /// Name under which it is stored and queried.
  package var name: String {
    switch self {
    case .sessionStarted: "session_started"
    case .answered: "answered"
    case .retrieved: "retrieved"
    case .ingested: "ingested"
    case .imageGenerated: "image_generated"
    case .modelLoaded: "model_loaded"
    case .modelDownloaded: "model_downloaded"
    case .fallbackUsed: "fallback_used"
    case .cancelled: "cancelled"
    case .failed: "failed"
    case .networkRefused: "network_refused"
    case .previewModelUsed: "preview_model_used"
    case .previewExhausted: "preview_exhausted"
    case .previewGateTriggered: "preview_gate_triggered"
    case .previewToPaid: "preview_to_paid"
    }
  }

  /// Category of the event.
  package var category: Category {
    switch self {
    case .sessionStarted, .networkRefused: .session
    case .answered, .retrieved, .fallbackUsed, .cancelled, .failed, .imageGenerated: .answers
    case .ingested: .library
    case .modelLoaded, .modelDownloaded: .models
    case .previewModelUsed, .previewExhausted, .previewGateTriggered, .previewToPaid: .preview
    }
  }

  /// Severity of the event.
  package var severity: Severity {
    switch self {
    case .failed: .error
    case .networkRefused: .warning
    case .ingested(let outcome, _, _, _): [.ok, .unchanged].contains(outcome) ? .info : .warning
    case .fallbackUsed, .cancelled, .previewExhausted, .previewGateTriggered, .previewToPaid: .notice
    default: .info
    }
  }

  /// Indicates whether it belongs to the preview funnel, which ordinary events never displace.
  package var isFunnel: Bool { category == .preview }

  /// Fields by name, in a fixed order.
  package var fields: [(name: String, value: TelemetryValue)] {
    switch self {
    case .sessionStarted(let isInteractive): [("interactive", .flag(isInteractive))]
    case .answered(
      let route, let author, let sources, let first, let total, let prompt, let generated, let prefill, let decode,
      let reused, let calls, let backend, let quantization):
      [
        ("route", .word(TelemetryWord(route))), ("author", .word(TelemetryWord(author))),
        ("sources", .integer(sources)),
        ("first_output_ms", .milliseconds(first.milliseconds)), ("total_ms", .milliseconds(total.milliseconds)),
        ("prompt_tokens", .integer(prompt)), ("generated_tokens", .integer(generated)),
        ("prefill_tps", .real(prefill)), ("decode_tps", .real(decode)), ("reused_tokens", .integer(reused)),
        ("calls", .integer(calls)),
      ] + (backend.map { [("backend", .word(TelemetryWord($0)))] } ?? [])
        + (quantization.map { [("quantization", .word(TelemetryWord($0)))] } ?? [])
    case .retrieved(let matched, let read, let total):
      [("matched", .integer(matched)), ("read", .integer(read)), ("total_ms", .milliseconds(total.milliseconds))]
    case .ingested(let outcome, let pages, let passages, let total):
      [
        ("outcome", .word(TelemetryWord(outcome))), ("pages", .integer(pages)), ("passages", .integer(passages)),
        ("total_ms", .milliseconds(total.milliseconds)),
      ]
    case .imageGenerated(let backend, let steps, let width, let height, let total):
      [
        ("backend", .word(TelemetryWord(backend))), ("steps", .integer(steps)), ("width", .integer(width)),
        ("height", .integer(height)), ("total_ms", .milliseconds(total.milliseconds)),
      ]
    case .modelLoaded(let backend, let bytes, let total):
      [
        ("backend", .word(TelemetryWord(backend))), ("bytes", .integer(bytes)),
        ("total_ms", .milliseconds(total.milliseconds)),
      ]
    case .modelDownloaded(let bytes, let total):
      [("bytes", .integer(bytes)), ("total_ms", .milliseconds(total.milliseconds))]
    case .fallbackUsed(let reason): [("reason", .word(TelemetryWord(reason)))]
    case .cancelled(let route, let afterOutput):
      [("route", .word(TelemetryWord(route))), ("after_output", .flag(afterOutput))]
    case .failed(let code): [("code", .word(TelemetryWord(code)))]
    case .networkRefused: []
    case .previewModelUsed(let backend, let remaining):
      [("backend", .word(TelemetryWord(backend))), ("remaining", .integer(remaining))]
    case .previewExhausted(let backend): [("backend", .word(TelemetryWord(backend)))]
    case .previewGateTriggered(let backend, let entryPoint):
      [("backend", .word(TelemetryWord(backend))), ("entry_point", .word(TelemetryWord(entryPoint)))]
    case .previewToPaid(let plan, let runs):
      [("plan", .word(TelemetryWord(plan))), ("preview_runs", .integer(runs))]
    }
  }
}

extension Duration {
  /// Length in milliseconds.
  var milliseconds: Double {
    Double(components.seconds) * 1e3 + Double(components.attoseconds) / 1e15
  }
}
