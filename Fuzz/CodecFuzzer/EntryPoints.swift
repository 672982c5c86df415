import FoundationEssentials
import Glibc

// The two functions that libFuzzer's main program calls (llvm.org/docs/LibFuzzer.html). `scripts/fuzz`
// builds and runs it.
//
//   PHOTOLIB_FUZZ_TARGET=TARGET CodecFuzzer [libFuzzer's arguments]
//   PHOTOLIB_FUZZ_SEEDS=FOLDER CodecFuzzer FILE...    writes what targets can start from

/// What is fuzzed in this process.
private let target: FuzzTarget = {
  if let target = FuzzTarget.chosen { return target }
  let names = FuzzTarget.allCases.map(\.rawValue).joined(separator: ", ")
  print("CodecFuzzer: PHOTOLIB_FUZZ_TARGET must be one of: \(names)")
  exit(64)
}()

/// Called once, before the first input.
@_cdecl("LLVMFuzzerInitialize")
public func initialize(
  _ argumentCount: UnsafeMutablePointer<CInt>?,
  _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
) -> CInt {
  if let folder = ProcessInfo.processInfo.environment["PHOTOLIB_FUZZ_SEEDS"] {
    Seeds.write(to: folder, from: Array(CommandLine.arguments.dropFirst()))
    exit(0)
  }
  _ = target
  return 0
}

/// Called with each input.
@_cdecl("LLVMFuzzerTestOneInput")
public func testOneInput(_ start: UnsafePointer<UInt8>?, _ count: Int) -> CInt {
  target.examine(unsafe Array(UnsafeBufferPointer(start: start, count: count)))
  return 0
}
