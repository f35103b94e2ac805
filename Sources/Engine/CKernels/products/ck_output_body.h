// Output of the products of a set; see ck_lanes.h. A set that has products of its own but shares all other functions
// with another set defines CK_BASE(name), the function of that set.
#ifndef CK_OUTPUT_BODY_H
#define CK_OUTPUT_BODY_H
#include "ck_multiply.h"

#ifndef CK_BASE
#define CK_BASE CK_NAME
#endif

/// Adds the bias to sums (count, stride) of rows `first_row ..< first_row + row_count`, and applies the activation.
void CK_BASE(finish_rows)(
    const struct ck_output *to, int64_t first_row, int64_t row_count, int64_t count, float *sums, int64_t stride);

/// finish_rows where there is a bias or an activation.
CK_INLINE void CK_NAME(end_rows)(
    const struct ck_output *to, int64_t first_row, int64_t row_count, int64_t count, float *sums, int64_t stride) {
  if (to->bias || to->activation >= 0) CK_BASE(finish_rows)(to, first_row, row_count, count, sums, stride);
}

/// Address of the output of a token and row.
CK_INLINE float *CK_NAME(place)(const struct ck_output *to, int64_t token, int64_t row) {
  return to->start + token * to->stride + row;
}
#endif
