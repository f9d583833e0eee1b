// swift-tools-version: 6.2
import PackageDescription

// An application's package: its own code over a player, and tests of it that run on Linux.
let package = Package(
  name: "PlayerTests",
  dependencies: [.package(name: "reel", path: "../..")],
  targets: [
    .target(name: "ClipScreen", dependencies: [.product(name: "ReelKit", package: "reel")]),
    .testTarget(name: "ClipScreenTests", dependencies: ["ClipScreen"]),
  ],
  swiftLanguageModes: [.v6]
)
