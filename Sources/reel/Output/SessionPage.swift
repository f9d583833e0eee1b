// A simulated session as a table and as JSON.

import ReelKit
import ReelPlayback

/// What a session came to, for people and for programs.
struct SessionPage {
  let plan: SessionPlan
  let report: SessionReport

  /// Segments shown at each level.
  private var counts: [Int] {
    var counts = [Int](repeating: 0, count: plan.levels.count)
    for level in report.shownLevels { counts[level] += 1 }
    return counts
  }

  func text(withLog: Bool) -> String {
    var lines = withLog ? report.lines + [""] : []
    let seconds = SessionReport.seconds
    lines += [
      row("end", report.isComplete ? "played to the end" : "failed: nothing arrived any more"),
      row("start-up delay", "\(seconds(report.startDelay)) s"),
      row("stalls", "\(report.stallCount), \(seconds(report.stallTime)) s"),
      row("mean bitrate", "\(report.meanBandwidth / 1000) kbit/s"),
      row("switches", "\(report.switchesUp) up, \(report.switchesDown) down"),
      row("given up", "\(report.abandonedCount) segments"),
      row("loaded", "\(report.loadedBits / 8) bytes"),
      row("length", "\(seconds(report.length)) s for \(seconds(plan.duration)) s of media"),
    ]
    for (index, level) in plan.levels.enumerated() {
      let share = counts[index] * 1000 / max(report.shownLevels.count, 1)
      lines.append(
        row(
          "level \(index)",
          "variant \(level.variantIndex)  \(level.bandwidth / 1000) kbit/s  \(counts[index]) segments  "
            + "\(share / 10).\(share % 10) %"))
    }
    return lines.joined(separator: "\n") + "\n"
  }

  private func row(_ name: String, _ value: String) -> String {
    name + String(repeating: " ", count: max(16 - name.count, 1)) + value
  }

  /// Times are seconds as text, exact to the microsecond.
  var json: String {
    let seconds = { (time: Int64) in "\"\(SessionReport.seconds(time))\"" }
    var members = [
      "\"complete\": \(report.isComplete)", "\"start_delay\": \(seconds(report.startDelay))",
      "\"stalls\": \(report.stallCount)", "\"stall_time\": \(seconds(report.stallTime))",
      "\"mean_bandwidth\": \(report.meanBandwidth)", "\"switches_up\": \(report.switchesUp)",
      "\"switches_down\": \(report.switchesDown)", "\"abandoned\": \(report.abandonedCount)",
      "\"loaded_bytes\": \(report.loadedBits / 8)", "\"length\": \(seconds(report.length))",
      "\"media_duration\": \(seconds(plan.duration))",
    ]
    let levels = plan.levels.enumerated().map { index, level in
      "    {\"variant\": \(level.variantIndex), \"bandwidth\": \(level.bandwidth), "
        + "\"segments\": \(counts[index])}"
    }
    members.append("\"levels\": [\n\(levels.joined(separator: ",\n"))\n  ]")
    let events = report.lines.map { "    \(JSONText.quoted($0))" }
    members.append("\"events\": [\n\(events.joined(separator: ",\n"))\n  ]")
    return "{\n  " + members.joined(separator: ",\n  ") + "\n}\n"
  }
}
