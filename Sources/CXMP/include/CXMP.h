// XMP packets through exempi: parse one, ask for properties, close.
//
// Why a shim: exempi's namespace constants are arrays of unknown size that Swift cannot use, its strings
// need an object of their own for each answer, and its library must be started once, lazily. Its file
// functions are never used: they rewrite files and invent values.
//
// Thread-safe: each packet belongs to one thread at a time, different packets to any.
#ifndef CXMP_H
#define CXMP_H

#include <stdbool.h>
#include <stddef.h>

#pragma clang assume_nonnull begin

/// A parsed packet.
typedef struct cxmp_packet cxmp_packet;

/// Parses a packet of UTF-8 text; NULL where exempi refuses it. The bytes are not kept.
///
/// exempi tells of broken packets on standard error: give it only what is well-formed.
cxmp_packet *_Nullable cxmp_open(const void *bytes, size_t count);

/// Copies a simple property's text, without a terminating NUL, into `buffer`, and returns its length;
/// -1 where there is none, or it does not fit. `space` is the namespace's URI.
ptrdiff_t cxmp_property(const cxmp_packet *packet, const char *space, const char *name, void *buffer,
                        size_t capacity);

/// Frees a packet.
void cxmp_close(cxmp_packet *_Nullable packet);

#pragma clang assume_nonnull end

#endif
