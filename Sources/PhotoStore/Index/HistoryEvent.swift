import PhotoModel

/// What happened to an asset, as the history records it.
///
/// Raw values are stored.
enum EventKind: Int64 {
  case inserted = 1
  case changed = 2
  case removed = 3
  /// The client's level of reading was switched, or, where the old level is the new one, whether it may
  /// know places (in a client's history only).
  case levelSwitch = 4
}

/// What kind of thing an event is about.
///
/// Raw values are stored.
enum HistoryObject: Int64 {
  case asset = 1
  case album = 2
  case folder = 3
}

/// How much a client may read.
///
/// Raw values are stored.
enum ReadingLevel: Int64 {
  case nothing = 0
  case selection = 1
  case everything = 2

  init(_ status: AuthorizationStatus) {
    self =
      switch status {
      case .authorized: .everything
      case .limited: .selection
      case .notDetermined, .restricted, .denied: .nothing
      }
  }

  init(_ visibility: Visibility) {
    self =
      switch visibility {
      case .nothing: .nothing
      case .selection: .selection
      case .everything, .owner: .everything
      }
  }
}

/// The position of an asset in date order, as history rows keep it.
struct SortPosition: Equatable {
  var created: Int64
  var nameKey: [UInt8]
}

/// What the events of a span of history come to.
struct FoldedHistory {
  private var firstAndLast: [AssetID: (first: EventKind, last: EventKind)] = [:]

  mutating func append(_ kind: EventKind, _ id: AssetID) {
    firstAndLast[id] = (firstAndLast[id]?.first ?? kind, kind)
  }

  /// Whether the asset was there before the span; nil where no event tells.
  func wasThere(_ id: AssetID) -> Bool? { firstAndLast[id].map { $0.first != .inserted } }

  /// The assets that were there before the span and have an event in it.
  var previously: [AssetID] { firstAndLast.filter { $0.value.first != .inserted }.map(\.key) }

  /// Whether anything happened to the asset.
  func touches(_ id: AssetID) -> Bool { firstAndLast[id] != nil }

  /// An asset that came and went within the span is in no set; one that went and came back may have
  /// changed meanwhile.
  var changes: ChangeSet {
    var changes = ChangeSet()
    for (id, events) in firstAndLast {
      switch (events.first == .inserted, events.last == .removed) {
      case (true, true): continue
      case (true, false): changes.inserted.insert(id)
      case (false, true): changes.removed.insert(id)
      case (false, false): changes.changed.insert(id)
      }
    }
    return changes
  }
}
