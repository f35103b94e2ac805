// Source of the weights of a register tile: panels, or the packed form itself (see ck_small_batch_tile.h). A header
// that includes this one defines tile_and_prefetch, which reads either.
#define CK_TILE_SOURCE

typedef struct {
  const int type;  // a packed type (a constant), or in_panels
  int blocks32;
  const uint8_t *packed[2];
  // Lines before the prefetch target of sub-block 0, and bytes from there to those of the next sub-block.
  const uint8_t *lines;
  int64_t lines_step;
} CK_NAME(tile_source);

enum { CK_NAME(in_panels) = -1 };

/// Loads columns 4 step ..< 4 step + 4 of sub-block b of group g.
CK_INLINE ck_u16 CK_NAME(tile_weights)(
    const CK_NAME(tile_source) *source, const ck_panel *panels, const int g, int b, const int step) {
  return source->type == CK_NAME(in_panels)
             ? CK_NAME(words)(panels[g].q[8 * b + step])
             : CK_NAME(columns4)(source->type, source->packed[g], source->blocks32, b, step);
}

/// Prefetches a few lines with step i of sub-block b: all at once, they would delay the loads in flight.
CK_INLINE void CK_NAME(prefetch_step)(const CK_NAME(tile_source) *source, int b, const int i) {
  if (source->type == CK_NAME(in_panels)) return;
  const int lines = (CK_TILE_GROUPS * ck_layout(source->type, 8).bytes / 64 + 7) / 8;
  const uint8_t *start = source->lines + b * source->lines_step;
  for (int l = i * lines / 8; l < (i + 1) * lines / 8; l++) ck_prefetch_small_batch(start + 64 * l);
}

/// Number of sub-blocks of a tile that are multiplied together; see `together`.
CK_INLINE int CK_NAME(tile_together)(const CK_NAME(tile_source) *source) {
  return source->type == CK_NAME(in_panels) ? 1 : CK_NAME(together)(source->type, 8);
}
