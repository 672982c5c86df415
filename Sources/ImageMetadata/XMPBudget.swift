/// How much XMP of one file is looked at, all its packets together.
///
/// Every tag, attribute, comment, instruction and piece of text is a part, and costs some microseconds; a
/// file of 8 MB could have millions. Once a part too many was asked for, nothing more is granted.
struct XMPBudget {
  /// Some ten times what the longest history of edits takes.
  static let maximumParts = 40_000
  /// End tags that nothing began: each is looked for among all elements around it.
  static let maximumStrays = 1_000

  private(set) var parts = 0
  private(set) var strays = 0

  var isExhausted: Bool { parts > Self.maximumParts || strays > Self.maximumStrays }

  /// Counts parts that were met; returns whether they may be looked at.
  mutating func take(_ count: Int = 1) -> Bool {
    guard !isExhausted else { return false }
    parts += count
    return !isExhausted
  }

  mutating func takeStray() { strays += 1 }
}
