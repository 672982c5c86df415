#include "CJPEGOracle.h"

#include <math.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <jpeglib.h>

// More scans than any program writes; each makes libjpeg go over all coefficients again.
enum { MOST_SCANS = 200 };

typedef struct {
  struct jpeg_error_mgr errors;
  jmp_buf jump;
  cjpeg_oracle_verdict *verdict;
} oracle_errors;

static void failed(j_common_ptr info) {
  oracle_errors *errors = (oracle_errors *)info->err;
  if (errors->verdict) {
    errors->verdict->failed = true;
    info->err->format_message(info, errors->verdict->text);
  }
  longjmp(errors->jump, 1);
}

static void said(j_common_ptr info, int level) {
  oracle_errors *errors = (oracle_errors *)info->err;
  if (level >= 0 || !errors->verdict) return;
  if (errors->verdict->warnings++ == 0) info->err->format_message(info, errors->verdict->text);
}

static struct jpeg_error_mgr *set_up(oracle_errors *errors, cjpeg_oracle_verdict *verdict) {
  jpeg_std_error(&errors->errors);
  errors->errors.error_exit = failed;
  errors->errors.emit_message = said;
  errors->verdict = verdict;
  return &errors->errors;
}

_Static_assert(JMSG_LENGTH_MAX <= sizeof((cjpeg_oracle_verdict *)0)->text, "messages fit");

// --- Reading ------------------------------------------------------------------------------------------

typedef struct {
  cjpeg_oracle_component size;
  uint16_t quantiser[DCTSIZE2];
  int16_t *coefficients;
} component_data;

struct cjpeg_oracle_picture {
  int32_t width, height, count;
  component_data components[CJPEG_ORACLE_COMPONENTS];
};

typedef struct {
  struct jpeg_decompress_struct info;
  struct jpeg_progress_mgr progress;
  oracle_errors errors;
  cjpeg_oracle_picture *picture;
} reading;

static void watch_scans(j_common_ptr info) {
  reading *state = (reading *)info->client_data;
  if (state->info.input_scan_number <= MOST_SCANS) return;
  state->errors.verdict->too_large = true;
  longjmp(state->errors.jump, 1);
}

static int64_t blocks_of(const jpeg_component_info *component) {
  return (int64_t)component->width_in_blocks * component->height_in_blocks;
}

static void read_coefficients(reading *state, int64_t most_blocks) {
  struct jpeg_decompress_struct *info = &state->info;
  if (jpeg_read_header(info, TRUE) != JPEG_HEADER_OK) return;
  int64_t blocks = 0;
  for (int i = 0; i < info->num_components; i++) blocks += blocks_of(&info->comp_info[i]);
  if (blocks > most_blocks || info->num_components > CJPEG_ORACLE_COMPONENTS) {
    state->errors.verdict->too_large = true;
    return;
  }
  jvirt_barray_ptr *arrays = jpeg_read_coefficients(info);
  cjpeg_oracle_picture *picture = calloc(1, sizeof *picture);
  state->picture = picture;
  if (!picture) return;
  picture->width = (int32_t)info->image_width;
  picture->height = (int32_t)info->image_height;
  picture->count = info->num_components;
  for (int i = 0; i < info->num_components; i++) {
    const jpeg_component_info *from = &info->comp_info[i];
    component_data *to = &picture->components[i];
    to->size = (cjpeg_oracle_component){from->h_samp_factor, from->v_samp_factor,
                                        (int32_t)from->width_in_blocks,
                                        (int32_t)from->height_in_blocks};
    if (from->quant_table) {
      for (int k = 0; k < DCTSIZE2; k++) to->quantiser[k] = from->quant_table->quantval[k];
    }
    to->coefficients = malloc((size_t)blocks_of(from) * DCTSIZE2 * sizeof(int16_t));
    if (!to->coefficients) continue;
    for (JDIMENSION row = 0; row < from->height_in_blocks; row++) {
      JBLOCKARRAY line = (*info->mem->access_virt_barray)((j_common_ptr)info, arrays[i], row, 1, FALSE);
      memcpy(to->coefficients + (size_t)row * from->width_in_blocks * DCTSIZE2, line[0],
             (size_t)from->width_in_blocks * sizeof(JBLOCK));
    }
  }
  jpeg_finish_decompress(info);
}

cjpeg_oracle_picture *cjpeg_oracle_read(
    const uint8_t *bytes, size_t count, int64_t most_blocks, cjpeg_oracle_verdict *verdict) {
  *verdict = (cjpeg_oracle_verdict){0};
  reading *state = calloc(1, sizeof *state);
  if (!state) return NULL;
  state->info.err = set_up(&state->errors, verdict);
  if (setjmp(state->errors.jump) == 0) {
    jpeg_create_decompress(&state->info);
    state->info.client_data = state;
    state->progress.progress_monitor = watch_scans;
    state->info.progress = &state->progress;
    jpeg_mem_src(&state->info, bytes, count);
    read_coefficients(state, most_blocks);
  }
  jpeg_destroy_decompress(&state->info);
  cjpeg_oracle_picture *picture = state->picture;
  free(state);
  if (picture && (verdict->failed || verdict->too_large)) {
    cjpeg_oracle_close(picture);
    return NULL;
  }
  return picture;
}

int32_t cjpeg_oracle_width(const cjpeg_oracle_picture *picture) { return picture->width; }
int32_t cjpeg_oracle_height(const cjpeg_oracle_picture *picture) { return picture->height; }
int32_t cjpeg_oracle_component_count(const cjpeg_oracle_picture *picture) { return picture->count; }

cjpeg_oracle_component cjpeg_oracle_component_at(const cjpeg_oracle_picture *picture, int32_t index) {
  return picture->components[index].size;
}

const uint16_t *cjpeg_oracle_quantiser(const cjpeg_oracle_picture *picture, int32_t index) {
  return picture->components[index].quantiser;
}

const int16_t *cjpeg_oracle_coefficients(const cjpeg_oracle_picture *picture, int32_t index) {
  return picture->components[index].coefficients;
}

void cjpeg_oracle_close(cjpeg_oracle_picture *picture) {
  if (!picture) return;
  for (int i = 0; i < picture->count; i++) free(picture->components[i].coefficients);
  free(picture);
}

// --- Writing ------------------------------------------------------------------------------------------

typedef struct {
  struct jpeg_compress_struct info;
  oracle_errors errors;
  jpeg_scan_info scans[CJPEG_ORACLE_COMPONENTS];
  jvirt_barray_ptr arrays[CJPEG_ORACLE_COMPONENTS];
  unsigned char *output;
  unsigned long size;
} writing;

static void set_recipe(writing *state, const cjpeg_oracle_recipe *recipe) {
  struct jpeg_compress_struct *info = &state->info;
  info->image_width = (JDIMENSION)recipe->width;
  info->image_height = (JDIMENSION)recipe->height;
  info->input_components = recipe->components;
  info->in_color_space =
      recipe->components == 1 ? JCS_GRAYSCALE : recipe->rgb ? JCS_RGB : JCS_YCbCr;
  jpeg_set_defaults(info);
  jpeg_set_colorspace(info, info->in_color_space);
  jpeg_set_quality(info, recipe->quality, FALSE);
  if (recipe->quantiser > 0) {
    unsigned int table[DCTSIZE2];
    for (int k = 0; k < DCTSIZE2; k++) table[k] = (unsigned)recipe->quantiser;
    for (int i = 0; i < 2; i++) jpeg_add_quant_table(info, i, table, 100, FALSE);
  }
  for (int i = 0; i < recipe->components; i++) {
    info->comp_info[i].h_samp_factor = recipe->horizontal[i];
    info->comp_info[i].v_samp_factor = recipe->vertical[i];
    state->scans[i] = (jpeg_scan_info){.comps_in_scan = 1, .component_index = {i}, .Se = DCTSIZE2 - 1};
  }
  info->restart_interval = recipe->restart_interval > 0 ? (unsigned)recipe->restart_interval : 0;
  info->restart_in_rows = recipe->restart_interval < 0 ? -recipe->restart_interval : 0;
  info->optimize_coding = recipe->optimized;
  info->arith_code = recipe->arithmetic;
  if (recipe->progressive) {
    jpeg_simple_progression(info);
  } else if (recipe->one_scan_per_component) {
    info->scan_info = state->scans;
    info->num_scans = recipe->components;
  }
}

static void write_pixels(writing *state, const uint8_t *pixels) {
  struct jpeg_compress_struct *info = &state->info;
  jpeg_start_compress(info, TRUE);
  size_t stride = (size_t)info->image_width * (size_t)info->input_components;
  while (info->next_scanline < info->image_height) {
    // libjpeg only reads the rows; its type does not say so.
    JSAMPROW row = (JSAMPROW)(uintptr_t)(pixels + info->next_scanline * stride);
    jpeg_write_scanlines(info, &row, 1);
  }
  jpeg_finish_compress(info);
}

static JDIMENSION round_up(JDIMENSION value, int unit) {
  return (value + (JDIMENSION)unit - 1) / (JDIMENSION)unit * (JDIMENSION)unit;
}

static JDIMENSION blocks(int32_t length, int factor, int largest) {
  return (JDIMENSION)((length * factor + 8 * largest - 1) / (8 * largest));
}

static void write_coefficients(writing *state, const int16_t *coefficients) {
  struct jpeg_compress_struct *info = &state->info;
  int widest = 1, tallest = 1;
  for (int i = 0; i < info->num_components; i++) {
    const jpeg_component_info *component = &info->comp_info[i];
    if (component->h_samp_factor > widest) widest = component->h_samp_factor;
    if (component->v_samp_factor > tallest) tallest = component->v_samp_factor;
  }
  for (int i = 0; i < info->num_components; i++) {
    const jpeg_component_info *component = &info->comp_info[i];
    int h = component->h_samp_factor, v = component->v_samp_factor;
    state->arrays[i] = (*info->mem->request_virt_barray)(
        (j_common_ptr)info, JPOOL_IMAGE, TRUE,
        round_up(blocks((int32_t)info->image_width, h, widest), h),
        round_up(blocks((int32_t)info->image_height, v, tallest), v), (JDIMENSION)v);
  }
  jpeg_write_coefficients(info, state->arrays);
  const int16_t *next = coefficients;
  for (int i = 0; i < info->num_components; i++) {
    const jpeg_component_info *component = &info->comp_info[i];
    JDIMENSION across = blocks((int32_t)info->image_width, component->h_samp_factor, widest);
    JDIMENSION down = blocks((int32_t)info->image_height, component->v_samp_factor, tallest);
    for (JDIMENSION row = 0; row < down; row++) {
      JBLOCKARRAY line =
          (*info->mem->access_virt_barray)((j_common_ptr)info, state->arrays[i], row, 1, TRUE);
      memcpy(line[0], next, across * sizeof(JBLOCK));
      next += across * DCTSIZE2;
    }
  }
  jpeg_finish_compress(info);
}

static uint8_t *write_file(
    const cjpeg_oracle_recipe *recipe, const uint8_t *pixels, const int16_t *coefficients,
    const uint16_t *quantiser, size_t *count) {
  writing *state = calloc(1, sizeof *state);
  if (!state) return NULL;
  state->info.err = set_up(&state->errors, NULL);
  bool good = false;
  // Changed between setjmp and longjmp: only what lies in `state`.
  if (setjmp(state->errors.jump) == 0) {
    jpeg_create_compress(&state->info);
    jpeg_mem_dest(&state->info, &state->output, &state->size);
    set_recipe(state, recipe);
    if (quantiser) {
      for (int k = 0; k < DCTSIZE2; k++) state->info.quant_tbl_ptrs[0]->quantval[k] = quantiser[k];
    }
    if (pixels) {
      write_pixels(state, pixels);
    } else {
      write_coefficients(state, coefficients);
    }
    *count = state->size;
    good = true;
  }
  jpeg_destroy_compress(&state->info);
  uint8_t *output = state->output;
  free(state);
  if (good) return output;
  free(output);
  return NULL;
}

uint8_t *cjpeg_oracle_encode(
    const cjpeg_oracle_recipe *recipe, const uint8_t *pixels, size_t *count) {
  return write_file(recipe, pixels, NULL, NULL, count);
}

uint8_t *cjpeg_oracle_encode_coefficients(
    const cjpeg_oracle_recipe *recipe, const int16_t *coefficients, size_t *count) {
  return write_file(recipe, NULL, coefficients, NULL, count);
}

// --- What is right ------------------------------------------------------------------------------------

typedef struct {
  struct jpeg_decompress_struct info;
  oracle_errors errors;
  cjpeg_oracle_verdict verdict;
  uint8_t *row;
  double worst;
} eighth;

static void compare_rows(
    eighth *state, const uint16_t *samples, int32_t stride, int32_t width, int32_t height) {
  struct jpeg_decompress_struct *info = &state->info;
  jpeg_read_header(info, TRUE);
  info->scale_num = 1;
  info->scale_denom = 8;
  jpeg_start_decompress(info);
  if ((int32_t)info->output_width < width || (int32_t)info->output_height < height) return;
  state->row = malloc(info->output_width);
  if (!state->row) return;
  double worst = 0;
  for (int32_t y = 0; y < height; y++) {
    jpeg_read_scanlines(info, &state->row, 1);
    for (int32_t x = 0; x < width; x++) {
      int level = (samples[(size_t)y * (size_t)stride + (size_t)x] + 4) / 8;
      double difference = fabs((double)level - state->row[x]);
      if (difference > worst) worst = difference;
    }
  }
  if (state->verdict.warnings == 0) state->worst = worst;
}

// Arithmetic coding with a restart at each block holds coefficients of any size, which Huffman codes do not.
static double difference_at_eighth(
    const component_data *component, const uint16_t *samples, int32_t stride, int32_t width,
    int32_t height) {
  cjpeg_oracle_recipe recipe = {
      .width = component->size.blocks_across * DCTSIZE, .height = component->size.blocks_down * DCTSIZE,
      .components = 1, .horizontal = {1}, .vertical = {1}, .quality = 50, .restart_interval = 1,
      .arithmetic = true};
  // At 1/8 libjpeg looks at the first coefficient only.
  size_t blocks = (size_t)component->size.blocks_across * (size_t)component->size.blocks_down;
  int16_t *lowest = calloc(blocks, sizeof(JBLOCK));
  if (!lowest) return -1;
  for (size_t i = 0; i < blocks; i++) lowest[i * DCTSIZE2] = component->coefficients[i * DCTSIZE2];
  size_t count = 0;
  uint8_t *file = write_file(&recipe, NULL, lowest, component->quantiser, &count);
  free(lowest);
  if (!file) return -2;
  eighth *state = calloc(1, sizeof *state);
  if (!state) {
    free(file);
    return -3;
  }
  state->worst = -4;
  state->info.err = set_up(&state->errors, &state->verdict);
  if (setjmp(state->errors.jump) == 0) {
    jpeg_create_decompress(&state->info);
    jpeg_mem_src(&state->info, file, count);
    compare_rows(state, samples, stride, width, height);
  }
  jpeg_destroy_decompress(&state->info);
  double worst = state->worst;
  free(state->row);
  free(state);
  free(file);
  return worst;
}

static double difference_to_transform(
    const component_data *component, int32_t side, const uint16_t *samples, int32_t stride,
    int32_t width, int32_t height) {
  // basis[x][k]: the k-th orthonormal cosine at x.
  double basis[4][4], worst = 0;
  for (int x = 0; x < side; x++) {
    for (int k = 0; k < side; k++) {
      basis[x][k] = sqrt((k == 0 ? 1.0 : 2.0) / side) * cos((2 * x + 1) * k * M_PI / (2 * side));
    }
  }
  for (int32_t top = 0; top < height; top += side) {
    for (int32_t left = 0; left < width; left += side) {
      const int16_t *block =
          component->coefficients +
          ((size_t)(top / side) * (size_t)component->size.blocks_across + (size_t)(left / side)) * DCTSIZE2;
      double columns[4][4];
      for (int y = 0; y < side; y++) {
        for (int u = 0; u < side; u++) {
          columns[y][u] = 0;
          for (int v = 0; v < side; v++) {
            columns[y][u] += basis[y][v] * block[v * DCTSIZE + u] * component->quantiser[v * DCTSIZE + u];
          }
        }
      }
      for (int y = 0; y < side && top + y < height; y++) {
        for (int x = 0; x < side && left + x < width; x++) {
          double level = 0;
          for (int u = 0; u < side; u++) level += basis[x][u] * columns[y][u];
          level = fmin(255, fmax(0, level * side / 8 + 128));
          double sample = samples[(size_t)(top + y) * (size_t)stride + (size_t)(left + x)];
          double difference = fabs(level - sample / 8);
          if (difference > worst) worst = difference;
        }
      }
    }
  }
  return worst;
}

double cjpeg_oracle_difference(
    const cjpeg_oracle_picture *picture, int32_t index, int32_t side, const uint16_t *samples,
    int32_t stride, int32_t width, int32_t height) {
  const component_data *component = &picture->components[index];
  if (!component->coefficients || width > component->size.blocks_across * side ||
      height > component->size.blocks_down * side) {
    return -5;
  }
  if (side == 1) return difference_at_eighth(component, samples, stride, width, height);
  return difference_to_transform(component, side, samples, stride, width, height);
}
