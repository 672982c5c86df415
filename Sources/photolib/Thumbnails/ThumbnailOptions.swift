import PhotoLibrary

/// What `fetch --thumbs` is to make, and where it goes.
struct ThumbnailOptions {
  static let options: [Option] =
    [
      Option(.thumbs, help: "make a thumbnail of each, DIR/UUID.jpg"),
      Option(.output, "o", value: "DIR", help: "where the thumbnails go (./thumbs)"),
    ] + recipeOptions + [
      Option(.noCache, help: "decode anew"),
      Option(
        .fast, help: "coarse and quick: a camera's preview will do, if out of date"),
      Option(.sheet, value: "FILE", help: "one contact sheet of them: FILE.html or FILE.jpg"),
    ]

  /// How thumbnails are made, wherever they are.
  static let recipeOptions: [Option] = [
    Option(
      .size, value: "N|WxH", help: "its size in pixels (256); smaller pictures are not enlarged"),
    Option(.mode, value: "MODE", help: "fit into the size (the default), or fill it and cut"),
    Option(.format, value: "FORMAT", help: "jpeg (the default) or png"),
    Option(.quality, value: "Q", help: "of JPEG, 1 to 100 (85)"),
    Option(.jobs, "j", value: "JOBS", help: "decode so many at a time (the usable cores)"),
  ]

  /// A contact sheet, by the ending of its name.
  enum Sheet {
    case page(FilePath)
    case picture(FilePath)

    var path: FilePath {
      switch self {
      case .page(let path), .picture(let path): path
      }
    }

    var isPage: Bool {
      if case .page = self { true } else { false }
    }
  }

  private enum Mode: String, CaseIterable { case fit, fill }
  private enum Format: String, CaseIterable { case jpeg, png }

  let recipe: ThumbnailRecipe
  let folder: FilePath
  let usesCache: Bool
  let allowsPreview: Bool
  let sheet: Sheet?

  /// Returns nil without `--thumbs`; the other options then are wrong.
  init?(_ arguments: ParsedArguments) throws(Failure) {
    guard arguments.has(.thumbs) else {
      if let option = arguments.first(of: Self.options.map(\.name)) {
        throw .usage(option.text, "belongs to --thumbs", hint: "photolib fetch --thumbs …")
      }
      return nil
    }
    recipe = try Self.recipe(arguments)
    let folder = arguments.options[.output] ?? Array("thumbs".utf8)
    if folder.isEmpty { throw .usage("--output", "the path is empty") }
    self.folder = FilePath(bytes: folder)
    usesCache = !arguments.has(.noCache)
    allowsPreview = arguments.has(.fast)
    sheet = try arguments.options[.sheet].map { bytes throws(Failure) in
      let path = FilePath(bytes: bytes)
      let name = path.lastComponent.string.lowercased()
      if name.hasSuffix(".html") || name.hasSuffix(".htm") { return .page(path) }
      if name.hasSuffix(".jpg") || name.hasSuffix(".jpeg") { return .picture(path) }
      throw Failure.usage("--sheet \(printable(bytes))", "must end in .html or .jpg")
    }
  }

  /// What `recipeOptions` say.
  static func recipe(_ arguments: ParsedArguments) throws(Failure) -> ThumbnailRecipe {
    var recipe = ThumbnailRecipe()
    if let bytes = arguments.options[.size] {
      guard let size = size(bytes) else {
        throw .usage("--size \(printable(bytes))", "is no size from 1 to 8192: 256, 640x480")
      }
      recipe.size = size
    }
    if try arguments.choice(.mode, as: Mode.self) == .fill { recipe.contentMode = .aspectFill }
    let quality = try arguments.integer(.quality, in: 1...100)
    if try arguments.choice(.format, as: Format.self) == .png {
      if quality != nil { throw .usage("--quality", "cannot stand beside --format png") }
      recipe.encoding = .png
    } else if let quality {
      recipe.encoding = .jpeg(quality: quality)
    }
    return recipe
  }

  /// One number for both sides, or width, `x`, height.
  private static func size(_ bytes: [UInt8]) -> PixelSize? {
    let parts = bytes.split(separator: UInt8(ascii: "x"), omittingEmptySubsequences: false)
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    let numbers = parts.compactMap { part -> Int? in
      guard (1...5).contains(part.count), part.allSatisfy(digits.contains) else { return nil }
      return Int(String(decoding: part, as: UTF8.self))
    }
    guard numbers.count == parts.count, numbers.allSatisfy((1...8_192).contains) else {
      return nil
    }
    switch numbers.count {
    case 1: return PixelSize(width: numbers[0], height: numbers[0])
    case 2: return PixelSize(width: numbers[0], height: numbers[1])
    default: return nil
    }
  }
}
