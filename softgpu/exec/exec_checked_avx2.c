/* The executor with observers, for x86-64 processors with AVX2. */
#include "softgpu/lanes/target_avx2.h"
#if SG_HAS_AVX2
#include "observer.h"
#include "softgpu/lanes/lanes.h"
#include "softgpu/base/matrix.h"
#include "softgpu/base/mem.h"

#define OBSERVE 1
#define EXEC exec_checked_avx2
#include "exec.inc"
#include "softgpu/lanes/target_end.h"
#endif
