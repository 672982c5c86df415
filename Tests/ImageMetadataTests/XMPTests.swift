import ImageContainer
import PhotoModel
import Testing

@testable import ImageMetadata

@Suite("XMP and IPTC")
struct XMPTests {
  private func packet(_ body: String) -> String {
    """
    <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
    <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF
      xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">\(body)</rdf:RDF></x:xmpmeta>
    <?xpacket end="w"?>
    """
  }

  private let spaces = """
    xmlns:exif="http://ns.adobe.com/exif/1.0/" xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/"
    xmlns:xmp="http://ns.adobe.com/xap/1.0/" xmlns:tiff="http://ns.adobe.com/tiff/1.0/"
    """

  private var attributes: String {
    packet(
      """
      <rdf:Description rdf:about="" \(spaces) exif:DateTimeOriginal="2009-05-17T14:03:22.50+02:00"
       photoshop:DateCreated='2010-01-02' xmp:CreateDate="2011-01-02T03:04Z" tiff:Orientation="6"
       tiff:Make="A &amp; B" tiff:Model="C&#x0044;"/>
      """)
  }

  @Test("End tags that nothing began are looked at only so often")
  func strays() {
    let description = "<rdf:Description rdf:about='' \(spaces) tiff:Make='M'/>"
    func make(_ strays: Int) -> String? {
      let text = packet(String(repeating: "</b>", count: strays) + description)
      let markup = XMPMarkup(Array(text.utf8))
      #expect(!markup.isRegular)
      return markup.properties[.make]
    }
    #expect(make(1_000) == "M")
    #expect(make(1_001) == nil)
  }

  @Test("A packet of thousands of attributes or namespaces is not given to exempi, but read")
  func excess() {
    let properties = (0..<2_500).map { "tiff:P\($0)='x'" }.joined(separator: " ")
    let names = (0..<300).map { "xmlns:n\($0)='urn:\($0)'" }.joined(separator: " ")
    let date = "xmp:CreateDate='2011-01-02T03:04Z'"
    for body in [
      "<rdf:Description rdf:about='' \(spaces) \(date) \(properties)/>",
      "<rdf:Description rdf:about='' \(spaces) \(date)/><rdf:Description \(names)/>",
    ] {
      let markup = XMPMarkup(Array(packet(body).utf8))
      #expect(!markup.isRegular)
      #expect(markup.properties[.createDate] == "2011-01-02T03:04Z")
    }
  }

  private var elements: String {
    packet(
      """
      <rdf:Description rdf:about="" \(spaces)>
       <exif:DateTimeOriginal>2009-05-17T14:03:22.50+02:00</exif:DateTimeOriginal>
       <photoshop:DateCreated>2010-01-02</photoshop:DateCreated>
       <xmp:CreateDate>2011-01-02T03:04Z</xmp:CreateDate><tiff:Orientation>6</tiff:Orientation>
       <tiff:Make>A &amp; B</tiff:Make><tiff:Model>C&#x0044;</tiff:Model></rdf:Description>
      """)
  }

  private func check(_ result: PhotoMetadata) {
    #expect(result.date(.xmpDateTimeOriginal) == "2009-05-17T14:03:22.500+02:00")
    #expect(result.date(.xmpPhotoshopDateCreated) == "2010-01-02T00:00:00.000~")
    #expect(result.date(.xmpCreateDate) == "2011-01-02T03:04:00.000Z")
    #expect(result.orientation == .right)
    #expect(result.camera == Camera(make: "A & B", model: "CD"))
  }

  @Test("attributes and elements, in JPEG and in PNG")
  func forms() throws {
    for text in [attributes, elements] {
      check(try metadata(jpeg([xmpSegment(text)])))
      let keyword = Array("XML:com.adobe.xmp".utf8) + [0, 0, 0, 0, 0]
      check(try metadata(png([("iTXt", keyword + Array(text.utf8))])))
    }
  }

  @Test("exempi and the tolerant reader agree on regular packets, prefixes of any name")
  func agreement() throws {
    let renamed = elements.replacing("exif:", with: "e:").replacing("photoshop:", with: "x-y:")
      .replacing("xmlns:exif", with: "xmlns:e").replacing("xmlns:photoshop", with: "xmlns:x-y")
    for text in [attributes, elements, renamed] {
      let bytes = Array(text.utf8)
      let markup = XMPMarkup(bytes)
      #expect(markup.isRegular)
      let parsed = try #require(XMPPacket.properties(of: bytes))
      var expected = markup.properties
      expected.add("2011-01-02T03:04Z", for: .exifDateTimeDigitized)
      #expect(parsed == expected)
      #expect(markup.properties.values.count == 6)
    }
  }

  @Test("a packet with one bad byte, a broken tail or a doubled property still tells its dates")
  func tolerant() throws {
    let bad = Array(attributes.utf8).map { $0 == UInt8(ascii: "&") ? 0x01 : $0 }
    let doubled = attributes.replacing("tiff:Make=", with: "xmp:CreateDate=\"x\" tiff:Make=")
    let cut = elements.prefix { $0 != "&" }
    for bytes in [bad, Array(doubled.utf8), Array(cut.utf8)] {
      let markup = XMPMarkup(bytes)
      #expect(!markup.isRegular)
      let date = markup.properties[.exifDateTimeOriginal]
      #expect(date == "2009-05-17T14:03:22.50+02:00")
      #expect(markup.properties[.createDate] == "2011-01-02T03:04Z")
    }
  }

  @Test("RDF in a default namespace is read, in a sidecar too")
  func defaultNamespace() throws {
    let rdf = "http://www.w3.org/1999/02/22-rdf-syntax-ns#"
    let inner = """
      <RDF xmlns="\(rdf)"><Description about="" \(spaces) xmp:CreateDate="2011-01-02T03:04Z">
      <exif:DateTimeOriginal>2009-05-17T14:03:22.50+02:00</exif:DateTimeOriginal>
      <DateCreated xmlns="http://ns.adobe.com/photoshop/1.0/">2010-01-02</DateCreated>
      <Make xmlns="">none</Make><DateCreated>not this</DateCreated>
      <tiff:Make><Alt><li>A &amp; B</li></Alt></tiff:Make></Description></RDF>
      """
    for text in [inner, "<xmpmeta xmlns=\"adobe:ns:meta/\">\(inner)</xmpmeta>"] {
      let markup = XMPMarkup(Array(text.utf8))
      // exempi knows no such names.
      #expect(!markup.isRegular)
      let packet = "<?xpacket begin='' id='x'?>" + text
      let embedded = try metadata(jpeg([xmpSegment(packet)]))
      #expect(embedded.date(.xmpDateTimeOriginal) == "2009-05-17T14:03:22.500+02:00")
      #expect(embedded.date(.xmpPhotoshopDateCreated) == "2010-01-02T00:00:00.000~")
      #expect(embedded.date(.xmpCreateDate) == "2011-01-02T03:04:00.000Z")
      #expect(embedded.camera?.make == "A & B")
      let source = MemoryByteSource(jpeg([]))
      let beside = PhotoMetadata.read(
        source, structure: try ImageStructure.scanHeaders(source), sidecar: Array(text.utf8))
      #expect(beside.date(.sidecarDateTimeOriginal) == "2009-05-17T14:03:22.500+02:00")
    }
  }

  @Test("of a date in a list the first item counts", arguments: ["Seq", "Bag", "Alt"])
  func lists(kind: String) throws {
    func dates(_ items: String) throws -> [String] {
      let body = packet(
        """
        <rdf:Description rdf:about="" \(spaces)><photoshop:DateCreated><rdf:\(kind)>\(items)
        </rdf:\(kind)></photoshop:DateCreated></rdf:Description>
        """)
      return try metadata(jpeg([xmpSegment(body)])).dates.map(text)
    }
    let item = "<rdf:li>2010-01-02</rdf:li>"
    #expect(try dates(item + "<rdf:li>2011-01-02</rdf:li>") == ["2010-01-02T00:00:00.000~"])
    #expect(try dates("<rdf:li> </rdf:li>" + item) == ["2010-01-02T00:00:00.000~"])
    #expect(try dates("<rdf:li xml:lang='x-default'>2010-01-02</rdf:li>").count == 1)
    // Irregular markup is read alike.
    #expect(
      try dates("<rdf:li>2010-01-02</rdf:li><rdf:li/>&nothing;") == ["2010-01-02T00:00:00.000~"])
    #expect(try dates("").isEmpty)
    #expect(try dates("<rdf:li><rdf:Bag><rdf:li>2010-01-02</rdf:li></rdf:Bag></rdf:li>").isEmpty)
  }

  @Test("UTF-16 of both byte orders, and NULs behind the packet")
  func encodings() {
    let units = Array(attributes.utf16)
    let little = units.flatMap { [UInt8($0 & 0xFF), UInt8($0 >> 8)] }
    let big = units.flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] }
    let expected = XMPProperties(packet: Array(attributes.utf8))
    #expect(expected.values.count >= 6)
    for bytes in [little, big, [0xFE, 0xFF] + big, Array(attributes.utf8) + [0, 0]] {
      #expect(XMPProperties(packet: bytes) == expected)
    }
  }

  @Test("what belongs to another file that the packet mentions is not taken")
  func nested() throws {
    let body = packet(
      """
      <rdf:Description rdf:about="" \(spaces) xmlns:m="http://ns.adobe.com/xap/1.0/mm/">
       <m:Ingredients><rdf:Bag><rdf:li><rdf:Description xmp:CreateDate="2001-01-01T00:00:00Z"/>
       </rdf:li></rdf:Bag></m:Ingredients></rdf:Description>
      """)
    #expect(try metadata(jpeg([xmpSegment(body)])).dates == [])
    #expect(XMPMarkup(Array(body.utf8)).properties.values.isEmpty)
  }

  @Test(
    "irregular packets are told apart, so that exempi never prints about them",
    arguments: [
      "", "text", "<a", "<a>", "</a>", "<a></b>", "<a b></a>", "<a b=c></a>",
      "<a b=\"1\" b=\"2\"/>",
      "<a>&nope;</a>", "<a>&#0;</a>", "<a>& </a>", "<p:a/>", "<a/><b/>", "<a b=\"<\"/>",
      "<!DOCTYPE a><a/>",
      "<a>\u{1}</a>", "<a>&#x44;</a>", "<!-- <a/>", "<?x", "<a><![CDATA[x</a>",
      "<a><?xml version='1.0'?></a>", "<![CDATA[]]><a/>", "<?x?>\u{FEFF}<a/>",
    ])
  func irregular(text: String) {
    #expect(!XMPMarkup(Array(text.utf8)).isRegular)
  }

  @Test(
    "well-formed markup that is no XMP is irregular too",
    arguments: [
      "<rdf:Description rdf:about=''>text</rdf:Description>", "text", "<rdf:Bag/>",
      "<rdf:Description rdf:about='a'/><rdf:Description rdf:about='b'/>",
      "<rdf:Description rdf:about='' plain='1'/>", "<rdf:Description><plain/></rdf:Description>",
      "<rdf:Description xmlns:a='b'><a:p rdf:parseType='Other'/></rdf:Description>",
      "<rdf:Description xmlns:a='b'><a:p>x<rdf:Bag/></a:p></rdf:Description>",
      "<rdf:Description xmlns:a='b'><a:p><a:q/></a:p></rdf:Description>",
      "<rdf:Description xmlns:a='b' a:p='1'><a:p>2</a:p></rdf:Description>",
      "<rdf:Description xmlns:a='b' xmlns:c='b' a:p='1' c:p='2'/>", "<?a:b?>", "<!-- -- -->",
      "<rdf:Description xmlns:a='b'><a:p>]]></a:p></rdf:Description>",
      "<rdf:Description xmlns:a='b&c'/>", "<rdf:Description xmlns:a='b&#xFFFE;'/>",
      "<rdf:Description xmlns:a='b' a:p='\u{FFFF}'/>",
      "<rdf:Description xmlns:a='b' a:\u{D7}='1'/>",
      "<rdf:Description xmlns:a=''/>", "<rdf:Description xmlns:xml='b'/>",
      "<rdf:Description xmlns:xmlns='b'/>", "<rdf:Description xmlns='b'/>",
      "<rdf:Description rdf:ID='a'/>", "<rdf:Description rdf:value='a'/>",
      "<rdf:Description xml:lang='en'/>", "<rdf:Description rdf:nodeID='a'/>",
      "<rdf:Description xmlns:a='b'><a:p xml:space='x'>1</a:p></rdf:Description>",
      "<rdf:Description xmlns:a='b'><a:p a:q='1'>2</a:p></rdf:Description>",
      "<rdf:Description xmlns:a='b'><a:p a:q='1'><rdf:Bag/></a:p></rdf:Description>",
      "<rdf:Description xmlns:a='b'><a:p rdf:datatype='x'>1</a:p></rdf:Description>",
      "<rdf:Description xmlns:a='b'><a:p rdf:resource='x'>1</a:p></rdf:Description>",
      "<rdf:Description xmlns:a='b'><a:p a:q='1' rdf:parseType='Resource'/></rdf:Description>",
      "<rdf:Description xmlns:a='b'><a:p><rdf:Bag a:q='1'/></a:p></rdf:Description>",
    ])
  func irregularPackets(body: String) {
    #expect(XMPMarkup(Array(packet(regular).utf8)).isRegular)
    #expect(!XMPMarkup(Array(packet(body).utf8)).isRegular)
  }

  /// What Lightroom and others write, attributes in the stead of elements included.
  private let regular = """
    <rdf:Description rdf:about='' xmlns:a='b'><a:p rdf:resource='x'/><a:q a:r='1' a:s='2'/>
     <a:t rdf:parseType='Resource'><a:u>1</a:u></a:t><a:v><rdf:Description a:w='1'/></a:v>
     <a:x><rdf:Seq><rdf:li a:y='1'/><rdf:li xml:lang='x-default'>z</rdf:li></rdf:Seq></a:x>
    </rdf:Description>
    """

  @Test("exempi takes a packet of every form that counts as regular")
  func regularPacket() {
    #expect(XMPPacket.properties(of: Array(packet(regular).utf8)) != nil)
  }

  @Test("every part of a packet, and every byte changed, gives an answer")
  func hostile() {
    let bytes = Array(elements.utf8)
    for length in stride(from: 0, to: bytes.count, by: 3) { _ = XMPMarkup(Array(bytes[..<length])) }
    for index in bytes.indices {
      for value: UInt8 in [0x3C, 0x3E, 0x26, 0x22] {
        var changed = bytes
        changed[index] = value
        _ = XMPMarkup(changed)
      }
    }
    let deep = Array(String(repeating: "<a>", count: 50_000).utf8)
    #expect(!XMPMarkup(deep).isRegular)
  }

  @Test("EXIF's orientation, place and camera come before XMP's")
  func precedence() throws {
    let exif = TIFFBuilder(main: [(0x0112, .short([99])), (0x0110, .text("E"))])
    let result = try metadata(jpeg([xmpSegment(attributes), exifSegment(exif.bytes)]))
    #expect(result.orientation == .up)
    #expect(result.camera == Camera(make: "A & B", model: "E"))
  }

  @Test(
    "a packet without the element around rdf:RDF, or with several rdf:RDF, is read as whole ones are",
    arguments: ["%", "<a:b xmlns:a='c'>%</a:b>", "@<rdf:RDF \(rdf)/>%@", "@%<rdf:RDF \(rdf)/>@"])
  func wrappers(form: String) throws {
    let description = "<rdf:Description rdf:about='' \(spaces) xmp:CreateDate='2011-01-02T03:04Z'/>"
    let body = form.replacing("%", with: "<rdf:RDF \(Self.rdf)>\(description)</rdf:RDF>")
      .replacing("@", with: "<x:xmpmeta xmlns:x='adobe:ns:meta/'>", maxReplacements: 1)
      .replacing("@", with: "</x:xmpmeta>")
    let result = try metadata(jpeg([xmpSegment(body)]))
    #expect(result.date(.xmpCreateDate) == "2011-01-02T03:04:00.000Z")
  }

  private static let rdf = "xmlns:rdf='http://www.w3.org/1999/02/22-rdf-syntax-ns#'"

  @Test(
    "digits of a second behind the ninth are dropped",
    arguments: [
      ("1234567890", 123_456_789), ("999999999999", 999_999_999), ("0000000009", 0),
      ("00000000099999999999999999999999", 0), ("5", 500_000_000),
    ])
  func fraction(digits: String, expected: Int) throws {
    let text = "2009-05-17T14:03:22.\(digits)"
    for zone in ["", "Z", "+02:00"] {
      let body = """
        <rdf:Description rdf:about="" \(spaces) exif:DateTimeOriginal="\(text)\(zone)"
         photoshop:DateCreated="\(text)\(zone)" xmp:CreateDate="\(text)\(zone)"/>
        """
      let dates = try metadata(jpeg([xmpSegment(packet(body))])).dates
      #expect(dates.map(\.wallClock.nanosecond) == [expected, expected, expected])
      #expect(dates.map(\.wallClock.second) == [22, 22, 22])
    }
  }

  private func app13(_ sets: [(UInt8, String)], name: [UInt8] = [0, 0]) -> [UInt8] {
    var records: [UInt8] = []
    for (number, text) in sets {
      records += [0x1C, 2, number, 0, UInt8(text.utf8.count)] + Array(text.utf8)
    }
    let other: [UInt8] = Array("8BIM".utf8) + [0x03, 0xED, 0, 0, 0, 0, 0, 3, 1, 2, 3, 0]
    let head = Array("8BIM".utf8) + [0x04, 0x04] + name + [0, 0, 0, UInt8(records.count)]
    return Array("Photoshop 3.0\0".utf8) + other + head + records
  }

  @Test(
    "IPTC date and time",
    arguments: [
      ([(55, "20240517"), (60, "140322+0200")], "2024-05-17T14:03:22.000+02:00"),
      ([(60, "140322-0730"), (55, "20240517")], "2024-05-17T14:03:22.000-07:30"),
      ([(55, "20240517"), (60, "140322")], "2024-05-17T14:03:22.000~"),
      ([(55, "20240517")], "2024-05-17T00:00:00.000~"),
      ([(60, "120507+0000")], nil), ([(55, "00000000")], nil), ([(55, "20240532")], nil),
      ([(55, "2024-05-17")], "2024-05-17T00:00:00.000~"), ([(55, "2024051")], nil),
      ([(55, "2024:05:17")], "2024-05-17T00:00:00.000~"), ([(55, "")], nil),
    ] as [([(UInt8, String)], String?)])
  func iptc(sets: [(UInt8, String)], expected: String?) throws {
    for name: [UInt8] in [[0, 0], [3, 0x61, 0x62, 0x63]] {
      let file = jpeg([(0xED, app13(sets, name: name))])
      #expect(try metadata(file).date(.iptcDateCreated) == expected)
    }
  }

  @Test("a cut IPTC block gives an answer")
  func iptcCut() throws {
    let whole = app13([(55, "20240517"), (60, "140322+0200")])
    for length in 0..<whole.count {
      _ = try metadata(jpeg([(0xED, Array(whole[..<length]))]))
    }
  }
}
