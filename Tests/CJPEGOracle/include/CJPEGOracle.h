// libjpeg-turbo as a second opinion on JPEG decoding, and as a maker of files to try it on.
//
// Why a shim: libjpeg reports errors by a function that must not return, so setjmp and longjmp stay here.
//
// Thread-safe: each picture belongs to one thread at a time, different pictures to any.
#ifndef CJPEGORACLE_H
#define CJPEGORACLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

enum { CJPEG_ORACLE_COMPONENTS = 4 };

/// What libjpeg said about a file.
typedef struct {
  /// Whether it gave up.
  bool failed;
  /// Whether it was not asked, since the picture is larger or has more scans than the caller wants.
  bool too_large;
  /// How often it warned.
  int32_t warnings;
  /// The error, or else the first warning.
  char text[200];
} cjpeg_oracle_verdict;

/// A picture whose coefficients were read.
typedef struct cjpeg_oracle_picture cjpeg_oracle_picture;

typedef struct {
  int32_t horizontal;
  int32_t vertical;
  /// Blocks that the component has, without padding.
  int32_t blocks_across;
  int32_t blocks_down;
} cjpeg_oracle_component;

/// Reads the coefficients of a whole file, up to its end marker; NULL where libjpeg gives up, or where
/// the picture has more than `most_blocks` blocks.
cjpeg_oracle_picture *_Nullable cjpeg_oracle_read(
    const uint8_t *bytes, size_t count, int64_t most_blocks, cjpeg_oracle_verdict *verdict);

int32_t cjpeg_oracle_width(const cjpeg_oracle_picture *picture);
int32_t cjpeg_oracle_height(const cjpeg_oracle_picture *picture);
int32_t cjpeg_oracle_component_count(const cjpeg_oracle_picture *picture);
cjpeg_oracle_component cjpeg_oracle_component_at(const cjpeg_oracle_picture *picture, int32_t index);

/// A component's quantisers: 64, in natural order.
const uint16_t *cjpeg_oracle_quantiser(const cjpeg_oracle_picture *picture, int32_t index);

/// A component's coefficients: 64 for each block in natural order, not yet multiplied; row by row.
const int16_t *cjpeg_oracle_coefficients(const cjpeg_oracle_picture *picture, int32_t index);

/// The largest difference, in levels, of `samples` to what is right; negative where that could not be made.
///
/// `samples` are eighths of levels.
/// `side` 1: rounded to levels they are right as what libjpeg makes at 1/8 of a grey picture that has this
/// component only.
/// `side` 2 and 4: the orthonormal inverse DCT of the lowest side x side coefficients, times side / 8, plus
/// 128, within 0 and 255, in double precision.
double cjpeg_oracle_difference(
    const cjpeg_oracle_picture *picture, int32_t index, int32_t side, const uint16_t *samples,
    int32_t stride, int32_t width, int32_t height);

void cjpeg_oracle_close(cjpeg_oracle_picture *_Nullable picture);

/// How a file is to be made.
typedef struct {
  int32_t width;
  int32_t height;
  /// 1 or 3.
  int32_t components;
  int32_t horizontal[CJPEG_ORACLE_COMPONENTS];
  int32_t vertical[CJPEG_ORACLE_COMPONENTS];
  int32_t quality;
  /// The quantiser of all coefficients instead of those that the quality gives; 0 leaves them.
  int32_t quantiser;
  /// In units; negative is that many rows of units.
  int32_t restart_interval;
  bool optimized;
  bool one_scan_per_component;
  bool progressive;
  bool arithmetic;
  /// The components are red, green and blue and said to be.
  bool rgb;
} cjpeg_oracle_recipe;

/// Makes a file from `pixels`, `components` bytes each, row by row, as they are: no colours are converted.
///
/// Returns memory to be freed with `free`, or NULL where libjpeg refuses the recipe.
uint8_t *_Nullable cjpeg_oracle_encode(
    const cjpeg_oracle_recipe *recipe, const uint8_t *pixels, size_t *count);

/// Makes a file from coefficients: for each component as many blocks as `cjpeg_oracle_read` gives of it, in
/// that form, one component behind the other.
uint8_t *_Nullable cjpeg_oracle_encode_coefficients(
    const cjpeg_oracle_recipe *recipe, const int16_t *coefficients, size_t *count);

#pragma clang assume_nonnull end

#endif
