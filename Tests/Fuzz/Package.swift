// swift-tools-version: 6.2
import PackageDescription

// Fuzzers: a package of its own, because they need libFuzzer at every link. `run` builds and starts them.

/// As in the package they test: Swift 6 mode, strict memory safety, a warning is an error.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// One row a fuzzer, named as its folder in Targets and as its entry in Entries.
let fuzzers = [
  "H264ParameterSets", "H264Decoder", "HEVCDecoder", "ISOBMFF", "MPEGTS", "Matroska", "AudioFiles",
  "Elementary",
  "Captions", "CaptionLayout", "PlayerScript", "SVG", "Images", "Playlists",
]

let package = Package(
  name: "fuzz",
  dependencies: [.package(name: "reel", path: "../..")],
  targets: [
    .target(
      name: "FuzzEntries", dependencies: [.product(name: "ReelForFuzzing", package: "reel")],
      path: "Entries", swiftSettings: settings),
    .target(
      name: "FuzzDriver", dependencies: ["FuzzEntries"], path: "Driver",
      swiftSettings: settings),
  ]
    + fuzzers.map { name in
      .executableTarget(
        name: "Fuzz\(name)", dependencies: ["FuzzDriver", "FuzzEntries"], path: "Targets/\(name)",
        swiftSettings: settings)
    },
  swiftLanguageModes: [.v6]
)
