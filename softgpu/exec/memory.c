/* Device memory. Addresses only ever grow, so a freed address is never given again; between allocations lies a gap that
 * no access may touch. */
#include "observer.h"

enum { ALIGN = 256, RED_ZONE = 512, QUARANTINE = 1024 };

void memory_start(memory *m, u64 total, const observers *all)
{
    *m = (memory){ .next = GLOBAL_BASE, .total = total, .observers = all };
}

/* Frees the bytes of an allocation, and what observers keep of them. */
static void release_bytes(const memory *m, alloc *a)
{
    TELL_DEVICE(m->observers, a->observed[slot], released, a->observed[slot]);
    memset(a->observed, 0, sizeof a->observed);
    free(a->host);
    a->host = NULL;
}

/* What a kernel reads from memory that nobody wrote: NaN as a float, and the same on every run. */
static u8 *fresh_memory(u64 size)
{
    u8 *host = malloc((size_t)size);
    if (host)
        memset(host, 0xff, (size_t)size);
    return host;
}

alloc *memory_alloc(memory *m, u64 size, u64 align)
{
    if (!size || size > m->total - m->used)
        return NULL;
    alloc **grown = realloc(m->live, (size_t)(m->nlive + 1) * sizeof *grown);
    alloc *a = calloc(1, sizeof *a);
    if (grown)
        m->live = grown;
    if (!grown || !a || !(a->host = fresh_memory(round_up(size, 16)))) {
        free(a);
        return NULL;
    }
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
        if (m->live[mid]->base <= address)
            low = mid + 1;
        else
            high = mid;
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
        free(m->freed[0]);
        memmove(m->freed, m->freed + 1, (size_t)--m->nfreed * sizeof *m->freed);
    }
    alloc **grown = realloc(m->freed, (size_t)(m->nfreed + 1) * sizeof *grown);
    release_bytes(m, a);
    if (!grown) {
        free(a);
        return;
    }
    m->freed = grown;
    a->freed = true;
    m->freed[m->nfreed++] = a;
}

bool memory_free(memory *m, u64 base)
{
    int i = index_below(m, base);
    if (i < 0 || m->live[i]->base != base || m->live[i]->name)
        return false;
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
        if (m->freed[j]->base <= address && (!best || m->freed[j]->base > best->base))
            best = m->freed[j];
    return best;
}
