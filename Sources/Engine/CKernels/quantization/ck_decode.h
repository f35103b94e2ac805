// Decoders, one function for each type: a block to integers, scales and biases; see ck_decode.
#ifndef CK_DECODE_H
#define CK_DECODE_H
#include <stdint.h>

#define CK_DECODER(name) void ck_decode_##name(const void *block, uint8_t *q, float *scale, float *bias)
CK_DECODER(q4_0);
CK_DECODER(q4_1);
CK_DECODER(q5_0);
CK_DECODER(q5_1);
CK_DECODER(q8_0);
CK_DECODER(iq4_nl);
CK_DECODER(mxfp4);
CK_DECODER(q2_k);
CK_DECODER(q3_k);
CK_DECODER(q4_k);
CK_DECODER(q5_k);
CK_DECODER(q6_k);
CK_DECODER(iq4_xs);
CK_DECODER(tq1_0);
CK_DECODER(tq2_0);
CK_DECODER(iq2_xxs);
CK_DECODER(iq2_xs);
CK_DECODER(iq2_s);
CK_DECODER(iq3_xxs);
CK_DECODER(iq3_s);
CK_DECODER(iq1_s);
CK_DECODER(iq1_m);

/// 2^(exponent - 128): half the scale of an MXFP4 block, whose levels are stored doubled.
float ck_mxfp4_scale(uint8_t exponent);
/// Unpacks the 6-bit scales and minima of Q4_K and Q5_K.
void ck_unpack_k4_scales(const uint8_t packed[12], uint8_t scale[8], uint8_t min[8]);
/// Unpacks the 6-bit scales of Q3_K, 0 to 63 for -32 to 31.
void ck_unpack_q3_scales(const uint8_t packed[12], uint8_t scale[16]);

#endif
