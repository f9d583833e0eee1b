// A small cache.

internal import ReelCore

/// Values that were made last, by what they were made from.
struct RecentValues<Key: Equatable, Value> {
  /// A composition needs a few of each kind at once.
  private static var limit: Int { 6 }
  private var entries: [(key: Key, value: Value)] = []

  var count: Int { entries.count }

  /// The value of a key; `make` is asked for one that is not there, and the oldest goes for it.
  mutating func value(
    for key: Key, make: () throws(MediaError) -> Value
  ) throws(MediaError) -> Value {
    // Equal layers are mostly the same arrays, which compare at once.
    if let found = entries.first(where: { $0.key == key }) { return found.value }
    let value = try make()
    if entries.count >= Self.limit { entries.removeFirst() }
    entries.append((key, value))
    return value
  }
}
