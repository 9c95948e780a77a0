/* Origins of special values: what is kept of them in memory, and the reports. */
#include "fp_origins.h"
#include "findings.h"

static size_t place_of_key(const fp_memory *m, u64 key)
{
    size_t at = (size_t)(key * 0x9e3779b97f4a7c15u >> 20) & (m->room - 1);
    while (m->entries[at].key && m->entries[at].key != key + 1)
        at = (at + 1) & (m->room - 1);
    return at;
}

fp_tag fp_recall(const fp_memory *m, u64 key) { return m->used ? m->entries[place_of_key(m, key)].tag : 0; }

static bool grow(fp_memory *m)
{
    fp_memory more = { NULL, m->room ? 2 * m->room : 256, m->used };
    more.entries = calloc(more.room, sizeof *more.entries);
    if (!more.entries)
        return false;
    for (size_t i = 0; i < m->room; i++)
        if (m->entries[i].key)
            more.entries[place_of_key(&more, m->entries[i].key - 1)] = m->entries[i];
    free(m->entries);
    *m = more;
    return true;
}

void fp_store(fp_memory *m, u64 key, fp_tag tag)
{
    if (!tag && !m->used)
        return;
    if (2 * (m->used + 1) > m->room && !grow(m))
        return;
    fp_entry *e = &m->entries[place_of_key(m, key)];
    if (!e->key && !tag)
        return;
    m->used += !e->key;
    *e = (fp_entry){ key + 1, tag };
}

static const char *class_name(enum fp_class c)
{
    static const char *const names[] = { "", "subnormal", "infinity", "NaN" };
    return names[c];
}

/* What is meant to be seen is a NaN or an infinity that the kernel itself made, and that got out. */
static int severity_of(enum fp_class c, const fp_origin *o)
{
    return c >= FP_INFINITE && !o->loaded && (o->store || o->branch) ? SOFTGPU_WARNING : SOFTGPU_NOTE;
}

static void add_target(const kernel *k, u32 target, const char *what, char *text, size_t size)
{
    char where[200];
    size_t n = strlen(text);
    if (!target)
        return;
    place_of(k, &k->code[target - 1], where, sizeof where);
    snprintf(text + n, size - n, "; it reached %s %s", what, where);
}

static void report_one(const launch *L, u32 pc, enum fp_class c, const fp_origin *o)
{
    const kernel *k = L->k;
    const ins *i = &k->code[pc];
    u32 target = o->store ? o->store : o->branch;
    char text[900], where[200];
    softgpuReport r = { .check = SOFTGPU_FPCHECK, .kernel = k->f->name, .line = i->line, .text = text };
    place_of(k, i, where, sizeof where);
    snprintf(text, sizeof text, "%s %s%s %s, first in block (%u,%u,%u), thread (%u,%u,%u)", class_name(c),
             o->loaded ? "loaded" : "made by ", o->loaded ? "" : k->funcs[i->func].src->code[i->pins].opcode, where,
             o->block[0], o->block[1], o->block[2], o->thread[0], o->thread[1], o->thread[2]);
    add_target(k, o->store, "a store", text, sizeof text);
    add_target(k, o->branch, "a branch", text, sizeof text);
    memcpy(r.block, o->block, sizeof r.block);
    memcpy(r.thread, o->thread, sizeof r.thread);
    set_source(k, i, &r.source, &r.source_line);
    if (target) {
        r.other_line = k->code[target - 1].line;
        set_source(k, &k->code[target - 1], &r.other_source, &r.other_source_line);
    }
    r.severity = severity_of(c, o);
    r.count = o->count;
    add_report(&r);
}

void fp_report(const launch *L, const fp_origin *origins)
{
    for (u32 pc = 0; pc < L->k->ncode; pc++)
        for (u32 c = FP_SUBNORMAL; c < FP_CLASSES; c++)
            if (origins[fp_tag_of(pc, (enum fp_class)c)].count)
                report_one(L, pc, (enum fp_class)c, &origins[fp_tag_of(pc, (enum fp_class)c)]);
}
