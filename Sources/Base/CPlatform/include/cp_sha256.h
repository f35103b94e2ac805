#ifndef CP_SHA256_H
#define CP_SHA256_H
#include <stdint.h>

/// Indicates whether this processor has instructions for SHA-256.
int cp_sha256_is_available(void);
/// Adds whole blocks of 64 bytes to a SHA-256 state (FIPS 180-4, 6.2). Call it only where the instructions are there.
void cp_sha256_add(uint32_t state[8], const uint8_t *bytes, int64_t blocks);
/// Does the same on any processor, several times slower.
void cp_sha256_add_portable(uint32_t state[8], const uint8_t *bytes, int64_t blocks);

#endif
