// The scan, compiled once for each instruction set. The including file defines CK_SCAN_NAME(name) and a target
// attribute, and
// - scan_sum: accumulators of one row;
// - scan_dot: adds SCAN_STEP products to them;
// - scan_totals, scan_total: sums of the accumulators of four rows, and of one;
// - scan_surplus: constant to subtract from the sum of each row.

static inline __attribute__((always_inline)) scan_sum CK_SCAN_NAME(scan_row)(
    const int8_t *row, int64_t width, const int8_t *query) {
  scan_sum sum = {0};
  for (int64_t j = 0; j < width; j += SCAN_STEP) sum = scan_dot(sum, row + j, query + j);
  return sum;
}

/// Scans row after row in the order of memory: hardware prefetchers follow one stream better than four.
void CK_SCAN_NAME(scan)(
    const int8_t *rows, const float *scales, int64_t width, int64_t count, const int8_t *query, float *scores) {
  const int32_t surplus = scan_surplus(query, width);
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const int8_t *row = rows + i * width;
    scan_sum s0 = CK_SCAN_NAME(scan_row)(row, width, query);
    scan_sum s1 = CK_SCAN_NAME(scan_row)(row + width, width, query);
    scan_sum s2 = CK_SCAN_NAME(scan_row)(row + 2 * width, width, query);
    scan_sum s3 = CK_SCAN_NAME(scan_row)(row + 3 * width, width, query);
    int32_t totals[4];
    scan_totals(s0, s1, s2, s3, totals);
    for (int k = 0; k < 4; k++) scores[i + k] = scales[i + k] * (float)(totals[k] - surplus);
  }
  for (; i < count; i++) {
    scan_sum sum = CK_SCAN_NAME(scan_row)(rows + i * width, width, query);
    scores[i] = scales[i] * (float)(scan_total(sum) - surplus);
  }
}

int64_t CK_SCAN_NAME(scan_above)(const float *scores, int64_t count, float floor, int32_t *places) {
  int64_t found = 0, i = 0;
  for (; i + 32 <= count; i += 32) {
    // Mostly none is above, which one test shows for 32 scores.
    int above = 0;
    for (int64_t j = i; j < i + 32; j++) above |= scores[j] > floor;
    if (!above) continue;
    for (int64_t j = i; j < i + 32; j++)
      if (scores[j] > floor) places[found++] = (int32_t)j;
  }
  for (; i < count; i++)
    if (scores[i] > floor) places[found++] = (int32_t)i;
  return found;
}
