#include "CXMP.h"

#include <exempi/xmp.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

struct cxmp_packet {
  XmpPtr xmp;
};

static pthread_once_t once = PTHREAD_ONCE_INIT;
static bool started = false;

// Never terminated: another part of the process may use the library too.
static void start(void) { started = xmp_init(); }

cxmp_packet *cxmp_open(const void *bytes, size_t count) {
  if (pthread_once(&once, start) != 0 || !started) return NULL;
  cxmp_packet *packet = calloc(1, sizeof *packet);
  if (!packet) return NULL;
  packet->xmp = xmp_new_empty();
  if (!packet->xmp || !xmp_parse(packet->xmp, bytes, count)) {
    cxmp_close(packet);
    return NULL;
  }
  return packet;
}

ptrdiff_t cxmp_property(const cxmp_packet *packet, const char *space, const char *name, void *buffer,
                        size_t capacity) {
  XmpStringPtr text = xmp_string_new();
  if (!text) return -1;
  ptrdiff_t length = -1;
  // Asked for one that no packet has declared yet, the library complains on standard error.
  bool isKnown = xmp_namespace_prefix(space, NULL);
  if (isKnown && xmp_get_property(packet->xmp, space, name, text, NULL)) {
    size_t count = xmp_string_len(text);
    const char *characters = xmp_string_cstr(text);
    if (characters && count <= capacity) {
      memcpy(buffer, characters, count);
      length = (ptrdiff_t)count;
    }
  }
  xmp_string_free(text);
  return length;
}

void cxmp_close(cxmp_packet *packet) {
  if (!packet) return;
  if (packet->xmp) xmp_free(packet->xmp);
  free(packet);
}
