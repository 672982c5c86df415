#include "CCrypto.h"

#include <limits.h>
#include <openssl/evp.h>
#include <openssl/hmac.h>
#include <openssl/rand.h>
#include <pthread.h>
#include <stdlib.h>

struct ccrypto_sha256 {
  EVP_MD_CTX *context;
};

static EVP_MD *sha256_algorithm;
static pthread_once_t sha256_once = PTHREAD_ONCE_INIT;

static void fetch_sha256(void) { sha256_algorithm = EVP_MD_fetch(NULL, "SHA256", NULL); }

static const EVP_MD *sha256(void) {
  pthread_once(&sha256_once, fetch_sha256);
  return sha256_algorithm;
}

ccrypto_sha256 *ccrypto_sha256_create(void) {
  const EVP_MD *algorithm = sha256();
  if (algorithm == NULL) return NULL;
  ccrypto_sha256 *digest = malloc(sizeof *digest);
  if (digest == NULL) return NULL;
  digest->context = EVP_MD_CTX_new();
  if (digest->context == NULL || EVP_DigestInit_ex(digest->context, algorithm, NULL) != 1) {
    ccrypto_sha256_destroy(digest);
    return NULL;
  }
  return digest;
}

int ccrypto_sha256_update(ccrypto_sha256 *digest, const void *bytes, size_t count) {
  return EVP_DigestUpdate(digest->context, bytes, count) == 1 ? 0 : -1;
}

int ccrypto_sha256_finish(ccrypto_sha256 *digest, uint8_t *output) {
  unsigned int size = 0;
  if (EVP_DigestFinal_ex(digest->context, output, &size) != 1) return -1;
  return size == CCRYPTO_SHA256_SIZE ? 0 : -1;
}

void ccrypto_sha256_destroy(ccrypto_sha256 *digest) {
  if (digest == NULL) return;
  EVP_MD_CTX_free(digest->context);
  free(digest);
}

int ccrypto_hmac_sha256(
    const void *key, size_t key_count, const void *bytes, size_t count, uint8_t *output) {
  const EVP_MD *algorithm = sha256();
  unsigned int size = 0;
  if (algorithm == NULL || key_count > INT_MAX) return -1;
  if (HMAC(algorithm, key, (int)key_count, bytes, count, output, &size) == NULL) return -1;
  return size == CCRYPTO_SHA256_SIZE ? 0 : -1;
}

int ccrypto_random(uint8_t *output, size_t count) {
  if (count > INT_MAX) return -1;
  return RAND_bytes(output, (int)count) == 1 ? 0 : -1;
}
