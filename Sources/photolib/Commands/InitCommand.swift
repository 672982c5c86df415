import PhotoLibrary

/// Makes an empty library, or changes the time zone of one.
enum InitCommand: Command {
  static let name = "init"
  static let summary = "make an empty library, or change the time zone of one"
  static let forms = ["[PATH] [--time-zone ZONE]"]
  static let actor = ActorRule.ownerOnly
  static let endsAtOnce = false
  static let options = [
    Option(
      .timeZone, value: "ZONE",
      help: "the zone of dates without an offset, by name: Europe/Berlin; else the system's")
  ]
  static let details = """
    PATH is the library, as --library names it. On a library that is there already, --time-zone
    changes the zone and recomputes the moments of photos whose file names no offset.

    examples:
      photolib init
      photolib init ~/Pictures/Photos.photolib --time-zone Europe/Berlin
    """

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    let operands = invocation.arguments.operands
    if operands.count > 1 { throw .usage(printable(operands[1]), "is not expected here") }
    if let operand = operands.first, invocation.globals.namedLibrary != nil {
      throw .usage(printable(operand), "cannot stand beside --library")
    }
    if operands.first?.isEmpty == true { throw .usage("PATH", "is empty") }
    let path = operands.first.map { FilePath(bytes: $0) } ?? invocation.globals.library
    let zone = try invocation.arguments.text(.timeZone)
    let configuration = invocation.globals.configuration
    let subject = printable(path.bytes)

    let existing: Library?
    do {
      existing = try invocation.libraryIfAny(at: path, zone == nil ? .readOnly : .readWrite)
    } catch  where error.status == .unavailable && zone == nil {
      // Something else is at the path: nothing can be made there.
      throw Failure(.cannotCreate, subject, error.why)
    }
    let library: Library
    if let existing {
      guard let zone else {
        throw Failure(
          .cannotCreate, subject, "there is a photo library already",
          hint: "to change its time zone: --time-zone ZONE")
      }
      try translating(about: subject) { () throws(LibraryError) in
        try existing.setTimeZone(zone)
      }
      library = existing
    } else {
      library = try translating(about: subject) { () throws(LibraryError) in
        try Library.create(at: path, timeZone: zone, configuration: configuration)
      }
    }
    let isNew = existing == nil
    if invocation.terminal.style.json {
      let object = JSON.object([
        ("library", .string(path.string)), ("created", .bool(isNew)),
        ("timeZone", .string(library.timeZone)),
      ])
      try invocation.terminal.writeLine(object.text)
    } else {
      let what = isNew ? "an empty photo library" : "photo library"
      try invocation.terminal.writeLine("\(subject): \(what), time zone \(library.timeZone)")
    }
    return .success
  }
}
