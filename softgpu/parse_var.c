/* Declarations of registers and variables, with initialisers. */
#include "parse.h"

static const type types[] = {
    { ".pred", TK_PRED, 1 },
    { ".b8", TK_BITS, 1 }, { ".b16", TK_BITS, 2 }, { ".b32", TK_BITS, 4 }, { ".b64", TK_BITS, 8 },
    { ".u8", TK_UNSIGNED, 1 }, { ".u16", TK_UNSIGNED, 2 }, { ".u32", TK_UNSIGNED, 4 }, { ".u64", TK_UNSIGNED, 8 },
    { ".s8", TK_SIGNED, 1 }, { ".s16", TK_SIGNED, 2 }, { ".s32", TK_SIGNED, 4 }, { ".s64", TK_SIGNED, 8 },
    { ".f16", TK_FLOAT, 2 }, { ".bf16", TK_FLOAT, 2 }, { ".f32", TK_FLOAT, 4 }, { ".f64", TK_FLOAT, 8 },
    { ".f16x2", TK_BITS, 4 }, { ".bf16x2", TK_BITS, 4 },
};

const type *sg_type(const char *name, int len)
{
    for (size_t i = 0; i < COUNT(types); i++)
        if (!strncmp(types[i].name, name, (size_t)len) && !types[i].name[len]) return &types[i];
    return NULL;
}

bool parse_space(const token *t, enum space *space)
{
    static const struct { const char *word; enum space space; } words[] = {
        { ".reg", SP_REG }, { ".global", SP_GLOBAL }, { ".const", SP_CONST }, { ".shared", SP_SHARED },
        { ".local", SP_LOCAL }, { ".param", SP_PARAM },
    };
    for (size_t i = 0; t->kind == TOK_DOT && i < COUNT(words); i++)
        if (tok_eq(t, words[i].word)) { *space = words[i].space; return true; }
    return false;
}

static const type *parse_type(parser *p)
{
    const type *t = p->x.tok.kind == TOK_DOT ? sg_type(p->x.tok.text, p->x.tok.len) : NULL;
    if (!t) lex_error(&p->x, "expected a type before '%.*s'", p->x.tok.len, p->x.tok.text);
    else lex_next(&p->x);
    return t;
}

/* .reg .b32 %r<23>, name, ... ; */
void parse_reg(parser *p)
{
    const type *t = parse_type(p);
    do {
        token name = p->x.tok;
        if (name.kind != TOK_NAME) { lex_error(&p->x, "expected a register before '%.*s'", name.len, name.text); return; }
        lex_next(&p->x);
        if (lex_accept(&p->x, '<')) {
            s64 count = 0;
            parse_int(p, &count);
            lex_expect(&p->x, '>');
            symbol *s = declare(p, name.text, name.len, SYM_REGS);
            s->u.regs.type = t;
            s->u.regs.count = count < 0 ? 0 : (u32)count;
        } else {
            symbol *s = declare(p, name.text, name.len, SYM_REG);
            s->u.reg = new_reg(p, s->name, t);
        }
    } while (lex_accept(&p->x, ','));
    lex_expect(&p->x, ';');
}

static void store_value(u8 *at, const type *t, const token *number, bool negative)
{
    u64 bits = number->bits;
    if (number->kind == TOK_F64 && t->kind == TK_FLOAT && t->size == 4)
        bits = f32_bits((float)bits_f64(bits) * (negative ? -1.0f : 1.0f));
    else if (number->kind != TOK_INT && negative)
        bits ^= (u64)1 << (8 * t->size - 1);
    else if (negative)
        bits = -bits;
    for (int i = 0; i < t->size; i++) at[i] = (u8)(bits >> 8 * i);
}

static bool init_address(parser *p, var *v, const type *t, u32 offset);

typedef struct initialiser { var *v; const type *t; u64 next; } initialiser;

static void init_scalar(parser *p, initialiser *in)
{
    lexer *x = &p->x;
    if (in->next + in->t->size > in->v->size) { lex_error(x, "more initialisers than '%s' has elements", in->v->name); return; }
    bool negative = lex_accept(x, '-');
    if (x->tok.kind == TOK_INT || x->tok.kind == TOK_F32 || x->tok.kind == TOK_F64) {
        store_value(in->v->init + in->next, in->t, &x->tok, negative);
        lex_next(x);
    } else if (!init_address(p, in->v, in->t, (u32)in->next)) {
        lex_error(x, "expected an initialiser before '%.*s'", x->tok.len, x->tok.text);
    }
    in->next += in->t->size;
}

/* name, name+4, generic(name), generic(name)+4; also a mask such as 0xFF(name), one byte of the address, is refused */
static bool init_address(parser *p, var *v, const type *t, u32 offset)
{
    lexer *x = &p->x;
    bool generic = tok_eq(&x->tok, "generic");
    s64 addend = 0;
    if (generic) { lex_next(x); lex_expect(x, '('); }
    symbol *s = x->tok.kind == TOK_NAME ? lookup(p, x->tok.text, x->tok.len, SYM_VAR) : NULL;
    if (!s || t->size < 4) return false;
    lex_next(x);
    if (generic) lex_expect(x, ')');
    if (lex_accept(x, '+')) parse_int(p, &addend);
    else if (tok_is(x, '-')) parse_int(p, &addend);
    v->relocs = sg_grow(&p->m->mem, v->relocs, (size_t)v->nrelocs, sizeof *v->relocs);
    v->relocs[v->nrelocs++] = (reloc){ offset, t->size, generic, s->u.var, addend };
    return true;
}

static void init_list(parser *p, initialiser *in, int depth)
{
    if (depth > 8) { lex_error(&p->x, "initialiser nested too deeply"); return; }
    if (!lex_accept(&p->x, '{')) { init_scalar(p, in); return; }
    while (p->x.tok.kind != TOK_END && !tok_is(&p->x, '}')) {
        init_list(p, in, depth + 1);
        if (!lex_accept(&p->x, ',')) break;
    }
    lex_expect(&p->x, '}');
}

static u64 parse_dimensions(parser *p, bool *open)
{
    u64 count = 1;
    while (lex_accept(&p->x, '[')) {
        s64 n = 0;
        if (tok_is(&p->x, ']')) *open = true;
        else parse_int(p, &n);
        lex_expect(&p->x, ']');
        if (n < 0 || (n && count > ((u64)1 << 32) / (u64)n)) { lex_error(&p->x, "array too large"); return 0; }
        count *= (u64)n;
    }
    return count;
}

static u32 parse_align(parser *p, u32 align)
{
    s64 n = 0;
    if (!tok_eq(&p->x.tok, ".align")) return align;
    lex_next(&p->x);
    parse_int(p, &n);
    if (n <= 0 || n > 4096 || (n & (n - 1))) lex_error(&p->x, "alignment %lld is not a power of two up to 4096", (long long)n);
    return (u32)n;
}

/* .ptr .global .align 4, as clang writes after a parameter's type: a promise that the device does not need. */
static void skip_ptr(parser *p)
{
    enum space ignored;
    if (!tok_eq(&p->x.tok, ".ptr")) return;
    lex_next(&p->x);
    while (parse_space(&p->x.tok, &ignored)) lex_next(&p->x);
    parse_align(p, 1);
}

static u64 parse_vector(parser *p)
{
    u64 n = tok_eq(&p->x.tok, ".v2") ? 2 : tok_eq(&p->x.tok, ".v4") ? 4 : 1;
    if (n > 1) lex_next(&p->x);
    return n;
}

var *parse_var(parser *p, enum space space, bool is_extern)
{
    lexer *x = &p->x;
    bool open = false;
    u32 align = parse_align(p, 0);
    if (tok_eq(&x->tok, ".managed")) lex_next(x);
    u64 lanes = parse_vector(p);
    const type *t = parse_type(p);
    skip_ptr(p);
    token name = x->tok;
    if (!t || name.kind != TOK_NAME) { lex_error(x, "expected a name before '%.*s'", name.len, name.text); return NULL; }
    lex_next(x);
    symbol *s = declare(p, name.text, name.len, SYM_VAR);
    var *v = s->u.var = sg_alloc(&p->m->mem, sizeof *v);
    *v = (var){ .name = s->name, .space = space, .is_extern = is_extern, .line = name.line };
    v->size = parse_dimensions(p, &open) * lanes * t->size;
    v->align = align ? align : (u32)(lanes * t->size);
    if (tok_is(x, '=')) {
        lex_next(x);
        if (v->size > p->m->mem.limit) { lex_error(x, "'%s' is too large", v->name); return v; }
        initialiser in = { v, t, 0 };
        v->init = sg_alloc(&p->m->mem, v->size);
        init_list(p, &in, 0);
    }
    if (open && space == SP_SHARED) v->is_extern = true;
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
    if (v) keep_var(p, v);
    lex_expect(&p->x, ';');
}
