import FoundationEssentials
import PhotoLibrary

extension Asset {
  /// The members of the asset's JSON object, in the order that is documented.
  ///
  /// With `dateCandidates` the dates found in the file stand at the end.
  func jsonMembers(dateCandidates withCandidates: Bool = false) -> [(String, JSON)] {
    var members: [(String, JSON)] = [
      ("localIdentifier", .string(localIdentifier)),
      ("originalFilename", .string(originalFilename.string)),
    ]
    if !originalFilename.isValidUTF8 {
      let encoded = Data(originalFilename.bytes).base64EncodedString()
      members.append(("originalFilenameBase64", .string(encoded)))
    }
    members += [
      ("mediaType", .string("image")),
      ("contentType", .string(format.contentType)),
      ("pixelWidth", .integer(pixelSize.width)),
      ("pixelHeight", .integer(pixelSize.height)),
      ("orientation", .integer(orientation.rawValue)),
      ("creationDate", .string(creationDate.rfc3339)),
      ("creationDateSource", .string(creationDate.source.name)),
      ("modificationDate", .string(modificationDate.rfc3339())),
      ("addedDate", .string(addedDate.rfc3339())),
      ("isFavorite", .bool(isFavorite)),
      ("isHidden", .bool(isHidden)),
    ]
    if let rating { members.append(("rating", .integer(rating))) }
    if let original {
      members += [
        ("byteSize", .integer(original.byteSize)), ("sha256", .string(original.sha256Hex)),
      ]
    }
    if let location { members.append(("location", location.json)) }
    members.append(("locationRedacted", .bool(isLocationRedacted)))
    if let camera { members.append(("camera", camera.json)) }
    if let damage { members.append(("damaged", .string(damage))) }
    if let undecodable { members.append(("undecodable", .string(undecodable))) }
    if withCandidates {
      let candidates = dateCandidates.map { candidate in
        JSON.object([
          ("source", .string(candidate.source.name)), ("value", .string(candidate.text)),
        ])
      }
      members.append(("dateCandidates", .array(candidates)))
    }
    return members
  }
}

extension Location {
  fileprivate var json: JSON {
    var members: [(String, JSON)] = [
      ("latitude", .number(latitude.rounded(decimals: 7))),
      ("longitude", .number(longitude.rounded(decimals: 7))),
    ]
    if let altitude { members.append(("altitude", .number(altitude.rounded(decimals: 2)))) }
    return .object(members)
  }
}

extension Double {
  /// To so many decimals: of degrees seven are a centimetre, which no camera knows.
  func rounded(decimals: Int) -> Double {
    let factor = (0..<decimals).reduce(1.0) { product, _ in product * 10 }
    return (self * factor).rounded() / factor
  }
}

extension Camera {
  fileprivate var json: JSON {
    var members: [(String, JSON)] = []
    if let make { members.append(("make", .string(make))) }
    if let model { members.append(("model", .string(model))) }
    return .object(members)
  }
}

extension DateCandidate {
  /// RFC 3339 as the source has it: without an offset where it names none.
  var text: String {
    let plain = String(wallClock.rfc3339(offset: .utc).dropLast())
    return plain + (offset?.description ?? "")
  }
}
