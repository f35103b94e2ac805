// Interleaves stored rows: 16 rows side by side, in units of 4-byte words (2-byte halves for scales).
#include <string.h>

#include "ck_blocks.h"
#include "ck_panel.h"

int64_t ck_packed_group_bytes(int type, int64_t columns) {
  int64_t whole = columns / ck_chunk_columns, rest = columns % ck_chunk_columns / 32;
  int64_t bytes = whole * ck_layout(type, 8).bytes;
  if (rest) bytes += ck_layout(type, (int)rest).bytes;
  return bytes;
}

typedef struct {
  const uint8_t *rows[16];
  int64_t block_bytes;
  int blocks;
} ck_source;

/// Units of `size` bytes (a constant, as `units`) at `offset` of every block: to (block, unit, row).
static inline __attribute__((always_inline)) void interleave(
    const ck_source *s, int offset, const int size, const int units, uint8_t *out) {
  for (int b = 0; b < s->blocks; b++, out += 16 * units * size) {
    for (int r = 0; r < 16; r++) {
      const uint8_t *block = s->rows[r] + b * s->block_bytes + offset;
      for (int u = 0; u < units; u++) memcpy(out + (u * 16 + r) * size, block + u * size, (size_t)size);
    }
  }
}

typedef uint32_t ck_u4 __attribute__((vector_size(16)));

static inline ck_u4 load4(const uint8_t *p) {
  ck_u4 v;
  memcpy(&v, p, sizeof v);
  return v;
}

/// The same for words of 4 bytes, `words` (a multiple of 4) in a block, turned four by four; `flip` changes bits of each.
static inline __attribute__((always_inline)) void interleave_words(
    const ck_source *s, int offset, const int words, uint32_t flip, uint8_t *out) {
  for (int b = 0; b < s->blocks; b++, out += 64 * words) {
    for (int r = 0; r < 16; r += 4) {
      const uint8_t *rows[4];
      for (int i = 0; i < 4; i++) rows[i] = s->rows[r + i] + b * s->block_bytes + offset;
      for (int u = 0; u < words; u += 4) {
        ck_u4 v0 = load4(rows[0] + 4 * u), v1 = load4(rows[1] + 4 * u);
        ck_u4 v2 = load4(rows[2] + 4 * u), v3 = load4(rows[3] + 4 * u);
        ck_u4 a = __builtin_shufflevector(v0, v1, 0, 4, 1, 5), c = __builtin_shufflevector(v2, v3, 0, 4, 1, 5);
        ck_u4 d = __builtin_shufflevector(v0, v1, 2, 6, 3, 7), e = __builtin_shufflevector(v2, v3, 2, 6, 3, 7);
        ck_u4 turned[4] = {
          __builtin_shufflevector(a, c, 0, 1, 4, 5) ^ flip, __builtin_shufflevector(a, c, 2, 3, 6, 7) ^ flip,
          __builtin_shufflevector(d, e, 0, 1, 4, 5) ^ flip, __builtin_shufflevector(d, e, 2, 3, 6, 7) ^ flip,
        };
        for (int i = 0; i < 4; i++) memcpy(out + 64 * (u + i) + 4 * r, &turned[i], 16);
      }
    }
  }
}

static void widen_scales(const ck_source *s, int offset, uint8_t *out) {
  for (int r = 0; r < 16; r++) {
    uint16_t half;
    memcpy(&half, s->rows[r] + offset, 2);
    float d = ck_f16_to_f32(half);
    memcpy(out + 4 * r, &d, 4);
  }
}

/// Bit 4 j + i of each word moves to bit j + 8 i, so that shifting by j leaves the bits of columns 4 j to 4 j + 3.
static void spread_fifth_bits(uint8_t *words, int count) {
  for (int w = 0; w < count; w += 4) {
    ck_u4 bits = load4(words + 4 * w), spread = {0};
    for (int i = 0; i < 4; i++) {
      ck_u4 v = bits >> i & 0x11111111;
      v = (v | v >> 3) & 0x03030303;
      v = (v | v >> 6) & 0x000f000f;
      spread |= ((v | v >> 12) & 0xff) << 8 * i;
    }
    memcpy(words + 4 * w, &spread, sizeof spread);
  }
}

static void pack_chunk(int type, const ck_source *s, int blocks32, uint8_t *out) {
  ck_packed_layout at = ck_layout(type, blocks32);
  switch (type) {
  case CK_Q4_0:
  case CK_IQ4_NL:
    interleave(s, 0, 2, 1, out + at.d);
    interleave_words(s, 2, 4, 0, out + at.low);
    break;
  case CK_MXFP4:
    interleave(s, 0, 1, 1, out + at.d);
    interleave_words(s, 1, 4, 0, out + at.low);
    break;
  case CK_Q4_1:
    interleave(s, 0, 2, 1, out + at.d);
    interleave(s, 2, 2, 1, out + at.m);
    interleave_words(s, 4, 4, 0, out + at.low);
    break;
  case CK_Q5_0:
    interleave(s, 0, 2, 1, out + at.d);
    interleave(s, 2, 4, 1, out + at.high);
    interleave_words(s, 6, 4, 0, out + at.low);
    spread_fifth_bits(out + at.high, 16 * blocks32);
    break;
  case CK_Q5_1:
    interleave(s, 0, 2, 1, out + at.d);
    interleave(s, 2, 2, 1, out + at.m);
    interleave(s, 4, 4, 1, out + at.high);
    interleave_words(s, 8, 4, 0, out + at.low);
    spread_fifth_bits(out + at.high, 16 * blocks32);
    break;
  case CK_Q8_0:
    interleave(s, 0, 2, 1, out + at.d);
    // Signed bytes to their value plus 128.
    interleave_words(s, 2, 8, 0x80808080, out + at.low);
    break;
  case CK_Q2_K:
    interleave(s, 80, 2, 1, out + at.d);
    interleave(s, 82, 2, 1, out + at.m);
    interleave_words(s, 0, 4, 0, out + at.scales);
    interleave_words(s, 16, 16, 0, out + at.low);
    break;
  case CK_Q3_K:
    widen_scales(s, 108, out + at.d);
    interleave(s, 96, 4, 3, out + at.scales);
    interleave_words(s, 0, 8, 0, out + at.high);
    interleave_words(s, 32, 16, 0, out + at.low);
    break;
  case CK_Q4_K:
    interleave(s, 0, 2, 1, out + at.d);
    interleave(s, 2, 2, 1, out + at.m);
    interleave(s, 4, 4, 3, out + at.scales);
    interleave_words(s, 16, 32, 0, out + at.low);
    break;
  case CK_Q5_K:
    interleave(s, 0, 2, 1, out + at.d);
    interleave(s, 2, 2, 1, out + at.m);
    interleave(s, 4, 4, 3, out + at.scales);
    interleave_words(s, 16, 8, 0, out + at.high);
    interleave_words(s, 48, 32, 0, out + at.low);
    break;
  case CK_Q6_K:
    widen_scales(s, 208, out + at.d);
    interleave_words(s, 192, 4, 0, out + at.scales);
    interleave_words(s, 128, 16, 0, out + at.high);
    interleave_words(s, 0, 32, 0, out + at.low);
    break;
  case CK_IQ4_XS:
    interleave(s, 0, 2, 1, out + at.d);
    interleave(s, 2, 2, 1, out + at.m);
    interleave(s, 4, 4, 1, out + at.scales);
    interleave_words(s, 8, 32, 0, out + at.low);
    break;
  default: break;
  }
}

void ck_pack_chunk(const struct ck_matrix *m, int64_t group, int64_t column, uint8_t *packed) {
  struct ck_traits t = ck_type_traits(m->type);
  int64_t columns = m->columns - column < ck_chunk_columns ? m->columns - column : ck_chunk_columns;
  ck_source source = {.block_bytes = t.block_bytes, .blocks = (int)(columns / t.block_size)};
  for (int r = 0; r < 16; r++) {
    int64_t row = 16 * group + r < m->rows ? 16 * group + r : m->rows - 1;
    source.rows[r] = m->data + row * m->row_bytes + column / t.block_size * t.block_bytes;
  }
  pack_chunk(m->type, &source, (int)(columns / 32), packed);
}

void ck_pack(const struct ck_matrix *m, int64_t first, int64_t count, uint8_t *packed) {
  for (int64_t group = first; group < first + count; group++) {
    for (int64_t column = 0; column < m->columns; column += ck_chunk_columns) {
      ck_ask_for_next_rows(m, 16 * group, column);
      ck_pack_chunk(m, group, column, packed);
      int64_t columns = m->columns - column < ck_chunk_columns ? m->columns - column : ck_chunk_columns;
      packed += ck_layout(m->type, (int)(columns / 32)).bytes;
    }
  }
}
