/* The executor with observers, for x86-64 processors with AVX2. */
#include "target_avx2.h"
#if SG_HAS_AVX2
#include "observe.h"
#include "lanes.h"
#include "mem.h"

#define OBSERVE 1
#define EXEC exec_checked_avx2
#include "exec.inc"
#include "target_end.h"
#endif
