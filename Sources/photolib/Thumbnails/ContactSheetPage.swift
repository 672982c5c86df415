import FoundationEssentials
import PhotoLibrary

/// A contact sheet as one HTML file: thumbnails inside it, no scripts, nothing loaded from elsewhere.
enum ContactSheetPage {
  /// Everything before the first picture.
  static func beginning(count: Int) -> String {
    """
    <!DOCTYPE html>
    <html lang="en">
    <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <meta http-equiv="Content-Security-Policy" \
    content="default-src 'none'; img-src data:; style-src 'unsafe-inline'">
    <title>Contact sheet</title>
    <style>
    :root { color-scheme: light dark; }
    body { margin: 1.5rem; font: 0.8rem/1.4 system-ui, sans-serif; color: CanvasText;
      background: Canvas; }
    h1 { font-size: 1.1rem; font-weight: 600; margin: 0 0 1rem; }
    main { display: grid; gap: 1.25rem;
      grid-template-columns: repeat(auto-fill, minmax(min(14rem, 100%), 1fr)); }
    figure { margin: 0; display: flex; flex-direction: column; justify-content: flex-end; }
    img { max-width: 100%; height: auto; margin: 0 auto; border-radius: 3px; }
    figcaption { margin-top: 0.4rem; text-align: center; overflow-wrap: anywhere; }
    time { display: block; opacity: 0.65; font-variant-numeric: tabular-nums; }
    @media print { figure { break-inside: avoid; } }
    </style>
    </head>
    <body>
    <h1>\(count == 1 ? "1 photo" : "\(count) photos")</h1>
    <main>

    """
  }

  /// One thumbnail with its name and date.
  static func figure(_ thumbnail: Thumbnail, of asset: Asset) -> String {
    let isPNG = thumbnail.data.starts(with: [0x89, 0x50, 0x4E, 0x47])
    let type = (isPNG ? ImageFormat.png : .jpeg).contentType
    let name = escaped(printable(asset.originalFilename.bytes))
    let date = asset.creationDate
    return """
      <figure><img src="data:\(type);base64,\(Data(thumbnail.data).base64EncodedString())" \
      width="\(thumbnail.size.width)" height="\(thumbnail.size.height)" alt="\(name)">\
      <figcaption>\(name)<time datetime="\(escaped(date.rfc3339))">\(escaped(date.table))</time>\
      </figcaption></figure>

      """
  }

  static let end = "</main>\n</body>\n</html>\n"

  /// Text as it stands in an element or in a quoted attribute.
  private static func escaped(_ text: String) -> String {
    var result = ""
    for character in text.unicodeScalars {
      switch character {
      case "&": result += "&amp;"
      case "<": result += "&lt;"
      case ">": result += "&gt;"
      case "\"": result += "&quot;"
      case "'": result += "&#39;"
      default: result.unicodeScalars.append(character)
      }
    }
    return result
  }
}
