/* Initcheck: which bytes of memory were written. */
#include "initcheck.h"
#include "report.h"

void init_watch(alloc *a)
{
    if (!a->init) a->init = calloc((size_t)(a->size / 64 + 2), sizeof *a->init);
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

void init_mark(alloc *a, u64 offset, u64 size)
{
    if (a->init) set_bits(a->init, offset, size, true);
}

void init_copy(alloc *to, u64 to_offset, const alloc *from, u64 from_offset, u64 size)
{
    if (!to->init) return;
    if (!from->init) { set_bits(to->init, to_offset, size, true); return; }
    for (u64 i = 0; i < size; i++) set_bits(to->init, to_offset + i, 1, from->init[(from_offset + i) / 64] >> (from_offset + i) % 64 & 1);
}

void init_check_copy(const alloc *a, u64 offset, u64 size)
{
    u64 missing = 0, first = 0;
    if (!a->init) return;
    for (u64 i = offset; i < offset + size; i++) {
        if (a->init[i / 64] >> i % 64 & 1) continue;
        if (!missing++) first = i;
    }
    if (missing)
        report_plain(SOFTGPU_INITCHECK, a->base + first, "copy to the host of %llu bytes that nobody wrote, from byte %llu of allocation %u on",
                     (unsigned long long)missing, (unsigned long long)first, a->id);
}
