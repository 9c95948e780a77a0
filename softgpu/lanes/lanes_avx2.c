/* The lane functions for x86-64 processors with AVX2, chosen at run time. */
#include "target_avx2.h"
#if SG_HAS_AVX2
#define SG_VARIANT avx2
#include "lanes.inc"
#include "target_end.h"
#endif
