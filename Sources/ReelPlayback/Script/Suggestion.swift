// What a misspelt word may have been meant to be.

/// Finds the known word nearest to one that is not known.
enum Suggestion {
  /// `did you mean "play"?`, or the known words when none is near; empty when there are none.
  static func advice(for word: String, among known: [String]) -> String {
    if let nearest = nearest(to: word, among: known) { return "did you mean \"\(nearest)\"?" }
    return known.isEmpty ? "" : "known: " + known.joined(separator: ", ")
  }

  /// The first of the nearest words, where at most a third of the letters (but one at least) differ.
  static func nearest(to word: String, among known: [String]) -> String? {
    // LIMIT: no word of a script is longer.
    guard word.utf8.count <= 40 else { return nil }
    let letters = Array(word.lowercased().utf8)
    let distances = known.map { distance(letters, Array($0.lowercased().utf8)) }
    guard let least = distances.min(), least <= max(letters.count / 3, 1),
      let index = distances.firstIndex(of: least)
    else { return nil }
    return known[index]
  }

  /// Letters to add, take away, replace or swap with their neighbour.
  private static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
    var before: [Int] = []
    var last = Array(0...b.count)
    for i in a.indices {
      var row = [i + 1]
      for j in b.indices {
        var best = min(last[j + 1] + 1, row[j] + 1, last[j] + (a[i] == b[j] ? 0 : 1))
        if i > 0, j > 0, a[i] == b[j - 1], a[i - 1] == b[j] { best = min(best, before[j - 1] + 1) }
        row.append(best)
      }
      (before, last) = (last, row)
    }
    return last[b.count]
  }
}
