#ifndef CJPEGPEER_H
#define CJPEGPEER_H

// libjpeg-turbo as a program would use it for a thumbnail: what the fast path is measured against.

#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// Decodes at 1/denominator in the file's own colour space, row by row, and drops the rows.
/// Returns how many there were, 0 on any error.
int cjpeg_peer_decode(const uint8_t *bytes, size_t count, int denominator);

#pragma clang assume_nonnull end

#endif
