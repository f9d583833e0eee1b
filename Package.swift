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

/// One row a library target, lowest layer first. A target may name only targets above it in this list.
let libraries: [(name: String, uses: [String])] = [
  ("ReelCore", []),
  ("ReelVideoCore", ["ReelCore"]),
  ("ReelH264", ["ReelCore", "ReelVideoCore"]),
]

let package = Package(
  name: "reel",
  products: [],
  targets: libraries.map { row in
    .target(
      name: row.name, dependencies: row.uses.map { .init(stringLiteral: $0) },
      swiftSettings: settings)
  },
  swiftLanguageModes: [.v6]
)
