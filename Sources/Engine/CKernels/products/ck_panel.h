// Panels, packed layout and prefetching, shared by the products of all instruction sets.
#ifndef CK_PANEL_H
#define CK_PANEL_H
#include <stddef.h>

#include "ck_multiply.h"
#include "ck_types.h"

enum { ck_chunk_columns = 256, ck_token_block = 512 };

/// Panel: up to 256 columns of 16 rows, unpacked.
typedef struct {
  _Alignas(64) uint8_t q[64][64];  // (column / 4, row * 4 + column % 4)
  float scale[16][16];             // (column / group, row)
  float bias[16][16];              // (column / group, row)
  uint8_t signs[64][64];           // shape of q; for sets that keep magnitudes in q
} ck_panel;

_Static_assert(sizeof(struct ck_activation_chunk) == 512, "activation chunk");
_Static_assert(sizeof(struct ck_int16_chunk) == 640, "int16 activation chunk");
_Static_assert(sizeof(ck_panel) == 4096 + 2048 + 4096, "panel");

/// Offsets of the parts of a packed chunk, in bytes; see ck_pack_body.h. Lines of high and low bits that are read
/// together alternate, so that a chunk is read strictly forwards. -1: absent.
typedef struct {
  int32_t d, m, scales, high, low, bytes;
} ck_packed_layout;

/// Layout of a chunk of `blocks32` times 32 columns.
static inline __attribute__((always_inline)) ck_packed_layout ck_layout(const int type, int blocks32) {
  int n = blocks32;
  switch (type) {
  case CK_Q4_0:
  case CK_IQ4_NL: return (ck_packed_layout){0, -1, -1, -1, 32 * n, 288 * n};
  case CK_MXFP4: return (ck_packed_layout){0, -1, -1, -1, 16 * n, 272 * n};
  case CK_Q4_1: return (ck_packed_layout){0, 32 * n, -1, -1, 64 * n, 320 * n};
  case CK_Q5_0: return (ck_packed_layout){0, -1, -1, 32 * n, 32 * n + 64, 352 * n};
  case CK_Q5_1: return (ck_packed_layout){0, 32 * n, -1, 64 * n, 64 * n + 64, 384 * n};
  case CK_Q8_0: return (ck_packed_layout){0, -1, -1, -1, 32 * n, 544 * n};
  case CK_Q2_K: return (ck_packed_layout){0, 32, 64, -1, 320, 1344};
  // The scales of Q3_K and Q6_K are widened to F32 so that chunks stay on 64-byte boundaries.
  case CK_Q3_K: return (ck_packed_layout){0, -1, 64, 256, 320, 1792};
  case CK_Q4_K: return (ck_packed_layout){0, 32, 64, -1, 256, 2304};
  case CK_Q5_K: return (ck_packed_layout){0, 32, 64, 256, 320, 2816};
  case CK_Q6_K: return (ck_packed_layout){0, -1, 64, 320, 384, 3392};
  case CK_IQ4_XS: return (ck_packed_layout){0, 32, 64, -1, 128, 2176};
  default: return (ck_packed_layout){-1, -1, -1, -1, -1, 0};
  }
}

/// Largest size of a packed chunk, that of Q8_0, in bytes.
enum { ck_chunk_bytes = 4352 };

/// Number of rows of F32, F16 or BF16 in a bundle, interleaved 64 bytes at a time when packed: read together they are
/// one stream, with enough accumulators in flight to hide their latency.
enum { ck_bundle_rows = 4 };

/// Size of a row in a bundle, in bytes; 0 for other types.
static inline __attribute__((always_inline)) int64_t ck_bundled_bytes(const int type, int64_t columns) {
  int64_t size = type == CK_F32 ? 4 : type == CK_F16 || type == CK_BF16 ? 2 : 0;
  return (size * columns + 63) / 64 * 64;
}

/// Strides of rows, in bytes: `step` from one 64 bytes of a row to the next, `distance` from one row to the next.
struct ck_row_place {
  int64_t step, distance;
};

static inline __attribute__((always_inline)) struct ck_row_place ck_row_place_of(const struct ck_matrix *m) {
  if (m->is_packed) return (struct ck_row_place){64 * ck_bundle_rows, 64};
  return (struct ck_row_place){64, m->row_bytes};
}

static inline __attribute__((always_inline)) int64_t ck_row_bytes(const struct ck_matrix *m) {
  return m->is_packed ? ck_bundled_bytes(m->type, m->columns) : m->row_bytes;
}

/// Start of a row of F32, F16 or BF16.
static inline __attribute__((always_inline)) const uint8_t *ck_row_start(const struct ck_matrix *m, int64_t row) {
  int64_t within = m->is_packed ? row % ck_bundle_rows : 0;
  return m->data + (row - within) * ck_row_bytes(m) + 64 * within;
}

/// Size of a packed group of 16 rows, in bytes.
static inline __attribute__((always_inline)) int64_t ck_group_bytes(const int type, int64_t columns) {
  int64_t bundled = ck_bundled_bytes(type, columns);
  if (bundled) return 16 * bundled;
  int64_t whole = columns / ck_chunk_columns, rest = columns % ck_chunk_columns / 32;
  return whole * ck_layout(type, 8).bytes + (rest ? ck_layout(type, (int)rest).bytes : 0);
}

/// Offset of the chunk of `bytes` bytes that is `at` bytes into the group of `row`. The chunks of two groups alternate,
/// so that a product reads forwards through both and loads its activations once for them, which counts where they do
/// not stay in L1; a last group without a partner is stored alone.
static inline __attribute__((always_inline)) int64_t ck_chunk_place(
    const int type, const struct ck_matrix *m, int64_t row, int64_t at, int64_t bytes) {
  int64_t group = row / 16, pair = group / 2 * 2;
  int64_t within = 16 * (pair + 1) < m->rows ? 2 * at + group % 2 * bytes : at;
  return pair * ck_group_bytes(type, m->columns) + within;
}

/// Number of groups from `row` that a product with rows up to `end` computes together.
static inline int64_t ck_groups_together(int64_t row, int64_t end) { return row % 32 == 0 && row + 16 < end ? 2 : 1; }

/// Weights to prefetch line by line while a chunk is multiplied, at two distances.
struct ck_prefetch {
  const uint8_t *far, *near;
  int first;  // whether the far ones go to L1 too
};

/// Prefetch targets that go with a chunk.
static inline __attribute__((always_inline)) struct ck_prefetch ck_prefetch_of(
    const struct ck_matrix *m, const uint8_t *chunk) {
  struct ck_prefetch ahead = {chunk + m->prefetch_far, chunk + m->prefetch_near, m->prefetches_to_l1};
  // Opaque to the compiler, which would compute the address again for every line.
  __asm__("" : "+r"(ahead.far), "+r"(ahead.near));
  return ahead;
}

/// Prefetches line i at both distances.
static inline __attribute__((always_inline)) void ck_prefetch_line(struct ck_prefetch ahead, int i) {
  if (ahead.first) __builtin_prefetch(ahead.far + 64 * i);
  else __builtin_prefetch(ahead.far + 64 * i, 0, 2);
  __builtin_prefetch(ahead.near + 64 * i);
}

/// Prefetch distances of a small batch, in bytes: into L2, and again into L1, whose line fill buffers the activations
/// need. The near distance is more than a chunk, for the chunks of two groups are read together.
enum { ck_small_batch_far = 20480, ck_small_batch_near = 8192 };

/// Prefetches the lines at these distances after `line`.
static inline __attribute__((always_inline)) void ck_prefetch_small_batch(const uint8_t *line) {
  __builtin_prefetch(line + ck_small_batch_far, 0, 2);
  __builtin_prefetch(line + ck_small_batch_near);
}

/// Weights to prefetch while a chunk is multiplied: `count` lines of 64 bytes from `start`; `eighths` of a line are
/// due.
struct ck_prefetch_lines {
  const uint8_t *start;
  int64_t count, eighths;
};

/// Share of the lines that goes with tokens, or parts of tokens, `first ..< end` of `count`.
static inline struct ck_prefetch_lines ck_prefetch_share(
    struct ck_prefetch_lines lines, int64_t first, int64_t end, int64_t count) {
  int64_t start = first * lines.count / count;
  return (struct ck_prefetch_lines){lines.start + 64 * start, end * lines.count / count - start};
}

/// Prefetches the share of the lines that goes with the next of 8 sub-blocks: all at once, they would delay the loads
/// in flight. Into L2, for the activations need the few line fill buffers of L1.
static inline __attribute__((always_inline)) void ck_prefetch_eighth(struct ck_prefetch_lines *lines) {
  lines->eighths += lines->count;
  // Mostly none or one: not worth unrolling.
#pragma clang loop unroll(disable)
  for (; lines->eighths >= 8; lines->eighths -= 8, lines->start += 64) __builtin_prefetch(lines->start, 0, 2);
}

static inline int ck_uses_prefetch(const struct ck_matrix *m) { return m->is_packed && m->prefetch_far > 0; }

/// Prefetches the first lines of the pages that begin within `bytes` from a little after `data`, in a stream of
/// weights: hardware prefetchers stop at the end of a page and need some lines of the next to detect the stream again.
static inline __attribute__((always_inline)) void ck_prefetch_page_starts(const uint8_t *data, int64_t bytes) {
  enum { page = 4096, ahead = 2048, lines = 20 };
  const uint8_t *start = data + ahead + (-(uintptr_t)(data + ahead) & (page - 1));
  for (; start < data + ahead + bytes; start += page) {
    for (int i = 0; i < lines; i++) __builtin_prefetch(start + 64 * i, 0, 2);
  }
}

/// Prefetches the share of the 16 stored rows after those from `row` that goes with a chunk.
static inline __attribute__((always_inline)) void ck_prefetch_next_rows(
    const struct ck_matrix *m, int64_t row, int64_t column) {
  int64_t part = 16 * m->row_bytes * ck_chunk_columns / m->columns;
  const uint8_t *next = m->data + (row + 16) * m->row_bytes + column / ck_chunk_columns * part;
  for (int64_t i = 0; i < part; i += 64) __builtin_prefetch(next + i);
}

/// Indicates whether long tiles are used (see ck_tile_dot.h): on Intel's processors, which load two operands of 64
/// bytes per
/// cycle. Zen 5 takes 10 to 20 % longer with them. Zen 4 loads one per cycle, which would probably limit it; not
/// measured.
int ck_has_long_tiles(void);

#endif
