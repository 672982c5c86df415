import FoundationEssentials
import Glibc
import PhotoModel
import Testing

@testable import PhotoStore

@Suite("Reading without writing")
struct ReadOnlyTests {
  /// Opens as on media that cannot be written to. (The superuser may write everywhere, so that the
  /// permissions themselves would not do.)
  private func openMedia(_ library: TestLibrary) throws -> Store {
    try Store.open(at: library.path, mode: .readOnly, environment: .system, isWritable: false)
  }

  private func contents(_ library: TestLibrary) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: library.path).sorted()
  }

  @Test("with an empty or absent log the file itself is read, and nothing is made")
  func quiet() throws {
    let library = try TestLibrary()
    let id = try library.add("one")
    library.store.close()
    for _ in 0..<2 {
      let before = try contents(library)
      let store = try openMedia(library)
      #expect(try library.ids(in: store) == [id])
      let reference = try #require(
        try store.read { (transaction) throws(StoreError) in try transaction.original(id, .owner) })
      #expect(try store.openOriginal(reference).byteSize == 7)
      #expect(try library.findings(readData: true, in: store) == [])
      #expect(
        #expect(throws: StoreError.self) {
          try store.write { (_) throws(StoreError) in }
        }?.code == .readOnly)
      store.close()
      #expect(try contents(library) == before)
      _ = try library.folder.file([], name: "Photos.photolib/library.sqlite-wal")
      unsafe chmod(library.path + "/library.sqlite-wal", 0o600)
    }
  }

  @Test("revocations in the log are seen, also those that come later")
  func log() throws {
    let library = try TestLibrary()
    let ids = [try library.add("one"), try library.add("two")]
    let frame = try client("org.example.frame")
    let eye = Visibility.selection(frame, location: false)
    try library.select(frame, ids)
    library.store.close()
    let media = try openMedia(library)
    #expect(try library.ids(FetchQuery(), eye, in: media).count == 2)
    // A writer that does have the permission is at work: its log is not empty.
    let writer = try library.reopen()
    _ = try writer.write { (transaction) throws(StoreError) in
      try transaction.replaceSelection(of: frame, with: [ids[0]])
    }
    #expect(try library.ids(FetchQuery(), eye, in: media) == [ids[0]])
    let late = try openMedia(library)
    #expect(try library.ids(FetchQuery(), eye, in: late) == [ids[0]])
    _ = try writer.write { (transaction) throws(StoreError) in
      try transaction.replaceSelection(of: frame, with: [])
    }
    #expect(try library.ids(FetchQuery(), eye, in: media) == [])
    #expect(try library.ids(FetchQuery(), eye, in: late) == [])
    writer.close()
    #expect(try library.ids(FetchQuery(), eye, in: media) == [])
  }

  @Test("writing is refused with the reason")
  func writing() throws {
    let library = try TestLibrary()
    let error = #expect(throws: StoreError.self) {
      try Store.open(at: library.path, mode: .readWrite, environment: .system, isWritable: false)
    }
    #expect(error?.code == .readOnly)
  }

  @Test("a reader and a writer of one library do not wait for each other")
  func side() throws {
    let library = try TestLibrary()
    let reader = try library.reopen(.readOnly, timeout: 0)
    let writer = try library.reopen(timeout: 0)
    try reader.read { (transaction) throws(StoreError) in
      let before = try transaction.count(FetchQuery(), .owner)
      do {
        let session = try writer.beginImport()
        _ = try session.commit(
          [library.asset(try session.stage(TestLibrary.bytes("one")), name: "x")], by: .owner)
      }
      #expect(try transaction.count(FetchQuery(), .owner) == before)
    }
    #expect(try library.ids(in: reader).count == 1)
  }

  @Test("a second writer waits for the timeout and is told that the library is busy")
  func busy() throws {
    let library = try TestLibrary()
    let second = try library.reopen(timeout: 50)
    let error = #expect(throws: StoreError.self) {
      try library.store.write { (_) throws(StoreError) in
        try second.write { (_) throws(StoreError) in }
      }
    }
    #expect(error?.code == .busy)
  }

  @Test("permissions decide, for a user whom they bind", .enabled(if: geteuid() != 0))
  func permissions() throws {
    let library = try TestLibrary()
    let id = try library.add("one")
    library.store.close()
    let index = library.path + "/library.sqlite"
    for (path, closed, open) in [
      (library.path, mode_t(0o500), mode_t(0o700)), (index, 0o400, 0o600),
    ] {
      unsafe chmod(path, closed)
      let before = try contents(library)
      #expect(#expect(throws: StoreError.self) { try library.reopen() }?.code == .readOnly)
      let reader = try library.reopen(.readOnly)
      #expect(try library.ids(in: reader) == [id])
      #expect(reader.thumbnails.find([]).isEmpty)
      reader.close()
      #expect(try contents(library) == before)
      unsafe chmod(path, open)
    }
    unsafe chmod(library.path, 0)
    let error = #expect(throws: StoreError.self) { try library.reopen(.readOnly) }
    #expect(error?.message.contains("closed to this user") == true)
    unsafe chmod(library.path, 0o700)
  }
}
