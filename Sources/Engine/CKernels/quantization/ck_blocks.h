// Block layouts of quantized tensors in GGUF files.
#ifndef CK_BLOCKS_H
#define CK_BLOCKS_H
#include <stdint.h>

// Packed: a tensor may start at any byte of a file.
#pragma pack(push, 1)
typedef struct { uint16_t d; uint8_t qs[16]; } ck_block_q4_0;
typedef struct { uint16_t d, m; uint8_t qs[16]; } ck_block_q4_1;
typedef struct { uint16_t d; uint8_t qh[4], qs[16]; } ck_block_q5_0;
typedef struct { uint16_t d, m; uint8_t qh[4], qs[16]; } ck_block_q5_1;
typedef struct { uint16_t d; int8_t qs[32]; } ck_block_q8_0;
typedef struct { uint8_t scales[16], qs[64]; uint16_t d, dmin; } ck_block_q2_k;
typedef struct { uint8_t hmask[32], qs[64], scales[12]; uint16_t d; } ck_block_q3_k;
typedef struct { uint16_t d, dmin; uint8_t scales[12], qs[128]; } ck_block_q4_k;
typedef struct { uint16_t d, dmin; uint8_t scales[12], qh[32], qs[128]; } ck_block_q5_k;
typedef struct { uint8_t ql[128], qh[64]; int8_t scales[16]; uint16_t d; } ck_block_q6_k;
typedef struct { uint16_t d; uint8_t qs[16]; } ck_block_iq4_nl;
typedef struct { uint16_t d, scales_h; uint8_t scales_l[4], qs[128]; } ck_block_iq4_xs;
typedef struct { uint8_t e, qs[16]; } ck_block_mxfp4;
typedef struct { uint8_t qs[48], qh[4]; uint16_t d; } ck_block_tq1_0;
typedef struct { uint8_t qs[64]; uint16_t d; } ck_block_tq2_0;
typedef struct { uint16_t d, qs[32]; } ck_block_iq2_xxs;
typedef struct { uint16_t d, qs[32]; uint8_t scales[8]; } ck_block_iq2_xs;
typedef struct { uint16_t d; uint8_t qs[32], signs[32], qh[8], scales[8]; } ck_block_iq2_s;
typedef struct { uint16_t d; uint8_t qs[64], gas[32]; } ck_block_iq3_xxs;
typedef struct { uint16_t d; uint8_t qs[64], qh[8], signs[32], scales[4]; } ck_block_iq3_s;
typedef struct { uint16_t d; uint8_t qs[32]; uint16_t qh[8]; } ck_block_iq1_s;
typedef struct { uint8_t qs[32], qh[16], scales[8]; } ck_block_iq1_m;
#pragma pack(pop)

_Static_assert(sizeof(ck_block_q4_0) == 18, "Q4_0");
_Static_assert(sizeof(ck_block_q4_1) == 20, "Q4_1");
_Static_assert(sizeof(ck_block_q5_0) == 22, "Q5_0");
_Static_assert(sizeof(ck_block_q5_1) == 24, "Q5_1");
_Static_assert(sizeof(ck_block_q8_0) == 34, "Q8_0");
_Static_assert(sizeof(ck_block_q2_k) == 84, "Q2_K");
_Static_assert(sizeof(ck_block_q3_k) == 110, "Q3_K");
_Static_assert(sizeof(ck_block_q4_k) == 144, "Q4_K");
_Static_assert(sizeof(ck_block_q5_k) == 176, "Q5_K");
_Static_assert(sizeof(ck_block_q6_k) == 210, "Q6_K");
_Static_assert(sizeof(ck_block_iq4_nl) == 18, "IQ4_NL");
_Static_assert(sizeof(ck_block_iq4_xs) == 136, "IQ4_XS");
_Static_assert(sizeof(ck_block_mxfp4) == 17, "MXFP4");
_Static_assert(sizeof(ck_block_tq1_0) == 54, "TQ1_0");
_Static_assert(sizeof(ck_block_tq2_0) == 66, "TQ2_0");
_Static_assert(sizeof(ck_block_iq2_xxs) == 66, "IQ2_XXS");
_Static_assert(sizeof(ck_block_iq2_xs) == 74, "IQ2_XS");
_Static_assert(sizeof(ck_block_iq2_s) == 82, "IQ2_S");
_Static_assert(sizeof(ck_block_iq3_xxs) == 98, "IQ3_XXS");
_Static_assert(sizeof(ck_block_iq3_s) == 110, "IQ3_S");
_Static_assert(sizeof(ck_block_iq1_s) == 50, "IQ1_S");
_Static_assert(sizeof(ck_block_iq1_m) == 56, "IQ1_M");

/// Levels of IQ4_NL and IQ4_XS, and twice those of MXFP4 (E2M1), each plus 128.
static const uint8_t ck_iq4_levels[16] = {1, 24, 45, 63, 79, 93, 106, 118, 129, 141, 153, 166, 181, 197, 217, 241};
static const uint8_t ck_mxfp4_levels[16] = {128, 129, 130, 131, 132, 134, 136, 140,
                                            128, 127, 126, 125, 124, 122, 120, 116};

#endif
