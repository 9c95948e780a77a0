/* Decoding of moves: registers, special registers, packing and unpacking of vectors. */
#include "kernel.h"
#include "softgpu/base/special.h"

/* mov.b64 {lo, hi}, v and the like: the i-th of n parts of a value of `size` bytes. */
static void unpack(decoder *d, int size, const operand *vec)
{
    const operand *src = &d->at->ops[1];
    u32 v = source_slot(d, src, size == 8 ? 'l' : 'w');
    int part = size / vec->n;
    if (vec->n < 2 || part * vec->n != size || part < 1) {
        decode_error(d, "'%s': a vector of %d does not fit", d->at->opcode, vec->n);
        return;
    }
    for (int j = 0; j < vec->n && !d->err->line; j++) {
        const operand *e = &vec->u.elem[j];
        if (e->kind == OP_SINK)
            continue;
        if (e->kind != OP_REG || reg_size(d, e->reg) == 1 || (reg_size(d, e->reg) == 8)) {
            decode_error(d, "'%s': parts must be registers of %d bits", d->at->opcode, 8 * part);
            return;
        }
        const char *name = size == 8 && part == 4 ? (j ? " high" : " low")
                           : size == 8            ? " extract64.16"
                           : part == 2            ? (j ? " high16" : " mov.32")
                                                  : " extract.8";
        ins *i = emit_helper(d, name, d->slot[e->reg], v, 0);
        i->arg = (u32)(j * part);
        i->guard = d->at->guard >= 0 ? d->slot[d->at->guard] : 0;
        i->guard_negated = d->at->guard_negated;
    }
}

static u32 pack_parts(decoder *d, const operand *e, int n, int part, u32 final)
{
    char sig = part == 4 ? 'w' : part == 2 ? 'h' : 'b';
    if (n == 1)
        return source_slot(d, e, sig);
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
    if (vec->n < 2 || (vec->n & (vec->n - 1)) || part * vec->n != size) {
        decode_error(d, "'%s': a vector of %d does not fit", d->at->opcode, vec->n);
        return;
    }
    if (dst->kind != OP_REG || reg_size(d, dst->reg) != (size == 8 ? 8 : 4)) {
        decode_error(d, "'%s': the result must be a register of %d bits", d->at->opcode, 8 * size);
        return;
    }
    pack_parts(d, vec->u.elem, vec->n, part, d->slot[dst->reg]);
    ins *last = &d->k->code[d->k->ncode - 1];
    last->guard = d->at->guard >= 0 ? d->slot[d->at->guard] : 0;
    last->guard_negated = d->at->guard_negated;
}

static void mov_special(decoder *d, const match *m)
{
    const operand *dst = &d->at->ops[0];
    int which = (int)d->at->ops[1].imm;
    if (dst->kind != OP_REG || reg_size(d, dst->reg) == 1) {
        decode_error(d, "'%s' needs a register", d->at->opcode);
        return;
    }
    ins *i = emit(d, m);
    i->kind = K_SPECIAL;
    i->cls = CL_MOVE;
    i->d = d->slot[dst->reg];
    i->dsize = (u8)reg_size(d, dst->reg);
    i->imm = which;
    i->size = (u8)sg_special_size(which);
}

static void mov_plain(decoder *d, const match *m)
{
    const operand *dst = &d->at->ops[0], *src = &d->at->ops[1];
    char sig = m->form->sig[0];
    if (dst->kind != OP_REG || reg_size(d, dst->reg) != sig_size(sig)) {
        decode_error(d, "'%s': the result does not fit", d->at->opcode);
        return;
    }
    if (src->negated && sig != 'p') {
        decode_error(d, "'%s': '!' needs a predicate", d->at->opcode);
        return;
    }
    u32 a = source_slot(d, src, sig);
    ins *i = emit(d, m);
    i->d = d->slot[dst->reg];
    i->dsize = (u8)sig_size(sig);
    i->a = a;
    i->nsrc = 1;
    if (src->negated)
        i->flags |= F_NEG_C;
}

void decode_mov(decoder *d, const match *m)
{
    u32 before = d->k->ncode;
    int size = strstr(d->at->opcode, "64") ? 8 : strstr(d->at->opcode, "32") ? 4 : 2;
    if (d->at->ops[0].kind == OP_VEC)
        unpack(d, size, &d->at->ops[0]);
    else if (d->at->ops[1].kind == OP_VEC)
        pack(d, size, &d->at->ops[1]);
    else if (d->at->ops[1].kind == OP_SPECIAL)
        mov_special(d, m);
    else
        mov_plain(d, m);
    if (d->k->ncode > before)
        d->k->code[before].first = 1;
}
