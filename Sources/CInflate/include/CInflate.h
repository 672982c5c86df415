// Inflates zlib streams (RFC 1950) and computes CRC-32 through ISA-L.
//
// Why a shim: ISA-L's state is 87 kB of plain struct full of pointers into the caller's memory; here it
// lives on the heap behind an opaque type, and no pointer is kept from one call to the next.
//
// Thread-safe: each stream belongs to one thread at a time, different streams to any.
#ifndef CINFLATE_H
#define CINFLATE_H

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A zlib stream that is being inflated.
typedef struct cinflate_stream cinflate_stream;

enum {
  /// All input given so far is used up, or the output is full: more may come.
  CINFLATE_MORE = 0,
  /// The stream has ended and its Adler-32 is right.
  CINFLATE_END = 1,
  /// Not a zlib stream, damaged, one that needs a preset dictionary, or of a wrong Adler-32.
  CINFLATE_DAMAGED = -1,
};

/// Makes a stream at its beginning; NULL where memory is short.
cinflate_stream *_Nullable cinflate_open(void);

/// Puts a stream back to its beginning, for other data.
void cinflate_restart(cinflate_stream *stream);

/// Takes input and writes output; stores how much of each was used and answers with one of the codes above.
///
/// Input and output are at most 2^31 - 1 bytes a call. After CINFLATE_DAMAGED the output so far may be
/// used, but the stream ends there.
int cinflate_next(cinflate_stream *stream, const uint8_t *input, size_t input_count, size_t *input_used,
                  uint8_t *output, size_t capacity, size_t *output_count);

/// How many bytes behind the end of a stream that has ended were taken as used.
size_t cinflate_excess(const cinflate_stream *stream);

/// Frees a stream.
void cinflate_close(cinflate_stream *_Nullable stream);

/// The CRC-32 of PNG and gzip (polynomial 0xEDB88320, reflected) of what `crc` is that of (0: nothing)
/// followed by these bytes.
uint32_t cinflate_crc32(uint32_t crc, const uint8_t *bytes, size_t count);

#pragma clang assume_nonnull end

#endif
