import PhotoModel

/// How many rows and columns at the edges of a picture are black, as the bars are that cameras put around
/// a preview of another shape.
///
/// A pure function of the pixels. The night sky is black too: bars are there where the shape of the
/// picture says so and at least so many rows or columns at both sides are black.
package struct LetterboxBars: Hashable, Sendable {
  package let top: Int
  package let bottom: Int
  package let left: Int
  package let right: Int

  /// Compression at a few hundred bytes a row leaves noise of this height in black.
  static let darkest: UInt8 = 40
  /// And a few pixels above it, where the picture's edge rings into the bar: one of so many.
  static let outliers = 32

  package init(top: Int = 0, bottom: Int = 0, left: Int = 0, right: Int = 0) {
    self.top = top
    self.bottom = bottom
    self.left = left
    self.right = right
  }

  /// Looks at each edge alone; of a picture that is wholly black every count is its side.
  package static func detect(in picture: PixelBuffer) -> LetterboxBars {
    let rows = 0..<picture.size.height
    let columns = 0..<picture.size.width
    let isDarkRow = { (row: Int) in isDark(picture, rows: row..<(row + 1), columns: columns) }
    let isDarkColumn = { (column: Int) in
      isDark(picture, rows: rows, columns: column..<(column + 1))
    }
    return LetterboxBars(
      top: rows.prefix(while: isDarkRow).count,
      bottom: rows.reversed().prefix(while: isDarkRow).count,
      left: columns.prefix(while: isDarkColumn).count,
      right: columns.reversed().prefix(while: isDarkColumn).count)
  }

  /// Whether so many rows above and below, and so many columns left and right, are black.
  package func cover(rows: Int, columns: Int) -> Bool {
    min(top, bottom) >= rows && min(left, right) >= columns
  }

  private static func isDark(
    _ picture: PixelBuffer, rows: Range<Int>, columns: Range<Int>
  ) -> Bool {
    // Colour counts, alpha does not.
    let colours = min(picture.channels, 3)
    var bright = rows.count * columns.count / outliers
    for row in rows {
      for column in columns {
        let start = (row * picture.size.width + column) * picture.channels
        guard picture.bytes[start..<(start + colours)].contains(where: { $0 > darkest }) else {
          continue
        }
        if bright == 0 { return false }
        bright -= 1
      }
    }
    return true
  }
}
