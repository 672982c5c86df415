#include "CColor.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <lcms2.h>
#include <lcms2_plugin.h>

struct ccolor_transform {
  cmsContext context;
  cmsHTRANSFORM transform;
  char *reason;  // the caller's, while the transform is made; then NULL
  size_t reason_size;
};

// A profile states sizes that lcms2 allocates before it reads; by default up to 512 MB at once. The
// largest that real profiles need is under 4 MB (a precalculated CMYK grid).
enum { LARGEST_ALLOCATION = 16 << 20 };

static void *bounded_malloc(cmsContext context, cmsUInt32Number size) {
  (void)context;
  return size == 0 || size > LARGEST_ALLOCATION ? NULL : malloc(size);
}

static void *bounded_realloc(cmsContext context, void *block, cmsUInt32Number size) {
  (void)context;
  return size > LARGEST_ALLOCATION ? NULL : realloc(block, size);
}

static void plain_free(cmsContext context, void *block) {
  (void)context;
  free(block);
}

static cmsPluginMemHandler memory_plugin = {
    .base = {
        .Magic = cmsPluginMagicNumber,
        .ExpectedVersion = 2060,  // lcms2 2.6, the first with contexts
        .Type = cmsPluginMemHandlerSig,
    },
    .MallocPtr = bounded_malloc,
    .FreePtr = plain_free,
    .ReallocPtr = bounded_realloc,
};

static void give_reason(ccolor_transform *self, const char *text) {
  if (self->reason != NULL && self->reason_size > 0 && self->reason[0] == 0)
    snprintf(self->reason, self->reason_size, "%s", text);
}

static void log_error(cmsContext context, cmsUInt32Number code, const char *text) {
  (void)code;
  ccolor_transform *self = cmsGetContextUserData(context);
  if (self != NULL) give_reason(self, text);
}

// Only profiles that describe a device's colours: no links, abstract or named-colour profiles.
static int is_device_class(cmsProfileClassSignature class) {
  return class == cmsSigInputClass || class == cmsSigDisplayClass || class == cmsSigOutputClass ||
         class == cmsSigColorSpaceClass;
}

ccolor_transform *ccolor_open(
    const uint8_t *profile, size_t size, int channels, char *reason, size_t reason_size) {
  if (reason_size > 0) reason[0] = 0;
  ccolor_transform *self = calloc(1, sizeof *self);
  if (self == NULL) return NULL;
  self->reason = reason;
  self->reason_size = reason_size;
  self->context = cmsCreateContext(&memory_plugin, self);
  if (self->context == NULL) {
    free(self);
    return NULL;
  }
  cmsSetLogErrorHandlerTHR(self->context, log_error);

  cmsColorSpaceSignature space = channels == 1   ? cmsSigGrayData
                                 : channels == 3 ? cmsSigRgbData : cmsSigCmykData;
  cmsUInt32Number format = channels == 1 ? TYPE_GRAY_8 : channels == 3 ? TYPE_RGB_8 : TYPE_CMYK_8;
  cmsHPROFILE source = NULL, target = NULL;
  if (size <= UINT32_MAX)
    source = cmsOpenProfileFromMemTHR(self->context, profile, (cmsUInt32Number)size);
  if (source != NULL) {
    if (cmsGetColorSpace(source) != space) {
      give_reason(self, "the profile is of another colour space than the picture");
    } else if (!is_device_class(cmsGetDeviceClass(source))) {
      give_reason(self, "the profile describes no device");
    } else {
      target = cmsCreate_sRGBProfileTHR(self->context);
      // Without the one-pixel cache a transform has no state that changes, so threads can share it.
      if (target != NULL)
        self->transform = cmsCreateTransformTHR(
            self->context, source, format, target, TYPE_RGB_8, INTENT_RELATIVE_COLORIMETRIC,
            cmsFLAGS_NOCACHE);
    }
    cmsCloseProfile(source);
    if (target != NULL) cmsCloseProfile(target);
  }
  if (self->transform == NULL) {
    give_reason(self, "the profile cannot be used");
    ccolor_close(self);
    return NULL;
  }
  self->reason = NULL;
  return self;
}

void ccolor_run(
    const ccolor_transform *self, const uint8_t *source, uint8_t *rgb, size_t count) {
  // lcms2 counts pixels in 32 bits.
  while (count > 0) {
    size_t part = count < (1u << 24) ? count : (1u << 24);
    cmsDoTransform(self->transform, source, rgb, (cmsUInt32Number)part);
    source += part * T_CHANNELS(cmsGetTransformInputFormat(self->transform));
    rgb += part * 3;
    count -= part;
  }
}

void ccolor_close(ccolor_transform *self) {
  if (self->transform != NULL) cmsDeleteTransform(self->transform);
  cmsDeleteContext(self->context);
  free(self);
}
