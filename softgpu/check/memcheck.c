/* Memcheck: accesses, copies and frees that no memory backs. The device finds them; the launch goes on without them. */
#include "checkers.h"
#include "findings.h"

static void mem_bad_access(watch *o, warp *w, const ins *k, u32 lane, bad_access_event *b)
{
    report_at(o->W, w, k, lane, SOFTGPU_MEMCHECK, b->address, NULL, "%s", b->text);
    b->reported = true;
}

static void mem_refused(u64 address, const char *text) { report_plain(SOFTGPU_MEMCHECK, address, "%s", text); }

const observer memcheck = { .bad_access = mem_bad_access, .refused = mem_refused };
