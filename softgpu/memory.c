/* Device memory. Addresses only ever grow, so a freed address is never given again; between allocations lies a gap that no
   access may touch. */
#include "device.h"
#include "mem.h"
#include "racecheck.h"

enum { ALIGN = 256, RED_ZONE = 512, QUARANTINE = 1024 };

void memory_start(memory *m, u64 total) { *m = (memory){ .next = GLOBAL_BASE, .total = total }; }

static void release(alloc *a)
{
    free(a->host);
    free(a->init);
    race_free(a->race);
    free(a);
}

void memory_clear(memory *m)
{
    for (int i = 0; i < m->nlive; i++) release(m->live[i]);
    for (int i = 0; i < m->nfreed; i++) release(m->freed[i]);
    free(m->live);
    free(m->freed);
    *m = (memory){ .next = m->next, .total = m->total, .next_id = m->next_id };
}

/* What a kernel reads from memory that nobody wrote: NaN as a float, and the same on every run. */
static u8 *fresh_memory(u64 size)
{
    u8 *host = malloc((size_t)size);
    if (host) memset(host, 0xff, (size_t)size);
    return host;
}

alloc *memory_alloc(memory *m, u64 size, u64 align)
{
    if (!size || size > m->total - m->used) return NULL;
    alloc **grown = realloc(m->live, (size_t)(m->nlive + 1) * sizeof *grown);
    alloc *a = calloc(1, sizeof *a);
    if (grown) m->live = grown;
    if (!grown || !a || !(a->host = fresh_memory(round_up(size, 16)))) { free(a); return NULL; }
    a->base = round_up(m->next, align > ALIGN ? align : ALIGN);
    a->size = size;
    a->id = m->next_id++;
    m->next = a->base + size + RED_ZONE;
    m->used += size;
    m->live[m->nlive++] = a;
    return a;
}

/* Index of the last live allocation that starts at or below the address, -1 without. */
static int index_below(const memory *m, u64 address)
{
    int low = 0, high = m->nlive;
    while (low < high) {
        int mid = (low + high) / 2;
        if (m->live[mid]->base <= address) low = mid + 1;
        else high = mid;
    }
    return low - 1;
}

alloc *memory_find(const memory *m, u64 address)
{
    int i = index_below(m, address);
    return i >= 0 && address - m->live[i]->base < m->live[i]->size ? m->live[i] : NULL;
}

/* A freed allocation keeps its record for messages, without its bytes. */
static void quarantine(memory *m, alloc *a)
{
    if (m->nfreed == QUARANTINE) {
        release(m->freed[0]);
        memmove(m->freed, m->freed + 1, (size_t)--m->nfreed * sizeof *m->freed);
    }
    alloc **grown = realloc(m->freed, (size_t)(m->nfreed + 1) * sizeof *grown);
    if (!grown) { release(a); return; }
    m->freed = grown;
    free(a->host);
    free(a->init);
    race_free(a->race);
    a->host = NULL;
    a->init = NULL;
    a->race = NULL;
    a->freed = true;
    m->freed[m->nfreed++] = a;
}

bool memory_free(memory *m, u64 base)
{
    int i = index_below(m, base);
    if (i < 0 || m->live[i]->base != base || m->live[i]->name) return false;
    alloc *a = m->live[i];
    m->used -= a->size;
    memmove(m->live + i, m->live + i + 1, (size_t)(--m->nlive - i) * sizeof *m->live);
    quarantine(m, a);
    return true;
}

const alloc *memory_near(const memory *m, u64 address)
{
    int i = index_below(m, address);
    const alloc *best = i >= 0 ? m->live[i] : NULL;
    for (int j = 0; j < m->nfreed; j++)
        if (m->freed[j]->base <= address && (!best || m->freed[j]->base > best->base)) best = m->freed[j];
    return best;
}
