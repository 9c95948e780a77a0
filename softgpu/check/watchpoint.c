/* Watchpoints: every access to some bytes of an allocation, as it happens. SOFTGPU_WATCH is ALLOCATION+OFFSET, or
 * ALLOCATION+OFFSET:BYTES, with the numbers that reports give to allocations. */
#include "checkers.h"
#include "findings.h"
#include "softgpu/lanes/lanes.h"

typedef struct watch_launch {
    u64 from, to; /* device addresses */
    u8 *host;
} watch_launch;

static bool watch_begin(launch *L, void *device_state, void *launch_state)
{
    watch_launch *mine = launch_state;
    unsigned id = 0;
    unsigned long long offset = 0, bytes = 4;
    const char *text = getenv("SOFTGPU_WATCH");
    (void)device_state;
    if (!text || sscanf(text, "%u+%llu:%llu", &id, &offset, &bytes) < 2)
        return true;
    for (int i = 0; i < L->mem->nlive; i++) {
        const alloc *a = L->mem->live[i];
        if (a->id != id || offset >= a->size)
            continue;
        mine->from = a->base + offset;
        mine->to = bytes < a->size - offset ? mine->from + bytes : a->base + a->size;
        mine->host = a->host + offset;
    }
    return true;
}

static void print_watched(const watch *o, const warp *w, const ins *k, u32 lane, const char *verb)
{
    const watch_launch *mine = o->launch;
    char where[200];
    describe(o->W, w, k, lane, where, sizeof where);
    fprintf(stderr, "watch %s: %s, the bytes are", getenv("SOFTGPU_WATCH"), verb);
    for (u64 i = 0; i < mine->to - mine->from && i < 16; i++)
        fprintf(stderr, " %02x", mine->host[i]);
    fprintf(stderr, ", %s\n", where);
}

/* Before the access, so that the old bytes are seen; the value that is stored follows where it is one register. */
static void watch_access(watch *o, warp *w, const ins *k, const access_event *e)
{
    static const char *const verbs[] = { "load", "store", "atomic" };
    const watch_launch *mine = o->launch;
    u64 bytes = (u64)k->size * k->n;
    char verb[80];
    if (e->space != SP_GLOBAL || !mine->host)
        return;
    for (u32 lanes = e->m; lanes; lanes &= lanes - 1) {
        u32 i = (u32)__builtin_ctz(lanes);
        if (e->addr[i] >= mine->to || e->addr[i] + bytes <= mine->from)
            continue;
        snprintf(verb, sizeof verb, "%s", verbs[e->kind]);
        if (k->kind == K_ST && k->n == 1) {
            const u8 *slot = e->R + k->regs[0];
            u64 v = k->sizes & 1 ? ((const L64 *)(const void *)slot)[i] : ((const L32 *)(const void *)slot)[i];
            snprintf(verb, sizeof verb, "store of 0x%llx", (unsigned long long)v);
        }
        print_watched(o, w, k, i, verb);
    }
}

const observer watchpoint = {
    .launch_size = sizeof(watch_launch),
    .launch_begin = watch_begin,
    .access = watch_access,
};
