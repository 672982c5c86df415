/// Makes TIFF blocks by hand: IFD0 at 8, then the other directories, then their values.
struct TIFFBuilder {
  enum Value {
    case text(String)
    case short([UInt16])
    case long([UInt32])
    case rational([(UInt32, UInt32)])
    /// Type, count, and the bytes as they stand in the file.
    case raw(UInt16, UInt32, [UInt8])
    /// An offset written as it is, of a value of so many bytes somewhere.
    case elsewhere(UInt16, UInt32, offset: UInt32)
  }
  typealias Entry = (tag: UInt16, value: Value)

  var bigEndian = false
  var main: [Entry] = []
  var exif: [Entry]?
  var gps: [Entry]?
  var preview: [UInt8]?
  /// More bytes behind all.
  var padding = 0

  var bytes: [UInt8] {
    var main = main
    // Sizes first: each directory has a known place.
    var place = 8 + size(main.count + (exif == nil ? 0 : 1) + (gps == nil ? 0 : 1))
    let exifPlace = place
    if let exif {
      main.append((0x8769, .long([UInt32(place)])))
      place += size(exif.count)
    }
    let gpsPlace = place
    if let gps {
      main.append((0x8825, .long([UInt32(place)])))
      place += size(gps.count)
    }
    let previewPlace = place
    if preview != nil { place += size(2) }
    var values: [UInt8] = []
    let heap = place
    func directory(_ entries: [Entry], next: Int) -> [UInt8] {
      var result = number(entries.count, 2)
      for entry in entries {
        let (type, count, data) = encoded(entry.value)
        result += number(Int(entry.tag), 2) + number(Int(type), 2) + number(Int(count), 4)
        if case .elsewhere(_, _, let offset) = entry.value {
          result += number(Int(offset), 4)
        } else if data.count <= 4 {
          result += data + [UInt8](repeating: 0, count: 4 - data.count)
        } else {
          result += number(heap + values.count, 4)
          values += data
        }
      }
      return result + number(next, 4)
    }
    var result = (bigEndian ? [0x4D, 0x4D] : [0x49, 0x49]) + number(42, 2) + number(8, 4)
    result += directory(main, next: preview == nil ? 0 : previewPlace)
    if let exif {
      precondition(result.count == exifPlace)
      result += directory(exif, next: 0)
    }
    if let gps {
      precondition(result.count == gpsPlace)
      result += directory(gps, next: 0)
    }
    if let preview {
      let start = heap + values.count
      values += preview
      result += directory(
        [(0x0201, .long([UInt32(start)])), (0x0202, .long([UInt32(preview.count)]))], next: 0)
    }
    return result + values + [UInt8](repeating: 0, count: padding)
  }

  private func size(_ entries: Int) -> Int { 2 + 12 * entries + 4 }

  private func encoded(_ value: Value) -> (UInt16, UInt32, [UInt8]) {
    switch value {
    case .text(let text):
      let bytes = Array(text.utf8) + [0]
      return (2, UInt32(bytes.count), bytes)
    case .short(let numbers):
      return (3, UInt32(numbers.count), numbers.flatMap { number(Int($0), 2) })
    case .long(let numbers):
      return (4, UInt32(numbers.count), numbers.flatMap { number(Int($0), 4) })
    case .rational(let parts):
      let bytes = parts.flatMap { number(Int($0.0), 4) + number(Int($0.1), 4) }
      return (5, UInt32(parts.count), bytes)
    case .raw(let type, let count, let bytes):
      return (type, count, bytes)
    case .elsewhere(let type, let count, _):
      return (type, count, [])
    }
  }

  func number(_ value: Int, _ length: Int) -> [UInt8] {
    let bytes = (0..<length).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    return bigEndian ? bytes.reversed() : bytes
  }
}
