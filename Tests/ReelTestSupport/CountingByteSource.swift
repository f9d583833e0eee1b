// A source that counts what is read.

public import ReelCore
import Synchronization

/// Bytes in memory behind a source that counts its reads.
public final class CountingByteSource: ByteSource {
  private let memory: MemorySource
  private let counts = Mutex((reads: 0, bytes: 0))

  public init(_ bytes: [UInt8]) { memory = MemorySource(bytes) }

  public var byteCount: Int64? { memory.byteCount }
  /// Reads so far, those at the end included.
  public var readCount: Int { counts.withLock { $0.reads } }
  /// Bytes given so far, each as often as it was given.
  public var givenByteCount: Int { counts.withLock { $0.bytes } }

  public func read(at offset: Int64, count: Int) throws(MediaError) -> [UInt8] {
    let bytes = try memory.read(at: offset, count: count)
    counts.withLock { counts in
      counts.reads += 1
      counts.bytes += bytes.count
    }
    return bytes
  }
}
