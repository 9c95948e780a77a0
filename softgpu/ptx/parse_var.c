/* Declarations of registers and variables, with initialisers. */
#include "parse.h"

// clang-format off
static const type types[] = {
    { ".pred", TK_PRED, 1 },
    { ".b8", TK_BITS, 1 }, { ".b16", TK_BITS, 2 }, { ".b32", TK_BITS, 4 }, { ".b64", TK_BITS, 8 },
    { ".u8", TK_UNSIGNED, 1 }, { ".u16", TK_UNSIGNED, 2 }, { ".u32", TK_UNSIGNED, 4 }, { ".u64", TK_UNSIGNED, 8 },
    { ".s8", TK_SIGNED, 1 }, { ".s16", TK_SIGNED, 2 }, { ".s32", TK_SIGNED, 4 }, { ".s64", TK_SIGNED, 8 },
    { ".f16", TK_FLOAT, 2 }, { ".bf16", TK_FLOAT, 2 }, { ".f32", TK_FLOAT, 4 }, { ".f64", TK_FLOAT, 8 },
    { ".texref", TK_BITS, 8 }, { ".samplerref", TK_BITS, 8 }, { ".surfref", TK_BITS, 8 },
    { ".f16x2", TK_BITS, 4 }, { ".bf16x2", TK_BITS, 4 },
};
// clang-format on

const type *sg_type(const char *name, int len)
{
    for (size_t i = 0; i < COUNT(types); i++)
        if (!strncmp(types[i].name, name, (size_t)len) && !types[i].name[len])
            return &types[i];
    return NULL;
}

bool parse_space(const token *t, enum space *space)
{
    // clang-format off
    static const struct { const char *word; enum space space; } words[] = {
        { ".reg", SP_REG }, { ".global", SP_GLOBAL }, { ".const", SP_CONST }, { ".shared", SP_SHARED },
        { ".local", SP_LOCAL }, { ".param", SP_PARAM },
    };
    // clang-format on
    for (size_t i = 0; t->kind == TOK_DOT && i < COUNT(words); i++)
        if (tok_eq(t, words[i].word)) {
            *space = words[i].space;
            return true;
        }
    return false;
}

static const type *parse_type(parser *p)
{
    const type *t = p->x.tok.kind == TOK_DOT ? sg_type(p->x.tok.text, p->x.tok.len) : NULL;
    if (!t)
        lex_error(&p->x, "expected a type before '%.*s'", p->x.tok.len, p->x.tok.text);
    else
        lex_next(&p->x);
    return t;
}

static u64 parse_vector(parser *p)
{
    u64 n = tok_eq(&p->x.tok, ".v2") ? 2 : tok_eq(&p->x.tok, ".v4") ? 4 : 1;
    if (n > 1)
        lex_next(&p->x);
    return n;
}

/* .reg .v4 .b32 %r<23>, name, ... ; */
void parse_reg(parser *p)
{
    u8 lanes = (u8)parse_vector(p);
    const type *t = parse_type(p);
    do {
        token name = p->x.tok;
        if (name.kind != TOK_NAME) {
            lex_error(&p->x, "expected a register before '%.*s'", name.len, name.text);
            return;
        }
        lex_next(&p->x);
        if (lex_accept(&p->x, '<')) {
            s64 count = 0;
            parse_int(p, &count);
            lex_expect(&p->x, '>');
            symbol *s = declare(p, name.text, name.len, SYM_REGS);
            s->u.regs.type = t;
            s->u.regs.lanes = lanes;
            s->u.regs.count = count < 0 ? 0 : (u32)count;
        } else
            declare_reg(p, &name, t, lanes);
    } while (lex_accept(&p->x, ','));
    lex_expect(&p->x, ';');
}

static u64 float_bits(const type *t, const token *number, bool negative)
{
    u64 bits = number->bits;
    if (number->kind == TOK_F64 && t->kind == TK_FLOAT && t->size == 4)
        bits = f32_bits((float)bits_f64(bits));
    return negative ? bits ^ (u64)1 << (8 * t->size - 1) : bits;
}

static void store_bits(u8 *at, const type *t, u64 bits)
{
    for (int i = 0; i < t->size; i++)
        at[i] = (u8)(bits >> 8 * i);
}

static bool init_address(parser *p, var *v, const type *t, u32 offset);
static bool init_byte(parser *p, var *v, const type *t, u32 offset);

typedef struct initialiser {
    var *v;
    const type *t;
    u64 next;
} initialiser;

static void init_scalar(parser *p, initialiser *in)
{
    lexer *x = &p->x;
    if (in->next + in->t->size > in->v->size) {
        lex_error(x, "more initialisers than '%s' has elements", in->v->name);
        return;
    }
    u8 *at = in->v->init + in->next;
    u32 offset = (u32)in->next;
    token number;
    bool negative;
    in->next += in->t->size;
    if (parse_float(p, &number, &negative))
        store_bits(at, in->t, float_bits(in->t, &number, negative));
    else if (!init_byte(p, in->v, in->t, offset) && !init_address(p, in->v, in->t, offset))
        store_bits(at, in->t, parse_const(p));
}

static void add_reloc(parser *p, var *v, reloc r)
{
    v->relocs = sg_grow(&p->m->mem, v->relocs, (size_t)v->nrelocs, sizeof *v->relocs);
    v->relocs[v->nrelocs++] = r;
}

/* The variable or function of that name; false where it is neither. */
static bool reloc_target(parser *p, const token *t, reloc *r)
{
    symbol *s = t->kind == TOK_NAME ? lookup(p, t->text, t->len, SYM_NONE) : NULL;
    if (!s || (s->kind != SYM_VAR && s->kind != SYM_FUNC))
        return false;
    if (s->kind == SYM_VAR)
        r->target = s->u.var;
    else {
        r->function = s->u.func;
        r->function->address_taken = true;
    }
    return true;
}

/* 0xFF00(name): one byte of an address, in an array of bytes */
static bool init_byte(parser *p, var *v, const type *t, u32 offset)
{
    lexer ahead = p->x;
    sg_error ignored = { 0 };
    reloc r = { .offset = offset, .size = 1 };
    ahead.err = &ignored;
    lex_next(&ahead);
    if (p->x.tok.kind != TOK_INT || !tok_is(&ahead, '(') || t->size != 1 || !p->x.tok.bits)
        return false;
    r.shift = (u8)(__builtin_ctzll(p->x.tok.bits) / 8 * 8);
    lex_next(&p->x);
    lex_next(&p->x);
    bool good = reloc_target(p, &p->x.tok, &r);
    if (!good)
        lex_error(&p->x, "'%.*s' is not declared", p->x.tok.len, p->x.tok.text);
    lex_next(&p->x);
    lex_expect(&p->x, ')');
    if (good)
        add_reloc(p, v, r);
    return true;
}

/* name, name+4, generic(name), generic(name)+4 */
static bool init_address(parser *p, var *v, const type *t, u32 offset)
{
    reloc r = { .offset = offset, .size = t->size };
    lexer *x = &p->x;
    bool generic = r.generic = tok_eq(&x->tok, "generic");
    if (generic) {
        lex_next(x);
        lex_expect(x, '(');
    }
    if (t->size < 4 || !reloc_target(p, &x->tok, &r))
        return false;
    lex_next(x);
    if (generic)
        lex_expect(x, ')');
    if (lex_accept(x, '+') || tok_is(x, '-'))
        r.addend = (s64)parse_const(p);
    add_reloc(p, v, r);
    return true;
}

static void init_list(parser *p, initialiser *in, int depth)
{
    if (depth > 8) {
        lex_error(&p->x, "initialiser nested too deeply");
        return;
    }
    if (!lex_accept(&p->x, '{')) {
        init_scalar(p, in);
        return;
    }
    while (p->x.tok.kind != TOK_END && !tok_is(&p->x, '}')) {
        init_list(p, in, depth + 1);
        if (!lex_accept(&p->x, ','))
            break;
    }
    lex_expect(&p->x, '}');
}

static u64 parse_dimensions(parser *p, bool *open)
{
    u64 count = 1;
    while (lex_accept(&p->x, '[')) {
        s64 n = 0;
        if (tok_is(&p->x, ']'))
            *open = true;
        else
            n = (s64)parse_const(p);
        lex_expect(&p->x, ']');
        if (n < 0 || (n && count > ((u64)1 << 32) / (u64)n)) {
            lex_error(&p->x, "array too large");
            return 0;
        }
        count *= (u64)n;
    }
    return count;
}

static u32 parse_align(parser *p, u32 align)
{
    s64 n = 0;
    if (!tok_eq(&p->x.tok, ".align"))
        return align;
    lex_next(&p->x);
    parse_int(p, &n);
    if (n <= 0 || n > 4096 || (n & (n - 1)))
        lex_error(&p->x, "alignment %lld is not a power of two up to 4096", (long long)n);
    return (u32)n;
}

/* .ptr .global .align 4, as clang writes after a parameter's type: a promise that the device does not need. */
static void skip_ptr(parser *p)
{
    enum space ignored;
    if (!tok_eq(&p->x.tok, ".ptr"))
        return;
    lex_next(&p->x);
    while (parse_space(&p->x.tok, &ignored))
        lex_next(&p->x);
    parse_align(p, 1);
}

/* .attribute(.managed), or another with a number in it: is it managed? */
static bool parse_attribute(parser *p)
{
    lexer *x = &p->x;
    bool managed = false;
    if (!tok_eq(&x->tok, ".attribute"))
        return false;
    for (lex_next(x); !tok_is(x, ')') && x->tok.kind != TOK_END; lex_next(x))
        managed |= tok_eq(&x->tok, ".managed");
    lex_expect(x, ')');
    return managed;
}

var *parse_var(parser *p, enum space space, bool is_extern)
{
    lexer *x = &p->x;
    bool open = false, managed = parse_attribute(p);
    u32 align = parse_align(p, 0);
    u64 lanes = parse_vector(p);
    const type *t = parse_type(p);
    skip_ptr(p);
    token name = x->tok;
    if (!t || name.kind != TOK_NAME) {
        lex_error(x, "expected a name before '%.*s'", name.len, name.text);
        return NULL;
    }
    lex_next(x);
    symbol *s = declare(p, name.text, name.len, SYM_VAR);
    var *v = s->u.var = sg_alloc(&p->m->mem, sizeof *v);
    *v = (var){ .name = s->name, .space = space, .is_extern = is_extern, .is_managed = managed, .line = name.line };
    v->size = parse_dimensions(p, &open) * lanes * t->size;
    v->align = align ? align : (u32)(lanes * t->size);
    v->element = (u8)(lanes * t->size);
    if (tok_is(x, '=')) {
        lex_next(x);
        if (v->size > p->m->mem.limit) {
            lex_error(x, "'%s' is too large", v->name);
            return v;
        }
        initialiser in = { v, t, 0 };
        v->init = sg_alloc(&p->m->mem, v->size);
        init_list(p, &in, 0);
    }
    if (open && space == SP_SHARED)
        v->is_extern = true;
    return v;
}

static void keep_var(parser *p, var *v)
{
    bool module_wide = v->space == SP_GLOBAL || v->space == SP_CONST || !p->f;
    var ***list = module_wide ? &p->m->vars : &p->f->vars;
    int *n = module_wide ? &p->m->nvars : &p->f->nvars;
    *list = sg_grow(&p->m->mem, *list, (size_t)*n, sizeof **list);
    (*list)[(*n)++] = v;
}

void parse_var_statement(parser *p, enum space space, bool is_extern)
{
    var *v = parse_var(p, space, is_extern);
    if (v)
        keep_var(p, v);
    lex_expect(&p->x, ';');
}
