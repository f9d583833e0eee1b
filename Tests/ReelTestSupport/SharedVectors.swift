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

  /// The longest time that opening and reading the first kilobyte of a file of a kind takes, as it is
  /// and damaged, and which file it was. Of several runs the fastest counts, the machine being shared.
  public static func slowestKilobyte(
    kind: String, open: ([UInt8]) throws(MediaError) -> any Demuxer
  ) throws -> (time: Duration, name: String) {
    var worst = (time: Duration.zero, name: "")
    let clock = ContinuousClock()
    for name in SharedVectors.names(kind: kind) {
      let head = Array(try SharedVectors.bytes(kind: kind, name: name).prefix(1024))
      for seed: UInt64 in 0..<4 {
        let bytes = seed == 0 ? head : Array(Damage.apply(to: head, seed: seed).prefix(1024))
        let times = (0..<3).map { _ in
          clock.measure { _ = DemuxerTrace { () throws(MediaError) in try open(bytes) } }
        }
        if let time = times.min(), time > worst.time { worst = (time, "\(name), seed \(seed)") }
      }
    }
    return worst
  }
}
