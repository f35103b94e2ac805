// Unpacking: packed chunks to integers and scales, sixteen rows at a time; see ck_lanes.h and ck_pack_body.h.

// Shift of the upper nibbles of bytes. A set whose dot4 takes weights of up to 255 defines 0: upper nibbles are then
// multiplied as sixteen times their values, and their scales divided by 16.
#ifndef CK_NIBBLE_SHIFT
#define CK_NIBBLE_SHIFT 4
#endif

CK_INLINE ck_v16 CK_NAME(float_bytes)(ck_u16 v) { return __builtin_convertvector((ck_i16)v, ck_v16); }

/// Unpacks columns 4 j ..< 4 j + 4 of sub-block b (of 32 columns) of 16 rows.
CK_INLINE ck_u16 CK_NAME(columns4)(const int type, const uint8_t *chunk, int blocks32, int b, int j) {
  const ck_packed_layout at = ck_layout(type, blocks32);
  const uint8_t *low = chunk + at.low, *high = chunk + at.high;
  ck_u16 w;
  switch (type) {
  case CK_Q4_0:
  case CK_Q4_1:
  case CK_IQ4_NL:
  case CK_MXFP4:
  case CK_IQ4_XS:
    w = CK_NAME(words)(low + 256 * b + 64 * (j % 4)) >> 4 * (j / 4) & 0x0f0f0f0f;
    if (type == CK_IQ4_NL || type == CK_IQ4_XS) return CK_NAME(look_up)(ck_iq4_levels, w);
    return type == CK_MXFP4 ? CK_NAME(look_up)(ck_mxfp4_levels, w) : w;
  case CK_Q5_0:
  case CK_Q5_1:
    w = CK_NAME(words)(low + 320 * b + 64 * (j % 4)) >> 4 * (j / 4) & 0x0f0f0f0f;
    return w | (CK_NAME(words)(high + 320 * b) >> j & 0x01010101) << 4;
  case CK_Q8_0: return CK_NAME(words)(low + 512 * b + 64 * j);
  case CK_Q4_K:
    w = CK_NAME(words)(low + 512 * (b / 2) + 64 * j);
    return (w & (b % 2 ? 0xf0f0f0f0 : 0x0f0f0f0f)) >> (b % 2 ? CK_NIBBLE_SHIFT : 0);
  case CK_Q5_K:
    w = CK_NAME(words)(low + (b < 2 ? 128 * j : 448 + 512 * (b / 2) + 64 * j)) >> 4 * (b % 2) & 0x0f0f0f0f;
    return w | (CK_NAME(words)(high + 128 * j) >> b & 0x01010101) << 4;
  case CK_Q6_K:
    // The lines that four sub-blocks share are adjacent: high bits, low bits, low bits.
    w = CK_NAME(words)(low + 192 * (8 * (b / 4) + j) + 64 * (b % 2)) >> 4 * (b / 2 % 2) & 0x0f0f0f0f;
    return w | (CK_NAME(words)(high + 192 * (8 * (b / 4) + j)) >> 2 * (b % 4) & 0x03030303) << 4;
  case CK_Q2_K: return CK_NAME(words)(low + 64 * (8 * (b / 4) + j)) >> 2 * (b % 4) & 0x03030303;
  case CK_Q3_K:
    w = CK_NAME(words)(low + (b < 4 ? 128 * j : 960 + 64 * j)) >> 2 * (b % 4) & 0x03030303;
    return w | (CK_NAME(words)(high + 128 * j) >> b & 0x01010101) << 2;
  default: return (ck_u16){0};
  }
}

/// Number of sub-blocks whose weights share lines: unpacked together, they are read once and in the order of memory,
/// which hardware prefetchers follow.
CK_INLINE int CK_NAME(together)(const int type, int blocks32) {
  if (blocks32 < 8) return 1;
  switch (type) {
  case CK_Q4_K:
  case CK_Q5_K: return 2;
  case CK_Q2_K:
  case CK_Q3_K:
  case CK_Q6_K: return 4;
  default: return 1;
  }
}

/// Unpacks the scales and biases of a chunk.
CK_INLINE void CK_NAME(scales)(
    const int type, const uint8_t *chunk, int blocks32, float (*scale)[16], float (*bias)[16]) {
  const ck_packed_layout at = ck_layout(type, blocks32);
  switch (type) {
  case CK_Q4_0:
  case CK_Q5_0:
  case CK_Q8_0:
  case CK_IQ4_NL:
  case CK_Q4_1:
  case CK_Q5_1:
    for (int b = 0; b < blocks32; b++) {
      CK_NAME(store)(scale[b], CK_NAME(widen)((const uint16_t *)(chunk + at.d + 32 * b)));
      if (at.m >= 0) CK_NAME(store)(bias[b], CK_NAME(widen)((const uint16_t *)(chunk + at.m + 32 * b)));
    }
    break;
  case CK_MXFP4:
    for (int b = 0; b < blocks32; b++) {
      typedef uint8_t b16 __attribute__((vector_size(16)));
      b16 exponents;
      memcpy(&exponents, chunk + at.d + 16 * b, 16);
      ck_u16 e = __builtin_convertvector(exponents, ck_u16), large = (ck_u16)(e > 228u);
      e = (large & 228u) | (~large & e);
      // Exponents 0 and 1 give subnormal scales.
      ck_u16 small = (ck_u16)(e < 2u);
      ck_u16 bits = (small & (((ck_u16){0} + 0x00200000u) << (e & small))) | (~small & (e - 1) << 23);
      CK_NAME(store)(scale[b], (ck_v16)bits);
    }
    break;
  case CK_Q4_K:
  case CK_Q5_K: {
    ck_v16 d = CK_NAME(widen)((const uint16_t *)(chunk + at.d));
    ck_v16 m = -CK_NAME(widen)((const uint16_t *)(chunk + at.m));
    ck_u16 w0 = CK_NAME(words)(chunk + at.scales), w1 = CK_NAME(words)(chunk + at.scales + 64);
    ck_u16 w2 = CK_NAME(words)(chunk + at.scales + 128);
    // Four 6-bit scales and minima side by side in each word.
    ck_u16 s[2] = {w0 & 0x3f3f3f3f, (w2 & 0x0f0f0f0f) | (w0 >> 2 & 0x30303030)};
    ck_u16 n[2] = {w1 & 0x3f3f3f3f, (w2 >> 4 & 0x0f0f0f0f) | (w1 >> 2 & 0x30303030)};
    // Exact: a power of two.
    ck_v16 odd = type == CK_Q4_K ? d * (1.0f / (1 << (4 - CK_NIBBLE_SHIFT))) : d;
    for (int b = 0; b < 8; b++) {
      CK_NAME(store)(scale[b], (b % 2 ? odd : d) * CK_NAME(float_bytes)(s[b / 4] >> 8 * (b % 4) & 0xff));
      CK_NAME(store)(bias[b], m * CK_NAME(float_bytes)(n[b / 4] >> 8 * (b % 4) & 0xff));
    }
    break;
  }
  case CK_Q6_K: {
    ck_v16 d = CK_NAME(load)((const float *)(chunk + at.d));
    for (int i = 0; i < 16; i++) {
      ck_i16 w = (ck_i16)CK_NAME(words)(chunk + at.scales + 64 * (i / 4));
      CK_NAME(store)(scale[i], d * __builtin_convertvector(w << (24 - 8 * (i % 4)) >> 24, ck_v16));
    }
    break;
  }
  case CK_Q2_K: {
    ck_v16 d = CK_NAME(widen)((const uint16_t *)(chunk + at.d));
    ck_v16 m = -CK_NAME(widen)((const uint16_t *)(chunk + at.m));
    for (int i = 0; i < 16; i++) {
      ck_u16 w = CK_NAME(words)(chunk + at.scales + 64 * (i / 4)) >> 8 * (i % 4);
      CK_NAME(store)(scale[i], d * CK_NAME(float_bytes)(w & 15));
      CK_NAME(store)(bias[i], m * CK_NAME(float_bytes)(w >> 4 & 15));
    }
    break;
  }
  case CK_Q3_K: {
    ck_v16 d = CK_NAME(load)((const float *)(chunk + at.d));
    ck_u16 w[3];
    for (int i = 0; i < 3; i++) w[i] = CK_NAME(words)(chunk + at.scales + 64 * i);
    for (int i = 0; i < 16; i++) {
      ck_u16 low = w[i / 4 % 2] >> (8 * (i % 4) + 4 * (i / 8)) & 15;
      ck_u16 high = w[2] >> (8 * (i % 4) + 2 * (i / 4)) & 3;
      CK_NAME(store)(scale[i], d * __builtin_convertvector((ck_i16)(low | high << 4) - 32, ck_v16));
    }
    break;
  }
  case CK_IQ4_XS: {
    ck_v16 d = CK_NAME(widen)((const uint16_t *)(chunk + at.d));
    ck_h16 halves;
    memcpy(&halves, chunk + at.m, sizeof halves);
    ck_u16 high = __builtin_convertvector(halves, ck_u16), low = CK_NAME(words)(chunk + at.scales);
    for (int b = 0; b < 8; b++) {
      ck_u16 s = (low >> 4 * b & 15) | (high >> 2 * b & 3) << 4;
      CK_NAME(store)(scale[b], d * __builtin_convertvector((ck_i16)s - 32, ck_v16));
    }
    break;
  }
  default: break;
  }
}
