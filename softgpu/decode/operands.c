/* Operands to slots: registers, constants, addresses of variables; helpers where widths differ. */
#include "kernel.h"
#include "softgpu/base/fp.h"
#include "softgpu/base/mem.h"
#include "softgpu/base/special.h"

int reg_size(const decoder *d, int reg)
{
    const type *t = d->f->regs[reg].type;
    return t->kind == TK_PRED ? 1 : t->size == 8 ? 8 : 4;
}

int sig_size(char sig) { return sig == 'p' ? 1 : sig == 'l' || sig == 'd' ? 8 : 4; }

u32 temp_slot(decoder *d)
{
    if (d->next_temp == TEMPS) {
        decode_error(d, "'%s' mixes too many widths", d->at->opcode);
        return SLOT_TEMP;
    }
    return SLOT_TEMP + 256 * (u32)d->next_temp++;
}

u32 const_slot_for(decoder *d, u64 bits, u8 size)
{
    kfunc *kf = d->kf;
    if (size == 4)
        bits = (u32)bits;
    if (!bits && size != 1)
        return SLOT_ZERO;
    for (int i = 0; i < kf->nconsts; i++)
        if (kf->consts[i].bits == bits && kf->consts[i].size == size)
            return kf->consts[i].offset;
    kf->consts = sg_grow(&d->m->mem, kf->consts, (size_t)kf->nconsts, sizeof *kf->consts);
    kf->consts[kf->nconsts++] = (const_slot){ bits, d->next_offset, size };
    u32 at = d->next_offset;
    d->next_offset += size == 8 ? 2 * SLOT : SLOT;
    return at;
}

/* A literal in the type that the operand has. */
static bool literal(decoder *d, const operand *o, char sig, u64 *bits)
{
    bool is_float = o->imm_kind != IMM_INT;
    u64 v = o->imm;
    double value = o->imm_kind == IMM_F32 ? (double)bits_f32((u32)v) : bits_f64(v);
    switch (sig) {
    case 'f':
        if (o->imm_kind == IMM_F64)
            v = f32_bits((float)value);
        break;
    case 'd':
        if (o->imm_kind == IMM_F32)
            v = f64_bits(value);
        break;
    case 'e':
    case 'g':
        if (is_float)
            v = sf_convert(sig == 'e' ? &FMT_F16 : &FMT_BF16, &FMT_F64, f64_bits(value), RND_NEAREST);
        break;
    case 'p': v = v ? ~0u : 0; break;
    default: break;
    }
    if (!is_float && (sig == 'f' || sig == 'd')) {
        decode_error(d, "'%s' needs a floating-point literal", d->at->opcode);
        return false;
    }
    *bits = v;
    return true;
}

/* The address that a variable's name stands for in its own space. */
bool operand_address(decoder *d, const operand *o, u64 *value)
{
    const var *v = o->u.var;
    if (v->is_extern && v->space != SP_SHARED) {
        decode_error(d, "'%s' is extern and has no definition", v->name);
        return false;
    }
    *value = v->address + o->imm;
    return true;
}

static u32 register_source(decoder *d, const operand *o, char sig)
{
    int have = reg_size(d, o->reg), want = sig_size(sig);
    u32 slot = d->slot[o->reg];
    if ((have == 1) != (want == 1)) {
        decode_error(d, "'%s': '%s' has the wrong type", d->at->opcode, d->f->regs[o->reg].name);
        return 0;
    }
    if (have == want)
        return slot;
    if (have < want) {
        decode_error(d, "'%s': '%s' is narrower than the instruction", d->at->opcode, d->f->regs[o->reg].name);
        return 0;
    }
    u32 temp = temp_slot(d);
    emit_helper(d, " low", temp, slot, 0);
    return temp;
}

bool on_stack(const decoder *d, const var *v)
{
    return d->kf->on_stack && (v->space == SP_LOCAL || (v->space == SP_PARAM && !v->is_entry_param));
}

static u32 address_source(decoder *d, const var *v, u64 address, u8 size)
{
    if (!on_stack(d, v))
        return const_slot_for(d, address, size);
    u32 temp = temp_slot(d), offset = const_slot_for(d, address, 8);
    emit_helper(d, "add.u64", temp, d->kf->fp_slot, offset);
    if (size == 4)
        emit_helper(d, " low", temp, temp, 0);
    return temp;
}

/* A special register where a plain one may stand. */
static u32 special_source(decoder *d, int which, u8 size)
{
    u32 temp = temp_slot(d);
    ins *i = emit_helper(d, " mov.32", temp, 0, 0);
    i->kind = K_SPECIAL;
    i->dsize = size == 8 ? 8 : 4;
    i->imm = which;
    i->size = (u8)sg_special_size(which);
    return temp;
}

u32 source_slot(decoder *d, const operand *o, char sig)
{
    u64 bits = 0;
    u8 size = (u8)sig_size(sig);
    switch (o->kind) {
    case OP_REG: return register_source(d, o, sig);
    case OP_IMM: return literal(d, o, sig, &bits) ? const_slot_for(d, bits, size) : 0;
    case OP_FUNC: return const_slot_for(d, FUNC_ADDRESS(o->u.func->index), size);
    case OP_SPECIAL: return special_source(d, (int)o->imm, size);
    case OP_SYM: return size != 1 && operand_address(d, o, &bits) ? address_source(d, o->u.var, bits, size) : 0;
    default: decode_error(d, "'%s': an operand of this kind is not modelled", d->at->opcode); return 0;
    }
}

static ins *push(decoder *d)
{
    kernel *k = d->k;
    k->code = sg_grow(&d->m->mem, k->code, k->ncode, sizeof *k->code);
    ins *i = &k->code[k->ncode++];
    memset(i, 0, sizeof *i);
    i->line = d->at->line;
    i->pins = (u32)(d->at - d->f->code);
    i->func = (u32)(d->kf - k->funcs);
    return i;
}

/* Rules by the start of the opcode; the first that fits counts. */
static u8 init_rule(const char *opcode)
{
    static const struct {
        const char *start;
        u8 rule;
    } rules[] = {
        { "mov", INIT_MOVE },        { "cvta", INIT_MOVE },        { "and", INIT_AND },
        { "or", INIT_OR },           { "xor", INIT_BITWISE },      { "not", INIT_BITWISE },
        { "lop3", INIT_BITWISE },    { "selp", INIT_SELECT },      { "add", INIT_UPWARD },
        { "sub", INIT_UPWARD },      { "mul.lo", INIT_UPWARD },    { "mad.lo", INIT_UPWARD },
        { "shl", INIT_SHL },         { "shr", INIT_SHR },          { "cvt.u", INIT_NARROW },
        { " low", INIT_LOW },        { " high16", INIT_HIGH16 },   { " high", INIT_HIGH },
        { " mov", INIT_MOVE },       { " pack.8", INIT_PACK8 },    { " pack.16", INIT_PACK16 },
        { " pack.32", INIT_PACK32 }, { " extract", INIT_EXTRACT }, { " widen.u", INIT_NARROW },
    };
    for (size_t i = 0; i < COUNT(rules); i++)
        if (!strncmp(opcode, rules[i].start, strlen(rules[i].start)))
            return rules[i].rule;
    return INIT_ALL;
}

/* An instruction of the statement's own form. The pointer holds until the next one is made. */
ins *emit(decoder *d, const match *m)
{
    const form *f = m->form;
    ins *i = push(d);
    bool plain = m->rnd == RND_NEAREST && !(m->flags & (F_FTZ | F_SAT | F_RELU | F_NAN | F_XORSIGN | F_ABSOLUTE));
    i->fn = plain || !f->flagged ? f->fn : f->flagged;
    i->kind = f->kind;
    i->cls = f->cls;
    i->arg = f->arg;
    i->rnd = m->rnd;
    i->irnd = m->irnd;
    i->flags = m->flags;
    i->combine = m->combine;
    i->first = !d->at->is_helper;
    i->rule = init_rule(d->at->opcode);
    i->guard = d->at->guard >= 0 ? d->slot[d->at->guard] : 0;
    i->guard_negated = d->at->guard_negated;
    return i;
}

ins *emit_helper(decoder *d, const char *name, u32 dst, u32 a, u32 b)
{
    match m = sg_match(d->forms, name);
    ins *i = push(d);
    i->fn = m.form->fn;
    i->kind = K_ALU;
    i->cls = m.form->cls;
    i->dsize = (u8)sig_size(m.form->sig[0]);
    i->d = dst;
    i->a = a;
    i->b = b;
    i->nsrc = 2;
    i->rule = init_rule(name);
    return i;
}
