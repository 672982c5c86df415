#include "output.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <png.h>

struct cimg_png {
  png_structp png;
  png_infop info;
  jmp_buf jump;
  cimg_error *error;  // the caller's, during a call
  cimg_png_limits limits;
  cimg_png_report report;
  const uint8_t *next;
  size_t remaining;
  int32_t channels, passes;
  size_t row_bytes;
  bool in_picture;  // warnings count from here on
  bool failed;
  cimg_error failure;  // told by the next call where good rows came first
  int rows_done;       // in the call under way
};

// MARK: errors

static int32_t code_of(const char *message) {
  if (strstr(message, "exceeds user limit") != NULL) return CIMG_LIMIT;
  if (strstr(message, "memory") != NULL) return CIMG_NO_MEMORY;
  return CIMG_DAMAGED;
}

static void png_failed(png_structp png, png_const_charp message) {
  cimg_png *self = png_get_error_ptr(png);
  cimg_set_error(self->error, code_of(message), message);
  longjmp(self->jump, 1);
}

static void png_warned(png_structp png, png_const_charp message) {
  cimg_png *self = png_get_error_ptr(png);
  if (!self->in_picture) return;
  if (strstr(message, "CRC error") != NULL) self->report.checksum_wrong = true;
  if (self->report.warnings == 0)
    snprintf(self->report.first_warning, sizeof self->report.first_warning, "%s", message);
  self->report.warnings++;
  if (self->report.warnings > self->limits.warnings) {
    cimg_set_error(self->error, CIMG_DAMAGED, "too many faults in the picture data");
    longjmp(self->jump, 1);
  }
}

static void read_bytes(png_structp png, png_bytep bytes, size_t count) {
  cimg_png *self = png_get_io_ptr(png);
  if (count > self->remaining) png_error(png, "the file ends before the picture does");
  memcpy(bytes, self->next, count);
  self->next += count;
  self->remaining -= count;
}

// MARK: decoding

// Everything that a picture's pixels do not need is stepped over unread: texts and their bombs,
// EXIF, palettes of suggestions, and the colour chunks gAMA, cHRM, sRGB and cICP, which this reader
// ignores (an ICC profile counts, its absence means sRGB; photographs with a bare gAMA are mostly
// mistaken).
static const png_byte skipped[] =
    "tEXt\0zTXt\0iTXt\0eXIf\0sPLT\0hIST\0gAMA\0cHRM\0"
    "sRGB\0sBIT\0bKGD\0pHYs\0oFFs\0pCAL\0sCAL\0tIME";

cimg_png *cimg_png_open(
    const uint8_t *bytes, size_t count, cimg_png_limits limits, cimg_error *error) {
  cimg_png *const self = calloc(1, sizeof *self);
  if (self == NULL) {
    cimg_set_error(error, CIMG_NO_MEMORY, "no memory for the PNG decoder");
    return NULL;
  }
  self->limits = limits;
  self->error = error;
  self->next = bytes;
  self->remaining = count;
  if (setjmp(self->jump)) {
    cimg_png_close(self);
    return NULL;
  }
  self->png = png_create_read_struct(PNG_LIBPNG_VER_STRING, self, png_failed, png_warned);
  if (self->png != NULL) self->info = png_create_info_struct(self->png);
  if (self->info == NULL) {
    cimg_set_error(error, CIMG_NO_MEMORY, "no memory for the PNG decoder");
    cimg_png_close(self);
    return NULL;
  }
  png_structp png = self->png;
  png_set_read_fn(png, self, read_bytes);
  png_set_user_limits(png, limits.side, limits.side);
  png_set_chunk_cache_max(png, limits.cached_chunks);
  png_set_chunk_malloc_max(png, limits.chunk);
  png_set_benign_errors(png, 1);
  // Of a cut file this much is lost at the end; the default is 8 kB.
  png_set_compression_buffer_size(png, 1024);
  // Some writers state a smaller inflate window than they use; the data is good all the same.
  png_set_option(png, PNG_MAXIMUM_INFLATE_WINDOW, PNG_OPTION_ON);
  png_set_keep_unknown_chunks(png, PNG_HANDLE_CHUNK_NEVER, skipped, (int)(sizeof skipped / 5));
  png_read_info(png, self->info);

  // From here a wrong checksum is a fault to report, not a reason to show nothing.
  png_set_crc_action(png, PNG_CRC_WARN_USE, PNG_CRC_WARN_DISCARD);
  self->in_picture = true;
  png_set_expand(png);    // palette, tRNS and 1, 2, 4 bits to 8 bits a channel
  png_set_scale_16(png);  // 16 bits: v * 255 / 65535, rounded
  self->passes = png_set_interlace_handling(png);
  png_read_update_info(png, self->info);
  self->channels = png_get_channels(png, self->info);
  self->row_bytes = png_get_rowbytes(png, self->info);
  size_t width = png_get_image_width(png, self->info);
  if (self->channels < 1 || self->channels > 4 ||
      self->row_bytes != width * (size_t)self->channels) {
    cimg_set_error(error, CIMG_UNSUPPORTED, "PNG with an unknown pixel layout");
    cimg_png_close(self);
    return NULL;
  }
  return self;
}

void cimg_png_close(cimg_png *self) {
  if (self->png != NULL) png_destroy_read_struct(&self->png, &self->info, NULL);
  free(self);
}

cimg_png_info cimg_png_get_info(const cimg_png *self) {
  cimg_png_info result = {
      .width = png_get_image_width(self->png, self->info),
      .height = png_get_image_height(self->png, self->info),
      .channels = self->channels,
      .passes = self->passes,
      .row_bytes = self->row_bytes,
  };
  return result;
}

cimg_png_report cimg_png_get_report(const cimg_png *self) { return self->report; }

const uint8_t *cimg_png_get_profile(const cimg_png *self, size_t *size) {
  png_charp name;
  png_bytep profile;
  png_uint_32 length;
  int method;
  *size = 0;
  if (png_get_iCCP(self->png, self->info, &name, &method, &profile, &length) == 0) return NULL;
  *size = length;
  return profile;
}

int cimg_png_read_rows(cimg_png *self, uint8_t *rows, size_t stride, int count, cimg_error *error) {
  if (self->failed) {
    *error = self->failure;
    return -1;
  }
  if (stride < self->row_bytes || count < 0) {
    cimg_set_error(error, CIMG_INVALID, "rows do not fit the buffer");
    return -1;
  }
  self->rows_done = 0;
  self->error = &self->failure;
  if (setjmp(self->jump)) {
    self->failed = true;
    if (self->rows_done > 0) return self->rows_done;
    *error = self->failure;
    return -1;
  }
  while (self->rows_done < count) {
    png_read_row(self->png, rows + stride * (size_t)self->rows_done, NULL);
    self->rows_done++;
  }
  return count;
}

void cimg_png_finish(cimg_png *self) {
  if (self->failed) return;
  self->error = &self->failure;
  if (setjmp(self->jump)) {
    self->failed = true;
    if (self->report.warnings == 0)
      snprintf(self->report.first_warning, sizeof self->report.first_warning, "%s",
               self->failure.message);
    self->report.warnings++;
    return;
  }
  png_read_end(self->png, NULL);
}

// MARK: encoding

typedef struct {
  png_structp png;
  png_infop info;
  jmp_buf jump;
  cimg_error *error;
  cimg_output output;
} encoder;

static void encode_failed(png_structp png, png_const_charp message) {
  encoder *self = png_get_error_ptr(png);
  cimg_set_error(self->error, code_of(message), message);
  longjmp(self->jump, 1);
}

static void encode_warned(png_structp png, png_const_charp message) { (void)png, (void)message; }

static void write_bytes(png_structp png, png_bytep bytes, size_t count) {
  encoder *self = png_get_io_ptr(png);
  if (!cimg_output_reserve(&self->output, count)) png_error(png, "out of memory");
  memcpy(self->output.bytes + self->output.count, bytes, count);
  self->output.count += count;
}

static void flush_nothing(png_structp png) { (void)png; }

uint8_t *cimg_png_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, int channels, size_t *size,
    cimg_error *error) {
  encoder *const self = calloc(1, sizeof *self);
  if (self == NULL) {
    cimg_set_error(error, CIMG_NO_MEMORY, "no memory for the PNG encoder");
    return NULL;
  }
  self->error = error;
  if (setjmp(self->jump)) {
    png_destroy_write_struct(&self->png, &self->info);
    free(self->output.bytes);
    free(self);
    return NULL;
  }
  self->png = png_create_write_struct(PNG_LIBPNG_VER_STRING, self, encode_failed, encode_warned);
  if (self->png != NULL) self->info = png_create_info_struct(self->png);
  if (self->info == NULL) {
    cimg_set_error(error, CIMG_NO_MEMORY, "no memory for the PNG encoder");
    longjmp(self->jump, 1);
  }
  png_set_write_fn(self->png, self, write_bytes, flush_nothing);
  int type = channels == 1 ? PNG_COLOR_TYPE_GRAY
             : channels == 3 ? PNG_COLOR_TYPE_RGB : PNG_COLOR_TYPE_RGB_ALPHA;
  png_set_IHDR(self->png, self->info, width, height, 8, type, PNG_INTERLACE_NONE,
               PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
  png_write_info(self->png, self->info);
  for (uint32_t y = 0; y < height; y++)
    png_write_row(self->png, pixels + (size_t)y * width * (size_t)channels);
  png_write_end(self->png, NULL);
  png_destroy_write_struct(&self->png, &self->info);
  uint8_t *bytes = self->output.bytes;
  *size = self->output.count;
  free(self);
  return bytes;
}
