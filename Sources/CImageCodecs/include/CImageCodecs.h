#ifndef CIMAGECODECS_H
#define CIMAGECODECS_H

// libjpeg-turbo and libpng, wrapped because both report errors by longjmp, which must not cross a
// Swift frame and which Swift cannot catch. Rules of this target:
//
// - Every entry point that calls the library arms setjmp first; nothing is called back into Swift.
// - All state of one codec is one heap struct, freed by its `close`.
// - Errors come out in a struct that the caller owns; nothing is global, nothing is printed.
// - A handle is used by one thread at a time.

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Kinds of failure, as `cimg_error.code`.
enum {
  CIMG_DAMAGED = 1,      ///< the bytes are no whole picture
  CIMG_UNSUPPORTED = 2,  ///< a valid file perhaps, but of a kind that the library cannot read
  CIMG_LIMIT = 3,        ///< a limit that the caller set is passed
  CIMG_NO_MEMORY = 4,    ///< malloc failed
  CIMG_INVALID = 5,      ///< the caller's arguments do not fit together
};

typedef struct {
  int32_t code;
  char message[200];
} cimg_error;

// MARK: - JPEG

typedef struct cimg_jpeg cimg_jpeg;

typedef struct {
  size_t coefficient_memory;  ///< bytes for the arrays of a picture of several scans
  int32_t scans;              ///< scans beyond this are an error
  int32_t warnings;           ///< warnings beyond this are an error
  size_t profile;             ///< bytes; a larger ICC profile is ignored
} cimg_jpeg_limits;

typedef struct {
  uint32_t width, height;  ///< as coded
  int32_t components;      ///< of the file
  int32_t channels;        ///< of the rows that come out: 1 grey, 3 RGB, 4 CMYK as in the file
  bool multiple_scans;     ///< the whole picture's coefficients are kept while it is read
} cimg_jpeg_info;

/// What was met so far.
typedef struct {
  int32_t warnings;
  char first_warning[200];
  bool data_missing;      ///< entropy-coded data ended before the picture did
  int32_t data_ended_at;  ///< output row at which it ended, -1 where that is not known
  bool scans_missing;     ///< the file ended before its scans gave every bit of every coefficient
} cimg_jpeg_report;

/// Reads everything up to the first scan. `bytes` must stay valid until close.
/// Returns NULL and fills `error` if there is no usable header.
cimg_jpeg *_Nullable cimg_jpeg_open(
    const uint8_t *bytes, size_t count, cimg_jpeg_limits limits, cimg_error *error);
void cimg_jpeg_close(cimg_jpeg *jpeg);
cimg_jpeg_info cimg_jpeg_get_info(const cimg_jpeg *jpeg);
cimg_jpeg_report cimg_jpeg_get_report(const cimg_jpeg *jpeg);

/// The embedded ICC profile, valid until close; NULL if there is none or it is not whole.
const uint8_t *_Nullable cimg_jpeg_get_profile(const cimg_jpeg *jpeg, size_t *size);

/// Prepares decoding at 1/denominator (1, 2, 4, 8). `coarse` allows to stop reading scans as soon
/// as they gave the DC coefficients, which is all that 1/8 shows of luma. Returns 0 and the size of
/// the output, or -1.
int cimg_jpeg_start(
    cimg_jpeg *jpeg, int denominator, bool coarse, uint32_t *width, uint32_t *height,
    cimg_error *error);

/// Only for `multiple_scans`, after start: takes in up to `steps` rows of blocks.
/// Returns 1 when there is enough for output, 0 when there is more to take in, -1 on error.
int cimg_jpeg_consume(cimg_jpeg *jpeg, int steps, cimg_error *error);

/// After a failed consume: treats the file as ended there. Returns 0 if what came before can be
/// shown.
int cimg_jpeg_end_input(cimg_jpeg *jpeg, cimg_error *error);

/// Reads up to `max_rows` rows. Returns how many, 0 at the end of the picture, -1 on error. An
/// error behind some good rows is reported by the next call.
int cimg_jpeg_read_rows(
    cimg_jpeg *jpeg, uint8_t *rows, size_t stride, int max_rows, cimg_error *error);

/// Encodes baseline JPEG, grey (1 channel) or RGB (3). `horizontal`, `vertical`: how much finer
/// luma is sampled than chroma, 1 or 2. Returns a buffer for `cimg_free`, or NULL.
uint8_t *_Nullable cimg_jpeg_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, int channels, int quality,
    int horizontal, int vertical, size_t *size, cimg_error *error);

// MARK: - PNG

typedef struct cimg_png cimg_png;

typedef struct {
  uint32_t side;          ///< largest width and height
  size_t chunk;           ///< bytes of one chunk, packed or unpacked
  uint32_t cached_chunks; ///< ancillary chunks that are kept
  int32_t warnings;       ///< warnings beyond this are an error
} cimg_png_limits;

typedef struct {
  uint32_t width, height;
  int32_t channels;  ///< of the rows: 1 grey, 2 grey and alpha, 3 RGB, 4 RGB and alpha; 8 bits each
  int32_t passes;    ///< 1, or 7 for an interlaced picture: all rows are read that many times
  size_t row_bytes;
} cimg_png_info;

typedef struct {
  int32_t warnings;  ///< about the picture data; those about other chunks are not counted
  char first_warning[200];
  bool checksum_wrong;
} cimg_png_report;

/// Reads everything up to the picture data. `bytes` must stay valid until close.
cimg_png *_Nullable cimg_png_open(
    const uint8_t *bytes, size_t count, cimg_png_limits limits, cimg_error *error);
void cimg_png_close(cimg_png *png);
cimg_png_info cimg_png_get_info(const cimg_png *png);
cimg_png_report cimg_png_get_report(const cimg_png *png);

/// The embedded ICC profile, valid until close; NULL if there is none.
const uint8_t *_Nullable cimg_png_get_profile(const cimg_png *png, size_t *size);

/// Reads the next `count` rows of a pass (the caller never asks for more than a pass has). In an
/// interlaced picture a row is merged into what `rows` holds already. Returns how many, -1 on
/// error; an error behind some good rows is reported by the next call.
int cimg_png_read_rows(cimg_png *png, uint8_t *rows, size_t stride, int count, cimg_error *error);

/// Reads what is behind the last row, so that its checksums are verified; faults go to the report.
void cimg_png_finish(cimg_png *png);

/// Encodes 8-bit PNG: grey (1 channel), RGB (3) or RGBA (4). Returns a buffer for `cimg_free`, or
/// NULL.
uint8_t *_Nullable cimg_png_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, int channels, size_t *size,
    cimg_error *error);

/// Frees what an encoder returned.
void cimg_free(void *_Nullable buffer);

#pragma clang assume_nonnull end

#endif
