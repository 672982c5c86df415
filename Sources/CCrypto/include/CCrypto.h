#ifndef CCRYPTO_H
#define CCRYPTO_H

#include <stddef.h>
#include <stdint.h>

// SHA-256, HMAC-SHA-256 and random bytes from libcrypto. A shim, because fetching the algorithm
// once and keeping it (0.10 against 0.29 us a short digest) needs a static that Swift could only
// hold unsafely. Every function that returns int returns 0, or -1 where libcrypto failed.

/// The number of bytes of a SHA-256 digest and of an HMAC-SHA-256.
#define CCRYPTO_SHA256_SIZE 32

/// A digest that is being computed; used by one thread at a time.
typedef struct ccrypto_sha256 ccrypto_sha256;

/// A new, empty digest, or NULL where memory is lacking.
ccrypto_sha256 *_Nullable ccrypto_sha256_create(void);
/// Adds `count` bytes.
int ccrypto_sha256_update(
    ccrypto_sha256 *_Nonnull digest, const void *_Nonnull bytes, size_t count);
/// Writes the 32 bytes of the digest. Afterwards only `ccrypto_sha256_destroy` may be called.
int ccrypto_sha256_finish(ccrypto_sha256 *_Nonnull digest, uint8_t *_Nonnull output);
/// Frees a digest, finished or not.
void ccrypto_sha256_destroy(ccrypto_sha256 *_Nullable digest);

/// Writes the 32 bytes of the HMAC-SHA-256 of a message under a key.
int ccrypto_hmac_sha256(
    const void *_Nonnull key, size_t key_count, const void *_Nonnull bytes, size_t count,
    uint8_t *_Nonnull output);

/// Fills `output` from libcrypto's generator, which the kernel seeds.
int ccrypto_random(uint8_t *_Nonnull output, size_t count);

#endif
