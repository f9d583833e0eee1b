// swift-tools-version: 6.2
import PackageDescription

/// Every target is built in Swift 6 mode with strict memory safety; a warning is an error.
let settings: [SwiftSetting] = [
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("InternalImportsByDefault"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableExperimentalFeature("Lifetimes"),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
]

/// One row a system library: a module map and nothing else. Scripts/setup installs the packages.
let systemLibraries: [(name: String, pkgConfig: String?, apt: String)] = [
  ("CTurboJPEG", "libturbojpeg", "libturbojpeg0-dev"),
  ("CZlib", "zlib", "zlib1g-dev"),
  ("CHarfBuzz", "harfbuzz", "libharfbuzz-dev"),
  // Loaded when they are first used, so they are not linked; the header of the first is needed to build.
  ("CCurl", nil, "libcurl4-openssl-dev"),
  ("CCrypto", nil, "libssl3"),
  // Tests only. Its .pc file has a flag that SwiftPM refuses with a warning, and needs none here.
  ("CX264", nil, "libx264-dev"),
]

/// One row a library target, lowest layer first. A target may name only targets above it in this list.
let libraries: [(name: String, uses: [String])] = [
  ("ReelCore", []),
  ("ReelVideoCore", ["ReelCore"]),
  ("ReelAudioCore", ["ReelCore"]),
  ("ReelElementary", ["ReelCore", "ReelVideoCore"]),
  ("ReelMPEGTS", ["ReelCore", "ReelVideoCore", "ReelAudioCore"]),
  ("ReelAudioFiles", ["ReelCore", "ReelAudioCore"]),
  ("ReelMatroska", ["ReelCore"]),
  ("ReelHLS", ["ReelCore"]),
  ("ReelH264", ["ReelCore", "ReelVideoCore"]),
  ("ReelHEVC", ["ReelCore", "ReelVideoCore"]),
  ("ReelISOBMFF", ["ReelCore", "ReelAudioCore"]),
  ("ReelAssets", ["ReelCore"]),
  ("ReelIO", ["ReelCore", "CCrypto"]),
  ("ReelCurl", ["ReelCore", "ReelIO", "CCurl"]),
  ("ReelDownloads", ["ReelCore", "ReelIO", "ReelHLS"]),
  ("ReelImaging", ["ReelCore"]),
  ("ReelCaptions", ["ReelCore"]),
  ("ReelStreaming", ["ReelCore", "ReelHLS", "ReelCaptions", "ReelAssets"]),
  ("ReelPlayback", ["ReelCore"]),
  ("ReelText", ["ReelCore", "ReelImaging", "ReelIO", "CHarfBuzz"]),
  ("ReelRendering", ["ReelCore", "ReelAssets", "ReelImaging", "ReelPlayback"]),
  (
    "ReelKit",
    [
      "ReelCore", "ReelVideoCore", "ReelAudioCore", "ReelElementary", "ReelMPEGTS",
      "ReelAudioFiles", "ReelMatroska", "ReelH264", "ReelHEVC", "ReelISOBMFF", "ReelAssets",
      "ReelIO",
      "ReelPlayback", "ReelRendering", "ReelHLS", "ReelStreaming",
    ]
  ),
  (
    "ReelSubtitles",
    [
      "ReelCore", "ReelVideoCore", "ReelAssets", "ReelIO", "ReelImaging", "ReelCaptions",
      "ReelPlayback", "ReelText", "ReelRendering",
    ]
  ),
  ("ReelJPEG", ["ReelCore", "ReelImaging", "ReelRendering", "CTurboJPEG"]),
  ("ReelPNG", ["ReelCore", "ReelImaging", "ReelRendering", "CZlib"]),
]

/// One row an executable target.
let executables: [(name: String, uses: [String])] = [
  (
    "reel",
    [
      "ReelCore", "ReelIO", "ReelCurl", "ReelDownloads", "ReelImaging",
      "ReelPlayback", "ReelRendering", "ReelKit", "ReelJPEG", "ReelPNG", "ReelText",
      "ReelSubtitles",
    ]
  )
]

/// One row a library that only tests use; it lies under Tests/.
let testSupport: [(name: String, uses: [String])] = [
  ("ReelTestSupport", ["ReelCore"]),
  ("ReelNetworkTestSupport", ["ReelIO"]),
]

/// One row a target of tests, in any order.
let tests: [(name: String, uses: [String])] = [
  ("ReelAssetsTests", ["ReelCore", "ReelAssets", "ReelTestSupport"]),
  ("ReelCoreTests", ["ReelCore", "ReelTestSupport"]),
  ("ReelPlaybackTests", ["ReelCore", "ReelPlayback", "ReelTestSupport"]),
  ("ReelElementaryTests", ["ReelCore", "ReelVideoCore", "ReelElementary", "ReelTestSupport"]),
  (
    "ReelH264Tests", ["ReelCore", "ReelVideoCore", "ReelH264", "ReelISOBMFF", "ReelTestSupport"]
  ),
  (
    "ReelHEVCTests", ["ReelCore", "ReelVideoCore", "ReelHEVC", "ReelISOBMFF", "ReelTestSupport"]
  ),
  ("ReelIOTests", ["ReelCore", "ReelIO"]),
  (
    "ReelDownloadsTests",
    [
      "ReelCore", "ReelIO", "ReelCurl", "ReelHLS", "ReelDownloads", "ReelNetworkTestSupport",
      "ReelTestSupport",
    ]
  ),
  (
    "ReelCurlTests",
    ["ReelCore", "ReelIO", "ReelCurl", "ReelNetworkTestSupport", "ReelTestSupport"]
  ),
  ("ReelISOBMFFTests", ["ReelCore", "ReelISOBMFF", "ReelTestSupport"]),
  (
    "ReelKitTests",
    [
      "ReelCore", "ReelAssets", "ReelIO", "ReelCurl", "ReelRendering", "ReelKit",
      "ReelNetworkTestSupport", "ReelTestSupport",
    ]
  ),
  (
    "ReelRenderingTests",
    ["ReelCore", "ReelAssets", "ReelImaging", "ReelPlayback", "ReelRendering", "ReelTestSupport"]
  ),
  ("ReelImagingTests", ["ReelCore", "ReelImaging", "ReelTestSupport"]),
  ("ReelVideoCoreTests", ["ReelCore", "ReelVideoCore", "ReelTestSupport"]),
  ("ReelCaptionsTests", ["ReelCore", "ReelCaptions", "ReelTestSupport"]),
  ("ReelTextTests", ["ReelCore", "ReelText", "ReelImaging", "ReelTestSupport"]),
  (
    "ReelSubtitlesTests",
    [
      "ReelCore", "ReelAssets", "ReelPlayback", "ReelRendering", "ReelCaptions", "ReelImaging",
      "ReelText", "ReelSubtitles", "ReelTestSupport",
    ]
  ),
  ("ReelPNGTests", ["ReelCore", "ReelImaging", "ReelPNG", "ReelTestSupport"]),
  (
    "ReelStreamingTests",
    [
      "ReelCore", "ReelVideoCore", "ReelAudioCore", "ReelHLS", "ReelCaptions", "ReelAssets",
      "ReelMPEGTS", "ReelAudioFiles", "ReelISOBMFF", "ReelStreaming", "ReelTestSupport",
    ]
  ),
  ("ReelHLSTests", ["ReelCore", "ReelHLS", "ReelTestSupport"]),
  ("ReelMPEGTSTests", ["ReelCore", "ReelVideoCore", "ReelMPEGTS", "ReelTestSupport"]),
  (
    "H264DifferentialTests",
    ["ReelCore", "ReelH264", "ReelRendering", "CX264", "ReelTestSupport"]
  ),
  ("GoldenTests", ["ReelKit", "ReelTestSupport"]),
  ("CommandTests", ["reel", "ReelTestSupport"]),
  (
    "ReelJPEGTests",
    ["ReelCore", "ReelImaging", "ReelRendering", "ReelJPEG", "CTurboJPEG", "ReelTestSupport"]
  ),
  ("ReelAudioCoreTests", ["ReelCore", "ReelAudioCore", "ReelTestSupport"]),
  ("ReelMatroskaTests", ["ReelCore", "ReelMatroska", "ReelTestSupport"]),
  ("ReelAudioFilesTests", ["ReelCore", "ReelAudioFiles", "ReelTestSupport"]),
]

let package = Package(
  name: "reel",
  products: [
    .executable(name: "reel", targets: ["reel"]),
    .library(name: "ReelKit", targets: ["ReelKit"]),
    .library(name: "ReelJPEG", targets: ["ReelJPEG"]),
    .library(name: "ReelSubtitles", targets: ["ReelSubtitles"]),
    .library(name: "ReelPNG", targets: ["ReelPNG"]),
    .library(name: "ReelCurl", targets: ["ReelCurl"]),
    .library(name: "ReelDownloads", targets: ["ReelDownloads"]),
  ]
    // For Tests/Fuzz alone, which sets the variable: another package sees products only.
    + (Context.environment["REEL_FUZZ"] == nil
      ? [] : [.library(name: "ReelForFuzzing", targets: libraries.map(\.name))]),
  targets: systemLibraries.map { row in
    .systemLibrary(name: row.name, pkgConfig: row.pkgConfig, providers: [.apt([row.apt])])
  }
    + libraries.map { row in
      .target(
        name: row.name, dependencies: row.uses.map { .init(stringLiteral: $0) },
        swiftSettings: settings)
    }
    + executables.map { row in
      .executableTarget(
        name: row.name, dependencies: row.uses.map { .init(stringLiteral: $0) },
        swiftSettings: settings)
    }
    + testSupport.map { row in
      .target(
        name: row.name, dependencies: row.uses.map { .init(stringLiteral: $0) },
        path: "Tests/\(row.name)", swiftSettings: settings)
    }
    + tests.map { row in
      .testTarget(
        name: row.name, dependencies: row.uses.map { .init(stringLiteral: $0) },
        swiftSettings: settings)
    }
    + [
      // The functions that Tests/Fuzz fuzzes, and the inputs that once failed.
      .testTarget(
        name: "FuzzTests",
        dependencies: (libraries.map(\.name) + ["ReelTestSupport"]).map {
          .init(stringLiteral: $0)
        },
        path: "Tests/Fuzz",
        exclude: [
          "Dictionaries", "Driver", "FailCases", "Package.swift", "README.md", "Targets",
          "make-seeds", "run",
        ],
        sources: ["Entries", "Replay"], swiftSettings: settings)
    ],
  swiftLanguageModes: [.v6]
)
