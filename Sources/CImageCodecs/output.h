#ifndef CIMG_OUTPUT_H
#define CIMG_OUTPUT_H

#include "CImageCodecs.h"

/// A buffer that grows. libjpeg's own memory destination leaves a dangling pointer behind when an
/// error strikes after it grew, so the buffer's owner is always ours.
typedef struct {
  uint8_t *_Nullable bytes;
  size_t count, capacity;
} cimg_output;

/// Makes room for `more` bytes behind `count`. False if there is no memory.
bool cimg_output_reserve(cimg_output *_Nonnull output, size_t more);

/// Fills in an error; `error` may be NULL.
void cimg_set_error(cimg_error *_Nullable error, int32_t code, const char *_Nonnull message);

#endif
