// Numbers in the place of values that are long to compare.

/// Numbers of values, from 1 on: equal values have equal numbers.
struct NumberedValues<Value: Hashable> {
  /// LIMIT: of values that are kept. When there are more, all are forgotten and get new numbers.
  let limit: Int
  private var numbers: [Value: Int] = [:]
  private var values: [Int: Value] = [:]
  private var last = 0

  init(limit: Int) { self.limit = limit }

  var count: Int { values.count }

  /// The number of a value, a new one where it has none. No number is given twice.
  mutating func number(of value: Value) -> Int {
    if let known = numbers[value] { return known }
    if values.count >= limit { (numbers, values) = ([:], [:]) }
    last += 1
    numbers[value] = last
    values[last] = value
    return last
  }

  /// The value of a number; nil when it was not given or is forgotten.
  subscript(number: Int) -> Value? { values[number] }
}
