/* Statements to instructions: one PTX statement is one instruction, with helpers before or after it where widths
 * differ. */
#include "kernel.h"
#include "softgpu/base/special.h"
#include "softgpu/base/fp.h"

/* A destination wider than the result: the result goes to a temporary, and is widened behind the instruction. */
typedef struct widening {
    u32 from, to;
    bool is_signed;
} widening;

static u32 result_slot(decoder *d, const operand *o, char sig, widening *w)
{
    w->to = 0;
    if (o->kind == OP_SINK && o->reg < 0)
        return temp_slot(d);
    if (o->kind != OP_REG) {
        decode_error(d, "'%s': the result must be a register", d->at->opcode);
        return SLOT_TEMP;
    }
    int have = reg_size(d, o->reg), want = sig == 'D' ? have : sig_size(sig);
    if (have == want)
        return d->slot[o->reg];
    if (want != 4 || have != 8) {
        decode_error(d, "'%s': '%s' does not fit the result", d->at->opcode, d->f->regs[o->reg].name);
        return SLOT_TEMP;
    }
    *w = (widening){ temp_slot(d), d->slot[o->reg], strstr(d->at->opcode, ".s") != NULL };
    return w->from;
}

static void widen(decoder *d, const widening *w)
{
    if (!w->to)
        return;
    ins *i = emit_helper(d, w->is_signed ? " widen.s32" : " widen.u32", w->to, w->from, 0);
    i->guard = d->at->guard >= 0 ? d->slot[d->at->guard] : 0;
    i->guard_negated = d->at->guard_negated;
}

/* Sources by the signature; optional ones are skipped while operands are short. Returns how many there are. */
static int sources(decoder *d, const match *m, u32 slots[5], u32 *negated)
{
    const char *sig = strchr(m->form->sig, '=') + 1;
    int results = m->form->sig[0] != '=', given = d->at->nops - results, n = 0, needed = 0;
    for (const char *s = sig; *s; s++)
        needed += *s == '?' ? -1 : 1;
    int extra = given - needed, at = results;
    for (const char *s = sig; *s && n < 5; s++) {
        if (*s == '?')
            continue;
        if (s[1] == '?' && extra-- <= 0) {
            slots[n++] = SLOT_ZERO;
            continue;
        }
        const operand *o = &d->at->ops[at++];
        if (o->negated && *s != 'p')
            decode_error(d, "'%s': '!' needs a predicate", d->at->opcode);
        if (o->negated)
            *negated |= 1u << n;
        slots[n++] = source_slot(d, o, *s);
    }
    return n;
}

static void set_sources(ins *i, const u32 *slots, int n)
{
    i->nsrc = (u8)n;
    if (n > 0)
        i->a = slots[0];
    if (n > 1)
        i->b = slots[1];
    if (n > 2)
        i->c = slots[2];
    if (n > 3)
        i->e = slots[3];
}

/* A negated predicate source: made positive in a temporary, except where the lane function knows F_NEG_C. */
static void negate_source(decoder *d, u32 *slots, int which)
{
    u32 temp = temp_slot(d);
    match m = sg_match(d->forms, "not.pred");
    ins *i = emit(d, &m);
    i->first = 0;
    i->rule = INIT_MOVE;
    i->guard = 0;
    i->dsize = 1;
    i->d = temp;
    i->a = slots[which];
    slots[which] = temp;
}

static void integral_rounding(const match *m, ins *i)
{
    if (i->cls == CL_CONVERT && strstr(m->form->pattern, "[.IRND]"))
        i->arg = m->has_rnd;
    if (strstr(m->form->pattern, "cvt.rna"))
        i->rnd = RND_AWAY;
}

/* Result, sources, fn: everything that works lane by lane, and warp operations, whose operands look alike. */
static void decode_plain(decoder *d, const match *m)
{
    u32 slots[5] = { 0 }, negated = 0, pair = 0;
    widening w = { 0 };
    const char *sig = m->form->sig;
    bool has_result = sig[0] != '=';
    int n = sources(d, m, slots, &negated);
    for (int j = 0; j < n; j++)
        if (negated >> j & 1)
            negate_source(d, slots, j);
    u32 dst = has_result ? result_slot(d, &d->at->ops[0], sig[0], &w) : 0;
    if (has_result && d->at->ops[0].reg2 >= 0) {
        if (sig[1] != '|')
            decode_error(d, "'%s' has no second result", d->at->opcode);
        else if (reg_size(d, d->at->ops[0].reg2) != 1)
            decode_error(d, "'%s': the second result must be a predicate", d->at->opcode);
        else
            pair = d->slot[d->at->ops[0].reg2];
    }
    ins *i = emit(d, m);
    set_sources(i, slots, n);
    i->d = dst;
    i->dsize = (u8)(!has_result ? 0 : sig[0] == 'D' ? 4 : sig_size(sig[0]));
    i->regs[0] = pair;
    i->size = (u8)(n && sig_size(strchr(sig, '=')[1]) == 8 ? 8 : 4);
    if (i->kind == K_CARRY)
        i->e = SLOT_CC;
    if (m->form->sig[0] == 'D' && has_result && d->at->ops[0].reg >= 0 && reg_size(d, d->at->ops[0].reg) != 4)
        decode_error(d, "'%s': the result must be at most 32 bits wide", d->at->opcode);
    integral_rounding(m, i);
    widen(d, &w);
}

/* min or max of three: of the first two, then with the third. */
static void decode_three(decoder *d, const match *m)
{
    widening w = { 0 };
    u32 a = source_slot(d, &d->at->ops[1], 'f'), b = source_slot(d, &d->at->ops[2], 'f');
    u32 c = source_slot(d, &d->at->ops[3], 'f'), dst = result_slot(d, &d->at->ops[0], 'f', &w), part = temp_slot(d);
    for (int last = 0; last < 2; last++) {
        ins *i = emit(d, m);
        set_sources(i, last ? (u32[]){ part, c } : (u32[]){ a, b }, 2);
        i->d = last ? dst : part;
        i->dsize = i->size = 4;
        i->first = !last;
    }
    widen(d, &w);
}

static void decode_branch(decoder *d, const match *m, int statement)
{
    int target = d->at->ops[0].u.label->target;
    int join = d->flow.blocks[d->flow.block_of[statement]].ipdom;
    ins *i = emit(d, m);
    i->target = (u32)target; /* statements; turned into instructions when all are known */
    i->rpc = join == d->flow.nblocks ? PC_EXIT : (u32)d->flow.blocks[join].first;
}

static void decode_statement(decoder *d, int statement)
{
    const match *m = &d->matches[statement];
    d->at = &d->f->code[statement];
    d->next_temp = 0;
    switch (m->form->kind) {
    case K_LD:
    case K_ST:
    case K_ATOM:
    case K_RED: decode_memory(d, m); break;
    case K_MMA:
    case K_LDMATRIX:
    case K_STMATRIX:
    case K_WMMA_LD:
    case K_WMMA_ST:
    case K_MBARRIER:
    case K_CP_ASYNC: decode_tile(d, m); break;
    case K_BULK: decode_bulk(d, m); break;
    case K_WGMMA: decode_wgmma(d, m); break;
    case K_CP_COMMIT: emit(d, m); break;
    case K_BRA: decode_branch(d, m, statement); break;
    case K_CALL: decode_call(d, m); break;
    case K_NOP:
    case K_RET:
    case K_EXIT:
    case K_TRAP: emit(d, m); break;
    default:
        if (!strncmp(d->at->opcode, "mov.", 4))
            decode_mov(d, m);
        else if (!strcmp(m->form->sig, "f=fff?") && d->at->nops == 4)
            decode_three(d, m);
        else
            decode_plain(d, m);
    }
}

static void resolve_branches(decoder *d)
{
    u32 end = d->start[d->f->ncode];
    for (u32 i = d->kf->entry; i < d->k->ncode; i++) {
        ins *b = &d->k->code[i];
        if (b->kind != K_BRA)
            continue;
        b->target = b->target >= (u32)d->f->ncode ? end : d->start[b->target];
        if (b->rpc != PC_EXIT)
            b->rpc = d->start[b->rpc];
    }
}

bool decode_function(decoder *d)
{
    kernel *k = d->k;
    int n = d->f->ncode;
    match ret = sg_match(d->forms, "ret");
    pins last = { .opcode = "ret", .guard = -1, .line = n ? d->f->code[n - 1].line : d->f->line, .loc = -1 };
    d->kf->entry = k->ncode;
    d->start = sg_alloc(&d->m->scratch, (size_t)(n + 1) * sizeof *d->start);
    for (int i = 0; i < n && !d->err->line; i++) {
        d->start[i] = k->ncode;
        decode_statement(d, i);
    }
    if (d->err->line)
        return false;
    d->start[n] = k->ncode; /* falling off the end returns */
    d->at = &last;
    ins *i = emit(d, &ret);
    i->pins = (u32)(n ? n - 1 : 0);
    i->first = 0;
    resolve_branches(d);
    d->kf->frame_size = d->next_offset;
    return true;
}
