/* The lane functions for x86-64 processors with AVX2, chosen at run time. FMA stays off: exact results do not use it. */
#include "form.h"
#if SG_HAS_AVX2
#ifdef __clang__
#pragma clang attribute push(__attribute__((target("avx2"))), apply_to = function)
#else
#pragma GCC target("avx2")
#endif
#define SG_VARIANT avx2
#include "lanes.inc"
#ifdef __clang__
#pragma clang attribute pop
#endif
#endif
