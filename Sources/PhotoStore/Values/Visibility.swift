package import PhotoModel

/// What a reader may see.
///
/// No read goes without one, and it becomes part of the SQL of the read.
package enum Visibility: Hashable, Sendable {
  /// Nothing at all; no table is looked at.
  case nothing
  /// Exactly the assets that the owner selected for this client.
  case selection(ClientID, location: Bool)
  /// Every asset that is not in the trash.
  case everything(location: Bool)
  /// Every asset, with places; statistics count the trash too.
  case owner

  /// Whether places, and with them the untouched bytes' hash and size, may be known.
  package var includesLocation: Bool {
    switch self {
    case .nothing: false
    case .selection(_, let location), .everything(let location): location
    case .owner: true
    }
  }
}
