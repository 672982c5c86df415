import PhotoLibrary

/// Looks whether the library is whole.
enum CheckCommand: Command {
  static let name = "check"
  static let summary = "look whether the library is whole"
  static let forms = ["[--read-data]"]
  static let actor = ActorRule.ownerOnly
  static let endsAtOnce = true
  static let options = [Option(.readData, help: "read every original and compare its hash")]
  static let details = """
    Compares index and files, both ways, and changes nothing. One line a finding; exit status 65 if
    there is any, 0 and no output if the library is whole.

    example:
      photolib check --read-data
    """

  static func run(_ invocation: Invocation) async throws(Failure) -> ExitStatus {
    try invocation.takesNoOperands()
    let terminal = invocation.terminal
    let library = try invocation.openLibrary(.readOnly)
    let progress = Progress("checking", on: terminal)
    var problem: Failure?
    let count = try translating(about: "check") { () throws(LibraryError) in
      try library.check(readData: invocation.arguments.has(.readData)) { done, total in
        progress.set(done: done, total: total)
      } onFinding: { finding in
        guard problem == nil else { return }
        do throws(Failure) {
          try terminal.writeLine(terminal.style.json ? finding.json.text : finding.line)
        } catch {
          problem = error
        }
      }
    }
    progress.finish()
    if let problem { throw problem }
    return count == 0 ? .success : .damagedData
  }
}

extension CheckFinding {
  fileprivate var json: JSON {
    .object([
      ("kind", .string(kind)), ("id", .optional(id?.localIdentifier)),
      ("detail", .string(detail)), ("repair", .string(repair)),
    ])
  }

  fileprivate var line: String {
    let subject = id.map { " \($0.uuidString)" } ?? ""
    let cure = repair.isEmpty ? "" : " (\(printableMessage(repair)))"
    return "\(printable(kind))\(subject): \(printableMessage(detail))\(cure)"
  }
}
