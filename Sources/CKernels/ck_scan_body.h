// The scan, compiled once per instruction set: the including file says which by CK_SCAN_NAME(name) and a target attribute, and
// brings scan_sum (the sums of one row), scan_dot (adds SCAN_STEP products), scan_totals and scan_total (four rows', one row's), and
// scan_surplus (what is too much in each row's sum).

// Rows are read ahead by so many bytes: what looks ahead by itself stops at the end of each page of memory.
#define SCAN_AHEAD 4096

void CK_SCAN_NAME(scan)(
    const int8_t *rows, const float *scales, int64_t width, int64_t count, const int8_t *query, float *scores) {
  const int32_t surplus = scan_surplus(query, width);
  int64_t i = 0;
  for (; i + 4 <= count; i += 4) {
    const int8_t *row = rows + i * width;
    scan_sum s0 = {0}, s1 = s0, s2 = s0, s3 = s0;
    for (int64_t j = 0; j < width; j += SCAN_STEP) {
      if (SCAN_STEP == 64 || j % 64 == 0) {
        __builtin_prefetch(row + j + SCAN_AHEAD);
        __builtin_prefetch(row + width + j + SCAN_AHEAD);
        __builtin_prefetch(row + 2 * width + j + SCAN_AHEAD);
        __builtin_prefetch(row + 3 * width + j + SCAN_AHEAD);
      }
      s0 = scan_dot(s0, row + j, query + j);
      s1 = scan_dot(s1, row + width + j, query + j);
      s2 = scan_dot(s2, row + 2 * width + j, query + j);
      s3 = scan_dot(s3, row + 3 * width + j, query + j);
    }
    int32_t totals[4];
    scan_totals(s0, s1, s2, s3, totals);
    for (int k = 0; k < 4; k++) scores[i + k] = scales[i + k] * (float)(totals[k] - surplus);
  }
  for (; i < count; i++) {
    scan_sum sum = {0};
    for (int64_t j = 0; j < width; j += SCAN_STEP) sum = scan_dot(sum, rows + i * width + j, query + j);
    scores[i] = scales[i] * (float)(scan_total(sum) - surplus);
  }
}

int64_t CK_SCAN_NAME(scan_above)(const float *scores, int64_t count, float floor, int32_t *places) {
  int64_t found = 0, i = 0;
  for (; i + 32 <= count; i += 32) {
    // Mostly none is, and that is seen for many at once.
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
