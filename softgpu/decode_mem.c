/* Decoding of loads, stores, atomics, moves of vectors and addresses, and calls. */
#include "kernel.h"
#include "mem.h"
#include "special.h"

/* Parameters of a .func, and those that a caller passes, are local memory of the thread. */
static u8 param_space(const decoder *d, const operand *o)
{
    bool entry = o->u.var && o->reg < 0 ? o->u.var->is_entry_param : d->f->is_entry;
    return entry ? SP_PARAM : SP_LOCAL;
}

typedef struct address { u32 base; bool wide; s64 offset; u8 space; } address;

static bool resolve_address(decoder *d, const operand *o, const match *m, address *a)
{
    *a = (address){ SLOT_ZERO, true, (s64)o->imm, m->has_space ? m->space : SP_GENERIC };
    if (o->kind != OP_ADDR) { decode_error(d, "'%s' needs an address", d->at->opcode); return false; }
    if (a->space == SP_PARAM) a->space = param_space(d, o);
    if (o->reg >= 0) {
        if (reg_size(d, o->reg) == 1) { decode_error(d, "'%s': a predicate is no address", d->at->opcode); return false; }
        a->base = d->slot[o->reg];
        a->wide = reg_size(d, o->reg) == 8;
    } else if (o->u.var) {
        u64 value;
        if (!operand_address(d, o, &value)) return false;
        if (!m->has_space && o->u.var->space == SP_SHARED) value += SHARED_WINDOW;
        if (!m->has_space && o->u.var->space == SP_LOCAL) value += LOCAL_WINDOW;
        a->offset = (s64)value;
    }
    return true;
}

/* The data registers of a load or store: one operand, or the elements of a vector. */
static bool data_registers(decoder *d, const operand *o, const match *m, bool is_load, u32 regs[8], u32 *sizes)
{
    int n = m->vec ? m->vec : 1, size = (int)(m->form->arg & 255);
    const operand *e = m->vec ? o->u.elem : o;
    *sizes = 0;
    if (m->vec ? o->kind != OP_VEC || o->n != n : o->kind == OP_VEC) { decode_error(d, "'%s' needs %d data registers", d->at->opcode, n); return false; }
    for (int j = 0; j < n; j++) {
        if (is_load && e[j].kind == OP_SINK) { regs[j] = SLOT_TEMP; *sizes |= 1u << j; continue; }
        if (is_load && e[j].kind != OP_REG) { decode_error(d, "'%s' needs a register to load", d->at->opcode); return false; }
        bool wide = e[j].kind == OP_REG ? reg_size(d, e[j].reg) == 8 : size == 8;
        if (e[j].kind == OP_REG && (reg_size(d, e[j].reg) == 1 || (size == 8 && !wide))) {
            decode_error(d, "'%s': '%s' does not fit", d->at->opcode, d->f->regs[e[j].reg].name);
            return false;
        }
        regs[j] = e[j].kind == OP_REG ? d->slot[e[j].reg] : source_slot(d, &e[j], wide ? 'l' : 'w');
        *sizes |= (u32)wide << j;
    }
    return true;
}

static void decode_access(decoder *d, const match *m)
{
    bool is_load = m->form->kind == K_LD;
    u32 regs[8] = { 0 }, sizes = 0;
    address a;
    const operand *at = &d->at->ops[is_load ? 1 : 0], *data = &d->at->ops[is_load ? 0 : 1];
    if (!resolve_address(d, at, m, &a) || !data_registers(d, data, m, is_load, regs, &sizes)) return;
    if (m->vec * (m->form->arg & 255) > 32) { decode_error(d, "'%s' is wider than 32 bytes", d->at->opcode); return; }
    ins *i = emit(d, m);
    i->a = a.base;
    i->wide_address = a.wide;
    i->imm = a.offset;
    i->space = a.space;
    i->size = (u8)m->form->arg;
    i->is_signed = (u8)(m->form->arg >> 8);
    i->n = m->vec ? m->vec : 1;
    i->sizes = sizes;
    if (m->sem > SEM_WEAK) i->flags |= F_VOLATILE;
    memcpy(i->regs, regs, sizeof regs);
}

static u8 atom_size(u32 arg)
{
    static const u8 sizes[] = { 4, 4, 8, 8, 4, 8, 2, 4, 2, 4, 2, 4, 8 };
    return sizes[arg >> 8];
}

static void decode_atomic(decoder *d, const match *m)
{
    bool has_result = m->form->kind == K_ATOM;
    const char *sig = strchr(m->form->sig, 'm') + 1;
    const operand *ops = d->at->ops + has_result;
    address a;
    if (!resolve_address(d, &ops[0], m, &a)) return;
    if (a.space == SP_CONST || a.space == SP_LOCAL || a.space == SP_PARAM) { decode_error(d, "'%s': atomics need global or shared memory", d->at->opcode); return; }
    u32 b = source_slot(d, &ops[1], sig[0]), c = sig[1] ? source_slot(d, &ops[2], sig[1]) : 0, dst = SLOT_TEMP;
    u8 size = atom_size(m->form->arg);
    if (has_result && d->at->ops[0].kind == OP_REG) {
        if (reg_size(d, d->at->ops[0].reg) != (size == 8 ? 8 : 4)) { decode_error(d, "'%s': the result does not fit", d->at->opcode); return; }
        dst = d->slot[d->at->ops[0].reg];
    } else if (has_result && d->at->ops[0].kind != OP_SINK) { decode_error(d, "'%s' needs a register", d->at->opcode); return; }
    bool wanted = has_result && d->at->ops[0].reg >= 0 && d->used[d->at->ops[0].reg];
    ins *i = emit(d, m);
    i->kind = wanted ? K_ATOM : K_RED;                    /* a result that nobody reads does not order the threads */
    i->a = a.base;
    i->wide_address = a.wide;
    i->imm = a.offset;
    i->space = a.space;
    i->b = b;
    i->c = c;
    i->d = dst;
    i->size = size;
    i->n = 1;
    i->dsize = wanted ? (size == 8 ? 8 : 4) : 0;
}

void decode_memory(decoder *d, const match *m)
{
    if (m->form->kind == K_LD || m->form->kind == K_ST) decode_access(d, m);
    else decode_atomic(d, m);
}

/* mov.b64 {lo, hi}, v and the like: the i-th of n parts of a value of `size` bytes. */
static void unpack(decoder *d, int size, const operand *vec)
{
    const operand *src = &d->at->ops[1];
    u32 v = source_slot(d, src, size == 8 ? 'l' : 'w');
    int part = size / vec->n;
    if (vec->n < 2 || part * vec->n != size || part < 1) { decode_error(d, "'%s': a vector of %d does not fit", d->at->opcode, vec->n); return; }
    for (int j = 0; j < vec->n && !d->err->line; j++) {
        const operand *e = &vec->u.elem[j];
        if (e->kind == OP_SINK) continue;
        if (e->kind != OP_REG || reg_size(d, e->reg) == 1 || (reg_size(d, e->reg) == 8)) { decode_error(d, "'%s': parts must be registers of %d bits", d->at->opcode, 8 * part); return; }
        const char *name = size == 8 && part == 4 ? (j ? " high" : " low") : size == 8 ? " extract64.16" : part == 2 ? (j ? " high16" : " mov.32") : " extract.8";
        ins *i = emit_helper(d, name, d->slot[e->reg], v, 0);
        i->arg = (u32)(j * part);
        i->guard = d->at->guard >= 0 ? d->slot[d->at->guard] : 0;
        i->guard_negated = d->at->guard_negated;
    }
}

static u32 pack_parts(decoder *d, const operand *e, int n, int part, u32 final)
{
    char sig = part == 4 ? 'w' : part == 2 ? 'h' : 'b';
    if (n == 1) return source_slot(d, e, sig);
    u32 lo = pack_parts(d, e, n / 2, part, 0), hi = pack_parts(d, e + n / 2, n / 2, part, 0);
    int size = n * part;
    u32 to = final ? final : temp_slot(d);
    emit_helper(d, size == 8 ? " pack.32" : size == 4 ? " pack.16" : " pack.8", to, lo, hi);
    return to;
}

static void pack(decoder *d, int size, const operand *vec)
{
    const operand *dst = &d->at->ops[0];
    int part = vec->n ? size / vec->n : 0;
    if (vec->n < 2 || (vec->n & (vec->n - 1)) || part * vec->n != size) { decode_error(d, "'%s': a vector of %d does not fit", d->at->opcode, vec->n); return; }
    if (dst->kind != OP_REG || reg_size(d, dst->reg) != (size == 8 ? 8 : 4)) { decode_error(d, "'%s': the result must be a register of %d bits", d->at->opcode, 8 * size); return; }
    pack_parts(d, vec->u.elem, vec->n, part, d->slot[dst->reg]);
    ins *last = &d->k->code[d->k->ncode - 1];
    last->guard = d->at->guard >= 0 ? d->slot[d->at->guard] : 0;
    last->guard_negated = d->at->guard_negated;
}

static void mov_special(decoder *d, const match *m)
{
    const operand *dst = &d->at->ops[0];
    int which = (int)d->at->ops[1].imm;
    if (dst->kind != OP_REG || reg_size(d, dst->reg) == 1) { decode_error(d, "'%s' needs a register", d->at->opcode); return; }
    ins *i = emit(d, m);
    i->kind = K_SPECIAL;
    i->cls = CL_MOVE;
    i->d = d->slot[dst->reg];
    i->dsize = (u8)reg_size(d, dst->reg);
    i->imm = which;
    i->size = (u8)sg_special_size(which);
    d->k->specials |= 1u << which;
}

static void mov_plain(decoder *d, const match *m)
{
    const operand *dst = &d->at->ops[0], *src = &d->at->ops[1];
    char sig = m->form->sig[0];
    if (dst->kind != OP_REG || reg_size(d, dst->reg) != sig_size(sig)) { decode_error(d, "'%s': the result does not fit", d->at->opcode); return; }
    if (src->negated && sig != 'p') { decode_error(d, "'%s': '!' needs a predicate", d->at->opcode); return; }
    u32 a = source_slot(d, src, sig);
    ins *i = emit(d, m);
    i->d = d->slot[dst->reg];
    i->dsize = (u8)sig_size(sig);
    i->a = a;
    i->nsrc = 1;
    if (src->negated) i->flags |= F_NEG_C;
}

void decode_mov(decoder *d, const match *m)
{
    u32 before = d->k->ncode;
    int size = strstr(d->at->opcode, "64") ? 8 : strstr(d->at->opcode, "32") ? 4 : 2;
    if (d->at->ops[0].kind == OP_VEC) unpack(d, size, &d->at->ops[0]);
    else if (d->at->ops[1].kind == OP_VEC) pack(d, size, &d->at->ops[1]);
    else if (d->at->ops[1].kind == OP_SPECIAL) mov_special(d, m);
    else mov_plain(d, m);
    if (d->k->ncode > before) d->k->code[before].first = 1;
}

static param_copy *copies(decoder *d, const operand *list, int n, var **formal, int nformal, bool in)
{
    param_copy *c = sg_alloc(&d->m->mem, (size_t)(n + 1) * sizeof *c);
    if (n != nformal) { decode_error(d, "call of '%s': %d parameters, not %d", d->at->callee->name, n, nformal); return c; }
    for (int i = 0; i < n; i++) {
        if (list[i].kind != OP_SYM || list[i].u.var->space != SP_PARAM || list[i].u.var->is_entry_param) {
            decode_error(d, "call of '%s': parameters must be .param variables", d->at->callee->name);
            return c;
        }
        const var *v = list[i].u.var;
        u64 size = v->size < formal[i]->size ? v->size : formal[i]->size;
        u32 here = (u32)(v->address + list[i].imm), there = (u32)formal[i]->address;
        if (list[i].imm + size > v->size) { decode_error(d, "call of '%s': parameter out of bounds", d->at->callee->name); return c; }
        c[i] = (param_copy){ in ? here : there, in ? there : here, (u32)size };
    }
    return c;
}

void decode_call(decoder *d, const match *m)
{
    const pins *p = d->at;
    call *c = sg_alloc(&d->m->mem, sizeof *c);
    for (int i = 0; i < d->k->nfuncs; i++)
        if (d->k->funcs[i].src == p->callee) c->callee = (u32)i;
    c->nin = p->nargs;
    c->nout = p->nrets;
    c->in = copies(d, p->args, p->nargs, p->callee->params, p->callee->nparams, true);
    c->out = copies(d, p->rets, p->nrets, p->callee->rets, p->callee->nrets, false);
    ins *i = emit(d, m);
    i->call = c;
}
