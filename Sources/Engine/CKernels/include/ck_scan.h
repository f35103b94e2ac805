#ifndef CK_SCAN_H
#define CK_SCAN_H
#include <stdint.h>

// Exact search over many vectors of 8-bit values: every instruction set gives the same bits.

/// Widths of rows are multiples of this many values; what a vector does not fill is zero.
#define CK_SCAN_ALIGNMENT 64

/// scores[i] = scales[i] * (rows[i] . query): the products are summed exactly, then rounded once and scaled.
/// - rows: (count, width) from -127 to 127, query: (width,) from -127 to 127; width below 130,000.
void ck_scan(
    int set, const int8_t *rows, const float *scales, int64_t width, int64_t count, const int8_t *query, float *scores);

/// Writes the places of the scores above a floor, in order, and returns how many there are. NaN is above nothing.
int64_t ck_scan_above(int set, const float *scores, int64_t count, float floor, int32_t *places);

/// out = round(x * 127 / max|x|), to nearest even, and zeros up to `width`; returns max|x| / 127.
/// A vector that is all zero, or not all finite, gives zeros and 0.
float ck_scan_quantize(const float *x, int64_t count, int64_t width, int8_t *out);

#endif
