#include "cp_sha256.h"

// FIPS 180-4, 4.2.2: the first 32 bits of the fractional parts of the cube roots of the first 64 primes.
static const uint32_t rounds[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2,
};

static inline uint32_t rotated(uint32_t word, int count) { return word >> count | word << (32 - count); }

// One round (6.2.2). Instead of moving the state along, the next round names it otherwise.
#define ROUND(a, b, c, d, e, f, g, h, i)                                                                     \
  do {                                                                                                       \
    h += (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + (g ^ (e & (f ^ g))) + rounds[i] + words[i];     \
    d += h;                                                                                                  \
    h += (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) + ((a & b) | (c & (a | b)));                      \
  } while (0)

void cp_sha256_add_portable(uint32_t state[8], const uint8_t *bytes, int64_t blocks) {
  for (; blocks > 0; blocks--, bytes += 64) {
    uint32_t words[64];
    for (int i = 0; i < 16; i++) {
      const uint8_t *next = bytes + 4 * i;
      words[i] = (uint32_t)next[0] << 24 | (uint32_t)next[1] << 16 | (uint32_t)next[2] << 8 | next[3];
    }
    for (int i = 16; i < 64; i++) {
      uint32_t low = words[i - 15], high = words[i - 2];
      low = rotated(low, 7) ^ rotated(low, 18) ^ low >> 3;
      high = rotated(high, 17) ^ rotated(high, 19) ^ high >> 10;
      words[i] = words[i - 16] + low + words[i - 7] + high;
    }
    uint32_t a = state[0], b = state[1], c = state[2], d = state[3];
    uint32_t e = state[4], f = state[5], g = state[6], h = state[7];
    for (int i = 0; i < 64; i += 8) {
      ROUND(a, b, c, d, e, f, g, h, i);
      ROUND(h, a, b, c, d, e, f, g, i + 1);
      ROUND(g, h, a, b, c, d, e, f, i + 2);
      ROUND(f, g, h, a, b, c, d, e, i + 3);
      ROUND(e, f, g, h, a, b, c, d, i + 4);
      ROUND(d, e, f, g, h, a, b, c, i + 5);
      ROUND(c, d, e, f, g, h, a, b, i + 6);
      ROUND(b, c, d, e, f, g, h, a, i + 7);
    }
    state[0] += a, state[1] += b, state[2] += c, state[3] += d;
    state[4] += e, state[5] += f, state[6] += g, state[7] += h;
  }
}

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>

int cp_sha256_is_available(void) {
  unsigned a, b, c, d;
  if (!__get_cpuid(1, &a, &b, &c, &d) || !(c & bit_SSE4_1) || !(c & bit_SSSE3)) return 0;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) && (b & bit_SHA);
}

__attribute__((target("sha,sse4.1,ssse3"))) void cp_sha256_add(uint32_t state[8], const uint8_t *bytes,
                                                              int64_t blocks) {
  const __m128i order = _mm_set_epi64x(0x0c0d0e0f08090a0bll, 0x0405060700010203ll);
  // The instructions want the state as (a b e f) and (c d g h), the highest first.
  __m128i dcba = _mm_loadu_si128((const __m128i *)state), hgfe = _mm_loadu_si128((const __m128i *)(state + 4));
  __m128i cdab = _mm_shuffle_epi32(dcba, 0xb1), efgh = _mm_shuffle_epi32(hgfe, 0x1b);
  __m128i abef = _mm_alignr_epi8(cdab, efgh, 8), cdgh = _mm_blend_epi16(efgh, cdab, 0xf0);
  for (; blocks > 0; blocks--, bytes += 64) {
    __m128i old_abef = abef, old_cdgh = cdgh, words[4];
    for (int i = 0; i < 4; i++)
      words[i] = _mm_shuffle_epi8(_mm_loadu_si128((const __m128i *)(bytes + 16 * i)), order);
#pragma clang loop unroll(full)
    for (int i = 0; i < 16; i++) {
      __m128i sum = _mm_add_epi32(words[i & 3], _mm_loadu_si128((const __m128i *)(rounds + 4 * i)));
      cdgh = _mm_sha256rnds2_epu32(cdgh, abef, sum);
      abef = _mm_sha256rnds2_epu32(abef, cdgh, _mm_shuffle_epi32(sum, 0x0e));
      if (i < 12) {
        // The next four words of the schedule, in the place of the oldest.
        __m128i next = _mm_sha256msg1_epu32(words[i & 3], words[(i + 1) & 3]);
        next = _mm_add_epi32(next, _mm_alignr_epi8(words[(i + 3) & 3], words[(i + 2) & 3], 4));
        words[i & 3] = _mm_sha256msg2_epu32(next, words[(i + 3) & 3]);
      }
    }
    abef = _mm_add_epi32(abef, old_abef);
    cdgh = _mm_add_epi32(cdgh, old_cdgh);
  }
  __m128i feba = _mm_shuffle_epi32(abef, 0x1b), dchg = _mm_shuffle_epi32(cdgh, 0xb1);
  _mm_storeu_si128((__m128i *)state, _mm_blend_epi16(feba, dchg, 0xf0));
  _mm_storeu_si128((__m128i *)(state + 4), _mm_alignr_epi8(dchg, feba, 8));
}

#elif defined(__aarch64__)
#include <arm_neon.h>
#include <sys/auxv.h>

int cp_sha256_is_available(void) { return (getauxval(AT_HWCAP) >> 6) & 1; }

__attribute__((target("sha2"))) void cp_sha256_add(uint32_t state[8], const uint8_t *bytes, int64_t blocks) {
  uint32x4_t abcd = vld1q_u32(state), efgh = vld1q_u32(state + 4);
  for (; blocks > 0; blocks--, bytes += 64) {
    uint32x4_t old_abcd = abcd, old_efgh = efgh, words[4];
    for (int i = 0; i < 4; i++) words[i] = vreinterpretq_u32_u8(vrev32q_u8(vld1q_u8(bytes + 16 * i)));
    for (int i = 0; i < 16; i++) {
      uint32x4_t sum = vaddq_u32(words[i & 3], vld1q_u32(rounds + 4 * i)), before = abcd;
      if (i < 12)
        words[i & 3] = vsha256su1q_u32(vsha256su0q_u32(words[i & 3], words[(i + 1) & 3]), words[(i + 2) & 3],
                                       words[(i + 3) & 3]);
      abcd = vsha256hq_u32(abcd, efgh, sum);
      efgh = vsha256h2q_u32(efgh, before, sum);
    }
    abcd = vaddq_u32(abcd, old_abcd);
    efgh = vaddq_u32(efgh, old_efgh);
  }
  vst1q_u32(state, abcd);
  vst1q_u32(state + 4, efgh);
}

#else

int cp_sha256_is_available(void) { return 0; }
void cp_sha256_add(uint32_t state[8], const uint8_t *bytes, int64_t blocks) {
  (void)state, (void)bytes, (void)blocks, (void)rounds;
}

#endif
