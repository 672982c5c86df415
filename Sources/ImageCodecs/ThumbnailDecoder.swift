package import ImageContainer
package import PhotoModel

/// What came out of a file, ready to be encoded.
package struct DecodedPicture: Sendable {
  /// RGB, upright, sRGB, alpha composited over white, exactly the target's size.
  package let pixels: PixelBuffer
  /// What was wrong though a picture came out (rows missing, a damaged stretch ...), or nil.
  package let warning: String?
  /// False where rows are missing.
  package let isComplete: Bool
}

/// A finished thumbnail.
package struct EncodedPicture: Sendable {
  /// A whole file.
  package let data: [UInt8]
  /// Its size in pixels.
  package let size: PixelSize
  /// As of what was decoded.
  package let warning: String?
}

/// bytes -> thumbnail pixels.
///
/// Thread-safe; stateless but for the budget, buffers, and the cache of colour transforms.
package final class ThumbnailDecoder: Sendable {
  package let budget: DecodeBudget
  private let buffers = FileBuffers()
  private let transforms = TransformCache()
  private let referenceOnly: Bool

  /// `referenceOnly`: nothing by the fast paths, for comparing them with the libraries that they stand in
  /// for.
  package init(budget: DecodeBudget, referenceOnly: Bool = false) {
    self.budget = budget
    self.referenceOnly = referenceOnly
  }

  /// The bytes of memory that decoding needs at most, by declared size and process, the file's
  /// bytes included.
  ///
  /// Nothing is read or allocated. A damaged file may need more: it is then decoded in full by the
  /// reference path, with a reservation of its own.
  ///
  /// - Throws: ``CodecError/overLimit(_:)`` where side or pixels are over a limit;
  ///   ``CodecError/unsupported(_:)`` where no decoder here takes it.
  package func requiredMemory(
    _ structure: ImageStructure, fileSize: Int, recipe: ThumbnailRecipe
  ) throws(CodecError) -> Int {
    let reduction = try check(structure, orientation: .up, recipe: recipe)
    return memory(
      route(structure, reduction), structure, fileSize: fileSize, reduction: reduction)
  }

  /// Reads and decodes a picture and makes it upright, sRGB and of the recipe's size.
  ///
  /// Blocks while other decodes use up the budget: call it on a Dispatch queue. `isCancelled` is asked
  /// at least once for every row of blocks or 16 rows, for every MiB read, and while waiting. If the
  /// file became shorter since `structure` was made, what is left of it is shown, as with any damage.
  package func decode(
    _ source: some ByteSource, structure: ImageStructure, orientation: Orientation,
    recipe: ThumbnailRecipe, isCancelled: @Sendable () -> Bool
  ) throws(CodecError) -> DecodedPicture {
    try decode(
      source, structure: structure, orientation: orientation, recipe: recipe,
      isCancelled: isCancelled
    ) { (picture) throws(CodecError) in picture }
  }

  /// Decodes a picture like `decode`, and encodes it in the form that the recipe asks for, all within
  /// one reservation of memory.
  package func thumbnail(
    _ source: some ByteSource, structure: ImageStructure, orientation: Orientation,
    recipe: ThumbnailRecipe, isCancelled: @Sendable () -> Bool
  ) throws(CodecError) -> EncodedPicture {
    try decode(
      source, structure: structure, orientation: orientation, recipe: recipe,
      isCancelled: isCancelled
    ) { (picture) throws(CodecError) in
      EncodedPicture(
        data: try ImageEncoder.encode(picture.pixels, as: recipe.encoding),
        size: picture.pixels.size, warning: picture.warning)
    }
  }

  /// Makes a thumbnail as the other method does, unless what was decoded is refused.
  ///
  /// - Returns: nil where `isAccepted` says no, and nothing was encoded.
  package func thumbnail(
    _ source: some ByteSource, structure: ImageStructure, orientation: Orientation,
    recipe: ThumbnailRecipe, isCancelled: @Sendable () -> Bool,
    isAccepted: (DecodedPicture) -> Bool
  ) throws(CodecError) -> EncodedPicture? {
    try decode(
      source, structure: structure, orientation: orientation, recipe: recipe,
      isCancelled: isCancelled
    ) { (picture) throws(CodecError) -> EncodedPicture? in
      guard isAccepted(picture) else { return nil }
      return EncodedPicture(
        data: try ImageEncoder.encode(picture.pixels, as: recipe.encoding),
        size: picture.pixels.size, warning: picture.warning)
    }
  }

  /// `finish` runs on what was decoded while its memory is still reserved.
  private func decode<R>(
    _ source: some ByteSource, structure: ImageStructure, orientation: Orientation,
    recipe: ThumbnailRecipe, isCancelled: @Sendable () -> Bool,
    finish: (DecodedPicture) throws(CodecError) -> R
  ) throws(CodecError) -> R {
    let reduction = try check(structure, orientation: orientation, recipe: recipe)
    let clock = CPUClock(limitSeconds: budget.limits.cpuSeconds)
    var route: (any DecodeRoute)? = route(structure, reduction)
    while let current = route {
      let result = try decode(
        source, structure, reduction, orientation, by: current, clock: clock,
        isCancelled: isCancelled, finish: finish)
      if let result { return result }
      route = current.next
    }
    throw .damaged("the picture cannot be decoded")
  }

  private func decode<R>(
    _ source: some ByteSource, _ structure: ImageStructure, _ reduction: Reduction,
    _ orientation: Orientation, by route: any DecodeRoute, clock: CPUClock,
    isCancelled: @Sendable () -> Bool, finish: (DecodedPicture) throws(CodecError) -> R
  ) throws(CodecError) -> R? {
    let need = memory(route, structure, fileSize: source.count, reduction: reduction)
    return try budget.withReservation(of: need, isCancelled: isCancelled) {
      () throws(CodecError) -> R? in
      func checkpoint() throws(CodecError) {
        if isCancelled() { throw .cancelled }
        try clock.check()
      }
      try checkpoint()
      var bytes = buffers.take(readLength(structure, source.count))
      defer { buffers.give(&bytes) }
      let isShort = try !read(source, structure, into: &bytes, checkpoint)
      let reduced = try route.reduce(
        bytes, structure, reduction, limits: budget.limits, checkpoint: checkpoint)
      guard let reduced else { return nil }
      try checkpoint()
      let pixels = upright(
        reduced.rgb(transforms), size: reduced.size, channels: 3, orientation: orientation)
      return try finish(
        DecodedPicture(
          pixels: PixelBuffer(
            size: orientation.displayedSize(of: reduced.size), channels: 3, bytes: pixels),
          warning: reduced.warning
            ?? (isShort ? "the file became shorter while it was read" : nil),
          isComplete: reduced.isComplete))
    }
  }

  /// Decodes at the smallest scale only to see whether all rows are there.
  ///
  /// Charges the budget and blocks like `decode`.
  ///
  /// - Returns: nil if all are there, else what is missing.
  package func missingRows(
    _ source: some ByteSource, structure: ImageStructure
  ) throws(CodecError) -> String? {
    let reduction = try check(structure, orientation: .up, recipe: ThumbnailRecipe())
    let clock = CPUClock(limitSeconds: budget.limits.cpuSeconds)
    var route: (any DecodeRoute)? = route(structure, reduction)
    while let current = route {
      let need = memory(current, structure, fileSize: source.count, reduction: reduction)
      let answer = try budget.withReservation(of: need) { () throws(CodecError) -> RowsAnswer in
        var bytes = buffers.take(readLength(structure, source.count))
        defer { buffers.give(&bytes) }
        guard try read(source, structure, into: &bytes, clock.check) else {
          return .missing("the file became shorter while it was read")
        }
        do throws(CodecError) {
          return try current.missingRows(
            bytes, structure, limits: budget.limits, checkpoint: clock.check)
        } catch .damaged(let reason) {
          return .missing(reason)
        }
      }
      switch answer {
      case .whole: return nil
      case .missing(let reason): return reason
      case .unknown: route = current.next
      }
    }
    return "the picture cannot be decoded"
  }

  private func route(_ structure: ImageStructure, _ reduction: Reduction) -> any DecodeRoute {
    switch structure.format {
    case .jpeg: referenceOnly ? JPEGRoute.reference : JPEGRoute(structure, reduction)
    case .png: referenceOnly ? PNGRoute.reference : PNGRoute(structure)
    }
  }

  private func check(
    _ structure: ImageStructure, orientation: Orientation, recipe: ThumbnailRecipe
  ) throws(CodecError) -> Reduction {
    if let reason = structure.unsupported { throw .unsupported(reason) }
    try budget.limits.check(structure.codedSize)
    return Reduction(stored: structure.codedSize, orientation: orientation, recipe: recipe)
  }

  private func memory(
    _ route: any DecodeRoute, _ structure: ImageStructure, fileSize: Int, reduction: Reduction
  ) -> Int {
    // Colour conversion and turning each make a copy; later the pixels stand beside the encoder's
    // buffer, which grows by doubling, and the file. A transform to sRGB has tables.
    let output = reduction.output.pixelCount * 4 * 3
    let transform = 2 << 20
    return readLength(structure, fileSize) + route.memory(structure, reduction) + output + transform
  }

  /// How much of the file is read: what is behind the end of a whole picture is not.
  private func readLength(_ structure: ImageStructure, _ fileSize: Int) -> Int {
    guard structure.completeness == .complete, structure.endOffset > 0 else { return fileSize }
    return min(fileSize, structure.endOffset)
  }

  /// Reads what is to be decoded.
  ///
  /// - Returns: whether all of it was there.
  private func read(
    _ source: some ByteSource, _ structure: ImageStructure, into bytes: inout [UInt8],
    _ checkpoint: () throws(CodecError) -> Void
  ) throws(CodecError) -> Bool {
    let length = readLength(structure, source.count)
    while bytes.count < length {
      let end = min(length, bytes.count + Self.readStep)
      do {
        try source.read(at: bytes.count, count: end - bytes.count, appendingTo: &bytes)
      } catch {
        throw .damaged("could not be read: \(error.message)")
      }
      if bytes.count < end { return false }
      try checkpoint()
    }
    return true
  }

  /// Bytes; between two steps a cancelled decode ends, however slow the disk is.
  private static let readStep = 1 << 20
}
