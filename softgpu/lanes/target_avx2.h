/* Compiles what follows for AVX2, where the compiler can. FMA stays off: exact results do not use it. */
#include "softgpu/decode/form.h"
#if SG_HAS_AVX2 && defined __clang__
#pragma clang attribute push(__attribute__((target("avx2,popcnt,bmi"))), apply_to = function)
#elif SG_HAS_AVX2
#pragma GCC target("avx2,popcnt,bmi")
#endif
