/// The number of terminal columns that a text takes.
///
/// An approximation of Unicode's East Asian Width (UAX #11): wide blocks and emoji take two columns,
/// marks that combine take none.
func displayWidth(_ text: String) -> Int {
  text.reduce(0) { $0 + displayWidth($1) }
}

private func displayWidth(_ character: Character) -> Int {
  character.unicodeScalars.reduce(0) { max($0, displayWidth($1)) }
}

private func displayWidth(_ scalar: Unicode.Scalar) -> Int {
  if scalar.isASCII { return 1 }
  switch scalar.properties.generalCategory {
  case .nonspacingMark, .enclosingMark, .format, .control: return 0
  default: break
  }
  switch scalar.value {
  case 0x1100...0x115F, 0x2E80...0x303E, 0x3041...0x33FF, 0x3400...0x4DBF, 0x4E00...0x9FFF,
    0xA000...0xA4CF, 0xAC00...0xD7A3, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60,
    0xFFE0...0xFFE6, 0x1F300...0x1F64F, 0x1F680...0x1F6FF, 0x1F900...0x1F9FF, 0x20000...0x3FFFD:
    return 2
  default:
    return 1
  }
}

/// The text, cut to so many columns with an ellipsis where it is longer.
func cut(_ text: String, toColumns columns: Int) -> String {
  guard displayWidth(text) > columns else { return text }
  var result = ""
  var room = columns - 1
  for character in text {
    room -= displayWidth(character)
    if room < 0 { break }
    result.append(character)
  }
  return columns < 1 ? "" : result + "…"
}

/// The text with blanks behind it (or before it), up to so many columns.
func pad(_ text: String, toColumns columns: Int, alignedRight: Bool = false) -> String {
  let blanks = String(repeating: " ", count: max(0, columns - displayWidth(text)))
  return alignedRight ? blanks + text : text + blanks
}
