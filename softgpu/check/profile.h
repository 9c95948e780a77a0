/* What lines cost, and the page of it. */
#ifndef SG_PROFILE_H
#define SG_PROFILE_H

#include "softgpu/base/base.h"

typedef struct line_cost {
    u64 warps, threads, divergent; /* instructions of warps and threads; branches that divided a warp */
    u64 sectors, ideal, conflicts; /* of global memory; passes beyond the first of shared memory */
} line_cost;

typedef struct profile_line {
    line_cost cost;
    bool is_code;
    char *file; /* of the source, NULL without -lineinfo */
    int source_line;
} profile_line;

typedef struct profile {
    struct profile *next;
    char *name, *text; /* text: the module's PTX */
    profile_line *lines;
    int nlines; /* lines[1] is the text's first */
    u64 launches;
} profile;

size_t profile_html(const profile *all, char *out, size_t size); /* its length, as snprintf's */
size_t softgpuProfileHtml(char *out, size_t size);
/* counters.c: how memory takes the lanes' addresses. */
u32 touched_sectors(const u64 *addr, u32 m);
u32 bank_conflicts(const u64 *addr, u32 m, u32 bytes);

#endif
