#include "CJPEGPeer.h"

#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

typedef struct {
  struct jpeg_error_mgr errors;
  jmp_buf jump;
} peer_errors;

static void peer_failed(j_common_ptr info) { longjmp(((peer_errors *)info->err)->jump, 1); }
static void peer_silent(j_common_ptr info, int level) {
  (void)info;
  (void)level;
}

int cjpeg_peer_decode(const uint8_t *bytes, size_t count, int denominator) {
  struct jpeg_decompress_struct info;
  peer_errors errors;
  JSAMPROW row = NULL;
  int rows = 0;
  info.err = jpeg_std_error(&errors.errors);
  errors.errors.error_exit = peer_failed;
  errors.errors.emit_message = peer_silent;
  if (setjmp(errors.jump)) {
    jpeg_destroy_decompress(&info);
    return 0;
  }
  jpeg_create_decompress(&info);
  jpeg_mem_src(&info, bytes, count);
  jpeg_read_header(&info, TRUE);
  info.scale_num = 1;
  info.scale_denom = (unsigned)denominator;
  info.out_color_space = info.jpeg_color_space;
  jpeg_start_decompress(&info);
  row = (*info.mem->alloc_large)(
      (j_common_ptr)&info, JPOOL_IMAGE, (size_t)info.output_width * (size_t)info.output_components);
  while (info.output_scanline < info.output_height) {
    rows += (int)jpeg_read_scanlines(&info, &row, 1);
  }
  jpeg_finish_decompress(&info);
  jpeg_destroy_decompress(&info);
  return rows;
}
