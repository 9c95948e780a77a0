/* Initcheck of device memory: a bit per byte of an allocation, set where somebody wrote it. */
#include "init_memory.h"
#include "findings.h"

void init_allocated(u32 slot, alloc *a)
{
    a->observed[slot] = calloc((size_t)(a->size / 64 + 2), sizeof(u64));
    if (!a->observed[slot])
        report_plain(SOFTGPU_INITCHECK, a->base,
                     "allocation %u of %llu bytes is not watched: the host has no memory for its shadow", a->id,
                     (unsigned long long)a->size);
}

static void set_bits(u64 *bits, u64 from, u64 n, bool value)
{
    while (n) {
        u64 at = from % 64, run = 64 - at < n ? 64 - at : n;
        u64 mask = (run == 64 ? ~(u64)0 : (((u64)1 << run) - 1)) << at;
        bits[from / 64] = value ? bits[from / 64] | mask : bits[from / 64] & ~mask;
        from += run;
        n -= run;
    }
}

void init_written(u32 slot, alloc *a, u64 offset, u64 size) { set_bits(a->observed[slot], offset, size, true); }

void init_copied(u32 slot, alloc *to, u64 to_offset, const alloc *from, u64 from_offset, u64 size)
{
    u64 *bits = to->observed[slot];
    const u64 *source = from->observed[slot];
    if (!source) {
        set_bits(bits, to_offset, size, true);
        return;
    }
    for (u64 i = 0; i < size; i++)
        set_bits(bits, to_offset + i, 1, source[(from_offset + i) / 64] >> (from_offset + i) % 64 & 1);
}

void init_read_back(u32 slot, const alloc *a, u64 offset, u64 size)
{
    u64 missing = 0, first = 0;
    const u64 *bits = a->observed[slot];
    if (!bits)
        return;
    for (u64 i = offset; i < offset + size; i++) {
        if (bits[i / 64] >> i % 64 & 1)
            continue;
        if (!missing++)
            first = i;
    }
    if (missing)
        report_plain(SOFTGPU_INITCHECK, a->base + first,
                     "copy to the host of %llu bytes that nobody wrote, from byte %llu of allocation %u on",
                     (unsigned long long)missing, (unsigned long long)first, a->id);
}
