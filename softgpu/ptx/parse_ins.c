/* Statements of a function body. */
#include "parse.h"
#include "softgpu/base/special.h"

#define SPECIAL(name, id, size) { name, size },
static const struct {
    const char *name;
    int size;
} specials[] = {
#include "softgpu/base/special.def"
};
#undef SPECIAL

int sg_special(const char *name, int len)
{
    static const struct {
        const char *name;
        int same;
    } others[] = { { "%clusterid.x", SR_CTAID_X },           { "%clusterid.y", SR_CTAID_Y },
                   { "%clusterid.z", SR_CTAID_Z },           { "%nclusterid.x", SR_NCTAID_X },
                   { "%nclusterid.y", SR_NCTAID_Y },         { "%nclusterid.z", SR_NCTAID_Z },
                   { "%aggr_smem_size", SR_TOTAL_SMEM_SIZE } };
    for (int i = 0; i < SR_COUNT; i++)
        if (!strncmp(specials[i].name, name, (size_t)len) && !specials[i].name[len])
            return i;
    for (size_t i = 0; i < COUNT(others); i++)
        if (!strncmp(others[i].name, name, (size_t)len) && !others[i].name[len])
            return others[i].same;
    return -1;
}

int sg_special_size(int special) { return specials[special].size; }

/* [-] integer */
bool parse_int(parser *p, s64 *value)
{
    bool negative = lex_accept(&p->x, '-');
    if (p->x.tok.kind != TOK_INT) {
        lex_error(&p->x, "expected an integer before '%.*s'", p->x.tok.len, p->x.tok.text);
        return false;
    }
    *value = (s64)(negative ? -p->x.tok.bits : p->x.tok.bits);
    lex_next(&p->x);
    return true;
}

static operand blank(const parser *p, enum operand_kind kind)
{
    return (operand){ .kind = (u8)kind, .reg = -1, .reg2 = -1, .col = p->x.tok.col };
}

static void unknown_name(parser *p, const token *t)
{
    lex_error_at(&p->x, t->line, t->col, "'%.*s' is not declared", t->len, t->text);
}

/* Special registers that are the same in every launch here: a block is a cluster of its own, nothing is reserved, of
 * the environment only the grid's workspace is given. -1 for another name. */
static int fixed_special(const char *name, int len)
{
    // clang-format off
    static const struct { const char *start; int value; } fixed[] = {
        { "%envreg", 0 }, { "%pm", 0 }, { "%reserved_smem_offset", 0 }, { "%current_graph_exec", 0 },
        { "%is_explicit_cluster", 0 }, { "%cluster_ctaid.", 0 }, { "%cluster_ctarank", 0 },
        { "%cluster_nctaid.", 1 }, { "%cluster_nctarank", 1 },
    };
    // clang-format on
    for (size_t i = 0; i < COUNT(fixed); i++)
        if (len >= (int)strlen(fixed[i].start) && !memcmp(name, fixed[i].start, strlen(fixed[i].start)))
            return fixed[i].value;
    return -1;
}

/* %tid.x is a name and a dotted word that stand together. */
static bool parse_special(parser *p, token name, operand *o)
{
    int len = name.len;
    if (p->x.tok.kind == TOK_DOT && p->x.tok.text == name.text + name.len)
        len += p->x.tok.len;
    int which = sg_special(name.text, len), value = which < 0 ? fixed_special(name.text, len) : 0;
    if (which < 0 && value < 0)
        return false;
    if (len > name.len)
        lex_next(&p->x);
    o->kind = which < 0 ? OP_IMM : OP_SPECIAL;
    o->imm = (u64)(which < 0 ? value : which);
    return true;
}

/* +4, -4, or [1] of an array */
static void parse_offset(parser *p, operand *o)
{
    if (lex_accept(&p->x, '+') || tok_is(&p->x, '-'))
        o->imm = parse_const(p);
    else if (o->u.var && lex_accept(&p->x, '[')) {
        o->imm = parse_const(p) * o->u.var->element;
        lex_expect(&p->x, ']');
    }
}

/* A name that is no register: variable, function, special register, or else a label. */
static operand parse_symbol(parser *p, token name)
{
    operand o = blank(p, OP_SYM);
    symbol *s = lookup(p, name.text, name.len, SYM_NONE);
    if (!s && parse_special(p, name, &o))
        return o;
    if (s && s->kind == SYM_VAR) {
        o.u.var = s->u.var;
        parse_offset(p, &o);
    } else if (s && s->kind == SYM_FUNC) {
        o.kind = OP_FUNC;
        o.u.func = s->u.func;
    } else if (name.text[0] == '%' || (s && s->kind != SYM_LABEL)) {
        unknown_name(p, &name);
    } else {
        o.kind = OP_LABEL;
        o.u.label = get_label(p, &name);
    }
    return o;
}

/* A vector's registers, or with .x to .w, or .r to .a, one of them. */
static operand parse_vector_reg(parser *p, const symbol *s)
{
    static const char letters[] = "xyzwrgba";
    operand o = blank(p, OP_VEC);
    token part = p->x.tok;
    const char *letter = part.kind == TOK_DOT && part.len == 2 ? strchr(letters, part.text[1]) : NULL;
    if (letter) {
        int lane = (int)(letter - letters) & 3;
        lex_next(&p->x);
        o.kind = OP_REG;
        o.reg = s->u.vector.reg + lane;
        if (lane >= s->u.vector.lanes)
            lex_error_at(&p->x, part.line, part.col, "'%s' has %d registers", s->name, s->u.vector.lanes);
        return o;
    }
    o.n = s->u.vector.lanes;
    o.u.elem = sg_alloc(&p->m->mem, o.n * sizeof o);
    for (int i = 0; i < o.n; i++) {
        o.u.elem[i] = blank(p, OP_REG);
        o.u.elem[i].reg = s->u.vector.reg + i;
    }
    return o;
}

static operand parse_name(parser *p)
{
    token name = p->x.tok;
    operand o = blank(p, OP_REG);
    lex_next(&p->x);
    const symbol *reg = find_reg(p, name.text, name.len);
    if (reg && reg->kind == SYM_VECTOR)
        return parse_vector_reg(p, reg);
    if (tok_eq(&name, "_"))
        o.kind = OP_SINK;
    else if (!reg)
        return parse_symbol(p, name);
    else
        o.reg = reg->u.reg;
    if (lex_accept(&p->x, '|')) {
        o.reg2 = tok_eq(&p->x.tok, "_") ? -1 : lookup_reg(p, p->x.tok.text, p->x.tok.len);
        if (o.reg2 < 0 && !tok_eq(&p->x.tok, "_"))
            unknown_name(p, &p->x.tok);
        lex_next(&p->x);
    }
    return o;
}

enum { MOST_OPERANDS = 128 };

static operand parse_list(parser *p, char close)
{
    operand o = blank(p, OP_VEC);
    operand elems[MOST_OPERANDS];
    int n = 0;
    lex_next(&p->x);
    while (p->x.tok.kind != TOK_END && !tok_is(&p->x, close)) {
        if (n == MOST_OPERANDS) {
            lex_error(&p->x, "more than %d operands in a list", MOST_OPERANDS);
            break;
        }
        if (tok_is(&p->x, '{') || tok_is(&p->x, '(')) {
            lex_error(&p->x, "a list within a list");
            break;
        }
        elems[n++] = parse_operand(p);
        if (!lex_accept(&p->x, ','))
            break;
    }
    lex_expect(&p->x, close);
    if (n == 1 && close == '}')
        return elems[0]; /* a vector of one element is that element */
    o.n = (u8)n;
    o.u.elem = sg_alloc(&p->m->mem, (size_t)n * sizeof *elems);
    if (n)
        memcpy(o.u.elem, elems, (size_t)n * sizeof *elems);
    return o;
}

/* [texture, {x, y}] and the like: a list of what is in the brackets */
static operand parse_coordinates(parser *p, operand first)
{
    operand o = blank(p, OP_VEC), elems[8] = { first };
    int n = 1;
    while (n < 8 && lex_accept(&p->x, ','))
        elems[n++] = parse_operand(p);
    lex_expect(&p->x, ']');
    o.n = (u8)n;
    o.u.elem = sg_alloc(&p->m->mem, (size_t)n * sizeof *elems);
    memcpy(o.u.elem, elems, (size_t)n * sizeof *elems);
    return o;
}

/* [reg], [reg+4], [name+4], [16] */
static operand parse_address(parser *p)
{
    operand o = blank(p, OP_ADDR);
    lex_next(&p->x);
    token name = p->x.tok;
    if (name.kind == TOK_NAME) {
        lex_next(&p->x);
        o.reg = lookup_reg(p, name.text, name.len);
        symbol *s = o.reg < 0 ? lookup(p, name.text, name.len, SYM_VAR) : NULL;
        if (s)
            o.u.var = s->u.var;
        else if (o.reg < 0)
            unknown_name(p, &name);
        parse_offset(p, &o);
    } else {
        o.imm = parse_const(p);
    }
    if (tok_is(&p->x, ','))
        return parse_coordinates(p, o);
    lex_expect(&p->x, ']');
    return o;
}

static operand parse_number(parser *p)
{
    operand o = blank(p, OP_IMM);
    token t;
    bool negative;
    if (!parse_float(p, &t, &negative)) {
        o.imm_kind = IMM_INT;
        o.imm = parse_const(p);
        return o;
    }
    bool single = t.kind == TOK_F32;
    o.imm_kind = single ? IMM_F32 : IMM_F64;
    o.imm = t.bits ^ (negative ? (u64)1 << (single ? 31 : 63) : 0);
    return o;
}

operand parse_operand(parser *p)
{
    if (tok_is(&p->x, '{'))
        return parse_list(p, '}');
    if (tok_is(&p->x, '(') && p->is_call)
        return parse_list(p, ')');
    if (tok_is(&p->x, '['))
        return parse_address(p);
    lexer start = p->x;
    bool negated = lex_accept(&p->x, '!') && p->x.tok.kind == TOK_NAME;
    if (!negated)
        p->x = start; /* !0 is a number */
    bool named = p->x.tok.kind == TOK_NAME && !tok_eq(&p->x.tok, "WARP_SZ");
    operand o = named ? parse_name(p) : parse_number(p);
    o.negated = negated;
    return o;
}

/* add.rn.f32 is a name and dotted words; spaces between them are allowed. */
static const char *parse_opcode(parser *p)
{
    char text[128];
    int n = 0;
    do {
        token t = p->x.tok;
        if (n + t.len >= (int)sizeof text) {
            lex_error(&p->x, "opcode too long");
            return "";
        }
        memcpy(text + n, t.text, (size_t)t.len);
        n += t.len;
        lex_next(&p->x);
    } while (p->x.tok.kind == TOK_DOT);
    return sg_strndup(&p->m->mem, text, (size_t)n);
}

static void parse_guard(parser *p, pins *i)
{
    if (!lex_accept(&p->x, '@'))
        return;
    i->guard_negated = lex_accept(&p->x, '!');
    i->guard = lookup_reg(p, p->x.tok.text, p->x.tok.len);
    if (i->guard < 0)
        unknown_name(p, &p->x.tok);
    lex_next(&p->x);
}

static void parse_operands(parser *p, pins *i)
{
    operand ops[12];
    while (p->x.tok.kind != TOK_END && !tok_is(&p->x, ';')) {
        if (i->nops == 12) {
            lex_error(&p->x, "more than 12 operands");
            break;
        }
        ops[i->nops++] = parse_operand(p);
        if (!lex_accept(&p->x, ','))
            break;
    }
    i->ops = sg_alloc(&p->m->mem, (size_t)i->nops * sizeof *ops);
    if (i->nops)
        memcpy(i->ops, ops, (size_t)i->nops * sizeof *ops);
}

void add_statement(parser *p, const pins *i)
{
    func *f = p->f;
    f->code = sg_grow(&p->m->mem, f->code, (size_t)f->ncode, sizeof *f->code);
    f->code[f->ncode++] = *i;
}

static void parse_instruction(parser *p)
{
    pins i = { .guard = -1, .target = -1, .loc = p->loc, .used_bytes = p->used_bytes };
    p->used_bytes = 0;
    parse_guard(p, &i);
    i.line = p->x.tok.line;
    i.col = p->x.tok.col;
    if (p->x.tok.kind != TOK_NAME) {
        lex_error(&p->x, "expected an instruction before '%.*s'", p->x.tok.len, p->x.tok.text);
        return;
    }
    i.opcode = parse_opcode(p);
    p->is_call = !strncmp(i.opcode, "call", 4);
    parse_operands(p, &i);
    lex_expect(&p->x, ';');
    for (int o = 0; o < i.nops && !p->is_call; o++)
        if (i.ops[o].kind == OP_FUNC)
            i.ops[o].u.func->address_taken = true;
    if (!strncmp(i.opcode, "brx.idx", 7))
        lower_branch(p, &i);
    else
        add_statement(p, &i);
}

/* .loc file line column [, function_name label [+n], inlined_at file line column] */
static void parse_loc(parser *p)
{
    module *m = p->m;
    s64 file = 0, line = 0, col = 0;
    lex_next(&p->x);
    parse_int(p, &file);
    parse_int(p, &line);
    parse_int(p, &col);
    int on_line = p->x.tok.line;
    while (p->x.tok.kind != TOK_END && tok_is(&p->x, ',') && p->x.tok.line == on_line) {
        lex_next(&p->x);
        while (p->x.tok.line == on_line && p->x.tok.kind != TOK_END && !tok_is(&p->x, ','))
            lex_next(&p->x);
    }
    m->locs = sg_grow(&m->mem, m->locs, (size_t)m->nlocs, sizeof *m->locs);
    m->locs[m->nlocs] = (source_loc){ (int)file, (int)line, (int)col };
    p->loc = m->nlocs++;
}

/* .pragma "used_bytes_mask 0xfff" is about the load that follows: a compiler widened it, and its other bytes may lie
 * outside. All other pragmas are hints. */
static void parse_pragma(parser *p)
{
    static const char used[] = "\"used_bytes_mask";
    while (p->x.tok.kind != TOK_END && !tok_is(&p->x, ';')) {
        const token *t = &p->x.tok;
        if (t->kind == TOK_STRING && t->len > (int)sizeof used && !memcmp(t->text, used, sizeof used - 1))
            p->used_bytes =
                (u32)strtoul(sg_strndup(&p->m->mem, t->text + sizeof used - 1, (size_t)t->len - sizeof used), NULL, 0);
        lex_next(&p->x);
    }
    lex_expect(&p->x, ';');
}

static void parse_directive(parser *p)
{
    enum space space;
    if (parse_space(&p->x.tok, &space)) {
        lex_next(&p->x);
        if (space == SP_REG)
            parse_reg(p);
        else
            parse_var_statement(p, space, false);
    } else if (tok_eq(&p->x.tok, ".loc"))
        parse_loc(p);
    else if (tok_eq(&p->x.tok, ".pragma"))
        parse_pragma(p);
    else
        lex_error(&p->x, "directive '%.*s' is not modelled", p->x.tok.len, p->x.tok.text);
}

static bool parse_label(parser *p)
{
    lexer ahead = p->x;
    sg_error ignored = { 0 };
    ahead.err = &ignored;
    lex_next(&ahead);
    if (p->x.tok.kind != TOK_NAME || !tok_is(&ahead, ':'))
        return false;
    label *l = get_label(p, &p->x.tok);
    if (l->target >= 0)
        lex_error(&p->x, "label '%s' is set twice", l->name);
    l->target = p->f->ncode;
    lex_next(&p->x);
    lex_next(&p->x);
    parse_table(p, l);
    return true;
}

static void parse_block(parser *p)
{
    if (!open_scope(p))
        return;
    find_labels(p);
    while (p->x.tok.kind != TOK_END && !tok_is(&p->x, '}'))
        parse_statement(p);
    lex_expect(&p->x, '}');
    close_scope(p);
}

void parse_statement(parser *p)
{
    if (lex_accept(&p->x, '{')) {
        parse_block(p);
    } else if (p->x.tok.kind == TOK_DOT) {
        parse_directive(p);
    } else if (!lex_accept(&p->x, ';') && !parse_label(p)) {
        parse_instruction(p);
    }
}
