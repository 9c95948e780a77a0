/* Elements of matrices as numbers, for mma and wgmma. */
#ifndef SG_MATRIX_NUMBER_H
#define SG_MATRIX_NUMBER_H

#include "device.h"

typedef union number {
    double real;
    s64 whole;
} number;

bool is_whole(u32 element);
double real_value(u32 element, u64 bits);
s64 whole_value(u32 element, u64 bits);
u64 result_bits(u32 element, number v);

#endif
