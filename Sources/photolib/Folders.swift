import FoundationEssentials
import Glibc
import PhotoLibrary

/// Calls a system function with a path.
func withCString<Value>(
  of path: FilePath, _ body: (UnsafePointer<CChar>) -> Value
) -> Value {
  let characters = path.bytes.map { CChar(bitPattern: $0) } + [0]
  return unsafe characters.withUnsafeBufferPointer { buffer in
    // There is always the NUL.
    guard let base = buffer.baseAddress else { preconditionFailure("an array with one element") }
    return unsafe body(base)
  }
}

/// Splits a path into the folder and the name in it; the folder of a mere name is `.`.
func folderAndName(of path: FilePath) -> (folder: FilePath, name: [UInt8]) {
  let slash = UInt8(ascii: "/")
  let end = path.bytes.lastIndex { $0 != slash }.map { $0 + 1 } ?? path.bytes.count
  let trimmed = path.bytes[..<end]
  guard let last = trimmed.lastIndex(of: slash) else { return (".", Array(trimmed)) }
  let folder = last == 0 ? [slash] : Array(trimmed[..<last])
  return (FilePath(bytes: folder), Array(trimmed[(last + 1)...]))
}

/// Makes a folder with those above it, as far as they are not there; returns 0 or an error number.
func makeFolders(_ path: FilePath, mode: mode_t) -> Int32 {
  let slash = UInt8(ascii: "/")
  var end = 0
  while end < path.bytes.count {
    let next = path.bytes[end...].firstIndex { $0 != slash } ?? path.bytes.count
    end = path.bytes[next...].firstIndex(of: slash) ?? path.bytes.count
    let part = FilePath(bytes: path.bytes[..<end])
    if unsafe withCString(of: part, { unsafe mkdir($0, mode) }) != 0, errno != EEXIST {
      // A folder above may be there and not be writable (`/home`): the next one decides.
      let number = errno
      var status = stat()
      if unsafe withCString(of: part, { unsafe stat($0, &status) }) != 0 { return number }
    }
  }
  return 0
}

/// Makes a folder of our own for temporary files, readable by nobody else.
func makeTemporaryFolder() throws(Failure) -> FilePath {
  let parent = FilePath(bytes: environmentVariable("TMPDIR") ?? Array("/tmp".utf8))
  let random = String(UInt64.random(in: .min ... .max), radix: 16)
  let folder = parent.appending("photolib-\(random)")
  if unsafe withCString(of: folder, { unsafe mkdir($0, 0o700) }) != 0 {
    throw Failure(.cannotCreate, printable(folder.bytes), systemMessage(errno))
  }
  return folder
}

/// Removes a folder that `makeTemporaryFolder` made, with all that is in it.
func removeTree(_ folder: FilePath) {
  // What cannot be removed stays in the folder for temporary files, which the system clears.
  try? FileManager.default.removeItem(atPath: folder.string)
}

/// Whether anything is at a path, links followed.
func exists(_ path: FilePath) -> Bool {
  unsafe withCString(of: path) { unsafe access($0, F_OK) == 0 }
}
