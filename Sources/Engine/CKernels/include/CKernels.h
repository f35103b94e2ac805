// Kernels for inference: loops over pointers, without allocation, input or output, threads or mutable globals.
//
//   include/       the interface, one header for each topic; shapes are written in the order of memory, the last
//                  dimension contiguous
//   sets/          one file for each instruction set, which sets the sizes of its register tiles and includes the
//                  bodies below; ck_dispatch.c passes each call on to the set that the caller chose
//   lanes/         vectors of sixteen lanes, on which the bodies (*_body.h) are written once for all sets
//   products/      matrix products: packed weights, quantized activations, panels and register tiles, prefetching
//   attention/     the KV cache and attention over it
//   quantization/  block formats of GGUF: dequantization, quantization, code books
//   vectors/       norms, activations, softmax, RoPE; search over vectors of 8-bit values
//   pictures/      convolutions, attention and norms of picture models
//
// The scalar set defines every result; the others are tested against it, most of them bit for bit.
#ifndef CKERNELS_H
#define CKERNELS_H

#include "ck_attention.h"
#include "ck_multiply.h"
#include "ck_peak.h"
#include "ck_picture.h"
#include "ck_quantize.h"
#include "ck_scan.h"
#include "ck_types.h"
#include "ck_vector.h"

#endif
