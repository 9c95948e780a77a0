/* Accesses that no memory backs. */
#include "observer.h"

static const char *space_name(int space)
{
    static const char *const names[] = { "generic", "register", "global", "constant", "shared", "local", "parameter" };
    return names[space];
}

static void describe_target(const worker *W, u64 address, int space, char *text, size_t size)
{
    const alloc *a = space == SP_GLOBAL || space == SP_CONST ? memory_near(W->L->mem, address) : NULL;
    if (address < 65536 && (space == SP_GLOBAL || space == SP_CONST))
        snprintf(text, size, "null pointer");
    else if (a && a->freed && address < a->base + a->size)
        snprintf(text, size, "in freed allocation %u of %llu bytes", a->id, (unsigned long long)a->size);
    else if (a)
        snprintf(text, size, "%llu bytes into allocation %u%s%s of %llu bytes", (unsigned long long)(address - a->base),
                 a->id, a->name ? " " : "", a->name ? a->name : "", (unsigned long long)a->size);
    else if (space == SP_SHARED)
        snprintf(text, size, "the block has %u bytes", W->c.shared_size);
    else
        snprintf(text, size, "outside every allocation");
}

void bad_access(worker *W, warp *w, const ins *k, u32 lane, u64 address, u64 bytes, int space, bool outside)
{
    char where[200], target[120] = "", text[440];
    const char *verb = k->cls == CL_LOAD ? "load" : k->cls == CL_STORE ? "store" : "atomic";
    enum fault f = outside ? FAULT_ADDRESS : FAULT_MISALIGNED;
    if (outside)
        describe_target(W, address, space, target, sizeof target);
    snprintf(text, sizeof text, "%s %s %s of %llu bytes at 0x%llx%s%s%s", space_name(space),
             outside ? "invalid" : "misaligned", verb, (unsigned long long)bytes, (unsigned long long)address,
             outside ? " (" : "", target, outside ? ")" : "");
    bad_access_event b = { address, text, false };
    if (W->watchers)
        TELL(W, bad_access, w, k, lane, &b);
    if (b.reported) {
        W->soft_fault = f;
        return;
    }
    describe(W, w, k, lane, where, sizeof where);
    raise_fault(W, f, "%s %s", text, where);
}
