import FoundationEssentials
import Glibc
import PhotoModel
import Testing

@testable import PhotoStore

@Suite("Making and opening a library")
struct CreationTests {
  @Test("modes are 0700, 0600 and 0400 whatever the umask", arguments: [0o000, 0o022, 0o777])
  func modes(mask: Int) async throws {
    let folder = try TemporaryFolder()
    // In a process of its own: the umask is the whole process's.
    await #expect(processExitsWith: .success) {
      [path = folder.path as String, mask = mask as Int] in
      umask(mode_t(mask))
      let library = try TestLibrary(in: path)
      try library.add("one")
      library.store.thumbnails.store([
        (
          ThumbnailKey(
            sha256: try library.sha("one"), orientation: .up, recipe: ThumbnailRecipe(),
            scope: nil),
          Thumbnail(data: [1], size: PixelSize(width: 1, height: 1), source: .decoded)
        )
      ])
      #expect(mode(library.path) == 0o700)
      for folder in ["originals", "staging", "snapshots", "quarantine"] {
        #expect(mode(library.path + "/" + folder) == 0o700)
      }
      for file in [
        "library.sqlite", "library.sqlite-wal", "library.sqlite-shm", "library.lock", "doorbell",
        "thumbnails.sqlite", "thumbnails.sqlite-wal",
      ] {
        #expect(mode(library.path + "/" + file) == 0o600, "\(file)")
      }
      let original = try library.original("one")
      #expect(mode(original) == 0o400)
      #expect(mode(original.prefixUpToLastSlash) == 0o700)
      #expect(try library.findings() == [])
    }
  }

  @Test("a new library has local.default fully authorized, and keeps its time zone")
  func defaults() throws {
    let library = try TestLibrary()
    library.store.close()
    let store = try library.reopen()
    #expect(store.timeZoneName == "Europe/Berlin")
    let record = try store.read { (transaction) throws(StoreError) in
      try transaction.client(.localDefault)
    }
    #expect(record?.readWrite == .authorized)
    #expect(record?.addOnly == .authorized)
    #expect(record?.location == true)
  }

  @Test("parents are made; making a library twice is refused")
  func twice() throws {
    let folder = try TemporaryFolder()
    let path = folder.path("a/b/Photos.photolib")
    _ = try Store.create(at: path, timeZone: "UTC", environment: .system)
    let error = #expect(throws: StoreError.self) {
      try Store.create(at: path, timeZone: "UTC", environment: .system)
    }
    #expect(error?.code == .cannotCreate)
    #expect(error?.message.contains("already") == true)
  }

  @Test("a folder that is not empty is left alone")
  func notEmpty() throws {
    let folder = try TemporaryFolder()
    _ = try folder.file([1], name: "letter.txt")
    let error = #expect(throws: StoreError.self) {
      try Store.create(at: folder.path, timeZone: "UTC", environment: .system)
    }
    #expect(error?.code == .cannotCreate)
    #expect(
      #expect(throws: StoreError.self) {
        try Store.open(at: folder.path, mode: .readOnly, environment: .system)
      }?.code == .notALibrary)
  }

  @Test("nothing there is notFound, a file is notALibrary")
  func notThere() throws {
    let folder = try TemporaryFolder()
    _ = try folder.file([1], name: "file")
    #expect(
      #expect(throws: StoreError.self) {
        try Store.open(at: folder.path("none"), mode: .readWrite, environment: .system)
      }?.code == .notFound)
    #expect(
      #expect(throws: StoreError.self) {
        try Store.open(at: folder.path("file/x"), mode: .readWrite, environment: .system)
      }?.code == .notALibrary)
    #expect(!Store.isLibrary(at: folder.path))
    #expect(!Store.isLibrary(at: folder.path("file")))
  }

  @Test("a creation that was broken off anywhere is finished by making the library again")
  func brokenOff() throws {
    // Everything that a creation does before the index has its name, step by step.
    let steps = [
      "library.lock", "originals/", "staging/", "snapshots/", "quarantine/", "doorbell",
      "library.sqlite.new", "library.sqlite.new-wal",
    ]
    for count in 1...steps.count {
      let folder = try TemporaryFolder()
      for step in steps.prefix(count) {
        if step.hasSuffix("/") {
          unsafe mkdir(folder.path(step), 0o700)
        } else {
          _ = try folder.file(Array("half".utf8), name: step)
        }
      }
      #expect(
        #expect(throws: StoreError.self) {
          try Store.open(at: folder.path, mode: .readWrite, environment: .system)
        }?.code == .notFound)
      let store = try Store.create(at: folder.path, timeZone: "UTC", environment: .system)
      #expect(store.timeZoneName == "UTC")
      #expect(!exists(folder.path("library.sqlite.new")))
    }
  }

  @Test("originals without an index are damage: nothing is swept, no index is made")
  func missingIndex() throws {
    let library = try TestLibrary()
    try library.add("one")
    library.store.close()
    try FileManager.default.removeItem(atPath: library.path + "/library.sqlite")
    for attempt in 0..<2 {
      if attempt == 1 { _ = try library.folder.file([], name: "Photos.photolib/library.sqlite") }
      #expect(#expect(throws: StoreError.self) { try library.reopen() }?.code == .damaged)
      #expect(
        #expect(throws: StoreError.self) {
          try Store.create(at: library.path, timeZone: "UTC", environment: .system)
        }?.code == .damaged)
      #expect(exists(try library.original("one")))
    }
  }

  @Test("an index of a newer version is refused, for reading and for writing")
  func newer() throws {
    let library = try TestLibrary()
    library.store.close()
    try library.tamper("PRAGMA user_version = 99")
    for mode in [StoreMode.readOnly, .readWrite] {
      #expect(#expect(throws: StoreError.self) { try library.reopen(mode) }?.code == .newerVersion)
    }
  }

  @Test("garbage in place of the index is damage")
  func garbage() throws {
    let library = try TestLibrary()
    library.store.close()
    let junk = [UInt8](repeating: 0x5a, count: 8_192)
    _ = try library.folder.file(junk, name: "Photos.photolib/library.sqlite")
    for mode in [StoreMode.readOnly, .readWrite] {
      #expect(#expect(throws: StoreError.self) { try library.reopen(mode) }?.code == .damaged)
    }
  }

  @Test("a closed store throws")
  func closed() throws {
    let library = try TestLibrary()
    library.store.close()
    #expect(throws: StoreError.self) { try library.ids() }
    #expect(throws: (any Error).self) { try library.add("one") }
  }
}

extension String {
  /// The folder of a path.
  var prefixUpToLastSlash: String {
    lastIndex(of: "/").map { String(self[..<$0]) } ?? self
  }
}
