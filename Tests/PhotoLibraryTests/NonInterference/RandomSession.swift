import FoundationEssentials
import PhotoLibrary
import PhotoLibraryTesting
import PhotoModel

/// A random sequence of what owner, other clients and the limited client do, and whether that client is told
/// the same by both libraries after every step.
final class RandomSession {
  /// The first line in which the two differ, or nil.
  struct Difference: CustomStringConvertible {
    let seed: UInt64
    let step: Int
    let operation: String
    let full: String
    let mirror: String

    var description: String {
      "seed \(seed), step \(step), \(operation):\n  library: \(full)\n  selection alone: \(mirror)"
    }
  }

  /// Makes a client of a library: honest, or with a fault that is planted.
  typealias MakeClient = (Library, ClientID) -> LibraryClient

  private static let app = ClientID("org.example.app")
  private static let other = ClientID("org.example.other")

  /// Runs one.
  ///
  /// - Parameters:
  ///   - seed: everything is drawn from it.
  ///   - steps: how many operations.
  ///   - makeClient: how the client is made in both libraries.
  /// - Returns: the first difference.
  /// - Throws: what making the libraries throws.
  static func run(
    seed: UInt64, steps: Int, makeClient: MakeClient = { $0.client($1) }
  ) async throws -> Difference? {
    guard let app, let other else { return nil }
    let twins = try TwinLibraries(seed: seed, client: app)
    let session = RandomSession(
      seed: seed, twins: twins, other: other, random: Generator(state: seed),
      full: try ClientTranscript(makeClient(twins.full.library, app)),
      mirror: try ClientTranscript(makeClient(twins.mirror.library, app)))
    for step in 0..<steps {
      if let difference = try await session.take(step) { return difference }
    }
    return nil
  }

  private let seed: UInt64
  private let twins: TwinLibraries
  private let other: ClientID
  private var random: Generator
  private let full: ClientTranscript
  private let mirror: ClientTranscript

  private init(
    seed: UInt64, twins: TwinLibraries, other: ClientID, random: Generator,
    full: ClientTranscript, mirror: ClientTranscript
  ) {
    self.seed = seed
    self.twins = twins
    self.other = other
    self.random = random
    self.full = full
    self.mirror = mirror
  }

  private enum Operation: CaseIterable {
    case ownerAdds, ownerAddsMore, selects, selectsMore, deselects, ownerDates, otherSelects,
      otherAdds
    case clientAdds, clientDates, location, denies, timeZone
    case ownerRemoves, ownerRestores, purges, ownerMarks, clientMarks, clientRemoves
  }

  private func take(_ step: Int) async throws -> Difference? {
    let operation = Operation.allCases.randomElement(using: &random) ?? .ownerAdds
    twins.begin(step: step, seed: seed)
    full.clear()
    mirror.clear()
    try await perform(operation)
    var chosen = (0..<2).compactMap { _ in twins.known.randomElement(using: &random) }
    // One that never was.
    chosen.append(
      AssetID(bytes: (0..<16).map { _ in UInt8.random(in: 0...255, using: &random) }) ?? AssetID())
    let asksForPictures = step % 4 == 0
    await full.observe(twins.known, chosen: chosen, asksForPictures: asksForPictures)
    await mirror.observe(twins.known, chosen: chosen, asksForPictures: asksForPictures)
    guard full.lines != mirror.lines else { return nil }
    let pair = zip(full.lines, mirror.lines).first { $0 != $1 }
    return Difference(
      seed: seed, step: step, operation: "\(operation)",
      full: pair?.0 ?? "\(full.lines.count) lines", mirror: pair?.1 ?? "\(mirror.lines.count) lines"
    )
  }

  private func perform(_ operation: Operation) async throws {
    switch operation {
    case .ownerAdds, .ownerAddsMore:
      let report = try await twins.full.library.add([try file(in: twins.full)])
      note(report)
    case .otherAdds:
      try twins.full.library.setAccess(of: other, .limited)
      let report = try await twins.full.library.client(other).add([try file(in: twins.full)])
      note(report)
    case .selects: try twins.select(.replace(some()))
    case .selectsMore, .deselects:
      guard try twins.full.library.access(of: twins.client)?.readWrite == .limited else { return }
      try twins.select(operation == .selectsMore ? .add(some()) : .remove(some()))
    case .otherSelects: _ = try twins.full.library.select(.replace(some()), for: other)
    case .ownerDates:
      guard let id = twins.present.randomElement(using: &random) else { return }
      let date = try date()
      try twins.asOwner(id) { try $0.owner.setCreationDate(date, offset: .utc, of: [id]) }
    case .ownerMarks:
      guard let id = twins.present.randomElement(using: &random) else { return }
      let mark = randomMark()
      try twins.asOwner(id) { try $0.owner.performChangesAndWait { mark(&$0, id) } }
    case .ownerRemoves:
      guard let id = twins.present.randomElement(using: &random) else { return }
      try twins.asOwner(id) { try $0.owner.deleteAssets([id]) }
      try twins.noteTrash()
    case .ownerRestores:
      guard let id = twins.trashed.sorted().randomElement(using: &random) else { return }
      try twins.asOwner(id) { try $0.restore([id]) }
      try twins.noteTrash()
    case .purges:
      for library in twins.both { _ = try library.library.purge() }
      try twins.settle()
      try twins.noteTrash()
    case .clientMarks:
      guard let id = twins.known.randomElement(using: &random) else { return }
      let mark = randomMark()
      for transcript in [full, mirror] {
        transcript.note("mark") { try transcript.client.performChangesAndWait { mark(&$0, id) } }
      }
    case .clientRemoves:
      guard let id = twins.known.randomElement(using: &random) else { return }
      for transcript in [full, mirror] {
        transcript.note("remove") { try transcript.client.deleteAssets([id]) }
      }
      try twins.noteTrash()
    case .clientAdds:
      let path = try file(in: twins.full)
      var reports: [AddReport] = []
      for library in twins.both {
        let client = library === twins.full ? full.client : mirror.client
        do {
          reports.append(try await client.add([path]))
        } catch {
          if library === twins.full {
            full.note("add") { throw error }
          } else {
            mirror.note("add") { throw error }
          }
        }
      }
      for (index, report) in reports.enumerated() {
        let text = report.entries.map { "\(String(describing: $0.id)) \($0.isDuplicate)" }
        if index == 0 { full.note("add") { text } } else { mirror.note("add") { text } }
      }
      if let first = reports.first { note(first) }
      try twins.settle()
    case .clientDates:
      guard let id = twins.known.randomElement(using: &random) else { return }
      let date = try date()
      full.note("edit") { try full.client.setCreationDate(date, offset: .utc, of: [id]) }
      mirror.note("edit") { try mirror.client.setCreationDate(date, offset: .utc, of: [id]) }
    case .location:
      let location = Bool.random(using: &random)
      for library in twins.both {
        let access = try library.library.access(of: twins.client)
        try library.library.setAccess(
          of: twins.client, access?.readWrite == .limited ? .limited : .deny, location: location)
      }
    case .denies:
      let denies = Bool.random(using: &random)
      for library in twins.both {
        try library.library.setAccess(of: twins.client, denies ? .deny : .limited)
      }
    case .timeZone:
      let zone = ["UTC", "Europe/Berlin", "Asia/Tokyo"].randomElement(using: &random) ?? "UTC"
      for library in twins.both { try library.library.setTimeZone(zone) }
    }
  }

  private func note(_ report: AddReport) {
    for id in report.entries.compactMap(\.id) where !twins.known.contains(id) {
      twins.known.append(id)
      twins.assets.append(id)
    }
  }

  /// A change of one asset.
  private func randomMark() -> (inout ChangeBlock, AssetID) -> Void {
    let isOn = Bool.random(using: &random)
    switch Int.random(in: 0..<3, using: &random) {
    case 0: return { block, id in block.setFavorite(isOn, of: [id]) }
    case 1: return { block, id in block.setHidden(isOn, of: [id]) }
    default:
      let place = isOn ? Location(latitude: 48, longitude: 11) : nil
      return { block, id in block.setLocation(place, of: [id]) }
    }
  }

  private func some() -> [AssetID] {
    twins.present.filter { _ in Bool.random(using: &random) }.shuffled(using: &random)
  }

  private func file(in library: TemporaryLibrary) throws -> FilePath {
    try library.write(picture().data, named: name())
  }

  private func picture() -> TestPicture {
    RandomSession.pictures.randomElement(using: &random) ?? TestPicture()
  }

  private func name() -> String {
    ["a.jpg", "b.jpg", "IMG_2.jpg", "IMG_10.jpg"].randomElement(using: &random) ?? "a.jpg"
  }

  private func date() throws -> WallClock {
    guard
      let date = WallClock(
        year: 2024, month: 6, day: Int.random(in: 1...3, using: &random), hour: 12)
    else { throw LibraryError(code: .invalidArgument, message: "no date") }
    return date
  }

  /// Few enough that the same bytes come again and dates are equal; some with places, some without an offset.
  private static let pictures: [TestPicture] = (0..<10).map { number in
    var picture = TestPicture(
      date: "2024-06-0\(number % 3 + 1) 12:00:00" + (number % 2 == 0 ? "Z" : ""),
      size: PixelSize(width: 16, height: 8 + number % 3))
    picture.number = number
    if number % 4 == 1 { picture.location = Location(latitude: 48, longitude: 11) }
    return picture
  }

  /// SplitMix64, so that a failed run can be repeated.
  private struct Generator: RandomNumberGenerator {
    var state: UInt64
    mutating func next() -> UInt64 {
      state &+= 0x9E37_79B9_7F4A_7C15
      var z = state
      z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
      z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
      return z ^ (z >> 31)
    }
  }
}
