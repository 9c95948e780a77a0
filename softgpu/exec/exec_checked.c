/* The executor with observers. */
#include "observer.h"
#include "softgpu/lanes/lanes.h"
#include "softgpu/base/matrix.h"
#include "softgpu/base/mem.h"

#define OBSERVE 1
#define EXEC exec_checked
#include "exec.inc"
