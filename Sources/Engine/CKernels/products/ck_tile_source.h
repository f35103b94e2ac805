// Where the weights of a tile come from: from panels, or straight from the packed form (see ck_small_batch_tile.h). A header that
// includes this one has tile_and_prefetch, which takes them from either.
#define CK_TILE_SOURCE

typedef struct {
  const int type;  // of those that are packed (a constant), or in_panels
  int blocks32;
  const uint8_t *packed[2];
  // The lines after which weights are asked for while sub-block 0 is multiplied, and how much after them those that go with the
  // next one lie.
  const uint8_t *lines;
  int64_t lines_step;
} CK_NAME(tile_source);

enum { CK_NAME(in_panels) = -1 };

/// Columns 4 step to 4 step + 3 of sub-block b of group g.
CK_INLINE ck_u16 CK_NAME(tile_weights)(
    const CK_NAME(tile_source) *source, const ck_panel *panels, const int g, int b, const int step) {
  return source->type == CK_NAME(in_panels)
             ? CK_NAME(words)(panels[g].q[8 * b + step])
             : CK_NAME(columns4)(source->type, source->packed[g], source->blocks32, b, step);
}

/// Asks for what goes with step i of sub-block b: with every step a few lines, or they would hold up what is waited for.
CK_INLINE void CK_NAME(prefetch_step)(const CK_NAME(tile_source) *source, int b, const int i) {
  if (source->type == CK_NAME(in_panels)) return;
  const int lines = (CK_TILE_GROUPS * ck_layout(source->type, 8).bytes / 64 + 7) / 8;
  const uint8_t *start = source->lines + b * source->lines_step;
  for (int l = i * lines / 8; l < (i + 1) * lines / 8; l++) ck_prefetch_small_batch(start + 64 * l);
}

/// Sub-blocks of a tile that are multiplied as one, see `together`.
CK_INLINE int CK_NAME(tile_together)(const CK_NAME(tile_source) *source) {
  return source->type == CK_NAME(in_panels) ? 1 : CK_NAME(together)(source->type, 8);
}
