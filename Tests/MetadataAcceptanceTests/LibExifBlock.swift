#if canImport(CExif)
  import CExif
  import ImageMetadata

  /// The EXIF values of a block as libexif reads them, in our own terms.
  enum LibExifBlock {
    /// Reads a TIFF block, or returns nil without memory.
    static func fields(_ tiff: [UInt8]) -> ExifFields? {
      let bytes = Array("Exif\0\0".utf8) + tiff
      return unsafe bytes.withUnsafeBytes { buffer -> ExifFields? in
        guard let base = buffer.baseAddress, let block = unsafe cexif_open(base, buffer.count)
        else { return nil }
        defer { unsafe cexif_close(block) }
        let reader = unsafe Reader(block: block)
        return unsafe reader.fields
      }
    }

    @unsafe
    private struct Reader {
      let block: OpaquePointer

      var fields: ExifFields {
        var fields = ExifFields()
        unsafe fields.dateTimeOriginal = text(0x9003)
        unsafe fields.dateTimeDigitized = text(0x9004)
        unsafe fields.dateTime = text(0x0132)
        unsafe fields.subSecTime = text(0x9290)
        unsafe fields.subSecTimeOriginal = text(0x9291)
        unsafe fields.subSecTimeDigitized = text(0x9292)
        unsafe fields.offsetTime = text(0x9010)
        unsafe fields.offsetTimeOriginal = text(0x9011)
        unsafe fields.offsetTimeDigitized = text(0x9012)
        unsafe fields.orientation = integer(CEXIF_IFD0, 0x0112)
        unsafe fields.make = text(0x010F)
        unsafe fields.model = text(0x0110)
        unsafe fields.gpsLatitudeRef = text(CEXIF_GPS, 1)
        unsafe fields.gpsLatitude = rationals(2)
        unsafe fields.gpsLongitudeRef = text(CEXIF_GPS, 3)
        unsafe fields.gpsLongitude = rationals(4)
        unsafe fields.gpsTimeStamp = rationals(7)
        unsafe fields.gpsDateStamp = text(CEXIF_GPS, 0x1D)
        return fields
      }

      private func entry(_ directory: Int, _ tag: UInt16) -> (format: Int, bytes: [UInt8])? {
        var entry = unsafe cexif_entry()
        guard unsafe cexif_find(block, Int32(directory), tag, &entry), let data = unsafe entry.data
        else { return nil }
        return unsafe (
          Int(entry.format), Array(UnsafeBufferPointer(start: data, count: Int(entry.size)))
        )
      }

      /// Of the main and the EXIF directory, since some writers put a tag into the other one.
      private func text(_ tag: UInt16) -> String? {
        let home = tag < 0x9000 ? CEXIF_IFD0 : CEXIF_EXIF
        return unsafe text(home, tag) ?? text(home == CEXIF_IFD0 ? CEXIF_EXIF : CEXIF_IFD0, tag)
      }

      private func text(_ directory: Int, _ tag: UInt16) -> String? {
        guard let (_, bytes) = unsafe entry(directory, tag) else { return nil }
        return String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
      }

      private func integer(_ directory: Int, _ tag: UInt16) -> Int? {
        guard let (format, bytes) = unsafe entry(directory, tag) else { return nil }
        switch format {
        case 1, 6, 7: return bytes.first.map { Int($0) }
        case 3, 8: return bytes.count < 2 ? nil : unsafe number(bytes[..<2])
        case 4, 9: return bytes.count < 4 ? nil : unsafe number(bytes[..<4])
        case 5, 10:
          guard bytes.count >= 8 else { return nil }
          return unsafe Rational(number(bytes[..<4]), number(bytes[4..<8])).wholeNumber
        default: return nil
        }
      }

      private func rationals(_ tag: UInt16) -> [Rational]? {
        guard let (format, bytes) = unsafe entry(CEXIF_GPS, tag), format == 5 || format == 10
        else { return nil }
        return stride(from: 0, to: bytes.count - 7, by: 8).map { start in
          unsafe Rational(
            number(bytes[start..<(start + 4)]), number(bytes[(start + 4)..<(start + 8)]))
        }
      }

      private func number(_ bytes: ArraySlice<UInt8>) -> Int {
        unsafe cexif_is_big_endian(block)
          ? bytes.reduce(0) { $0 << 8 | Int($1) } : bytes.reversed().reduce(0) { $0 << 8 | Int($1) }
      }
    }
  }
#endif
