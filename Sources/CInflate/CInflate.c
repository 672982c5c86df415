#include "CInflate.h"

#include <isa-l/crc.h>
#include <isa-l/igzip_lib.h>
#include <limits.h>
#include <stdlib.h>

struct cinflate_stream {
  struct inflate_state state;
  int ended;  // the code that ended it, or CINFLATE_MORE
};

cinflate_stream *cinflate_open(void) {
  cinflate_stream *stream = calloc(1, sizeof *stream);
  if (stream) cinflate_restart(stream);
  return stream;
}

void cinflate_restart(cinflate_stream *stream) {
  isal_inflate_init(&stream->state);
  // The zlib header is read and the Adler-32 behind the data compared.
  stream->state.crc_flag = ISAL_ZLIB;
  stream->ended = CINFLATE_MORE;
}

int cinflate_next(cinflate_stream *stream, const uint8_t *input, size_t input_count, size_t *input_used,
                  uint8_t *output, size_t capacity, size_t *output_count) {
  *input_used = 0;
  *output_count = 0;
  if (stream->ended != CINFLATE_MORE) return stream->ended;
  if (input_count > INT_MAX) input_count = INT_MAX;
  if (capacity > INT_MAX) capacity = INT_MAX;
  struct inflate_state *state = &stream->state;
  // ISA-L does not write through next_in, its declaration only lacks the const.
  state->next_in = (uint8_t *)(uintptr_t)input;
  state->avail_in = (uint32_t)input_count;
  state->next_out = output;
  state->avail_out = (uint32_t)capacity;
  int result = isal_inflate(state);
  *input_used = input_count - state->avail_in;
  *output_count = capacity - state->avail_out;
  // No pointer into the caller's memory stays behind.
  state->next_in = NULL;
  state->next_out = NULL;
  state->avail_in = 0;
  state->avail_out = 0;
  if (result != ISAL_DECOMP_OK) {
    stream->ended = CINFLATE_DAMAGED;
  } else if (state->block_state == ISAL_BLOCK_FINISH) {
    stream->ended = CINFLATE_END;
  }
  return stream->ended;
}

size_t cinflate_excess(const cinflate_stream *stream) {
  // ISA-L keeps bits that it took beyond the end of the stream.
  return stream->ended == CINFLATE_END ? (size_t)stream->state.read_in_length / 8 : 0;
}

void cinflate_close(cinflate_stream *stream) { free(stream); }

uint32_t cinflate_crc32(uint32_t crc, const uint8_t *bytes, size_t count) {
  return crc32_gzip_refl(crc, bytes, count);
}
