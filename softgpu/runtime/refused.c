/* Calls that are not modelled: each says its name. Their parameters are not looked at. */
#include "runtime.h"

#define REFUSED(name) \
    API cudaError_t name(void) { return refuse(#name); }
#include "refused.def"
