// libcrypto (OpenSSL), loaded when something is first hashed or decrypted: nothing links it, and building needs no
// header of it. The declarations are those of its manual: EVP_DigestInit(3) and EVP_EncryptInit(3).
#ifndef REEL_CCRYPTO_H
#define REEL_CCRYPTO_H
#include <dlfcn.h>
#include <stddef.h>

typedef struct {
  void *(*EVP_MD_CTX_new)(void);
  void (*EVP_MD_CTX_free)(void *);
  const void *(*EVP_sha256)(void);
  int (*EVP_DigestInit_ex)(void *, const void *, void *);
  int (*EVP_DigestUpdate)(void *, const void *, size_t);
  int (*EVP_DigestFinal_ex)(void *, unsigned char *, unsigned int *);
  void *(*EVP_CIPHER_CTX_new)(void);
  void (*EVP_CIPHER_CTX_free)(void *);
  const void *(*EVP_aes_128_cbc)(void);
  int (*EVP_DecryptInit_ex)(void *, const void *, void *, const unsigned char *, const unsigned char *);
  int (*EVP_DecryptUpdate)(void *, unsigned char *, int *, const unsigned char *, int);
  int (*EVP_DecryptFinal_ex)(void *, unsigned char *, int *);
} reel_crypto;

// 1 when the library is there and has what is needed.
static inline int reel_crypto_load(reel_crypto *c) {
  const char *names[] = {"libcrypto.so.3", "libcrypto.so.1.1", "libcrypto.so"};
  void *library = 0;
  for (int i = 0; i < 3 && !library; i++) library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
  if (!library) return 0;
#define REEL_CRYPTO_FIND(name) \
  *(void **)&c->name = dlsym(library, #name); \
  if (!c->name) return 0
  REEL_CRYPTO_FIND(EVP_MD_CTX_new);
  REEL_CRYPTO_FIND(EVP_MD_CTX_free);
  REEL_CRYPTO_FIND(EVP_sha256);
  REEL_CRYPTO_FIND(EVP_DigestInit_ex);
  REEL_CRYPTO_FIND(EVP_DigestUpdate);
  REEL_CRYPTO_FIND(EVP_DigestFinal_ex);
  REEL_CRYPTO_FIND(EVP_CIPHER_CTX_new);
  REEL_CRYPTO_FIND(EVP_CIPHER_CTX_free);
  REEL_CRYPTO_FIND(EVP_aes_128_cbc);
  REEL_CRYPTO_FIND(EVP_DecryptInit_ex);
  REEL_CRYPTO_FIND(EVP_DecryptUpdate);
  REEL_CRYPTO_FIND(EVP_DecryptFinal_ex);
#undef REEL_CRYPTO_FIND
  return 1;
}

#endif
