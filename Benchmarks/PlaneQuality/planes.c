// planes FILE PREFIX: writes each component of a JPEG picture at 1, 2 and 4 samples a side of a block, in
// eighths of a level (16 bits), as PREFIX.COMPONENT.SAMPLES, and the picture's sizes as PREFIX.txt.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include <jpeglib.h>

static double cosine(int samples, int x, int u) {
  return (u ? 1 : sqrt(.5)) * .5 * cos((2 * x + 1) * u * M_PI / (2 * samples));
}

int main(int count, char **arguments) {
  if (count != 3) return 64;
  struct jpeg_decompress_struct jpeg;
  struct jpeg_error_mgr errors;
  jpeg.err = jpeg_std_error(&errors);
  jpeg_create_decompress(&jpeg);
  FILE *file = fopen(arguments[1], "rb");
  if (!file) return 66;
  jpeg_stdio_src(&jpeg, file);
  jpeg_read_header(&jpeg, TRUE);
  jvirt_barray_ptr *arrays = jpeg_read_coefficients(&jpeg);
  char name[4096];
  snprintf(name, sizeof name, "%s.txt", arguments[2]);
  FILE *text = fopen(name, "w");
  fprintf(text, "%d %d %d %d %d\n", jpeg.image_width, jpeg.image_height, jpeg.num_components,
          jpeg.max_h_samp_factor, jpeg.max_v_samp_factor);
  for (int i = 0; i < jpeg.num_components; i++) {
    jpeg_component_info *info = jpeg.comp_info + i;
    int across = info->width_in_blocks, down = info->height_in_blocks;
    fprintf(text, "%d %d %d\n", info->h_samp_factor, info->v_samp_factor, across);
    for (int n = 1; n <= 4; n *= 2) {
      unsigned short *plane = malloc((size_t)across * down * n * n * 2);
      double c[4][4];
      for (int x = 0; x < n; x++)
        for (int u = 0; u < n; u++) c[x][u] = cosine(n, x, u);
      for (int row = 0; row < down; row++) {
        JBLOCKARRAY blocks =
            jpeg.mem->access_virt_barray((j_common_ptr)&jpeg, arrays[i], row, 1, FALSE);
        for (int column = 0; column < across; column++)
          for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
              double sum = 128;
              for (int v = 0; v < n; v++)
                for (int u = 0; u < n; u++)
                  sum += c[y][v] * c[x][u] * blocks[0][column][v * 8 + u] *
                         info->quant_table->quantval[v * 8 + u];
              plane[((size_t)row * n + y) * across * n + column * n + x] =
                  fmin(fmax(floor(sum * 8 + .5), 0), 2040);
            }
      }
      snprintf(name, sizeof name, "%s.%d.%d", arguments[2], i, n);
      FILE *output = fopen(name, "wb");
      fwrite(plane, 2, (size_t)across * down * n * n, output);
      fclose(output);
      free(plane);
    }
  }
  fclose(text);
  return 0;
}
