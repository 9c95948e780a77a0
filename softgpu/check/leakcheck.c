/* Leakcheck: allocations that outlive their context. */
#include "checkers.h"
#include "findings.h"

static void leak(const alloc *a)
{
    report_plain(SOFTGPU_LEAKCHECK, a->base, "leak: allocation %u of %llu bytes was never freed", a->id,
                 (unsigned long long)a->size);
}

const observer leakcheck = { .leaked = leak };
