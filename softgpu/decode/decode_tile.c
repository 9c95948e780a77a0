/* Decoding of matrix instructions and asynchronous copies, whose operands are lists of registers. */
#include "kernel.h"
#include "softgpu/base/matrix.h"
#include "softgpu/base/mem.h"

u32 list_registers(decoder *d, const operand *o, u32 *regs, u32 most, int size)
{
    u32 n = o->kind == OP_VEC ? o->n : 1u;
    const operand *e = o->kind == OP_VEC ? o->u.elem : o;
    if (n > most) {
        decode_error(d, "'%s': more than %u registers", d->at->opcode, most);
        return 0;
    }
    for (u32 i = 0; i < n; i++) {
        if (e[i].kind == OP_IMM && size == 4)
            regs[i] = source_slot(d, &e[i], 'w');
        else if (e[i].kind == OP_REG && reg_size(d, e[i].reg) == size)
            regs[i] = d->slot[e[i].reg];
        else {
            decode_error(d, "'%s' needs registers of %d bits", d->at->opcode, 8 * size);
            return 0;
        }
    }
    return n;
}

static bool counts_fit(decoder *d, u32 have, u32 want)
{
    if (have != want)
        decode_error(d, "'%s' needs a vector of %u registers, not %u", d->at->opcode, want, have);
    return have == want;
}

/* Registers that a fragment of so many elements takes. wmma's factors of f16 have eight in every shape. */
static u32 registers_of(u32 elements, u32 of, bool factor)
{
    u32 bits = element_bits(of), per = bits < 32 ? 32 / bits : 1, n = elements / WARP / per;
    return factor && of == EL_F16 ? 8 : n ? n : 1;
}

static int register_size(u32 of) { return element_bits(of) == 64 ? 8 : 4; }

static void decode_mma(decoder *d, const match *m)
{
    u32 arg = m->form->arg, lm = arg & 7, ln = arg >> 3 & 7, lk = arg >> 6 & 15, count[4];
    bool wmma = arg >> 26 & 1;
    tile *t = sg_alloc(&d->m->mem, sizeof *t);
    u32 of[4] = { arg >> 10 & 15, arg >> 14 & 15, arg >> 18 & 15, arg >> 22 & 15 };
    count[0] = registers_of(1u << (lm + lk), of[0], wmma);
    count[1] = registers_of(1u << (lk + ln), of[1], wmma);
    count[2] = registers_of(1u << (lm + ln), of[2], false);
    count[3] = registers_of(1u << (lm + ln), of[3], false);
    t->nd = (u8)list_registers(d, &d->at->ops[0], t->d, 8, register_size(of[3]));
    t->na = (u8)list_registers(d, &d->at->ops[1], t->a, 8, register_size(of[0]));
    t->nb = (u8)list_registers(d, &d->at->ops[2], t->b, 8, register_size(of[1]));
    t->nc = (u8)list_registers(d, &d->at->ops[3], t->c, 8, register_size(of[2]));
    if (d->err->line || !counts_fit(d, t->na, count[0]) || !counts_fit(d, t->nb, count[1])
        || !counts_fit(d, t->nc, count[2]) || !counts_fit(d, t->nd, count[3]))
        return;
    ins *i = emit(d, m);
    i->tile = t;
}

static ins *emit_at(decoder *d, const match *m, const operand *o, u8 space)
{
    resolved a;
    match with = *m;
    with.has_space = m->has_space || space;
    with.space = space ? space : m->space;
    if (!resolve_address(d, o, &with, &a))
        return NULL;
    ins *i = emit(d, m);
    i->a = a.base;
    i->wide_address = a.wide;
    i->imm = a.offset;
    i->space = a.space;
    for (u32 j = 0; j < TEMPS; j++)
        i->regs[j] = SLOT_TEMP + 256 * j;
    i->sizes = (1u << TEMPS) - 1;
    return i;
}

/* ldmatrix, stmatrix: rows of 16 bytes. */
static void decode_rows(decoder *d, const match *m)
{
    bool is_load = m->form->kind == K_LDMATRIX;
    tile *t = sg_alloc(&d->m->mem, sizeof *t);
    u8 n = (u8)list_registers(d, &d->at->ops[is_load ? 0 : 1], is_load ? t->d : t->a, 8, 4);
    if (d->err->line || !counts_fit(d, n, m->form->arg))
        return;
    ins *i = emit_at(d, m, &d->at->ops[is_load ? 1 : 0], 0);
    if (!i)
        return;
    t->nd = t->na = n;
    i->tile = t;
    i->size = 8;
    i->n = 2;
    i->align = 15;
}

static void decode_fragment(decoder *d, const match *m)
{
    bool is_load = m->form->kind == K_WMMA_LD;
    u32 arg = m->form->arg, of = arg >> 12 & 15;
    tile *t = sg_alloc(&d->m->mem, sizeof *t);
    u32 want = registers_of(1u << ((arg >> 4 & 15) + (arg >> 8 & 15)), of, (arg & 15) != FRAGMENT_C);
    t->nd = t->na = (u8)list_registers(d, &d->at->ops[is_load ? 0 : 1], is_load ? t->d : t->a, 8, register_size(of));
    if (d->err->line || !counts_fit(d, t->nd, want))
        return;
    u32 stride = d->at->nops > 2 ? source_slot(d, &d->at->ops[2], 'w') : SLOT_ZERO;
    ins *i = emit_at(d, m, &d->at->ops[is_load ? 1 : 0], 0);
    if (!i)
        return;
    i->tile = t;
    i->b = stride;
    i->size = (u8)(element_bits(of) / 8);
    i->n = 1;
    i->align = (u8)(i->size - 1);
}

/* [to], [from], bytes, and how many of them there are to read; the rest are zeros. A predicate says that none are. */
static void decode_cp_async(decoder *d, const match *m)
{
    const operand *ops = d->at->ops;
    u64 size = ops[2].imm;
    if (ops[2].kind != OP_IMM || (size != 4 && size != 8 && size != 16)) {
        decode_error(d, "'%s' copies 4, 8 or 16 bytes", d->at->opcode);
        return;
    }
    bool has_policy = strstr(d->at->opcode, "cache_hint") != NULL, has_size = d->at->nops > 3 + has_policy;
    if (has_size && ops[3].kind == OP_REG && reg_size(d, ops[3].reg) == 1) {
        decode_error(d, "'%s' with ignore-src is not modelled", d->at->opcode);
        return;
    }
    u32 given = has_size ? source_slot(d, &ops[3], 'w') : SLOT_ZERO;
    for (int part = 0; part < 2; part++) {
        ins *i = emit_at(d, m, &ops[part ? 0 : 1], part ? SP_SHARED : SP_GLOBAL);
        if (!i)
            return;
        i->size = (u8)(size < 8 ? size : 8);
        i->n = (u8)(size / i->size);
        i->align = (u8)(size - 1);
        i->b = given;
        i->arg = has_size;
        if (!part)
            continue;
        i->kind = K_CP_WRITE;
        i->cls = CL_STORE;
        i->first = 0;
        i->guard = 0;
        i->sizes = 0;
        memset(i->regs, 0, sizeof i->regs); /* what is written counts as defined */
    }
}

/* A count that is not given is one. */
static void decode_mbarrier(decoder *d, const match *m)
{
    const char *sig = m->form->sig;
    int has_result = sig[0] != '=', with = 1 + has_result;
    const operand *ops = d->at->ops;
    char of = strchr(sig, 'm')[1];
    u32 b = d->at->nops > with ? source_slot(d, &ops[with], of == 'l' ? 'l' : 'w') : const_slot_for(d, 1, 4);
    u32 dst = 0;
    u8 dsize = 0;
    if (has_result && ops[0].kind != OP_SINK) {
        dsize = sig[0] == 'p' ? 1 : 8;
        if (ops[0].kind != OP_REG || reg_size(d, ops[0].reg) != dsize) {
            decode_error(d, "'%s': the result does not fit", d->at->opcode);
            return;
        }
        dst = d->slot[ops[0].reg];
    }
    ins *i = emit_at(d, m, &ops[has_result], 0);
    if (!i)
        return;
    i->b = b;
    i->d = dst;
    i->dsize = dsize;
    i->size = 8;
    i->n = 1;
    i->align = 7;
    i->sizes = 0;
    memset(i->regs, 0, sizeof i->regs);
}

void decode_tile(decoder *d, const match *m)
{
    switch (m->form->kind) {
    case K_MMA: decode_mma(d, m); break;
    case K_LDMATRIX:
    case K_STMATRIX: decode_rows(d, m); break;
    case K_WMMA_LD:
    case K_WMMA_ST: decode_fragment(d, m); break;
    case K_MBARRIER: decode_mbarrier(d, m); break;
    default: decode_cp_async(d, m); break;
    }
}
