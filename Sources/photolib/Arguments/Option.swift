/// The long options, by name.
enum OptionName: String, CaseIterable, Sendable {
  case help, version, json, quiet
  case noProgress = "no-progress"
  case color, library, client, owner, memory
  case maxPixels = "max-pixels"
  case cpu
  case timeZone = "time-zone"
  case dryRun = "dry-run"
  case keepDamaged = "keep-damaged"
  case sort, limit, offset, count, ids, from, to, type, all
  case thumbs, size, mode, output, format, quality, jobs
  case noCache = "no-cache"
  case fast
  case sheet
  case limited, full, deny, add, remove
  case selectNone = "none"
  case addOnly = "add-only"
  case location
  case noLocation = "no-location"
  case readData = "read-data"
  case date, since, favorite, hidden
  case olderThan = "older-than"
  case yes
  case level, purpose
  case noWait = "no-wait"

  /// As it is written: `--max-pixels`.
  var text: String { "--" + rawValue }

  /// The number under which the option parser knows it.
  var identifier: Int { Self.allCases.firstIndex(of: self) ?? 0 }

  init?(identifier: Int) {
    guard Self.allCases.indices.contains(identifier) else { return nil }
    self = Self.allCases[identifier]
  }
}

/// An option as a command takes it, and as its help describes it.
struct Option: Sendable {
  let name: OptionName
  let letter: Character?
  /// What stands for its value in the help, or nil if it takes none.
  let value: String?
  let help: String

  init(_ name: OptionName, _ letter: Character? = nil, value: String? = nil, help: String) {
    self.name = name
    self.letter = letter
    self.value = value
    self.help = help
  }

  /// The options of every command.
  static let global: [Option] = [
    Option(
      .library, "L", value: "PATH",
      help: "the library; else $PHOTOLIB_LIBRARY, else $XDG_DATA_HOME/photolib/Photos.photolib"),
    Option(.client, "c", value: "ID", help: "the client that acts, or that is meant"),
    Option(.owner, help: "read as the owner, past every selection"),
    Option(.memory, value: "MB", help: "the memory of decoding (320), else $PHOTOLIB_MEMORY"),
    Option(
      .maxPixels, value: "MP",
      help: "refuse pictures of more megapixels (300), else $PHOTOLIB_MAX_PIXELS"),
    Option(.cpu, value: "SECONDS", help: "of decoding a picture, at most (10), else $PHOTOLIB_CPU"),
    Option(.json, help: "results as JSON"),
    Option(.quiet, "q", help: "no hints, warnings or progress"),
    Option(.noProgress, help: "no progress line"),
    Option(
      .color, value: "WHEN", help: "auto, always or never; $NO_COLOR is respected by auto"),
    Option(.help, "h", help: "what a command does, with its options"),
    Option(.version, "V", help: "the version of photolib"),
  ]

  /// The options that choose assets, wherever identifiers may stand.
  static let choosing: [Option] = [
    Option(
      .from, value: "DATE", help: "taken at this date or later: 2024, 2024-05, 2024-05-01T14:30"),
    Option(
      .to, value: "DATE", help: "taken at this date or earlier, the whole unit named included"),
    Option(.type, value: "TYPE", help: "jpeg or png"),
    Option(.all, help: "all assets"),
  ]
}
