#include "output.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>
#include <jerror.h>

typedef struct {
  struct jpeg_compress_struct info;
  struct jpeg_error_mgr errors;
  struct jpeg_destination_mgr destination;
  jmp_buf jump;
  cimg_error *error;
  cimg_output output;
} encoder;

static void encode_failed(j_common_ptr info) {
  encoder *self = info->client_data;
  char text[JMSG_LENGTH_MAX];
  info->err->format_message(info, text);
  cimg_set_error(self->error, CIMG_INVALID, text);
  longjmp(self->jump, 1);
}

static void encode_message(j_common_ptr info, int level) { (void)info, (void)level; }

static void no_output(j_common_ptr info) { (void)info; }

static void offer_room(j_compress_ptr info) {
  encoder *self = info->client_data;
  if (!cimg_output_reserve(&self->output, 4096)) {
    info->err->msg_code = JERR_OUT_OF_MEMORY;
    info->err->msg_parm.i[0] = 0;
    info->err->error_exit((j_common_ptr)info);
  }
  self->destination.next_output_byte = self->output.bytes + self->output.count;
  self->destination.free_in_buffer = self->output.capacity - self->output.count;
}

static boolean output_full(j_compress_ptr info) {
  encoder *self = info->client_data;
  self->output.count = self->output.capacity;  // libjpeg calls this only when all is used
  offer_room(info);
  return TRUE;
}

static void output_done(j_compress_ptr info) {
  encoder *self = info->client_data;
  self->output.count = self->output.capacity - self->destination.free_in_buffer;
}

uint8_t *cimg_jpeg_encode(
    const uint8_t *pixels, uint32_t width, uint32_t height, int channels, int quality,
    int horizontal, int vertical, size_t *size, cimg_error *error) {
  encoder *const self = calloc(1, sizeof *self);
  if (self == NULL) {
    cimg_set_error(error, CIMG_NO_MEMORY, "no memory for the JPEG encoder");
    return NULL;
  }
  self->error = error;
  jpeg_std_error(&self->errors);
  self->errors.error_exit = encode_failed;
  self->errors.emit_message = encode_message;
  self->errors.output_message = no_output;
  self->info.err = &self->errors;
  self->info.client_data = self;
  if (setjmp(self->jump)) {
    jpeg_destroy_compress(&self->info);
    free(self->output.bytes);
    free(self);
    return NULL;
  }
  struct jpeg_compress_struct *info = &self->info;
  jpeg_create_compress(info);
  info->mem->max_memory_to_use = 0;  // one scan needs none; see open for JPEGMEM
  self->destination.init_destination = offer_room;
  self->destination.empty_output_buffer = output_full;
  self->destination.term_destination = output_done;
  info->dest = &self->destination;
  info->image_width = width;
  info->image_height = height;
  info->input_components = channels;
  info->in_color_space = channels == 1 ? JCS_GRAYSCALE : JCS_RGB;
  jpeg_set_defaults(info);
  jpeg_set_quality(info, quality, TRUE);
  info->dct_method = JDCT_ISLOW;
  info->comp_info[0].h_samp_factor = channels == 1 ? 1 : horizontal;
  info->comp_info[0].v_samp_factor = channels == 1 ? 1 : vertical;
  jpeg_start_compress(info, TRUE);
  while (info->next_scanline < height) {
    JSAMPROW row = (JSAMPROW)pixels + (size_t)info->next_scanline * width * (size_t)channels;
    jpeg_write_scanlines(info, &row, 1);
  }
  jpeg_finish_compress(info);
  jpeg_destroy_compress(info);
  uint8_t *bytes = self->output.bytes;
  *size = self->output.count;
  free(self);
  return bytes;
}
