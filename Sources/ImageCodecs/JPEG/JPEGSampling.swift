import ImageContainer

/// The largest sampling factors among the components of a JPEG picture: a component with them has a sample
/// for each pixel (ITU-T T.81 A.1.1).
struct JPEGSampling: Hashable {
  var horizontal: Int
  var vertical: Int

  init(horizontal: Int, vertical: Int) {
    self.horizontal = horizontal
    self.vertical = vertical
  }

  init(_ components: [JPEGFrame.Component]) {
    horizontal = components.map(\.horizontalSampling).max() ?? 1
    vertical = components.map(\.verticalSampling).max() ?? 1
  }
}
