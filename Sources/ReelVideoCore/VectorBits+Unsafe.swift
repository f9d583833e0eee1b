// Vectors seen as other vectors of the same bits.

/// `value` with its bits read as `Target`, which must be a vector or integer of the same size.
@inlinable @inline(always)
package func reinterpreted<Source: BitwiseCopyable, Target: BitwiseCopyable>(
  _ value: Source, as: Target.Type = Target.self
) -> Target {
  precondition(MemoryLayout<Source>.size == MemoryLayout<Target>.size)
  // SAFETY: both types are trivial, of one size, and every bit pattern is a value of either: callers
  // pass vectors and integers only.
  return unsafe unsafeBitCast(value, to: Target.self)
}
