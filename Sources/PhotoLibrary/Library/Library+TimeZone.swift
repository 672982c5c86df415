import ImageMetadata
import PhotoStore
import Synchronization

extension Library {
  /// The zone of photographs that name no offset, as it was when the library was opened or last set here.
  public var timeZone: String { policy.value.withLock { $0?.timeZoneName } ?? store.timeZoneName }

  /// Changes the library's time zone and moves the assets that name no offset.
  ///
  /// - Parameter name: a zone of the time zone database ("Europe/Berlin").
  /// - Throws: ``LibraryError`` `invalidArgument` for an unknown zone; nothing is changed then.
  public func setTimeZone(_ name: String) throws(LibraryError) {
    let new = try Self.policy(forTimeZone: name)
    try write { (transaction) throws(StoreError) in
      try transaction.setTimeZone(name) { new.offset(at: $0) }
    }
    policy.value.withLock { $0 = new }
  }

  static func policy(
    forTimeZone name: String
  ) throws(LibraryError) -> CreationDatePolicy {
    do {
      return try CreationDatePolicy(timeZone: name)
    } catch {
      throw LibraryError(
        code: .invalidArgument,
        message: "no time zone is called '\(name)'; names are like Europe/Berlin or UTC")
    }
  }
}
