// One EXIF block as libexif reads it: the second opinion of the tests on what ImageMetadata reads.
//
// Why a shim: libexif's options are to be cleared before the block is loaded (by default it drops tags that
// it does not know and invents such as the specification asks for), and its entry look-up is a macro.
//
// Thread-safe: each block belongs to one thread at a time, different blocks to any.
#ifndef CEXIF_H
#define CEXIF_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#pragma clang assume_nonnull begin

/// A loaded block.
typedef struct cexif_block cexif_block;

/// The directories, numbered as libexif numbers them.
enum { CEXIF_IFD0 = 0, CEXIF_EXIF = 2, CEXIF_GPS = 3 };

/// An entry as it stands in the block, in the block's byte order.
typedef struct {
  /// TIFF's type of the values.
  int32_t format;
  /// How many values.
  uint32_t components;
  /// Bytes at `data`.
  uint32_t size;
  /// Valid until the block is closed.
  const uint8_t *_Nullable data;
} cexif_entry;

/// Loads "Exif", two NULs and TIFF; NULL without memory. The bytes are not kept.
cexif_block *_Nullable cexif_open(const void *bytes, size_t count);

/// Whether numbers have their high byte first.
bool cexif_is_big_endian(const cexif_block *block);

/// Fills `entry` with a directory's entry of that tag; false where there is none.
bool cexif_find(const cexif_block *block, int32_t directory, uint16_t tag, cexif_entry *entry);

/// Frees a block.
void cexif_close(cexif_block *_Nullable block);

#pragma clang assume_nonnull end

#endif
