/* The executor without observers. */
#include "observe.h"
#include "lanes.h"
#include "mem.h"

#define OBSERVE 0
#define EXEC exec_plain
#include "exec.inc"
