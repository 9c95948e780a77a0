/* Device memory. Addresses only ever grow, so a freed address is never given again; between allocations lies a gap that
 * no access may touch. Memory that is shared with the host has the host's address instead. */
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
    if (!a->is_shared)
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

/* The live allocation that overlaps a range, or NULL. */
static const alloc *overlapping(const memory *m, u64 base, u64 size)
{
    int i = index_below(m, base + size - 1);
    return i >= 0 && m->live[i]->base + m->live[i]->size > base ? m->live[i] : NULL;
}

static alloc *insert(memory *m, u64 base, u64 size, u8 *host)
{
    alloc **grown = realloc(m->live, (size_t)(m->nlive + 1) * sizeof *grown);
    alloc *a = calloc(1, sizeof *a);
    if (grown)
        m->live = grown;
    if (!grown || !a) {
        free(a);
        return NULL;
    }
    *a = (alloc){ .base = base, .size = size, .host = host, .id = m->next_id++ };
    int at = index_below(m, base) + 1;
    memmove(m->live + at + 1, m->live + at, (size_t)(m->nlive++ - at) * sizeof *m->live);
    return m->live[at] = a;
}

alloc *memory_alloc(memory *m, u64 size, u64 align)
{
    if (!size || size > m->total - m->used)
        return NULL;
    u64 step = align > ALIGN ? align : ALIGN, base = round_up(m->next, step);
    for (const alloc *other; (other = overlapping(m, base, size));)
        base = round_up(other->base + other->size + RED_ZONE, step);
    u8 *host = fresh_memory(round_up(size, 16));
    alloc *a = host ? insert(m, base, size, host) : NULL;
    if (!a) {
        free(host);
        return NULL;
    }
    m->next = base + size + RED_ZONE;
    m->used += size;
    return a;
}

/* Lies a range where generic addresses mean something else? */
static bool in_windows(u64 base, u64 size) { return base < FUNC_END && base + size > SHARED_WINDOW; }

alloc *memory_share(memory *m, u8 *host, u64 size)
{
    u64 base = (u64)(uintptr_t)host;
    if (!size || in_windows(base, size) || overlapping(m, base, size))
        return NULL;
    alloc *a = insert(m, base, size, host);
    if (a)
        a->is_shared = true;
    return a;
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
    m->used -= a->is_shared ? 0 : a->size;
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
