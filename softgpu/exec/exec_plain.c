/* The executor without observers. */
#include "observer.h"
#include "softgpu/lanes/lanes.h"
#include "softgpu/base/matrix.h"
#include "softgpu/base/mem.h"

#define OBSERVE 0
#define EXEC exec_plain
#include "exec.inc"
