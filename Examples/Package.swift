// swift-tools-version: 6.2
import PackageDescription

let package = Package(
  name: "examples",
  dependencies: [.package(name: "reel", path: "..")],
  targets: [
    .executableTarget(
      name: "FirstFrame", dependencies: [.product(name: "ReelKit", package: "reel")]),
    .executableTarget(
      name: "LoopToJPEG",
      dependencies: [
        .product(name: "ReelKit", package: "reel"), .product(name: "ReelJPEG", package: "reel"),
      ]),
    .executableTarget(
      name: "PlayerScript", dependencies: [.product(name: "ReelKit", package: "reel")]),
  ]
)
