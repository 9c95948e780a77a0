/* Decoding of calls: which bytes of local memory travel to the callee and back. */
#include "kernel.h"

int builtin_function(const char *name)
{
    static const char *const names[BUILTINS] = { "vprintf", "malloc", "free", "__assertfail" };
    for (int i = 0; i < BUILTINS; i++)
        if (!strcmp(names[i], name))
            return i;
    return -1;
}

/* Is the operand a parameter of the call, with `size` bytes in it? */
static bool is_param(const operand *o, u64 size)
{
    if (o->kind != OP_SYM || o->u.var->space != SP_PARAM || o->u.var->is_entry_param)
        return false;
    return o->imm <= o->u.var->size && size <= o->u.var->size - o->imm;
}

static param_copy *copies(decoder *d, const func *to, const operand *list, int n, var **formal, bool in)
{
    param_copy *c = sg_alloc(&d->m->mem, (size_t)(n + 1) * sizeof *c);
    for (int i = 0; i < n; i++) {
        u64 actual = list[i].kind == OP_SYM ? list[i].u.var->size : 0;
        u64 size = actual < formal[i]->size ? actual : formal[i]->size;
        if (!is_param(&list[i], size)) {
            decode_error(d, "call of '%s': parameter out of bounds, or no .param variable", to->name);
            return c;
        }
        u32 here = (u32)(list[i].u.var->address + list[i].imm), there = (u32)formal[i]->address;
        c[i] = (param_copy){ in ? here : there, in ? there : here, (u32)size };
    }
    return c;
}

static bool fits(const pins *p, const func *to) { return p->nargs == to->nparams && p->nrets == to->nrets; }

static call call_of(decoder *d, const func *to)
{
    const pins *p = d->at;
    call c = { .caller = (u32)(d->kf - d->k->funcs), .nin = p->nargs, .nout = p->nrets };
    for (int i = 0; i < d->k->nfuncs; i++)
        if (d->k->funcs[i].src == to)
            c.callee = (u32)i;
    if (!fits(p, to)) {
        decode_error(d, "call of '%s': %d parameters, not %d", to->name, p->nargs + p->nrets, to->nparams + to->nrets);
        return c;
    }
    c.in = copies(d, to, p->args, p->nargs, to->params, true);
    c.out = copies(d, to, p->rets, p->nrets, to->rets, false);
    return c;
}

/* Through a register: to any function whose address is taken and whose parameters are as many. */
static void decode_indirect(decoder *d, const match *m, call *c)
{
    c->caller = (u32)(d->kf - d->k->funcs);
    if (reg_size(d, d->at->target) != 8) {
        decode_error(d, "'%s': the address must be a register of 64 bits", d->at->opcode);
        return;
    }
    for (int i = 0; i < d->k->nfuncs; i++) {
        const func *to = d->k->funcs[i].src;
        if (!to->address_taken || to->is_entry || !fits(d->at, to))
            continue;
        c->candidates = sg_grow(&d->m->mem, c->candidates, (size_t)c->ncandidates, sizeof *c->candidates);
        c->candidates[c->ncandidates++] = call_of(d, to);
    }
    ins *i = emit(d, m);
    i->kind = K_CALL_INDIRECT;
    i->a = d->slot[d->at->target];
    i->call = c;
}

void decode_call(decoder *d, const match *m)
{
    call *c = sg_alloc(&d->m->mem, sizeof *c);
    if (d->at->target >= 0) {
        decode_indirect(d, m, c);
        return;
    }
    *c = call_of(d, d->at->callee);
    ins *i = emit(d, m);
    i->call = c;
    if (d->at->callee->has_body)
        return;
    i->kind = K_BUILTIN;
    i->arg = (u32)builtin_function(d->at->callee->name);
}
