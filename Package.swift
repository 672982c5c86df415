// swift-tools-version: 6.2
//
// photolib: PhotoKit for Linux.
//
// Layers, lowest first: PhotoModel; CSQLite, CCrypto, CFiles, CImageCodecs, CColor, CXMP, CInflate (C shims
// over Debian's libraries); ImageContainer; PhotoStore, ImageMetadata and ImageCodecs, which do not know each other;
// PhotoLibrary; PhotoLibraryTesting and the command line. `scripts/check-layers` holds this.

import Foundation
import PackageDescription

// A missing header would show as a page of compiler errors. Say once what is missing and what to run.
let requiredHeaders = [
  ("jpeglib.h", "libjpeg-dev"), ("png.h", "libpng-dev"), ("lcms2.h", "liblcms2-dev"),
  ("exempi-2.0/exempi/xmp.h", "libexempi-dev"), ("sqlite3.h", "libsqlite3-dev"),
  ("openssl/evp.h", "libssl-dev"), ("isa-l/igzip_lib.h", "libisal-dev"),
]
let missingPackages = requiredHeaders.filter { header, _ in
  !["/usr/include", "/usr/local/include", "/opt/homebrew/include"].contains {
    FileManager.default.fileExists(atPath: "\($0)/\(header)")
  }
}.map(\.1)
#if os(Linux)
  if !missingPackages.isEmpty {
    let list = missingPackages.joined(separator: " ")
    let message =
      "photolib: these Debian packages are missing: \(list)\n"
      + "photolib: run `make setup` (or: apt-get install \(list))\n"
    FileHandle.standardError.write(Data(message.utf8))
  }
#endif

// Tests only: a second opinion on EXIF. What needs it is left out where it is missing, so that building
// the library asks for nothing that it does not use. `scripts/setup test` installs it.
let hasLibExif = FileManager.default.fileExists(atPath: "/usr/include/libexif/exif-data.h")

let package = Package(
  name: "photolib",
  products: [
    .library(name: "PhotoLibrary", targets: ["PhotoLibrary"]),
    .library(name: "PhotoLibraryTesting", targets: ["PhotoLibraryTesting"]),
    .executable(name: "photolib", targets: ["photolib"]),
  ],
  targets: [
    // System libraries, each with the package that brings it.
    .systemLibrary(
      name: "CLibJPEG", path: "Sources/System/CLibJPEG", pkgConfig: "libjpeg",
      providers: [.apt(["libjpeg-dev"])]),
    .systemLibrary(
      name: "CLibPNG", path: "Sources/System/CLibPNG", pkgConfig: "libpng",
      providers: [.apt(["libpng-dev"])]),
    .systemLibrary(
      name: "CLCMS", path: "Sources/System/CLCMS", pkgConfig: "lcms2",
      providers: [.apt(["liblcms2-dev"])]),
    .systemLibrary(
      name: "CExempi", path: "Sources/System/CExempi", pkgConfig: "exempi-2.0",
      providers: [.apt(["libexempi-dev"])]),
    .systemLibrary(
      name: "CISAL", path: "Sources/System/CISAL", pkgConfig: "libisal",
      providers: [.apt(["libisal-dev"])]),
    .systemLibrary(
      name: "CLibCrypto", path: "Sources/System/CLibCrypto", pkgConfig: "libcrypto",
      providers: [.apt(["libssl-dev"])]),
    .systemLibrary(name: "CSQLite", pkgConfig: "sqlite3", providers: [.apt(["libsqlite3-dev"])]),

    // C shims: only what Swift cannot say, or must not (setjmp, variadics).
    .target(name: "CImageCodecs", dependencies: ["CLibJPEG", "CLibPNG"]),
    .target(name: "CColor", dependencies: ["CLCMS"]),
    .target(name: "CXMP", dependencies: ["CExempi"]),
    .target(name: "CInflate", dependencies: ["CISAL"]),
    .target(name: "CCrypto", dependencies: ["CLibCrypto"]),
    .target(name: "CFiles"),
    .target(name: "COptions"),

    .target(name: "PhotoModel"),
    .target(name: "ImageContainer", dependencies: ["PhotoModel"]),
    .target(
      name: "ImageCodecs",
      dependencies: ["PhotoModel", "ImageContainer", "CImageCodecs", "CColor", "CInflate"]),
    .target(
      name: "ImageMetadata", dependencies: ["PhotoModel", "ImageContainer", "CXMP", "CInflate"]),
    .target(name: "PhotoStore", dependencies: ["PhotoModel", "CSQLite", "CCrypto", "CFiles"]),
    .target(
      name: "PhotoLibrary",
      dependencies: ["PhotoModel", "PhotoStore", "ImageMetadata", "ImageCodecs", "ImageContainer"]),
    .target(
      name: "PhotoLibraryTesting",
      dependencies: ["PhotoModel", "PhotoLibrary", "PhotoStore", "ImageCodecs"]),
    .executableTarget(name: "photolib", dependencies: ["PhotoModel", "PhotoLibrary", "COptions"]),

    // Tests and fuzzing only: libjpeg-turbo as a second opinion.
    .target(name: "CJPEGOracle", dependencies: ["CLibJPEG"], path: "Tests/CJPEGOracle"),

    .testTarget(name: "PhotoModelTests", dependencies: ["PhotoModel"]),
    .testTarget(name: "ImageContainerTests", dependencies: ["PhotoModel", "ImageContainer"]),
    .testTarget(
      name: "ImageCodecsTests",
      dependencies: ["PhotoModel", "ImageContainer", "ImageCodecs", "CJPEGOracle"]),
    .testTarget(
      name: "ImageMetadataTests", dependencies: ["PhotoModel", "ImageContainer", "ImageMetadata"]),
    .testTarget(
      name: "MetadataAcceptanceTests",
      dependencies: ["PhotoModel", "ImageContainer", "ImageMetadata", "ImageCodecs"]
        + (hasLibExif ? ["CExif"] : [])),
    .testTarget(
      name: "PhotoStoreTests", dependencies: ["PhotoModel", "PhotoStore", "CSQLite"]),
    .testTarget(
      name: "PhotoLibraryTests",
      dependencies: [
        "PhotoModel", "PhotoLibrary", "PhotoLibraryTesting", "PhotoStore", "ImageMetadata",
        "ImageCodecs", "ImageContainer",
      ]),
    .testTarget(
      name: "photolibTests",
      dependencies: ["PhotoModel", "PhotoLibrary", "PhotoLibraryTesting", "photolib"]),
  ],
  swiftLanguageModes: [.v6]
)

if hasLibExif {
  package.targets += [
    .systemLibrary(
      name: "CLibExif", path: "Sources/System/CLibExif", pkgConfig: "libexif",
      providers: [.apt(["libexif-dev"])]),
    .target(name: "CExif", dependencies: ["CLibExif"], path: "Tests/CExif"),
  ]
}

// Fuzzers and measurements, only when asked for: a fuzzer links nowhere but under its sanitizer. They
// stand in this manifest because a package of their own could not see `package` declarations.
if Context.environment["PHOTOLIB_FUZZ"] != nil {
  package.targets += [
    .executableTarget(
      name: "MetadataFuzzer",
      dependencies: ["PhotoModel", "ImageContainer", "ImageMetadata"],
      path: "Fuzz/MetadataFuzzer"),
    .executableTarget(
      name: "CodecFuzzer",
      dependencies: ["PhotoModel", "ImageContainer", "ImageCodecs", "CJPEGOracle"],
      path: "Fuzz/CodecFuzzer"),
  ]
}
if Context.environment["PHOTOLIB_BENCH"] != nil {
  package.targets += [
    .target(name: "BenchmarkSupport", path: "Benchmarks/Support"),
    .executableTarget(
      name: "MetadataBenchmark",
      dependencies: ["BenchmarkSupport", "PhotoModel", "ImageContainer", "ImageMetadata"],
      path: "Benchmarks/MetadataBenchmark"),
    .executableTarget(
      name: "CacheBenchmark", dependencies: ["BenchmarkSupport", "PhotoModel", "PhotoLibrary"],
      path: "Benchmarks/CacheBenchmark"),
    .executableTarget(
      name: "AccessBenchmark",
      dependencies: ["BenchmarkSupport", "PhotoModel", "PhotoLibrary", "CSQLite"],
      path: "Benchmarks/AccessBenchmark"),
    .target(name: "CJPEGPeer", dependencies: ["CLibJPEG"], path: "Benchmarks/CJPEGPeer"),
    .executableTarget(
      name: "CodecBenchmark",
      dependencies: [
        "BenchmarkSupport", "PhotoModel", "ImageContainer", "ImageCodecs", "CInflate", "CJPEGPeer",
      ],
      path: "Benchmarks/CodecBenchmark"),
  ]
}

// One set of strict settings for every Swift target.
let shims: Set = [
  "CImageCodecs", "CColor", "CXMP", "CInflate", "CCrypto", "CFiles", "COptions", "CExif",
  "CJPEGPeer", "CJPEGOracle",
]
for target in package.targets
where target.type != .system && !shims.contains(target.name) {
  target.swiftSettings = [
    .treatAllWarnings(as: .error),
    .strictMemorySafety(),
    .enableUpcomingFeature("ExistentialAny"),
    .enableUpcomingFeature("InternalImportsByDefault"),
    .enableUpcomingFeature("MemberImportVisibility"),
  ]
}
