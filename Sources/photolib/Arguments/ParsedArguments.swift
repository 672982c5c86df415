import COptions

/// What stood on the command line: options by name, and the rest in its order, as bytes.
struct ParsedArguments: Sendable {
  /// The value of each option that was given (empty for those without); the last one wins.
  private(set) var options: [OptionName: [UInt8]] = [:]
  /// What is no option.
  private(set) var operands: [[UInt8]] = []
  private var repeated: Set<OptionName> = []

  func has(_ name: OptionName) -> Bool { options[name] != nil }

  /// Whether an option was given more than once.
  func isRepeated(_ name: OptionName) -> Bool { repeated.contains(name) }

  /// The first of the options that was given, in the order of the list.
  func first(of names: [OptionName]) -> OptionName? { names.first { options[$0] != nil } }

  /// The value of an option as text; nil if it was not given.
  func text(_ name: OptionName) throws(Failure) -> String? {
    guard let bytes = options[name] else { return nil }
    guard let text = String(validating: bytes, as: UTF8.self) else {
      throw .usage("\(name.text) \(printable(bytes))", "is not UTF-8")
    }
    return text
  }

  /// The value of an option as a whole number within a range; nil if it was not given.
  func integer(_ name: OptionName, in range: ClosedRange<Int>) throws(Failure) -> Int? {
    guard let bytes = options[name] else { return nil }
    return try wholeNumber(bytes, in: range, of: name.text)
  }

  /// The value of an option as one of a few words; nil if it was not given.
  func choice<Choice: RawRepresentable<String> & CaseIterable>(
    _ name: OptionName, as type: Choice.Type
  ) throws(Failure) -> Choice? {
    guard let text = try text(name) else { return nil }
    if let choice = Choice(rawValue: text) { return choice }
    let words = Choice.allCases.map(\.rawValue).joined(separator: ", ")
    throw .usage("\(name.text) \(printable(text))", "is none of \(words)")
  }

  /// The first operand, which is taken away; nil where there is none.
  mutating func takeFirstOperand() -> [UInt8]? {
    operands.isEmpty ? nil : operands.removeFirst()
  }

  mutating func add(_ name: OptionName, value: [UInt8]) {
    if options.updateValue(value, forKey: name) != nil { repeated.insert(name) }
  }
  mutating func add(operand: [UInt8]) { operands.append(operand) }
  mutating func add(optionsOf other: ParsedArguments) {
    for (name, value) in other.options { add(name, value: value) }
    repeated.formUnion(other.repeated)
  }
}

/// Reads a whole number of decimal digits that comes from `source`, an option or environment variable.
func wholeNumber(
  _ bytes: [UInt8], in range: ClosedRange<Int>, of source: String
) throws(Failure) -> Int {
  let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
  if !bytes.isEmpty, bytes.allSatisfy(digits.contains),
    let value = Int(String(decoding: bytes, as: UTF8.self)), range.contains(value)
  {
    return value
  }
  let limits =
    range.upperBound == .max
    ? "of \(range.lowerBound) or more" : "from \(range.lowerBound) to \(range.upperBound)"
  throw .usage("\(source) \(printable(bytes))", "is not a whole number \(limits)")
}

extension ParsedArguments {
  /// What a reading of the command line came to.
  enum Outcome {
    case complete
    /// `--help` or `--version` stood there; nothing after it was looked at.
    case asksFor(OptionName)
    /// The first operand, and the index of it, where only that was asked for.
    case command([UInt8], index: Int)
  }

  /// Reads the command line behind `start`, the element that stands for a program's name.
  ///
  /// Only `known` options may stand there. With `stopsAtOperand` it ends at the first operand, which then
  /// is the name of a command. `hint` says what to run after a wrong option.
  mutating func read(
    from start: Int, known: [Option], stopsAtOperand: Bool, hint: String
  ) throws(Failure) -> Outcome {
    let count = Int(CommandLine.argc) - start
    guard count > 0,
      let parser = unsafe copt_open(
        Int32(count), UnsafeMutablePointer(CommandLine.unsafeArgv + start))
    else { return .complete }
    defer { unsafe copt_close(parser) }
    for option in known {
      let letter = option.letter?.asciiValue.map { CChar(bitPattern: $0) } ?? 0
      guard
        unsafe copt_add(
          parser, option.name.rawValue, letter, option.value != nil, Int32(option.name.identifier))
      else { throw Failure(.io, "command line", "there is no memory to read it") }
    }
    while true {
      let element = unsafe copt_next(parser)
      let name = unsafe OptionName(identifier: Int(element.identifier))
      let text = unsafe bytes(of: element.text)
      switch unsafe element.kind {
      case COPT_ARGUMENT:
        if stopsAtOperand {
          return unsafe .command(text, index: start + Int(copt_position(parser)) - 1)
        }
        add(operand: text)
      case COPT_OPTION:
        guard let name else { continue }
        if name == .help || name == .version { return .asksFor(name) }
        add(name, value: text)
      case COPT_UNKNOWN:
        let letter = unsafe [UInt8(ascii: "-"), UInt8(bitPattern: element.letter)]
        let shown = text.isEmpty ? letter : Array(text.prefix { $0 != UInt8(ascii: "=") })
        throw .usage(printable(shown), "unknown option", hint: hint)
      case COPT_MISSING_VALUE:
        throw .usage(name?.text ?? "option", "needs a value", hint: hint)
      case COPT_UNEXPECTED_VALUE:
        throw .usage(name?.text ?? "option", "takes no value", hint: hint)
      default:
        return .complete
      }
    }
  }
}

/// The bytes of a string of the command line, which need not be UTF-8.
private func bytes(of string: UnsafePointer<CChar>?) -> [UInt8] {
  guard var next = unsafe string else { return [] }
  var bytes: [UInt8] = []
  while unsafe next.pointee != 0 {
    unsafe bytes.append(UInt8(bitPattern: next.pointee))
    unsafe next += 1
  }
  return bytes
}
