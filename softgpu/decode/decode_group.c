/* Decoding of wgmma, the multiplication of matrices by four warps. */
#include "kernel.h"
#include "softgpu/base/matrix.h"

/* An operand that must be a number: -1 or 1 of a sign, 0 or 1 of a transposition. */
static int constant(decoder *d, int at, int least)
{
    const operand *o = &d->at->ops[at];
    s64 v = o->kind == OP_IMM && o->imm_kind == IMM_INT ? (s64)o->imm : 99;
    if (v != 1 && v != least)
        decode_error(d, "'%s': operand %d must be %d or 1", d->at->opcode, at + 1, least);
    return (int)v;
}

/* Behind the predicate: the signs of A and B where elements are real, transpositions where they have 16 bits. */
static void read_constants(decoder *d, group_tile *t)
{
    u32 bits = element_bits(t->of[0]);
    bool real = t->of[2] != EL_S32, moves = real && bits == 16;
    int want = 4 + (real ? 2 : 0) + (moves ? (t->na ? 1 : 2) : 0);
    if (d->at->nops != want) {
        decode_error(d, "'%s' takes %d operands here, not %d", d->at->opcode, want, d->at->nops);
        return;
    }
    t->negate_a = real && constant(d, 4, -1) < 0;
    t->negate_b = real && constant(d, 5, -1) < 0;
    t->transposed_a = moves && !t->na && constant(d, 6, 0);
    t->transposed_b = moves && constant(d, t->na ? 6 : 7, 0);
}

static void read_operands(decoder *d, group_tile *t)
{
    const operand *ops = d->at->ops;
    u32 want = t->of[2] == EL_F16 ? t->n / 4u : t->n / 2u;
    t->nd = (u8)list_registers(d, &ops[0], t->d, GROUP_N / 2, 4);
    if (ops[1].kind == OP_VEC)
        t->na = (u8)list_registers(d, &ops[1], t->a, 4, 4);
    else
        t->a_at = source_slot(d, &ops[1], 'l');
    t->b_at = source_slot(d, &ops[2], 'l');
    t->accumulates = source_slot(d, &ops[3], 'p');
    if (t->nd != want || (t->na && t->na != 4))
        decode_error(d, "'%s' needs %u registers of D, and 4 of A or its descriptor", d->at->opcode, want);
    if (ops[3].negated)
        decode_error(d, "'%s': '!' is not allowed here", d->at->opcode);
    read_constants(d, t);
}

void decode_wgmma(decoder *d, const match *m)
{
    group_tile *t = sg_alloc(&d->m->mem, sizeof *t);
    u32 arg = m->form->arg, a = arg >> 10 & 15;
    t->n = (u16)(8 * m->vec);
    t->of[0] = (u8)a;
    t->of[1] = (u8)(arg >> 14 & 15);
    t->of[2] = (u8)(arg >> 22 & 15);
    if (m->depth * element_bits(a) != 8 * GROUP_BYTES)
        decode_error(d, "'%s': k must be %u", d->at->opcode, 8 * GROUP_BYTES / element_bits(a));
    else
        read_operands(d, t);
    if (d->err->line)
        return;
    ins *i = emit(d, m);
    i->group = t;
    i->space = SP_SHARED; /* read in pieces of 16 bytes */
    i->size = 8;
    i->n = 2;
    i->align = 15;
    i->cls = CL_MATRIX;
}
