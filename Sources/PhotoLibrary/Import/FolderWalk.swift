import Glibc
import PhotoModel
import PhotoStore

/// Finds the files under the paths that a caller names.
///
/// Folders are walked by descriptor, names in the order of their bytes. Hidden names are passed over;
/// links are never followed inside a folder, so no loop of links can catch it, and a folder that is its
/// own ancestor (a bind mount) is not entered again. Photo libraries are not entered.
struct FolderWalk {
  enum Found {
    case file(SourceFile)
    /// Nothing to open: `link`, `fifo`, `socket`, `device`, `library`.
    case skipped(type: String)
    case failed(reason: String)
  }

  /// Folders inside folders; each level holds a descriptor open.
  static let maximumDepth = 200

  /// Calls `visit` for each file; `isNamed` tells one that the caller named from one found in a
  /// folder.
  ///
  /// Stops early where `visit` returns false.
  static func walk(
    _ path: FilePath, visit: (_ path: FilePath, _ isNamed: Bool, Found) throws(LibraryError) -> Bool
  ) throws(LibraryError) {
    let file: SourceFile
    do {
      file = try SourceFile(named: path)
    } catch {
      _ = try visit(path, true, .failed(reason: error.message))
      return
    }
    guard file.kind == .folder else {
      _ = try visit(path, true, .file(file))
      return
    }
    if Store.isLibrary(folder: file.descriptor) {
      _ = try visit(path, true, .failed(reason: "it is a photo library; name files or folders"))
      return
    }
    var ancestors: Set<SourceFile.Identity> = [file.identity]
    _ = try descend(into: file, path: path, ancestors: &ancestors, visit: visit)
  }

  private static func descend(
    into folder: SourceFile, path: FilePath, ancestors: inout Set<SourceFile.Identity>,
    visit: (FilePath, Bool, Found) throws(LibraryError) -> Bool
  ) throws(LibraryError) -> Bool {
    let names: [[UInt8]]
    do {
      names = try folder.entries()
    } catch {
      return try visit(path, false, .failed(reason: error.message))
    }
    for name in names where name.first != UInt8(ascii: ".") {
      let child = path.appending(name)
      let found: Found
      var entered: SourceFile?
      do {
        let file = try SourceFile(name, in: folder)
        if file.kind == .folder {
          entered = file
          if Store.isLibrary(folder: file.descriptor) {
            found = .skipped(type: "library")
          } else if ancestors.contains(file.identity) {
            found = .skipped(type: "loop")
          } else if ancestors.count >= maximumDepth {
            found = .failed(reason: "more than \(maximumDepth) folders inside each other")
          } else {
            ancestors.insert(file.identity)
            defer { ancestors.remove(file.identity) }
            guard try descend(into: file, path: child, ancestors: &ancestors, visit: visit) else {
              return false
            }
            continue
          }
        } else {
          found = .file(file)
        }
      } catch let error as SystemError {
        found =
          error.specialType.map { .skipped(type: $0) } ?? .failed(reason: error.message)
      } catch let error as LibraryError {
        throw error
      } catch {
        found = .failed(reason: "\(error)")
      }
      withExtendedLifetime(entered) {}
      guard try visit(child, false, found) else { return false }
    }
    return true
  }

  /// Counts the files, hidden ones and what is under libraries left out, and their bytes.
  static func count(_ paths: [FilePath], isCancelled: () -> Bool) -> (files: Int, bytes: Int64) {
    var files = 0
    var bytes: Int64 = 0
    for path in paths {
      try? walk(path) { (_, _, found) throws(LibraryError) in
        if case .file(let file) = found {
          files += 1
          bytes = bytes.addingReportingOverflow(file.size).partialValue
        }
        return !isCancelled()
      }
    }
    return (files, bytes)
  }
}
