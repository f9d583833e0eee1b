// From libFuzzer's pointer to an entry's array: all that is unsafe about fuzzing.

import FuzzEntries

/// The entry of the fuzzer that this is linked into. Each file in Targets defines the symbol.
@_silgen_name("reel_fuzz_entry") private func entryOfTarget() -> FuzzEntry

private let entry = entryOfTarget()

/// What libFuzzer's own main calls for every input.
@c(LLVMFuzzerTestOneInput) public func testOneInput(_ data: UnsafePointer<UInt8>?, _ size: Int)
  -> CInt
{
  // SAFETY: libFuzzer lends `size` readable bytes for the time of the call; they are copied.
  entry.run(unsafe [UInt8](UnsafeBufferPointer(start: data, count: size)))
  return 0
}
