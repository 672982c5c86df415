package import PhotoModel

/// What a cached thumbnail was made from, and how: content, never a path.
package struct ThumbnailKey: Hashable, Sendable {
  /// The SHA-256 of the original.
  package let sha256: [UInt8]
  package let orientation: Orientation
  package let recipe: ThumbnailRecipe
  /// nil for the shared scope, else the client whose private asset this is.
  package let scope: String?

  package init(
    sha256: [UInt8], orientation: Orientation, recipe: ThumbnailRecipe, scope: String?
  ) {
    self.sha256 = sha256
    self.orientation = orientation
    self.recipe = recipe
    self.scope = scope
  }

  /// The SHA-256 over all fields, under which the cache keeps the picture.
  ///
  /// The version in front changes when the same key begins to mean other pixels.
  func digest() throws(StoreError) -> [UInt8] {
    let encoding =
      switch recipe.encoding {
      case .jpeg(let quality): "jpeg \(quality)"
      case .png: "png"
      }
    let size = "\(recipe.size.width) \(recipe.size.height)"
    // The scope stands last, and its being there is told apart from its being empty.
    let text =
      "1 \(sha256.hexadecimal) \(orientation.rawValue) \(size) \(recipe.contentMode.rawValue) "
      + "\(encoding) " + (scope.map { "client \($0)" } ?? "shared")
    return try ContentHash.of(Array(text.utf8))
  }
}
