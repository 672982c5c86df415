import FoundationEssentials
import Glibc
import ImageCodecs
import PhotoLibrary
import PhotoLibraryTesting
import PhotoModel

@testable import PhotoStore

/// A library with a limited client, and a second one that holds nothing but what is selected for that client.
///
/// Whatever happens in the first is done in the second as far as the client may know of it: an asset that is
/// selected is put there with its record, original and moment of adding, and one that no longer is selected is
/// taken out without a trace. Time, identifiers and keys are the same, so all that the client is told by the two
/// must be the same too.
final class TwinLibraries {
  let full: TemporaryLibrary
  let mirror: TemporaryLibrary
  let client: ClientID
  /// The assets of the first library, in the order of adding, that are not purged.
  var assets: [AssetID] = []
  /// Every identifier that ever was in the first library.
  var known: [AssetID] = []
  /// Those of `assets` that lie in the trash of the first library.
  private(set) var trashed: Set<AssetID> = []
  /// Those of `assets` that do not.
  var present: [AssetID] { assets.filter { !trashed.contains($0) } }
  /// What the second library holds.
  private var mirrored: Set<AssetID> = []

  init(seed: UInt64, client: ClientID) throws {
    full = try TemporaryLibrary(seed: seed)
    mirror = try TemporaryLibrary(seed: seed)
    self.client = client
    for library in both {
      try library.library.setAccess(of: client, .limited)
      _ = try library.library.select(.replace([]), for: client)
    }
  }

  var both: [TemporaryLibrary] { [full, mirror] }

  /// Sets clock and generators of both for one step.
  func begin(step: Int, seed: UInt64) {
    for library in both {
      library.setClock(
        to: Instant(nanoseconds: 1_767_225_600_000_000_000 + Int64(step + 1) * 3_600_000_000_000))
      library.reseed(seed &+ UInt64(step) &* 0x9E37_79B9)
    }
  }

  /// The stored selection of the first library, the trash included.
  func selection() throws -> Set<AssetID> {
    let index = try Self.index(of: full)
    return Set(
      try index.all(
        SQL(
          "SELECT uuid FROM selections WHERE client = (SELECT row FROM clients WHERE id = ?)",
          .text(client.rawValue))
      ) { (row) throws(StoreError) in try AssetRow.id(row, 0) })
  }

  /// Changes the selection in both.
  func select(_ change: SelectionChange) throws {
    let coming: [AssetID] =
      switch change {
      case .replace(let ids), .add(let ids): ids
      case .remove, .none: []
      }
    for id in coming where !mirrored.contains(id) { try put(id) }
    _ = try full.library.select(change, for: client)
    if case .remove(let ids) = change {
      _ = try mirror.library.select(.remove(ids.filter(mirrored.contains)), for: client)
    } else {
      _ = try mirror.library.select(change, for: client)
    }
    try settle()
  }

  /// Takes out of the second library what is no longer selected, and notes what has come.
  func settle() throws {
    let selected = try selection()
    let gone = mirrored.subtracting(selected)
    if !gone.isEmpty {
      let index = try Self.index(of: mirror)
      for id in gone { try index.run("DELETE FROM assets WHERE uuid = ?", .blob(id.bytes)) }
    }
    mirrored = selected
  }

  /// Notes what lies in the trash of the first library, and what has been purged.
  func noteTrash() throws {
    trashed = Set(try full.library.trash().map(\.id))
    let index = try Self.index(of: full)
    let there = Set(
      try index.all(SQL("SELECT uuid FROM assets")) { (row) throws(StoreError) in
        try AssetRow.id(row, 0)
      })
    assets.removeAll { !there.contains($0) }
  }

  /// Does something to one asset as the owner, in the second library too where the asset is there.
  func asOwner(_ id: AssetID, _ body: (Library) throws -> Void) throws {
    try body(full.library)
    if mirrored.contains(id) { try body(mirror.library) }
  }

  /// Puts an asset's record and original into the second library.
  private func put(_ id: AssetID) throws {
    let index = try Self.index(of: mirror)
    let source = full.library.path.string + "/library.sqlite"
    try index.execute("ATTACH '\(source)' AS full")
    defer { try? index.execute("DETACH full") }
    let names =
      try index.first(
        SQL("SELECT group_concat(name) FROM pragma_table_info('assets') WHERE name <> 'row'")
      ) { (row) throws(StoreError) in row.text(0) } ?? ""
    try index.run(
      "INSERT INTO main.assets (\(names)) SELECT \(names) FROM full.assets WHERE uuid = ?",
      .blob(id.bytes))
    let file = try index.first(
      SQL("SELECT sha256, format FROM full.assets WHERE uuid = ?", .blob(id.bytes))
    ) { (row) throws(StoreError) in (row.blob(0), row.int(1)) }
    guard let (sha256, raw) = file, let format = ImageFormat(rawValue: raw) else { return }
    let name = OriginalName(sha256: sha256, format: format)
    let shard = mirror.library.path.string + "/originals/" + name.shard
    _ = unsafe mkdir(shard, 0o700)
    _ = unsafe link(
      full.library.path.string + "/originals/" + name.shard + "/" + name.fileName,
      shard + "/" + name.fileName)
  }

  static func index(of library: TemporaryLibrary) throws -> Connection {
    try Connection(
      path: library.library.path.string + "/library.sqlite", purpose: .writer,
      busyTimeoutMilliseconds: 5_000)
  }
}
