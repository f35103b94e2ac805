// Loops over pointers: no allocation, no input or output, no threads, no globals.
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
