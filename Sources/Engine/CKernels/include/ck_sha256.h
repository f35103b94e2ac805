#ifndef CK_SHA256_H
#define CK_SHA256_H
#include <stdint.h>

/// Whether this processor has instructions for SHA-256.
int ck_sha256_is_available(void);
/// Adds whole blocks of 64 bytes to a SHA-256 state (FIPS 180-4). Call it only where the instructions are there.
void ck_sha256_add(uint32_t state[8], const uint8_t *bytes, int64_t blocks);

#endif
