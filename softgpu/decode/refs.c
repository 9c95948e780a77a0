/* Opcodes to forms, and which registers a statement reads and writes, by the signature of its form. */
#include "kernel.h"
#include <stdarg.h>

void decode_error(decoder *d, const char *format, ...)
{
    va_list args;
    if (d->err->line)
        return;
    d->err->line = d->at ? d->at->line : d->f->line;
    d->err->col = d->at ? d->at->col : 1;
    va_start(args, format);
    vsnprintf(d->err->text, sizeof d->err->text, format, args);
    va_end(args);
}

/* A small direct-mapped memory of opcodes already matched: a module has few distinct ones. */
enum { CACHE = 512 };
typedef struct cached {
    const char *opcode;
    match m;
} cached;

static match match_cached(decoder *d, cached *cache, const char *opcode)
{
    u32 h = 2166136261u;
    for (const char *s = opcode; *s; s++)
        h = (h ^ (u8)*s) * 16777619u;
    cached *c = &cache[(h ^ h >> 16) % CACHE];
    if (!c->opcode || strcmp(c->opcode, opcode))
        *c = (cached){ opcode, sg_match(d->forms, opcode) };
    return c->m;
}

bool match_statements(decoder *d)
{
    func *f = d->f;
    if (!d->m->opcodes)
        d->m->opcodes = sg_alloc(&d->m->mem, CACHE * sizeof(cached));
    cached *cache = d->m->opcodes;
    d->matches = sg_alloc(&d->m->scratch, (size_t)(f->ncode + 1) * sizeof *d->matches);
    for (int i = 0; i < f->ncode; i++) {
        d->at = &f->code[i];
        d->matches[i] = match_cached(d, cache, d->at->opcode);
        if (!d->matches[i].form) {
            decode_error(d, "instruction '%s' is not modelled", d->at->opcode);
            return false;
        }
        if (d->matches[i].form->kind == K_BRA && (d->at->nops != 1 || d->at->ops[0].kind != OP_LABEL)) {
            decode_error(d, "'%s' needs a label", d->at->opcode);
            return false;
        }
    }
    return true;
}

static void add_ref(int *list, int *n, int reg)
{
    if (reg >= 0 && *n < MAX_REFS)
        list[(*n)++] = reg;
}

static void add_uses(reg_refs *r, const operand *o)
{
    if (o->kind == OP_REG || o->kind == OP_ADDR)
        add_ref(r->use, &r->nuse, o->reg);
    for (int i = 0; o->kind == OP_VEC && i < o->n; i++)
        add_uses(r, &o->u.elem[i]);
}

static void add_defs(reg_refs *r, const operand *o)
{
    if (o->kind == OP_REG || o->kind == OP_SINK) {
        add_ref(r->def, &r->ndef, o->reg);
        add_ref(r->def, &r->ndef, o->reg2);
    }
    for (int i = 0; o->kind == OP_VEC && i < o->n; i++)
        add_defs(r, &o->u.elem[i]);
}

/* Operands of the signature, without '|', '=' and '?'. *least excludes the optional ones, *results counts those before
 * '='. */
static int signature(const char *sig, int *least, int *results)
{
    int n = 0;
    *least = *results = 0;
    for (; *sig; sig++) {
        if (*sig == '=')
            *results = n;
        else if (*sig == '?')
            --*least;
        else if (*sig != '|') {
            n++;
            ++*least;
        }
    }
    return n;
}

bool find_refs(decoder *d, int statement, reg_refs *r)
{
    const pins *p = d->at = &d->f->code[statement];
    const form *f = d->matches[statement].form;
    int least, results, most = signature(f->sig, &least, &results);
    r->ndef = r->nuse = 0;
    r->early = false;
    r->conditional = p->guard >= 0;
    if (p->guard >= 0) {
        if (d->f->regs[p->guard].type->kind != TK_PRED) {
            decode_error(d, "'%s' is not a predicate", d->f->regs[p->guard].name);
            return false;
        }
        add_ref(r->use, &r->nuse, p->guard);
    }
    if (f->kind == K_CALL) {
        add_ref(r->use, &r->nuse, p->target);
        return true;
    }
    if (p->nops < least || p->nops > most) {
        decode_error(d, "'%s' takes %d operands, not %d", p->opcode, least, p->nops);
        return false;
    }
    for (int i = 0; i < p->nops; i++) {
        if (i < results)
            add_defs(r, &p->ops[i]);
        else
            add_uses(r, &p->ops[i]);
    }
    if (f->kind == K_WGMMA)
        add_uses(r, &p->ops[0]); /* D is added to */
    r->early = r->ndef > 1 || p->nops > 4 || (p->nops && p->ops[p->nops - 1].kind == OP_VEC);
    return true;
}
