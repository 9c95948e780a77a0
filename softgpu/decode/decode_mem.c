/* Decoding of loads, stores and atomics. */
#include "kernel.h"
#include "softgpu/base/mem.h"

/* Parameters of a .func, and those that a caller passes, are local memory of the thread. */
static u8 param_space(const decoder *d, const operand *o)
{
    bool entry = o->u.var && o->reg < 0 ? o->u.var->is_entry_param : d->f->is_entry;
    return entry ? SP_PARAM : SP_LOCAL;
}

bool resolve_address(decoder *d, const operand *o, const match *m, resolved *a)
{
    *a = (resolved){ SLOT_ZERO, true, (s64)o->imm, m->has_space ? m->space : SP_GENERIC };
    if (o->kind != OP_ADDR) {
        decode_error(d, "'%s' needs an address", d->at->opcode);
        return false;
    }
    if (a->space == SP_PARAM)
        a->space = param_space(d, o);
    if (o->reg >= 0) {
        if (reg_size(d, o->reg) == 1) {
            decode_error(d, "'%s': a predicate is no address", d->at->opcode);
            return false;
        }
        a->base = d->slot[o->reg];
        a->wide = reg_size(d, o->reg) == 8;
    } else if (o->u.var) {
        u64 value;
        if (!operand_address(d, o, &value))
            return false;
        if (on_stack(d, o->u.var))
            a->base = d->kf->fp_slot;
        if (!m->has_space && o->u.var->space == SP_SHARED)
            value += SHARED_WINDOW;
        if (!m->has_space && (o->u.var->space == SP_LOCAL || on_stack(d, o->u.var)))
            value += LOCAL_WINDOW;
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
    if (m->vec ? o->kind != OP_VEC || o->n != n : o->kind == OP_VEC) {
        decode_error(d, "'%s' needs %d data registers", d->at->opcode, n);
        return false;
    }
    for (int j = 0; j < n; j++) {
        if (is_load && e[j].kind == OP_SINK) {
            regs[j] = SLOT_TEMP;
            *sizes |= 1u << j;
            continue;
        }
        if (is_load && e[j].kind != OP_REG) {
            decode_error(d, "'%s' needs a register to load", d->at->opcode);
            return false;
        }
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

/* Bytes of an access up to the last one that is used. */
static u32 reach_of(const pins *p, u32 bytes)
{
    u32 used = bytes < 32 ? p->used_bytes & ((1u << bytes) - 1) : p->used_bytes;
    return used ? 32 - (u32)__builtin_clz(used) : bytes;
}

static u32 power_above(u32 n) { return n > 4 ? 8 : n > 2 ? 4 : n; }

static ins *emit_access(decoder *d, const match *m, const resolved *a)
{
    ins *i = emit(d, m);
    i->a = a->base;
    i->wide_address = a->wide;
    i->imm = a->offset;
    i->space = a->space;
    i->is_signed = (u8)(m->form->arg >> 8);
    if (m->sem > SEM_WEAK)
        i->flags |= F_VOLATILE;
    return i;
}

static void decode_access(decoder *d, const match *m)
{
    bool is_load = m->form->kind == K_LD;
    u32 regs[8] = { 0 }, sizes = 0;
    resolved a;
    const operand *at = &d->at->ops[is_load ? 1 : 0], *data = &d->at->ops[is_load ? 0 : 1];
    if (!resolve_address(d, at, m, &a) || !data_registers(d, data, m, is_load, regs, &sizes))
        return;
    if (m->vec * (m->form->arg & 255) > 32) {
        decode_error(d, "'%s' is wider than 32 bytes", d->at->opcode);
        return;
    }
    u32 size = m->form->arg & 255, n = m->vec ? m->vec : 1, reach = is_load ? reach_of(d->at, size * n) : size * n;
    u32 tail = reach % size;
    ins *i = emit_access(d, m, &a);
    i->size = (u8)size;
    i->n = (u8)(reach / size);
    i->align = (u8)(size * n - 1);
    i->sizes = sizes;
    memcpy(i->regs, regs, sizeof regs);
    if (!i->n) { /* less than one element: a smaller load */
        i->n = 1;
        i->size = (u8)power_above(tail);
    } else if (tail) {
        ins *rest = emit_access(d, m, &a);
        rest->first = 0;
        rest->imm += (s64)(reach - tail);
        rest->size = (u8)power_above(tail);
        rest->n = 1;
        rest->sizes = sizes >> reach / size & 1;
        rest->regs[0] = regs[reach / size];
    }
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
    resolved a;
    if (!resolve_address(d, &ops[0], m, &a))
        return;
    if (a.space == SP_CONST || a.space == SP_LOCAL || a.space == SP_PARAM) {
        decode_error(d, "'%s': atomics need global or shared memory", d->at->opcode);
        return;
    }
    u32 b = source_slot(d, &ops[1], sig[0]), c = sig[1] && sig[2] != '?' ? source_slot(d, &ops[2], sig[1]) : 0;
    u32 dst = SLOT_TEMP;
    u8 size = atom_size(m->form->arg);
    if (has_result && d->at->ops[0].kind == OP_REG) {
        if (reg_size(d, d->at->ops[0].reg) != (size == 8 ? 8 : 4)) {
            decode_error(d, "'%s': the result does not fit", d->at->opcode);
            return;
        }
        dst = d->slot[d->at->ops[0].reg];
    } else if (has_result && d->at->ops[0].kind != OP_SINK) {
        decode_error(d, "'%s' needs a register", d->at->opcode);
        return;
    }
    bool wanted = has_result && d->at->ops[0].reg >= 0 && d->used[d->at->ops[0].reg];
    ins *i = emit(d, m);
    i->kind = wanted ? K_ATOM : K_RED; /* a result that nobody reads does not order the threads */
    i->a = a.base;
    i->wide_address = a.wide;
    i->imm = a.offset;
    i->space = a.space;
    i->b = b;
    i->c = c;
    i->d = dst;
    i->size = size;
    i->align = (u8)(size - 1);
    i->n = 1;
    i->dsize = wanted ? (size == 8 ? 8 : 4) : 0;
}

void decode_memory(decoder *d, const match *m)
{
    if (m->form->kind == K_LD || m->form->kind == K_ST)
        decode_access(d, m);
    else
        decode_atomic(d, m);
}
