import PhotoLibrary
import PhotoLibraryTesting
import Testing

// The first example of the README, as it stands there.
@Test("A frame shows only the photographs that were chosen for it")
func frameShowsChosenPhotos() async throws {
  let temporary = try TemporaryLibrary()
  let ids = try await temporary.add(
    TestPicture(date: "2024-05-17 14:03:22+02:00"),
    TestPicture(date: "2019-08-02 09:30:00-07:00"),
    TestPicture(date: "2021-12-24 18:00:00+01:00"))

  let frame = try temporary.client(.limited, id: "org.example.frame", selecting: [ids[0], ids[1]])

  let photos = try frame.fetchAssets()
  #expect(photos.ids == [ids[1], ids[0]])  // oldest first, and nothing of the third
  let thumbnail = try await frame.thumbnail(for: ids[0])
  #expect(thumbnail.size == PixelSize(width: 64, height: 48))
  await #expect(throws: LibraryError.self) { try await frame.thumbnail(for: ids[2]) }
}
