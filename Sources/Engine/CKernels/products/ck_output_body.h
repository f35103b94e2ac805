// What the products of a set do with their sums; see ck_lanes.h. A set that has products but shares all else with another
// says so by CK_BASE(name): that one's function.
#ifndef CK_OUTPUT_BODY_H
#define CK_OUTPUT_BODY_H
#include "ck_multiply.h"

#ifndef CK_BASE
#define CK_BASE CK_NAME
#endif

/// Adds the bias to sums of (count, stride), of rows `first_row ..< first_row + row_count`, and applies the activation.
void CK_BASE(finish_rows)(
    const struct ck_output *to, int64_t first_row, int64_t row_count, int64_t count, float *sums, int64_t stride);

/// The same where there is anything to do.
CK_INLINE void CK_NAME(end_rows)(
    const struct ck_output *to, int64_t first_row, int64_t row_count, int64_t count, float *sums, int64_t stride) {
  if (to->bias || to->activation >= 0) CK_BASE(finish_rows)(to, first_row, row_count, count, sums, stride);
}

/// Where the sum of a token and row goes.
CK_INLINE float *CK_NAME(place)(const struct ck_output *to, int64_t token, int64_t row) {
  return to->start + token * to->stride + row;
}
#endif
