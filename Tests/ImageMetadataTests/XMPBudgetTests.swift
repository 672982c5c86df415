import ImageContainer
import Testing

@testable import ImageMetadata

extension XMPMarkup {
  /// A packet alone in its file.
  init(_ packet: [UInt8]) {
    var budget = XMPBudget()
    self.init(packet, budget: &budget)
  }
}

extension XMPProperties {
  /// A packet alone in its file.
  init(packet: [UInt8]) {
    var budget = XMPBudget()
    self.init(packet: packet, budget: &budget)
  }
}

/// Work is counted in parts, which cost about the same; time would depend on the machine.
@Suite("The budget of XMP in one file")
struct XMPBudgetTests {
  private static let start = """
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\
    <rdf:Description rdf:about="" xmlns:exif="http://ns.adobe.com/exif/1.0/" \
    xmlns:xmp="http://ns.adobe.com/xap/1.0/"
    """
  private static let end = "</rdf:Description></rdf:RDF></x:xmpmeta>"
  private static let place = " exif:GPSLatitude=\"59,54.5N\" exif:GPSLongitude=\"10,44.7E\">"
  private static let value = Array("59,54".utf8)

  /// What costs most a byte: 60,000 bytes of each, as one segment holds.
  static let floods = [
    "<a/>", "<a>", "</a>", "<a></b>", "<?a?>", "<!---->", "<!", "<", "<a b='1'/>", "<a>b</a>",
    "<![CDATA[]]>", "&#65;", "<exif:GPSAltitude>1</exif:GPSAltitude>",
  ]

  private func packet(_ flood: String) -> String {
    Self.start + Self.place + String(repeating: flood, count: 60_000 / flood.utf8.count) + Self.end
  }

  /// What the planner takes of the budget, and the redacted bytes.
  private func planned(_ bytes: [UInt8]) throws -> (parts: Int, strays: Int, left: [UInt8]) {
    let source = MemoryByteSource(bytes)
    let structure = try ImageStructure.scan(source)
    var planner = RedactionPlanner(source, structure: structure)
    let plan = try planner.plan()
    var left = bytes
    plan.apply(to: &left, at: 0)
    return (planner.context.xmp.parts, planner.context.xmp.strays, left)
  }

  @Test(
    "Several packets of small parts cost no more than one, and no place is left",
    arguments: floods)
  func packets(_ flood: String) throws {
    let bytes = jpeg(Array(repeating: xmpSegment(packet(flood)), count: 4))
    let work = try planned(bytes)
    #expect(work.parts <= XMPBudget.maximumParts + 1)
    #expect(work.strays <= XMPBudget.maximumStrays + 1)
    #expect(!contains(work.left, Self.value))
    let blocks = MetadataBlocks(
      MemoryByteSource(bytes), structure: try ImageStructure.scan(MemoryByteSource(bytes)))
    #expect(blocks.xmpBudget.parts <= XMPBudget.maximumParts + 1)
  }

  @Test(
    "It does not matter where the packets stand: PNG text, TIFF tags and Photoshop resources share it"
  )
  func everywhere() throws {
    let text = Array(packet("<a/>").utf8)
    let head = Array("XML:com.adobe.xmp\0\0\0\0\0".utf8)
    let file = checkedPNG(
      Array(repeating: textChunk("iTXt", "XML:com.adobe.xmp", text), count: 2)
        + Array(repeating: ("iTXt", head + text), count: 2))
    let inPNG = try planned(file)
    #expect(inPNG.parts <= XMPBudget.maximumParts + 1)
    #expect(!contains(inPNG.left, Self.value))
    let count = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: text.count >> $0) }
    let resource = Array("8BIM".utf8) + [0x04, 0x24, 0, 0] + count + text
    let inResources = try planned(
      jpeg(
        Array(repeating: (0xED, Array("Photoshop 3.0\0".utf8) + resource), count: 4)))
    #expect(inResources.parts <= XMPBudget.maximumParts + 1)
    #expect(!contains(inResources.left, Self.value))
  }

  @Test("What stands behind the end of the budget is absent, with one warning")
  func reading() throws {
    let flood = packet("<a/>")
    let dated = Self.start + " xmp:Rating=\"4\"/></rdf:RDF></x:xmpmeta>"
    let few = try metadata(jpeg([xmpSegment(flood), xmpSegment(flood), xmpSegment(dated)]))
    #expect(few.rating == 4)
    let many = try metadata(
      jpeg(Array(repeating: xmpSegment(flood), count: 4) + [xmpSegment(dated)]))
    #expect(many.rating == nil)
    #expect(many.warnings.filter { $0.contains("more parts") }.count == 1)
    // What was read before stays.
    let first = try metadata(
      jpeg([xmpSegment(dated)] + Array(repeating: xmpSegment(flood), count: 4)))
    #expect(first.rating == 4)
  }

  @Test("A sidecar has a budget of its own, and says where it ends")
  func sidecar() throws {
    let flood = Self.start + ">" + String(repeating: "<a/>", count: 50_000)
    let source = MemoryByteSource(jpeg([]))
    let metadata = PhotoMetadata.read(
      source, structure: try ImageStructure.scan(source), sidecar: Array(flood.utf8))
    #expect(metadata.warnings.count == 1)
  }
}
