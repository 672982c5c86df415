#include "output.h"

#include <stdio.h>
#include <stdlib.h>

bool cimg_output_reserve(cimg_output *output, size_t more) {
  if (more <= output->capacity - output->count) return true;
  if (more > SIZE_MAX / 4 || output->count > SIZE_MAX / 4) return false;
  size_t capacity = output->capacity < 16384 ? 16384 : output->capacity;
  while (capacity - output->count < more) capacity *= 2;
  uint8_t *bytes = realloc(output->bytes, capacity);
  if (bytes == NULL) return false;
  output->bytes = bytes;
  output->capacity = capacity;
  return true;
}

void cimg_set_error(cimg_error *error, int32_t code, const char *message) {
  if (error == NULL) return;
  error->code = code;
  snprintf(error->message, sizeof error->message, "%s", message);
}

void cimg_free(void *buffer) { free(buffer); }
