// The real files beside the checkout.

import Foundation
public import ReelCore

/// Files of ../shared/vectors by their kind.
public enum SharedVectors {
  /// Names of the files of a kind, in the order of the index; empty where there are none.
  public static func names(kind: String) -> [String] {
    guard let folder = Places.sharedVectors,
      let index = try? String(
        contentsOf: folder.appendingPathComponent("index.tsv"), encoding: .utf8)
    else { return [] }
    return index.split(separator: "\n").compactMap { line in
      let fields = line.split(separator: "\t", omittingEmptySubsequences: false)
      return fields.count > 1 && fields[0] == kind ? String(fields[1]) : nil
    }
  }

  /// The bytes of a file.
  public static func bytes(kind: String, name: String) throws -> [UInt8] {
    let folder = Places.sharedVectors ?? Places.package
    return [UInt8](
      try Data(contentsOf: folder.appendingPathComponent(kind).appendingPathComponent(name)))
  }
}

/// What must hold of a demuxer whatever it is given.
public enum HostileInput {
  /// Damages each file of a kind with some seeds, opens and reads the result; the first description
  /// of a result that is not allowed, or nil. A trap or an endless loop speaks for itself.
  public static func fault(
    kind: String, seeds: Range<UInt64>, maximumByteCount: Int = 400_000,
    open: ([UInt8]) throws(MediaError) -> any Demuxer
  ) throws -> String? {
    for name in SharedVectors.names(kind: kind) {
      let good = try SharedVectors.bytes(kind: kind, name: name)
      guard good.count <= maximumByteCount else { continue }
      for seed in seeds {
        let bytes = Damage.apply(to: good, seed: seed)
        let trace = DemuxerTrace { () throws(MediaError) in try open(bytes) }
        if let fault = trace.fault, fault.family == .io || fault.family == .usage {
          return "\(name), seed \(seed): \(fault)"
        }
      }
    }
    return nil
  }

  /// Opens and reads the first kilobyte of each file of a kind, as it is and damaged; a description of the
  /// first that costs more than may be, or nil: 10 ms of ``ProcessorTime`` (measured: 0.1 to 1.2 ms), and
  /// 64 times the input read.
  public static func costlyKilobyte(
    kind: String, open: (any ByteSource) throws(MediaError) -> any Demuxer
  ) throws -> String? {
    for name in SharedVectors.names(kind: kind) {
      let head = Array(try SharedVectors.bytes(kind: kind, name: name).prefix(1024))
      for seed: UInt64 in 0..<4 {
        let bytes = seed == 0 ? head : Array(Damage.apply(to: head, seed: seed).prefix(1024))
        let source = CountingByteSource(bytes)
        _ = DemuxerTrace { () throws(MediaError) in try open(source) }
        let (reads, given) = (source.readCount, source.givenByteCount)
        if reads > 256 || given > 64 * 1024 {
          return "\(name), seed \(seed): \(reads) reads, \(given) bytes"
        }
        let cost = ProcessorTime.cost(runs: 3) {
          _ = DemuxerTrace { () throws(MediaError) in try open(source) }
        }
        if cost > .milliseconds(10) { return "\(name), seed \(seed): \(cost)" }
      }
    }
    return nil
  }
}
