public import FuzzEntries

/// What the driver looks for.
@_silgen_name("reel_fuzz_entry") public func entry() -> FuzzEntry { .hevcDecoder }
