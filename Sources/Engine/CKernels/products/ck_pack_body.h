// Packing: interleaves 16 stored rows, in units of 4-byte words (2-byte units for scales); see ck_lanes.h.

typedef struct {
  const uint8_t *rows[16];
  int64_t block_bytes;
  int blocks;
} CK_NAME(source);

/// Interleaves the 2-byte units at `offset` of every block to (block, row), four to a store.
CK_INLINE void CK_NAME(interleave_halves)(const CK_NAME(source) *s, int offset, uint8_t *out) {
  for (int b = 0; b < s->blocks; b++) {
    for (int r = 0; r < 16; r += 4, out += 8) {
      uint64_t four = 0;
      for (int i = 0; i < 4; i++) {
        uint16_t half;
        memcpy(&half, s->rows[r + i] + b * s->block_bytes + offset, 2);
        four |= (uint64_t)half << 16 * i;
      }
      memcpy(out, &four, 8);
    }
  }
}

/// Interleaves units of `size` bytes (a constant, as `units`) at `offset` of every block to (block, unit, row).
CK_INLINE void CK_NAME(interleave)(
    const CK_NAME(source) *s, int offset, const int size, const int units, uint8_t *out) {
  for (int b = 0; b < s->blocks; b++, out += 16 * units * size) {
    for (int r = 0; r < 16; r++) {
      const uint8_t *block = s->rows[r] + b * s->block_bytes + offset;
      for (int u = 0; u < units; u++) memcpy(out + (u * 16 + r) * size, block + u * size, (size_t)size);
    }
  }
}

typedef uint32_t CK_NAME(u4) __attribute__((vector_size(16)));
typedef uint32_t CK_NAME(u8) __attribute__((vector_size(32)));

CK_INLINE CK_NAME(u4) CK_NAME(load4)(const uint8_t *p) {
  CK_NAME(u4) v;
  memcpy(&v, p, sizeof v);
  return v;
}

/// Loads four words of each of the rows r, r + 4, r + 8 and r + 12.
CK_INLINE ck_u16 CK_NAME(every_fourth)(const CK_NAME(source) *s, int r, int64_t at) {
  CK_NAME(u4) a = CK_NAME(load4)(s->rows[r] + at), b = CK_NAME(load4)(s->rows[r + 4] + at);
  CK_NAME(u4) c = CK_NAME(load4)(s->rows[r + 8] + at), d = CK_NAME(load4)(s->rows[r + 12] + at);
  CK_NAME(u8) low = __builtin_shufflevector(a, b, 0, 1, 2, 3, 4, 5, 6, 7);
  CK_NAME(u8) high = __builtin_shufflevector(c, d, 0, 1, 2, 3, 4, 5, 6, 7);
  return __builtin_shufflevector(low, high, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15);
}

// In each quarter: words 0 and 1, or 2 and 3, of two vectors alternating; and pair 0, or pair 1, of both.
#define FIRST_WORDS(v, w) __builtin_shufflevector(v, w, 0, 16, 1, 17, 4, 20, 5, 21, 8, 24, 9, 25, 12, 28, 13, 29)
#define LAST_WORDS(v, w) __builtin_shufflevector(v, w, 2, 18, 3, 19, 6, 22, 7, 23, 10, 26, 11, 27, 14, 30, 15, 31)
#define FIRST_PAIRS(v, w) __builtin_shufflevector(v, w, 0, 1, 16, 17, 4, 5, 20, 21, 8, 9, 24, 25, 12, 13, 28, 29)
#define LAST_PAIRS(v, w) __builtin_shufflevector(v, w, 2, 3, 18, 19, 6, 7, 22, 23, 10, 11, 26, 27, 14, 15, 30, 31)

/// Interleaves words of 4 bytes, `words` (a multiple of 4) in a block, by transposing four by four; each word is XORed
/// with `flip`. The 16 rows of one word are `spacing` bytes after those of the last.
CK_INLINE void CK_NAME(interleave_words)(
    const CK_NAME(source) *s, int offset, const int words, uint32_t flip, const int spacing, uint8_t *out) {
  for (int b = 0; b < s->blocks; b++) {
    for (int u = 0; u < words; u += 4, out += 4 * spacing) {
      int64_t at = b * s->block_bytes + offset + 4 * u;
      ck_u16 v0 = CK_NAME(every_fourth)(s, 0, at), v1 = CK_NAME(every_fourth)(s, 1, at);
      ck_u16 v2 = CK_NAME(every_fourth)(s, 2, at), v3 = CK_NAME(every_fourth)(s, 3, at);
      ck_u16 a = FIRST_WORDS(v0, v1), c = FIRST_WORDS(v2, v3), d = LAST_WORDS(v0, v1), e = LAST_WORDS(v2, v3);
      ck_u16 turned[4] = {
        FIRST_PAIRS(a, c) ^ flip, LAST_PAIRS(a, c) ^ flip, FIRST_PAIRS(d, e) ^ flip, LAST_PAIRS(d, e) ^ flip,
      };
      for (int i = 0; i < 4; i++) memcpy(out + i * spacing, &turned[i], sizeof turned[i]);
    }
  }
}

#undef FIRST_WORDS
#undef LAST_WORDS
#undef FIRST_PAIRS
#undef LAST_PAIRS

static void CK_NAME(widen_scales)(const CK_NAME(source) *s, int offset, uint8_t *out) {
  uint16_t halves[16];
  for (int r = 0; r < 16; r++) memcpy(&halves[r], s->rows[r] + offset, 2);
  ck_v16 scales = CK_NAME(widen)(halves);
  memcpy(out, &scales, sizeof scales);
}

/// Moves bit 4 j + i to bit j + 8 i in the first of every five words of 16 rows, so that shifting by j leaves the bits
/// of columns 4 j ..< 4 j + 4.
static void CK_NAME(spread_fifth_bits)(uint8_t *words, int count) {
  for (int b = 0; b < count; b++, words += 320) {
    ck_u16 bits, spread = {0};
    memcpy(&bits, words, sizeof bits);
    for (int i = 0; i < 4; i++) {
      ck_u16 v = bits >> i & 0x11111111;
      v = (v | v >> 3) & 0x03030303;
      v = (v | v >> 6) & 0x000f000f;
      spread |= ((v | v >> 12) & 0xff) << 8 * i;
    }
    memcpy(words, &spread, sizeof spread);
  }
}

static void CK_NAME(pack_blocks)(int type, const CK_NAME(source) *s, int blocks32, uint8_t *out) {
  ck_packed_layout at = ck_layout(type, blocks32);
  switch (type) {
  case CK_Q4_0:
  case CK_IQ4_NL:
    CK_NAME(interleave_halves)(s, 0, out + at.d);
    CK_NAME(interleave_words)(s, 2, 4, 0, 64, out + at.low);
    break;
  case CK_MXFP4:
    CK_NAME(interleave)(s, 0, 1, 1, out + at.d);
    CK_NAME(interleave_words)(s, 1, 4, 0, 64, out + at.low);
    break;
  case CK_Q4_1:
    CK_NAME(interleave_halves)(s, 0, out + at.d);
    CK_NAME(interleave_halves)(s, 2, out + at.m);
    CK_NAME(interleave_words)(s, 4, 4, 0, 64, out + at.low);
    break;
  case CK_Q5_0:
    CK_NAME(interleave_halves)(s, 0, out + at.d);
    CK_NAME(interleave)(s, 2, 4, 5, out + at.high);
    CK_NAME(spread_fifth_bits)(out + at.high, blocks32);
    break;
  case CK_Q5_1:
    CK_NAME(interleave_halves)(s, 0, out + at.d);
    CK_NAME(interleave_halves)(s, 2, out + at.m);
    CK_NAME(interleave)(s, 4, 4, 5, out + at.high);
    CK_NAME(spread_fifth_bits)(out + at.high, blocks32);
    break;
  case CK_Q8_0:
    CK_NAME(interleave_halves)(s, 0, out + at.d);
    // Stores signed bytes plus 128.
    CK_NAME(interleave_words)(s, 2, 8, 0x80808080, 64, out + at.low);
    break;
  case CK_Q2_K:
    CK_NAME(interleave_halves)(s, 80, out + at.d);
    CK_NAME(interleave_halves)(s, 82, out + at.m);
    CK_NAME(interleave_words)(s, 0, 4, 0, 64, out + at.scales);
    CK_NAME(interleave_words)(s, 16, 16, 0, 64, out + at.low);
    break;
  case CK_Q3_K:
    CK_NAME(widen_scales)(s, 108, out + at.d);
    CK_NAME(interleave)(s, 96, 4, 3, out + at.scales);
    CK_NAME(interleave_words)(s, 0, 8, 0, 128, out + at.high);
    CK_NAME(interleave_words)(s, 32, 8, 0, 128, out + at.low);
    CK_NAME(interleave_words)(s, 64, 8, 0, 64, out + at.low + 960);
    break;
  case CK_Q4_K:
    CK_NAME(interleave_halves)(s, 0, out + at.d);
    CK_NAME(interleave_halves)(s, 2, out + at.m);
    CK_NAME(interleave)(s, 4, 4, 3, out + at.scales);
    CK_NAME(interleave_words)(s, 16, 32, 0, 64, out + at.low);
    break;
  case CK_Q5_K:
    CK_NAME(interleave_halves)(s, 0, out + at.d);
    CK_NAME(interleave_halves)(s, 2, out + at.m);
    CK_NAME(interleave)(s, 4, 4, 3, out + at.scales);
    CK_NAME(interleave_words)(s, 16, 8, 0, 128, out + at.high);
    CK_NAME(interleave_words)(s, 48, 8, 0, 128, out + at.low);
    CK_NAME(interleave_words)(s, 80, 24, 0, 64, out + at.low + 960);
    break;
  case CK_Q6_K:
    CK_NAME(widen_scales)(s, 208, out + at.d);
    CK_NAME(interleave_words)(s, 192, 4, 0, 64, out + at.scales);
    CK_NAME(interleave_words)(s, 128, 16, 0, 192, out + at.high);
    for (int i = 0; i < 4; i++) {
      CK_NAME(interleave_words)(s, 32 * i, 8, 0, 192, out + at.low + 1536 * (i / 2) + 64 * (i % 2));
    }
    break;
  case CK_IQ4_XS:
    CK_NAME(interleave_halves)(s, 0, out + at.d);
    CK_NAME(interleave_halves)(s, 2, out + at.m);
    CK_NAME(interleave)(s, 4, 4, 1, out + at.scales);
    CK_NAME(interleave_words)(s, 8, 32, 0, 64, out + at.low);
    break;
  default: break;
  }
}

/// Packs the chunk at `column` of one group of 16 stored rows; see ck_pack.
static void CK_NAME(pack_chunk)(const struct ck_matrix *m, int64_t group, int64_t column, uint8_t *packed) {
  struct ck_traits t = ck_type_traits(m->type);
  int64_t columns = m->columns - column < ck_chunk_columns ? m->columns - column : ck_chunk_columns;
  CK_NAME(source) source = {.block_bytes = t.block_bytes, .blocks = (int)(columns / t.block_size)};
  for (int r = 0; r < 16; r++) {
    int64_t row = 16 * group + r < m->rows ? 16 * group + r : m->rows - 1;
    source.rows[r] = m->data + row * m->row_bytes + column / t.block_size * t.block_bytes;
  }
  CK_NAME(pack_blocks)(m->type, &source, (int)(columns / 32), packed);
}

void CK_NAME(pack)(const struct ck_matrix *m, int64_t first, int64_t count, uint8_t *packed) {
  packed -= first * ck_group_bytes(m->type, m->columns);
  for (int64_t row = 16 * first; row < 16 * (first + count); row += 16) {
    int64_t at = 0;
    for (int64_t column = 0; column < m->columns; column += ck_chunk_columns) {
      int64_t columns = m->columns - column < ck_chunk_columns ? m->columns - column : ck_chunk_columns;
      int64_t bytes = ck_layout(m->type, (int)(columns / 32)).bytes;
      ck_prefetch_next_rows(m, row, column);
      CK_NAME(pack_chunk)(m, row / 16, column, packed + ck_chunk_place(m->type, m, row, at, bytes));
      at += bytes;
    }
  }
}
