#include "output.h"

#include <limits.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>
#include <jerror.h>

// One ICC profile is spread over APP2 segments, each with its number and their count (ICC.1, B.4).
enum { ICC_HEADER = 14, ICC_SEGMENTS = 255 };

struct cimg_jpeg {
  struct jpeg_decompress_struct info;
  struct jpeg_error_mgr errors;
  jmp_buf jump;
  cimg_error *error;  // the caller's, during a call
  cimg_jpeg_limits limits;
  cimg_jpeg_report report;
  bool file_ended;
  bool coarse, output_started, failed;
  cimg_error failure;  // told by the next call where good rows came first
  struct {
    const uint8_t *bytes;
    size_t count;
  } segments[ICC_SEGMENTS + 1];  // by number, from 1
  int segment_count;             // -1: they contradict each other
  uint8_t *profile;
  size_t profile_size;
};

// MARK: errors

static int32_t code_of(int message) {
  switch (message) {
    case JERR_BAD_PRECISION:
    case JERR_SOF_UNSUPPORTED:
    case JERR_CONVERSION_NOTIMPL:
    case JERR_NOT_COMPILED:
    case JERR_NOTIMPL:
    case JERR_ARITH_NOTIMPL:
    case JERR_CCIR601_NOTIMPL:
    case JERR_FRACT_SAMPLE_NOTIMPL:
    case JERR_COMPONENT_COUNT: return CIMG_UNSUPPORTED;
    case JERR_IMAGE_TOO_BIG:
    case JERR_WIDTH_OVERFLOW:
    case JERR_NO_BACKING_STORE: return CIMG_LIMIT;
    case JERR_OUT_OF_MEMORY: return CIMG_NO_MEMORY;
    default: return CIMG_DAMAGED;
  }
}

static void jpeg_failed(j_common_ptr info) {
  cimg_jpeg *jpeg = info->client_data;
  char text[JMSG_LENGTH_MAX];
  info->err->format_message(info, text);
  cimg_set_error(jpeg->error, code_of(info->err->msg_code), text);
  longjmp(jpeg->jump, 1);
}

// Replaces the printing of messages: warnings (level -1) are counted and the first is kept; traces
// (a file can hold a million) are dropped without being formatted.
static void jpeg_message(j_common_ptr info, int level) {
  if (level >= 0) return;
  cimg_jpeg *jpeg = info->client_data;
  int code = info->err->msg_code;
  // Also said where the reader looks ahead past a picture that is all there but has no end marker.
  if (code == JWRN_JPEG_EOF) jpeg->file_ended = true;
  if (code == JWRN_HIT_MARKER || (code == JWRN_JPEG_EOF && jpeg->info.arith_code)) {
    if (!jpeg->report.data_missing && jpeg->output_started)
      jpeg->report.data_ended_at = (int32_t)jpeg->info.output_scanline;
    jpeg->report.data_missing = true;
  }
  if (jpeg->report.warnings == 0) {
    char text[JMSG_LENGTH_MAX];
    info->err->format_message(info, text);
    snprintf(jpeg->report.first_warning, sizeof jpeg->report.first_warning, "%s", text);
  }
  jpeg->report.warnings++;
  if (jpeg->report.warnings > jpeg->limits.warnings) {
    char text[200];
    snprintf(text, sizeof text, "more than %d faults, the first: %.120s", jpeg->limits.warnings,
             jpeg->report.first_warning);
    cimg_set_error(jpeg->error, CIMG_DAMAGED, text);
    longjmp(jpeg->jump, 1);
  }
}

static void jpeg_no_output(j_common_ptr info) { (void)info; }

static void install_errors(struct jpeg_error_mgr *errors) {
  jpeg_std_error(errors);
  errors->error_exit = jpeg_failed;
  errors->emit_message = jpeg_message;
  errors->output_message = jpeg_no_output;
}

// MARK: ICC profile

// Notes where the profile's segments lie instead of copying them: all bytes stay in memory anyhow.
// (jpeg_save_markers would copy every APP2, and those of panoramas and maps are megabytes.)
static boolean note_app2(j_decompress_ptr info) {
  cimg_jpeg *jpeg = info->client_data;
  struct jpeg_source_mgr *source = info->src;
  if (source->bytes_in_buffer < 2) {
    // Never FALSE ("come back with more bytes"): there are none, and callers would wait for ever.
    info->err->msg_code = JERR_INPUT_EOF;
    info->err->error_exit((j_common_ptr)info);
  }
  size_t length = (size_t)source->next_input_byte[0] << 8 | source->next_input_byte[1];
  if (length < 2) {
    info->err->msg_code = JERR_BAD_LENGTH;
    info->err->error_exit((j_common_ptr)info);
  }
  size_t payload = length - 2;
  const uint8_t *bytes = source->next_input_byte + 2;
  if (payload <= source->bytes_in_buffer - 2 && payload > ICC_HEADER &&
      memcmp(bytes, "ICC_PROFILE", 12) == 0 && jpeg->segment_count >= 0) {
    int number = bytes[12], count = bytes[13];
    if (number == 0 || number > count || jpeg->segments[number].bytes != NULL ||
        (jpeg->segment_count != 0 && jpeg->segment_count != count)) {
      jpeg->segment_count = -1;
    } else {
      jpeg->segment_count = count;
      jpeg->segments[number].bytes = bytes + ICC_HEADER;
      jpeg->segments[number].count = payload - ICC_HEADER;
    }
  }
  info->src->skip_input_data(info, (long)length);
  return TRUE;
}

static void join_profile(cimg_jpeg *jpeg) {
  size_t total = 0;
  for (int i = 1; i <= jpeg->segment_count; i++) {
    if (jpeg->segments[i].bytes == NULL) return;
    total += jpeg->segments[i].count;
  }
  if (total == 0 || total > jpeg->limits.profile) return;
  jpeg->profile = malloc(total);
  if (jpeg->profile == NULL) return;
  for (int i = 1; i <= jpeg->segment_count; i++) {
    memcpy(jpeg->profile + jpeg->profile_size, jpeg->segments[i].bytes, jpeg->segments[i].count);
    jpeg->profile_size += jpeg->segments[i].count;
  }
}

// MARK: decoding

cimg_jpeg *cimg_jpeg_open(
    const uint8_t *bytes, size_t count, cimg_jpeg_limits limits, cimg_error *error) {
  cimg_jpeg *const jpeg = calloc(1, sizeof *jpeg);
  if (jpeg == NULL) {
    cimg_set_error(error, CIMG_NO_MEMORY, "no memory for the JPEG decoder");
    return NULL;
  }
  jpeg->limits = limits;
  jpeg->report.data_ended_at = -1;
  jpeg->error = error;
  install_errors(&jpeg->errors);
  jpeg->info.err = &jpeg->errors;
  jpeg->info.client_data = jpeg;
  if (setjmp(jpeg->jump)) {
    cimg_jpeg_close(jpeg);
    return NULL;
  }
  jpeg_create_decompress(&jpeg->info);
  // Set always: the environment variable JPEGMEM would otherwise decide. Zero means no limit.
  jpeg->info.mem->max_memory_to_use =
      limits.coefficient_memory == 0 || limits.coefficient_memory > (size_t)LONG_MAX
          ? 1 : (long)limits.coefficient_memory;
  jpeg_set_marker_processor(&jpeg->info, JPEG_APP0 + 2, note_app2);
  jpeg_mem_src(&jpeg->info, bytes, count);
  jpeg_read_header(&jpeg->info, TRUE);
  join_profile(jpeg);

  struct jpeg_decompress_struct *info = &jpeg->info;
  switch (info->jpeg_color_space) {
    case JCS_GRAYSCALE: info->out_color_space = JCS_GRAYSCALE; break;
    case JCS_RGB:
    case JCS_YCbCr: info->out_color_space = JCS_RGB; break;
    case JCS_CMYK:
    case JCS_YCCK: info->out_color_space = JCS_CMYK; break;
    default: {
      char text[80];
      snprintf(text, sizeof text, "JPEG of %d components", info->num_components);
      cimg_set_error(error, CIMG_UNSUPPORTED, text);
      cimg_jpeg_close(jpeg);
      return NULL;
    }
  }
  return jpeg;
}

void cimg_jpeg_close(cimg_jpeg *jpeg) {
  // Destroying only frees: it reports no errors, so no jump can come from it.
  jpeg_destroy_decompress(&jpeg->info);
  free(jpeg->profile);
  free(jpeg);
}

cimg_jpeg_info cimg_jpeg_get_info(const cimg_jpeg *jpeg) {
  const struct jpeg_decompress_struct *info = &jpeg->info;
  cimg_jpeg_info result = {
      .width = info->image_width,
      .height = info->image_height,
      .components = info->num_components,
      .channels = info->out_color_space == JCS_GRAYSCALE ? 1
                  : info->out_color_space == JCS_CMYK    ? 4 : 3,
      .multiple_scans = jpeg_has_multiple_scans((j_decompress_ptr)info),
  };
  return result;
}

cimg_jpeg_report cimg_jpeg_get_report(const cimg_jpeg *jpeg) { return jpeg->report; }

const uint8_t *cimg_jpeg_get_profile(const cimg_jpeg *jpeg, size_t *size) {
  *size = jpeg->profile_size;
  return jpeg->profile;
}

int cimg_jpeg_start(
    cimg_jpeg *jpeg, int denominator, bool coarse, uint32_t *width, uint32_t *height,
    cimg_error *error) {
  jpeg->error = error;
  if (setjmp(jpeg->jump)) return -1;
  struct jpeg_decompress_struct *info = &jpeg->info;
  info->scale_num = 1;
  info->scale_denom = (unsigned)denominator;
  info->dct_method = JDCT_ISLOW;
  // A picture of several scans is taken in step by step, so that reading can stop, be cancelled,
  // and be counted; jpeg_start_decompress would take in the whole file in one call.
  info->buffered_image = jpeg_has_multiple_scans(info);
  jpeg->coarse = coarse && denominator == 8;
  // Smoothing guesses the missing AC terms: other pixels than the DC ones, and slower.
  info->do_block_smoothing = !jpeg->coarse;
  jpeg_start_decompress(info);
  *width = info->output_width;
  *height = info->output_height;
  return 0;
}

// Whether the DC of every component is known to within one grey level (a later scan may refine the
// low bits; an error of e steps of the quantiser moves the block's mean by e * q / 8).
static bool dc_is_known(const struct jpeg_decompress_struct *info) {
  if (info->coef_bits == NULL) return false;
  for (int i = 0; i < info->num_components; i++) {
    int bits = info->coef_bits[i][0];
    if (bits < 0) return false;
    if (bits == 0) continue;
    const JQUANT_TBL *table = info->comp_info[i].quant_table;
    if (table == NULL || bits > 8 || ((1 << bits) - 1) * (int)table->quantval[0] > 8) return false;
  }
  return true;
}

static bool scans_missing(const struct jpeg_decompress_struct *info) {
  if (!info->progressive_mode || info->coef_bits == NULL) return false;
  for (int i = 0; i < info->num_components; i++)
    for (int k = 0; k < DCTSIZE2; k++)
      if (info->coef_bits[i][k] != 0) return true;
  return false;
}

// Sequential pictures of several scans: has every component been in one?
static bool components_missing(const struct jpeg_decompress_struct *info) {
  if (info->progressive_mode) return false;
  for (int i = 0; i < info->num_components; i++)
    if (info->comp_info[i].quant_table == NULL) return true;  // latched when its scan starts
  return false;
}

int cimg_jpeg_consume(cimg_jpeg *jpeg, int steps, cimg_error *error) {
  jpeg->error = error;
  if (setjmp(jpeg->jump)) return -1;
  struct jpeg_decompress_struct *info = &jpeg->info;
  for (int step = 0; step < steps; step++) {
    int state = jpeg_consume_input(info);
    if (info->input_scan_number > jpeg->limits.scans) {
      char text[80];
      snprintf(text, sizeof text, "more than %d scans", jpeg->limits.scans);
      cimg_set_error(error, CIMG_LIMIT, text);
      return -1;
    }
    if (state == JPEG_REACHED_EOI) {
      if (jpeg->file_ended && (scans_missing(info) || components_missing(info)))
        jpeg->report.scans_missing = true;
      return 1;
    }
    if (state == JPEG_SCAN_COMPLETED && jpeg->coarse && dc_is_known(info)) return 1;
  }
  return 0;
}

static const JOCTET end_marker[] = {0xFF, JPEG_EOI};

int cimg_jpeg_end_input(cimg_jpeg *jpeg, cimg_error *error) {
  jpeg->error = error;
  jpeg->report.data_missing = true;
  struct jpeg_decompress_struct *info = &jpeg->info;
  // A scan under way is filled up by the entropy decoder once it meets the end marker.
  if (setjmp(jpeg->jump)) {
    // Not even that: the scans before the bad one can be shown if there are any.
    if (info->input_scan_number < 2) return -1;
    info->input_scan_number--;
    return 0;
  }
  info->src->next_input_byte = end_marker;
  info->src->bytes_in_buffer = sizeof end_marker;
  while (jpeg_consume_input(info) != JPEG_REACHED_EOI) {
    if (info->input_scan_number > jpeg->limits.scans) return -1;
  }
  return 0;
}

int cimg_jpeg_read_rows(
    cimg_jpeg *jpeg, uint8_t *rows, size_t stride, int max_rows, cimg_error *error) {
  struct jpeg_decompress_struct *info = &jpeg->info;
  if (jpeg->failed) {
    *error = jpeg->failure;
    return -1;
  }
  const JDIMENSION first = info->output_scanline;
  const size_t row_bytes = (size_t)info->output_width * (size_t)info->out_color_components;
  if (stride < row_bytes || max_rows < 0) {
    cimg_set_error(error, CIMG_INVALID, "rows do not fit the buffer");
    return -1;
  }
  jpeg->error = &jpeg->failure;
  if (setjmp(jpeg->jump)) {
    jpeg->failed = true;
    // Counted only when written, so the rows up to here are good.
    if (jpeg->output_started && info->output_scanline > first)
      return (int)(info->output_scanline - first);
    *error = jpeg->failure;
    return -1;
  }
  if (!jpeg->output_started) {
    if (info->buffered_image) jpeg_start_output(info, info->input_scan_number);
    jpeg->output_started = true;
  }
  while (info->output_scanline - first < (JDIMENSION)max_rows &&
         info->output_scanline < info->output_height) {
    JSAMPROW row = rows + stride * (info->output_scanline - first);
    jpeg_read_scanlines(info, &row, 1);
  }
  return (int)(info->output_scanline - first);
}
