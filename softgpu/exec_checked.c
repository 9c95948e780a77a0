/* The executor with observers. */
#include "observe.h"
#include "lanes.h"
#include "mem.h"

#define OBSERVE 1
#define EXEC exec_checked
#include "exec.inc"
