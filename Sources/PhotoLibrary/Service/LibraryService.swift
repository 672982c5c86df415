/// The narrow waist: all that a reader can ask of a library, subject by subject.
///
/// `AccessGate` answers over a store in this process. Fetch results, thumbnails and changes are written
/// once, over this protocol, so that a library behind a socket serves them just as well. Calls block
/// but for those that are `async`; each answers from a state of its own.
package protocol LibraryService: AccessService, FetchService, EditingService, HistoryService,
  ImageService
{}
