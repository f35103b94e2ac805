import Foundation
import Persistence

/// Statistics over the log.
package struct TelemetryStatistics: Sendable, Equatable, Codable {
  /// Number of each event, most frequent first.
  package var counts: [Count]
  /// Preview funnel.
  package var funnel: Funnel
  /// Distributions of the measured figures.
  package var figures: [Figure]
  /// Number of events per day, the last day last.
  package var perDay: [Int]

  /// Number of one event.
  package struct Count: Sendable, Equatable, Codable {
    /// Name of the event.
    package var event: String
    /// Number of occurrences.
    package var count: Int
  }

  /// Preview funnel, from previews to a plan.
  package struct Funnel: Sendable, Equatable, Codable {
    /// Number of local runs on a preview.
    package var previewsUsed: Int
    /// Number of times that the last preview was used.
    package var exhausted: Int
    /// Number of local runs that found no preview left.
    package var gateTriggered: Int
    /// Number of plans chosen after previews.
    package var conversions: Int
  }

  /// Distribution of one figure.
  package struct Figure: Sendable, Equatable, Codable {
    /// Label for a person.
    package var name: String
    /// Unit of the values.
    package var unit: String
    /// Number of values.
    package var count: Int
    /// Median.
    package var p50: Double
    /// 95th percentile.
    package var p95: Double
    /// Newest values, oldest first, for a sparkline.
    package var recent: [Double]
  }

  /// Figures: name, unit, event, field.
  private static let measured = [
    ("time to first output", "ms", "answered", "first_output_ms"), ("answer", "ms", "answered", "total_ms"),
    ("prefill", "tok/s", "answered", "prefill_tps"), ("decode", "tok/s", "answered", "decode_tps"),
    ("retrieval", "ms", "retrieved", "total_ms"), ("ingestion", "ms", "ingested", "total_ms"),
    ("model load", "ms", "model_loaded", "total_ms"), ("picture", "ms", "image_generated", "total_ms"),
  ]

  static func collect(_ log: TelemetryLog, since: Date?, now: Date, days: Int = 14) throws(DatabaseError) -> Self {
    let from = since?.timeIntervalSince1970 ?? 0
    let counts = try log.database.rows(
      "SELECT name, count(*) FROM events WHERE at >= ? GROUP BY name ORDER BY 2 DESC, 1", from
    ) { row throws(DatabaseError) in Count(event: row.text(0), count: row.int(1)) }
    func count(_ name: String) -> Int { counts.first { $0.event == name }?.count ?? 0 }
    var figures: [Figure] = []
    for (name, unit, event, field) in measured {
      let series = try log.series(event, field: field, since: since).map(\.value).filter { $0 > 0 }
      guard !series.isEmpty else { continue }
      let sorted = series.sorted()
      figures.append(
        Figure(
          name: name, unit: unit, count: series.count, p50: percentile(0.5, of: sorted),
          p95: percentile(0.95, of: sorted), recent: Array(series.suffix(40))))
    }
    var perDay = [Int](repeating: 0, count: days)
    let start = now.timeIntervalSince1970 - Double(days) * 86_400
    for (day, count) in try log.database.rows(
      "SELECT CAST((at - ?1) / 86400 AS INTEGER), count(*) FROM events WHERE at >= max(?1, ?2) GROUP BY 1", start,
      from,
      read: { row throws(DatabaseError) in (row.int(0), row.int(1)) })
    where perDay.indices.contains(day) { perDay[day] = count }
    return TelemetryStatistics(
      counts: counts,
      funnel: Funnel(
        previewsUsed: count("preview_model_used"), exhausted: count("preview_exhausted"),
        gateTriggered: count("preview_gate_triggered"), conversions: count("preview_to_paid")), figures: figures,
      perDay: perDay)
  }

  /// Returns the nearest-rank percentile of values in ascending order; the values must not be empty.
  package static func percentile(_ part: Double, of sorted: [Double]) -> Double {
    sorted[min(sorted.count - 1, max(0, Int((part * Double(sorted.count)).rounded(.up)) - 1))]
  }
}

extension TelemetryLog {
  /// Returns the statistics of the events since a time, or of all.
  package func statistics(since: Date? = nil, now: Date = Date()) throws(DatabaseError) -> TelemetryStatistics {
    try TelemetryStatistics.collect(self, since: since, now: now)
  }
}
