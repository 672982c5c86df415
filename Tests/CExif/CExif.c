#include "CExif.h"

#include <libexif/exif-data.h>
#include <limits.h>
#include <stdlib.h>

_Static_assert(CEXIF_IFD0 == EXIF_IFD_0 && CEXIF_EXIF == EXIF_IFD_EXIF && CEXIF_GPS == EXIF_IFD_GPS,
               "the directories are numbered as libexif numbers them");

struct cexif_block {
  ExifData *data;
};

cexif_block *cexif_open(const void *bytes, size_t count) {
  if (count > UINT_MAX) return NULL;
  cexif_block *block = calloc(1, sizeof *block);
  if (!block) return NULL;
  block->data = exif_data_new();
  if (!block->data) {
    cexif_close(block);
    return NULL;
  }
  exif_data_unset_option(block->data, EXIF_DATA_OPTION_IGNORE_UNKNOWN_TAGS);
  exif_data_unset_option(block->data, EXIF_DATA_OPTION_FOLLOW_SPECIFICATION);
  exif_data_load_data(block->data, bytes, (unsigned int)count);
  return block;
}

bool cexif_is_big_endian(const cexif_block *block) {
  return exif_data_get_byte_order(block->data) == EXIF_BYTE_ORDER_MOTOROLA;
}

bool cexif_find(const cexif_block *block, int32_t directory, uint16_t tag, cexif_entry *entry) {
  if (directory < 0 || directory >= EXIF_IFD_COUNT) return false;
  ExifContent *content = block->data->ifd[directory];
  const ExifEntry *found = content ? exif_content_get_entry(content, (ExifTag)tag) : NULL;
  if (!found || !found->data) return false;
  entry->format = (int32_t)found->format;
  entry->components = (uint32_t)found->components;
  entry->size = found->size;
  entry->data = found->data;
  return true;
}

void cexif_close(cexif_block *block) {
  if (!block) return;
  if (block->data) exif_data_unref(block->data);
  free(block);
}
