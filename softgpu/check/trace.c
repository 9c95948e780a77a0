/* Trace: the statements of one thread as they run, with the registers that each reads and writes; and all registers
 * that it has written so far, where it comes to a line of the PTX or the source that somebody asked for. */
#include "checkers.h"
#include "findings.h"
#include "softgpu/lanes/lanes.h"

enum { MOST_BREAKS = 16, MOST_LINE = 1000 };

typedef struct reg_value {
    u64 bits;
    bool known;
} reg_value;

typedef struct trace_launch {
    FILE *out;
    u64 cta;
    u32 thread;
    bool every; /* statement, not only those that are asked for */
    const char *breaks;
    reg_value *values;
    u32 *first; /* of each function's registers among the values */
} trace_launch;

typedef struct trace_worker {
    const ins *last; /* the statement whose results are not printed yet */
    char line[MOST_LINE];
} trace_worker;

static bool parse_thread(const launch *L, const char *text, u64 *block, u32 *thread)
{
    u32 v[6] = { 0 };
    int n = text ? sscanf(text, "%u,%u,%u,%u,%u,%u", &v[0], &v[1], &v[2], &v[3], &v[4], &v[5]) : 6;
    for (u32 i = 0; i < 3; i++)
        if (n != 6 || v[i] >= L->grid[i] || v[3 + i] >= L->block[i])
            return false;
    *block = v[0] + (u64)L->grid[0] * (v[1] + (u64)L->grid[1] * v[2]);
    *thread = v[3] + L->block[0] * (v[4] + L->block[1] * v[5]);
    return true;
}

static bool open_output(trace_launch *t)
{
    const char *name = getenv("SOFTGPU_TRACE");
    t->every = name != NULL;
    t->out = !name || !strcmp(name, "-") ? stderr : fopen(name, "a");
    if (!t->out)
        fprintf(stderr, "softgpu: cannot write %s\n", name);
    return t->out != NULL;
}

static bool trace_begin(launch *L, void *device_state, void *launch_state)
{
    trace_launch *t = launch_state;
    u32 registers = 0;
    (void)device_state;
    t->breaks = getenv("SOFTGPU_BREAK");
    t->first = calloc((size_t)L->k->nfuncs + 1, sizeof *t->first);
    for (int i = 0; t->first && i < L->k->nfuncs; i++) {
        t->first[i] = registers;
        registers += (u32)L->k->funcs[i].src->nregs;
    }
    t->values = calloc(registers + 1, sizeof *t->values);
    if (!t->first || !t->values)
        return false;
    if (!open_output(t))
        return true;
    if (!parse_thread(L, getenv("SOFTGPU_TRACE_THREAD"), &t->cta, &t->thread)) {
        fprintf(t->out, "%s: the thread to trace is not in this launch\n", L->k->f->name);
        t->cta = ~(u64)0;
    }
    return true;
}

static void trace_end(launch *L, void *device_state, void *launch_state)
{
    trace_launch *t = launch_state;
    (void)L;
    (void)device_state;
    if (t->out && t->out != stderr)
        fclose(t->out);
    free(t->values);
    free(t->first);
}

/* --- values --- */
static void print_value(const type *type_of, u64 bits, char *text, size_t size)
{
    s64 number = type_of->size == 8 ? (s64)bits : (s32)(u32)bits;
    if (type_of->kind == TK_PRED)
        snprintf(text, size, "%s", bits ? "true" : "false");
    else if (type_of->kind == TK_FLOAT && type_of->size >= 4)
        snprintf(text, size, "%.9g (0x%llx)", type_of->size == 8 ? bits_f64(bits) : (double)bits_f32((u32)bits),
                 (unsigned long long)bits);
    else if (type_of->kind == TK_SIGNED)
        snprintf(text, size, "%lld", (long long)number);
    else if (type_of->kind == TK_UNSIGNED)
        snprintf(text, size, "%llu", (unsigned long long)bits);
    else
        snprintf(text, size, "0x%llx", (unsigned long long)bits);
}

static void append_register(const func *f, int reg, const reg_value *values, char *line)
{
    char value[64] = "?";
    size_t n = strlen(line);
    if (values[reg].known)
        print_value(f->regs[reg].type, values[reg].bits, value, sizeof value);
    snprintf(line + n, MOST_LINE - n, " %s=%s", f->regs[reg].name, value);
}

static void append_sources(const func *f, const pins *p, const reg_value *values, char *line)
{
    if (p->guard >= 0)
        append_register(f, p->guard, values, line);
    bool has_result = p->nops > 1 && p->ops[0].kind != OP_ADDR;
    for (int i = has_result; i < p->nops; i++) {
        const operand *o = &p->ops[i];
        for (int j = 0; o->kind == OP_VEC && j < o->n; j++)
            if (o->u.elem[j].kind == OP_REG)
                append_register(f, o->u.elem[j].reg, values, line);
        if ((o->kind == OP_REG || o->kind == OP_ADDR) && o->reg >= 0)
            append_register(f, o->reg, values, line);
    }
}

static u64 lane_bits(const u8 *slot, const type *type_of, u32 lane)
{
    if (type_of->kind == TK_PRED)
        return *(const L32 *)(const void *)slot >> lane & 1;
    return type_of->size == 8 ? ((const L64 *)(const void *)slot)[lane] : ((const L32 *)(const void *)slot)[lane];
}

static void take_result(const func *f, int reg, const u8 *slot, u32 lane, reg_value *values, char *line)
{
    size_t n = strlen(line);
    if (reg < 0)
        return;
    values[reg] = (reg_value){ lane_bits(slot, f->regs[reg].type, lane), true };
    snprintf(line + n, MOST_LINE - n, " ->");
    append_register(f, reg, values, line);
}

/* The results of a statement, whose instructions follow each other from k on. */
static void take_results(const kernel *kn, const ins *k, const u8 *R, u32 lane, reg_value *values, char *line)
{
    const func *f = kn->funcs[k->func].src;
    const pins *p = &f->code[k->pins];
    const operand *d = p->ops;
    const ins *last = k, *end = kn->code + kn->ncode;
    if (!p->nops || d->kind == OP_ADDR || (d->kind != OP_REG && d->kind != OP_VEC) || k->kind == K_ST
        || k->kind == K_BAR)
        return;
    while (last + 1 < end && last[1].pins == k->pins && last[1].func == k->func)
        last++;
    if (d->kind == OP_REG) {
        take_result(f, d->reg, R + (last->kind == K_LD ? last->regs[0] : last->d), lane, values, line);
        if (d->reg2 >= 0)
            take_result(f, d->reg2, R + last->regs[0], lane, values, line);
        return;
    }
    for (int j = 0, at = 0; j < d->n; j++) {
        int reg = d->u.elem[j].kind == OP_REG ? d->u.elem[j].reg : -1;
        bool tiled = k->kind == K_MMA || k->kind == K_LDMATRIX || k->kind == K_WMMA_LD;
        u32 slot = k->kind == K_LD              ? k->regs[j]
                   : k->kind == K_WGMMA         ? k->group->d[j]
                   : tiled                      ? k->tile->d[j]
                   : reg >= 0 && k + at <= last ? k[at++].d
                                                : 0;
        take_result(f, reg, R + slot, lane, values, line);
    }
}

/* --- lines --- */
static bool is_break(const trace_launch *t, const kernel *kn, const ins *k)
{
    const char *file = NULL, *at = t->breaks;
    int line = 0;
    char ptx[20], source[300] = "";
    set_source(kn, k, &file, &line);
    snprintf(ptx, sizeof ptx, "%d", k->line);
    if (file)
        snprintf(source, sizeof source, "%s:%d", strrchr(file, '/') ? strrchr(file, '/') + 1 : file, line);
    while (at && *at) {
        size_t n = strcspn(at, ",");
        if ((n == strlen(ptx) && !memcmp(at, ptx, n)) || (n && n == strlen(source) && !memcmp(at, source, n)))
            return true;
        at += n + (at[n] == ',');
    }
    return false;
}

static void print_registers(const trace_launch *t, const kernel *kn, const ins *k)
{
    const func *f = kn->funcs[k->func].src;
    char where[200], line[MOST_LINE];
    place_of(kn, k, where, sizeof where);
    fprintf(t->out, "break %s: %s\n", where, f->code[k->pins].opcode);
    for (int i = 0; i < f->nregs; i++) {
        line[0] = 0;
        if (!t->values[t->first[k->func] + (u32)i].known)
            continue;
        append_register(f, i, t->values + t->first[k->func], line);
        fprintf(t->out, "   %s\n", line);
    }
}

static void finish_statement(const watch *o, const warp *w)
{
    const trace_launch *t = o->launch;
    trace_worker *mine = o->worker;
    const kernel *kn = o->W->L->k;
    const ins *k = mine->last;
    if (!k)
        return;
    take_results(kn, k, w->regs + kn->funcs[k->func].frame, t->thread % WARP, t->values + t->first[k->func],
                 mine->line);
    if (t->every)
        fprintf(t->out, "%s\n", mine->line);
    mine->last = NULL;
}

static void begin_statement(const watch *o, const ins *k)
{
    const trace_launch *t = o->launch;
    trace_worker *mine = o->worker;
    const kernel *kn = o->W->L->k;
    const func *f = kn->funcs[k->func].src;
    char where[200];
    if (is_break(t, kn, k))
        print_registers(t, kn, k);
    place_of(kn, k, where, sizeof where);
    snprintf(mine->line, sizeof mine->line, "%s: %s", where, f->code[k->pins].opcode);
    append_sources(f, &f->code[k->pins], t->values + t->first[k->func], mine->line);
    mine->last = k;
}

static void trace_instruction(watch *o, warp *w, const ins *k, u32 m)
{
    const trace_launch *t = o->launch;
    trace_worker *mine = o->worker;
    if (!t->out || o->W->c.linear != t->cta || w->index != t->thread / WARP)
        return;
    bool same = mine->last && mine->last->pins == k->pins && mine->last->func == k->func && k > mine->last;
    if (same && !k->first)
        return;
    finish_statement(o, w);
    if (m >> t->thread % WARP & 1)
        begin_statement(o, k);
}

static void trace_stop(watch *o)
{
    const trace_launch *t = o->launch;
    if (((trace_worker *)o->worker)->last)
        finish_statement(o, &o->W->c.warps[t->thread / WARP]);
}

const observer tracer = {
    .launch_size = sizeof(trace_launch),
    .worker_size = sizeof(trace_worker),
    .launch_begin = trace_begin,
    .launch_end = trace_end,
    .worker_end = trace_stop,
    .instruction = trace_instruction,
};
