import Glibc

// The few system calls of the command line, each with its errors as values.

/// The bytes of an environment variable; nil where it is unset or empty.
func environmentVariable(_ name: String) -> [UInt8]? {
  guard let value = unsafe getenv(name), unsafe value.pointee != 0 else { return nil }
  let length = unsafe strlen(value)
  return unsafe UnsafeRawBufferPointer(start: value, count: length).map { $0 }
}

/// What the system says about an error number, as it stands in every locale we run in (C).
func systemMessage(_ number: Int32) -> String {
  var buffer = [CChar](repeating: 0, count: 256)
  // The XSI form, which fills the buffer.
  _ = unsafe strerror_r(number, &buffer, buffer.count)
  let text = buffer.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }
  return text.isEmpty ? "error \(number)" : String(decoding: text, as: UTF8.self)
}

/// Writes all bytes; returns 0 or an error number.
func writeAll(_ bytes: [UInt8], to descriptor: Int32) -> Int32 {
  unsafe bytes.withUnsafeBytes { buffer in
    var rest = unsafe buffer[...]
    while unsafe !rest.isEmpty {
      let window = unsafe UnsafeRawBufferPointer(rebasing: rest)
      let count = unsafe write(descriptor, window.baseAddress, window.count)
      if count < 0 {
        switch errno {
        case EINTR: continue
        case EAGAIN: waitUntilWritable(descriptor)
        default: return errno
        }
      } else {
        unsafe rest = unsafe rest.dropFirst(count)
      }
    }
    return 0
  }
}

/// A terminal or pipe may have been made non-blocking by another process that shares it.
private func waitUntilWritable(_ descriptor: Int32) {
  var request = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
  _ = unsafe poll(&request, 1, -1)
}

/// Makes sure that the descriptors 0 to 2 are taken, so that no file of a library is opened as one of
/// them and gets our output: a caller may have closed them (`photolib … >&-`).
func holdStandardDescriptors() {
  for descriptor: Int32 in 0...2 where fcntl(descriptor, F_GETFD) < 0 && errno == EBADF {
    // For reading only: writing results to it still fails, and says so.
    _ = unsafe open("/dev/null", O_RDONLY)
  }
}
