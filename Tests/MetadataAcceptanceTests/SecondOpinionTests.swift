#if canImport(CExif)
  import ImageContainer
  import ImageMetadata
  import PhotoModel
  import Testing

  /// libexif reads the same EXIF blocks, with its options cleared, also of files that are no pictures.
  @Suite("Second opinion on EXIF blocks", .enabled(if: Corpus.folder != nil))
  struct SecondOpinionTests {
    /// Where the two differ, by picture and value, and why; 65,534 bytes of a block are all that libexif
    /// reads.
    private static let known: [String: [String: String]] = [
      "exif-hostile/huge_tag_exif.jpg": ["DateTime": repeated],
      "exif-hostile/max_uint32_exif.jpg": ["DateTime": repeated],
    ]
    private static let repeated = "the tag is there twice, and the first is no date"

    @Test("libexif reads the same values from each block, but for the listed ones")
    func libExif() throws {
      var blocks = 0
      var values = 0
      for row in try Corpus.rows() {
        for tiff in EXIFBlocks.find(in: try Corpus.bytes(of: row)) {
          blocks += 1
          let ours = fields(tiff)
          let theirs = try #require(LibExifBlock.fields(tiff))
          for (name, one, other) in Self.pairs(ours, theirs) {
            values += one == nil && other == nil ? 0 : 1
            guard one != other else { continue }
            let text = "\(row.name): \(name): here \(one ?? "nil"), libexif \(other ?? "nil")"
            if let reason = Self.known[row.name]?[name] {
              print("  difference: \(text): \(reason)")
            } else {
              Issue.record("\(text)")
            }
          }
        }
      }
      print("libexif: \(blocks) blocks, \(values) values")
      #expect(blocks > 400)
      #expect(values > 2_000)
    }

    /// What is read here from a block alone.
    private func fields(_ tiff: [UInt8]) -> ExifFields {
      let segment = ImageStructure.Segment(chunkType: "eXIf", offset: 0, length: tiff.count)
      let structure = ImageStructure(
        format: .png, codedSize: PixelSize(width: 1, height: 1), components: 1, bitDepth: 8,
        segments: [segment], endOffset: tiff.count)
      return PhotoMetadata.read(MemoryByteSource(tiff), structure: structure).exif
    }

    private static func pairs(
      _ ours: ExifFields, _ theirs: ExifFields
    ) -> [(String, String?, String?)] {
      let texts: [(String, KeyPath<ExifFields, String?>)] = [
        ("DateTimeOriginal", \.dateTimeOriginal), ("DateTimeDigitized", \.dateTimeDigitized),
        ("DateTime", \.dateTime), ("SubSecTimeOriginal", \.subSecTimeOriginal),
        ("SubSecTimeDigitized", \.subSecTimeDigitized), ("SubSecTime", \.subSecTime),
        ("OffsetTimeOriginal", \.offsetTimeOriginal),
        ("OffsetTimeDigitized", \.offsetTimeDigitized), ("OffsetTime", \.offsetTime),
        ("Make", \.make), ("Model", \.model), ("GPSLatitudeRef", \.gpsLatitudeRef),
        ("GPSLongitudeRef", \.gpsLongitudeRef), ("GPSDateStamp", \.gpsDateStamp),
      ]
      let rationals: [(String, KeyPath<ExifFields, [Rational]?>)] = [
        ("GPSLatitude", \.gpsLatitude), ("GPSLongitude", \.gpsLongitude),
        ("GPSTimeStamp", \.gpsTimeStamp),
      ]
      var pairs: [(String, String?, String?)] = []
      for (name, path) in texts {
        pairs.append((name, ours[keyPath: path], theirs[keyPath: path]))
      }
      for (name, path) in rationals {
        pairs.append((name, text(ours[keyPath: path]), text(theirs[keyPath: path])))
      }
      let (one, other) = (ours.orientation, theirs.orientation)
      pairs.append(("Orientation", one.map { "\($0)" }, other.map { "\($0)" }))
      return pairs
    }

    private static func text(_ parts: [Rational]?) -> String? {
      parts?.map { "\($0.numerator)/\($0.denominator)" }.joined(separator: " ")
    }
  }
#endif
