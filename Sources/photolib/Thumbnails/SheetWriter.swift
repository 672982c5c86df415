import PhotoLibrary

/// Writes one contact sheet of thumbnails as they come: a page, or a picture.
struct SheetWriter: ~Copyable {
  private var file: AtomicFile
  private let isPage: Bool
  private let shownPath: String
  private let cell: PixelSize
  /// What a picture is composed of, at the end; a page is written at once.
  private var thumbnails: [Thumbnail]

  /// Begins a sheet of `count` assets, whose thumbnails fit into `cell`.
  init(_ sheet: ThumbnailOptions.Sheet, count: Int, cell: PixelSize) throws(Failure) {
    let (folder, name) = folderAndName(of: sheet.path)
    var file = try AtomicFile(name, in: try OutputFolder(folder))
    if sheet.isPage { try file.append(Array(ContactSheetPage.beginning(count: count).utf8)) }
    self.file = file
    isPage = sheet.isPage
    shownPath = printable(sheet.path.bytes)
    self.cell = cell
    thumbnails = []
  }

  mutating func add(_ thumbnail: Thumbnail, of asset: Asset) throws(Failure) {
    if isPage {
      try file.append(Array(ContactSheetPage.figure(thumbnail, of: asset).utf8))
    } else {
      thumbnails.append(thumbnail)
    }
  }

  mutating func finish() throws(Failure) {
    if isPage {
      try file.append(Array(ContactSheetPage.end.utf8))
    } else {
      let (thumbnails, columns, cell) = (thumbnails, columns, cell)
      let picture = try translating(about: shownPath) { () throws(LibraryError) in
        try ContactSheet.compose(thumbnails, columns: columns, cell: cell, spacing: 16)
      }
      try file.append(picture)
    }
    try file.commit()
  }

  /// About as many columns as rows, and not more than there are pictures.
  private var columns: Int {
    let square = Int(Double(thumbnails.count).squareRoot().rounded(.up))
    return max(1, min(thumbnails.count, max(6, square)))
  }
}
