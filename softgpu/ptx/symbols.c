/* Names and scopes of the parser: one hash table, inner scopes in front. */
#include "parse.h"
#include <ctype.h>

static u32 hash_name(const char *s, int len)
{
    u32 h = 2166136261u;
    for (int i = 0; i < len; i++)
        h = (h ^ (u8)s[i]) * 16777619u;
    return h;
}

bool open_scope(parser *p)
{
    if (p->depth + 1 >= MAX_DEPTH) {
        lex_error(&p->x, "blocks nested deeper than %d", MAX_DEPTH);
        return false;
    }
    p->scope[++p->depth] = NULL;
    return true;
}

void close_scope(parser *p)
{
    for (symbol *s = p->scope[p->depth]; s; s = s->outer) {
        symbol **at = &p->bucket[s->hash % SYM_BUCKETS];
        while (*at != s)
            at = &(*at)->next;
        *at = s->next;
    }
    p->depth--;
}

static symbol *find(parser *p, const char *name, int len, u32 hash)
{
    for (symbol *s = p->bucket[hash % SYM_BUCKETS]; s; s = s->next)
        if (s->hash == hash && !strncmp(s->name, name, (size_t)len) && !s->name[len])
            return s;
    return NULL;
}

symbol *declare(parser *p, const char *name, int len, enum sym_kind kind)
{
    u32 hash = hash_name(name, len);
    symbol *old = find(p, name, len, hash);
    if (old && old->depth == p->depth)
        lex_error(&p->x, "'%.*s' is declared twice", len, name);
    symbol *s = sg_alloc(&p->m->mem, sizeof *s);
    s->name = sg_strndup(&p->m->mem, name, (size_t)len);
    s->hash = hash;
    s->kind = (u8)kind;
    s->depth = p->depth;
    s->next = p->bucket[hash % SYM_BUCKETS];
    p->bucket[hash % SYM_BUCKETS] = s;
    s->outer = p->scope[p->depth];
    p->scope[p->depth] = s;
    return s;
}

symbol *lookup(parser *p, const char *name, int len, enum sym_kind kind)
{
    symbol *s = find(p, name, len, hash_name(name, len));
    return s && (kind == SYM_NONE || s->kind == kind) ? s : NULL;
}

int new_reg(parser *p, const char *name, const type *t)
{
    func *f = p->f;
    f->regs = sg_grow(&p->m->mem, f->regs, (size_t)f->nregs, sizeof *f->regs);
    f->regs[f->nregs] = (vreg){ name, t };
    return f->nregs++;
}

static void name_reg(parser *p, symbol *s, const type *t, u8 lanes)
{
    s->kind = lanes > 1 ? SYM_VECTOR : SYM_REG;
    int first = new_reg(p, s->name, t);
    for (int i = 1; i < lanes; i++)
        new_reg(p, s->name, t);
    if (lanes > 1) {
        s->u.vector.reg = first;
        s->u.vector.lanes = lanes;
    } else
        s->u.reg = first;
}

void declare_reg(parser *p, const token *name, const type *t, u8 lanes)
{
    name_reg(p, declare(p, name->text, name->len, SYM_REG), t, lanes);
}

/* %r17 where %r<40> is declared: the register is entered in the scope of its declaration, under its own name. */
static const symbol *numbered_reg(parser *p, const char *name, int len)
{
    int digits = 0;
    u64 number = 0;
    while (digits < len && digits < 9 && isdigit((unsigned char)name[len - 1 - digits]))
        digits++;
    for (int i = len - digits; i < len; i++)
        number = number * 10 + (u64)(name[i] - '0');
    symbol *decl = digits && digits < len ? lookup(p, name, len - digits, SYM_REGS) : NULL;
    if (!decl || number >= decl->u.regs.count || (digits > 1 && name[len - digits] == '0'))
        return NULL;
    int depth = p->depth;
    p->depth = decl->depth;
    symbol *s = declare(p, name, len, SYM_REG);
    p->depth = depth;
    name_reg(p, s, decl->u.regs.type, decl->u.regs.lanes);
    return s;
}

const symbol *find_reg(parser *p, const char *name, int len)
{
    const symbol *s = lookup(p, name, len, SYM_NONE);
    if (!s)
        s = numbered_reg(p, name, len);
    return s && (s->kind == SYM_REG || s->kind == SYM_VECTOR) ? s : NULL;
}

int lookup_reg(parser *p, const char *name, int len)
{
    const symbol *s = find_reg(p, name, len);
    return s && s->kind == SYM_REG ? s->u.reg : -1;
}

/* Labels may be used before they are set. Those of an inner block are known when it begins, so all others are the
 * function's. */
label *get_label(parser *p, const token *t)
{
    symbol *s = lookup(p, t->text, t->len, SYM_LABEL);
    return s ? s->u.label : new_label(p, t, 1);
}

label *new_label(parser *p, const token *t, int in)
{
    int depth = p->depth;
    p->depth = in;
    symbol *s = declare(p, t->text, t->len, SYM_LABEL);
    p->depth = depth;
    s->u.label = sg_alloc(&p->m->mem, sizeof *s->u.label);
    *s->u.label = (label){ .name = s->name, .target = -1, .line = t->line, .col = t->col };
    func *f = p->f;
    f->labels = sg_grow(&p->m->mem, f->labels, (size_t)f->nlabels, sizeof *f->labels);
    return f->labels[f->nlabels++] = s->u.label;
}
