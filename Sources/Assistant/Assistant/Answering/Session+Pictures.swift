import Foundation
import Images

extension Session {
  /// The newest picture of this run of the program or of this session; nil where there is none.
  func lastPicture() async throws -> StoredPicture? {
    let ofSession = if let id { try await store.lastPicture(ofSession: id) } else { StoredPicture?.none }
    return [await illustrator?.lastPicture?.picture, ofSession].compactMap(\.self).max { $0.created < $1.created }
  }

  /// Draws the picture asked for. The illustrator ends the turn, with its ticket, in one transaction.
  func answerByPicture(
    _ turn: inout OpenTurn, _ route: Route, _ options: TurnOptions,
    emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws {
    guard let illustrator else { throw ImageError.noModel }
    var prompt = turn.question
    if route.changesLastPicture, let before = try await lastPicture() {
      // A picture's file holds the original words where its prompt was enriched.
      let path = illustrator.gallery.path(of: before)
      let asked = try? PNGFile.parameters(in: PNGFile.read(path)).originalPrompt
      prompt = (asked ?? before.prompt) + ", " + prompt
    }
    let richer = options.enrichesPictures ? try await enriched(prompt, emit: emit) : nil
    var request = ImageRequest(prompt: richer ?? prompt, seed: .random(in: 0...UInt64(UInt32.max)))
    request.previewInterval = options.previewInterval
    let events = await illustrator.make(
      request, original: richer == nil ? nil : prompt, session: turn.session, turn: turn.number)
    turn.isClosed = true
    for try await event in events {
      guard case .finished(let report) = event else {
        emit(.drawing(event))
        continue
      }
      turn.author = report.picture.model
      emit(.picture(report))
      emit(.finished(turn.summary(.complete, previewsLeft: report.previewsLeft)))
    }
    try Task.checkCancellation()
  }

  /// The prompt as the model describes it more richly; nil where it stays as it is.
  private func enriched(
    _ prompt: String, emit: @escaping @Sendable (SessionEvent) -> Void
  ) async throws -> String? {
    emit(.drawing(.describing))
    let (text, notice) = try await PictureEnricher.enriched(prompt, store: store, backend: backend)
    emit(.notice(notice))
    return text
  }
}
