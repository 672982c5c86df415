import ImageCodecs
import ImageContainer
package import PhotoModel

/// One picture of many thumbnails in a grid.
package enum ContactSheet {
  /// Lays thumbnails out row by row, each centred in its cell, on a light ground.
  ///
  /// - Parameters:
  ///   - thumbnails: encoded pictures; a larger one than a cell is reduced.
  ///   - columns: cells a row, at least 1.
  ///   - cell: size of a cell in pixels; smaller on a sheet that would be larger than 40 megapixels,
  ///     so that a sheet takes at most 120 MB of memory.
  ///   - spacing: pixels between cells and around them.
  /// - Returns: A JPEG file of quality 90.
  /// - Throws: ``LibraryError`` where a thumbnail is no picture, or there are so many that even small cells
  ///   make a sheet of more than 40 megapixels or 65,500 pixels a side.
  package static func compose(
    _ thumbnails: [Thumbnail], columns: Int, cell: PixelSize, spacing: Int
  ) throws(LibraryError) -> [UInt8] {
    precondition(
      columns > 0 && spacing >= 0 && cell.width > 0 && cell.height > 0,
      "a sheet has cells of some size")
    let columns = max(1, min(columns, thumbnails.count))
    let rows = max(1, (thumbnails.count + columns - 1) / columns)
    var cell = cell
    var size = Self.size(columns: columns, rows: rows, cell: cell, spacing: spacing)
    while !isWritable(size), max(cell.width, cell.height) > smallestCell {
      cell.width = max(1, cell.width * 3 / 4)
      cell.height = max(1, cell.height * 3 / 4)
      size = Self.size(columns: columns, rows: rows, cell: cell, spacing: spacing)
    }
    guard isWritable(size) else {
      throw LibraryError(
        code: .overLimit,
        message:
          "a contact sheet of \(thumbnails.count) thumbnails would be \(size) pixels; "
          + "at most 65500 a side and 40 million in all can be written")
    }
    var canvas = [UInt8](repeating: 0xF4, count: size.pixelCount * 3)
    let decoder = ThumbnailDecoder(budget: DecodeBudget())
    for (index, thumbnail) in thumbnails.enumerated() {
      let pixels = try decode(thumbnail, into: cell, with: decoder)
      let x =
        spacing + index % columns * (cell.width + spacing)
        + (cell.width - pixels.size.width) / 2
      let y =
        spacing + index / columns * (cell.height + spacing)
        + (cell.height - pixels.size.height) / 2
      let rowBytes = pixels.size.width * 3
      for row in 0..<pixels.size.height {
        let target = ((y + row) * size.width + x) * 3
        canvas.replaceSubrange(
          target..<target + rowBytes, with: pixels.bytes[row * rowBytes..<(row + 1) * rowBytes])
      }
    }
    do {
      return try ImageEncoder.jpeg(
        PixelBuffer(size: size, channels: 3, bytes: canvas), quality: 90)
    } catch {
      throw LibraryError(error)
    }
  }

  private static let smallestCell = 48

  private static func isWritable(_ size: PixelSize) -> Bool {
    max(size.width, size.height) <= 65_500 && size.pixelCount <= 40_000_000
  }

  private static func size(
    columns: Int, rows: Int, cell: PixelSize, spacing: Int
  ) -> PixelSize {
    PixelSize(
      width: spacing + columns * (cell.width + spacing),
      height: spacing + rows * (cell.height + spacing))
  }

  private static func decode(
    _ thumbnail: Thumbnail, into cell: PixelSize, with decoder: ThumbnailDecoder
  ) throws(LibraryError) -> PixelBuffer {
    let source = MemoryByteSource(thumbnail.data)
    let structure: ImageStructure
    do {
      structure = try ImageStructure.scanHeaders(source)
    } catch {
      throw LibraryError(code: .damagedPicture, message: error.message)
    }
    do {
      return try decoder.decode(
        source, structure: structure, orientation: .up,
        recipe: ThumbnailRecipe(size: cell, encoding: .png), isCancelled: { false }
      ).pixels
    } catch {
      throw LibraryError(error)
    }
  }
}
