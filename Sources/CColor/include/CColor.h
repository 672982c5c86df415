#ifndef CCOLOR_H
#define CCOLOR_H

// lcms2, wrapped because its error handler is a C callback and its formats are macros. Each
// transform has a context of its own, so that nothing is global and hostile profiles meet a bound
// on memory.

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

typedef struct ccolor_transform ccolor_transform;

/// Makes the transform from a profile to 8-bit sRGB, relative colorimetric. `channels`: 1 grey, 3
/// RGB, 4 CMYK, where 255 means full ink. NULL if the profile is broken, is of another colour space
/// or is no device profile, with the reason in `reason`, a buffer of `reason_size` bytes.
ccolor_transform *_Nullable ccolor_open(
    const uint8_t *profile, size_t size, int channels, char *reason, size_t reason_size);

/// Converts `count` pixels of `channels` bytes to `count` pixels of 3 bytes. Any number of threads
/// may use one transform at a time. The buffers may not overlap.
void ccolor_run(
    const ccolor_transform *transform, const uint8_t *source, uint8_t *rgb, size_t count);

void ccolor_close(ccolor_transform *transform);

#pragma clang assume_nonnull end

#endif
