import PhotoModel
import Testing

@Suite("Identifiers")
struct IdentifierTests {
  @Test("A local identifier is read back, with and without its suffix, in any case")
  func localIdentifier() {
    let id = AssetID()
    #expect(AssetID(localIdentifier: id.localIdentifier) == id)
    #expect(AssetID(localIdentifier: id.uuidString.lowercased()) == id)
    #expect(id.localIdentifier == id.uuidString + "/L0/001")
    #expect(AssetID(bytes: id.bytes) == id)
  }

  @Test(
    "What is no single identifier is refused",
    arguments: [
      "", "*", "%", "/L0/001", "1234", "00000000-0000-0000-0000-00000000000",
      "00000000-0000-0000-0000-000000000000/L0/002", "00000000-0000-0000-0000-0000000000000",
      "g0000000-0000-0000-0000-000000000000", "00000000-0000-0000-0000-00000000000\u{0}",
    ])
  func refused(_ text: String) {
    #expect(AssetID(localIdentifier: text) == nil)
  }

  @Test("Identifiers are random UUIDs of version 4")
  func version() {
    let ids = (0..<100).map { _ in AssetID() }
    #expect(Set(ids).count == 100)
    for id in ids {
      #expect(id.bytes[6] >> 4 == 4)
      #expect(id.bytes[8] >> 6 == 2)
    }
  }

  @Test(
    "Client identifiers in reverse-DNS form are taken",
    arguments: ["local.default", "org.example.frame", "a.b", "A-1.b-", "0.0"])
  func clientTaken(_ text: String) {
    #expect(ClientID(text)?.rawValue == text)
  }

  @Test(
    "Other client identifiers are refused",
    arguments: [
      "", "a", "ab", "frame", ".a", "a.", "a..b", "-a.b", "a.-b", "a_b.c", "a b.c", "a.b\n",
      "ä.b", "a.*", String(repeating: "a", count: 63) + ".b",
    ])
  func clientRefused(_ text: String) {
    #expect(ClientID(text) == nil)
  }

  @Test("The longest client identifier has 64 bytes")
  func clientLength() {
    #expect(ClientID(String(repeating: "a", count: 62) + ".b") != nil)
  }
}
