/// Makes the bytes of a name or path safe to print on a terminal, on one line and without loss.
///
/// Control characters, bidirectional controls, line separators and bytes that are not UTF-8 come out
/// as escapes (`\n`, `\x1b`, `\u{202e}`), a backslash doubled, so that nothing is ambiguous.
func printable(_ bytes: [UInt8]) -> String { escape(bytes, doublingBackslash: true) }

/// As `printable(_:)` for the bytes of a string.
func printable(_ text: String) -> String { escape(Array(text.utf8), doublingBackslash: true) }

/// Makes a whole sentence safe to print: as `printable(_:)`, backslashes kept as they are.
func printableMessage(_ text: String) -> String {
  escape(Array(text.utf8), doublingBackslash: false)
}

private func escape(_ bytes: [UInt8], doublingBackslash: Bool) -> String {
  var result = ""
  result.reserveCapacity(bytes.count)
  var parser = Unicode.UTF8.ForwardParser()
  var iterator = bytes.makeIterator()
  var position = 0
  while true {
    switch parser.parseScalar(from: &iterator) {
    case .emptyInput:
      return result
    case .error(let length):
      for byte in bytes.dropFirst(position).prefix(length) { result += hexadecimal(byte) }
      position += length
    case .valid(let encoded):
      position += encoded.count
      append(Unicode.UTF8.decode(encoded), to: &result, doublingBackslash: doublingBackslash)
    }
  }
}

private func append(_ scalar: Unicode.Scalar, to text: inout String, doublingBackslash: Bool) {
  switch scalar {
  case "\n": text += #"\n"#
  case "\r": text += #"\r"#
  case "\t": text += #"\t"#
  case "\\" where doublingBackslash: text += #"\\"#
  case _ where !mustBeEscaped(scalar): text.unicodeScalars.append(scalar)
  case _ where scalar.isASCII: text += hexadecimal(UInt8(truncatingIfNeeded: scalar.value))
  default: text += #"\u{"# + String(scalar.value, radix: 16) + "}"
  }
}

/// Whether a character could move the cursor, break the line or turn the text around.
///
/// The bidirectional controls are those of UAX #9, section 2.
func mustBeEscaped(_ scalar: Unicode.Scalar) -> Bool {
  switch scalar.value {
  case 0x00...0x1F, 0x7F...0x9F: true
  case 0x061C, 0x200E, 0x200F, 0x202A...0x202E, 0x2066...0x2069: true
  case 0x2028, 0x2029, 0xFEFF: true
  default: false
  }
}

private func hexadecimal(_ byte: UInt8) -> String {
  #"\x"# + (byte < 16 ? "0" : "") + String(byte, radix: 16)
}
