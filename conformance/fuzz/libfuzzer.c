/* What libFuzzer calls: the target that COTANGENT_FUZZ names. */
#include "targets.h"

#include <stdio.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    static fuzz_target *target;
    const char *name = getenv("COTANGENT_FUZZ");
    if (!target)
        target = name ? fuzz_find(name) : NULL;
    if (!target) {
        fprintf(stderr, "COTANGENT_FUZZ names no target\n");
        exit(2);
    }
    target(data, size);
    return 0;
}
