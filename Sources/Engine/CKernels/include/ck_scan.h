#ifndef CK_SCAN_H
#define CK_SCAN_H
#include <stdint.h>

// Exact search over 8-bit vectors by dot product: every instruction set gives the same bits.

/// Number of values that divides the width of rows; vectors are padded with zeros.
#define CK_SCAN_ALIGNMENT 64

/// scores[i] = scales[i] * (rows[i] . query): the products are summed exactly, then rounded once and scaled.
/// - rows: (count, width), query: (width,), both from -127 to 127; width below 130,000
/// - scales, scores: (count,)
void ck_scan(
    int set, const int8_t *rows, const float *scales, int64_t width, int64_t count, const int8_t *query, float *scores);

/// Writes the indices of the scores above a floor, ascending, and returns their number. NaN is not above any floor.
int64_t ck_scan_above(int set, const float *scores, int64_t count, float floor, int32_t *places);

/// out (width,) = round(x * 127 / max|x|), to nearest even, padded with zeros; x is (count,). Returns max|x| / 127.
/// A vector of zeros, or one that is not finite, gives zeros and 0.
float ck_scan_quantize(const float *x, int64_t count, int64_t width, int8_t *out);

#endif
