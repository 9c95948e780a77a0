/* The module level of PTX: headers, variables, functions. */
#include "parse.h"

static void parse_version(parser *p)
{
    token t = p->x.tok;
    int major = 0, minor = 0;
    char text[16] = { 0 };
    memcpy(text, t.text, t.len < 15 ? (size_t)t.len : 15);
    if (t.kind != TOK_F64 || sscanf(text, "%d.%d", &major, &minor) != 2)
        lex_error(&p->x, "expected a version number");
    else if (major > 9) {
        p->x.err->too_new = !p->x.err->line; /* the first error is the one that is told */
        lex_error(&p->x, "PTX version %d.%d is newer than 9.x", major, minor);
    }
    p->m->version_major = major;
    p->m->version_minor = minor;
    lex_next(&p->x);
}

static void parse_target(parser *p)
{
    do {
        token t = p->x.tok;
        if (t.len > 3 && !memcmp(t.text, "sm_", 3))
            p->m->sm = atoi(sg_strndup(&p->m->mem, t.text + 3, (size_t)t.len - 3));
        lex_next(&p->x);
    } while (lex_accept(&p->x, ','));
}

static void parse_address_size(parser *p)
{
    s64 bits = 0;
    if (parse_int(p, &bits) && bits != 64)
        lex_error(&p->x, "address size %lld is not modelled", (long long)bits);
}

static void parse_file(parser *p)
{
    module *m = p->m;
    s64 number = 0, ignored;
    parse_int(p, &number);
    m->files = sg_grow(&m->mem, m->files, (size_t)m->nfiles, sizeof *m->files);
    token t = p->x.tok;
    if (t.kind != TOK_STRING || t.len < 2) {
        lex_error(&p->x, "expected a file name");
        return;
    }
    m->files[m->nfiles++] = (source_file){ (int)number, sg_strndup(&m->mem, t.text + 1, (size_t)t.len - 2) };
    lex_next(&p->x);
    while (lex_accept(&p->x, ','))
        parse_int(p, &ignored);
}

/* .section name { ... }: debug information, not needed */
static void skip_section(parser *p)
{
    while (p->x.tok.kind != TOK_END && !tok_is(&p->x, '{'))
        lex_next(&p->x);
    while (p->x.tok.kind != TOK_END && !tok_is(&p->x, '}'))
        lex_next(&p->x);
    lex_expect(&p->x, '}');
}

static var **parse_params(parser *p, int *count, bool is_entry)
{
    var **params = NULL;
    int n = 0;
    lex_expect(&p->x, '(');
    while (p->x.tok.kind != TOK_END && !tok_is(&p->x, ')')) {
        if (!tok_eq(&p->x.tok, ".param")) {
            lex_error(&p->x, "parameters outside .param space are not modelled");
            break;
        }
        lex_next(&p->x);
        var *v = parse_var(p, SP_PARAM, false);
        if (!v)
            break;
        v->is_entry_param = is_entry;
        params = sg_grow(&p->m->mem, params, (size_t)n, sizeof *params);
        params[n++] = v;
        if (!lex_accept(&p->x, ','))
            break;
    }
    lex_expect(&p->x, ')');
    *count = n;
    return params;
}

static void parse_triple(parser *p, int out[3])
{
    s64 n;
    out[0] = out[1] = out[2] = 1;
    for (int i = 0; i < 3; i++) {
        if (parse_int(p, &n))
            out[i] = n > 0 && n <= 65536 ? (int)n : 1;
        if (!lex_accept(&p->x, ','))
            break;
    }
}

/* Performance directives between the parameters and the body. */
static bool parse_tuning(parser *p, func *f)
{
    static const char *const single[] = { ".minnctapersm", ".maxnreg", ".maxnctapersm", ".maxclusterrank" };
    int ignored[3];
    token t = p->x.tok;
    if (t.kind != TOK_DOT)
        return false;
    lex_next(&p->x);
    if (tok_eq(&t, ".maxntid")) {
        parse_triple(p, f->max_ntid);
        f->has_max_ntid = true;
        return true;
    }
    if (tok_eq(&t, ".reqntid")) {
        parse_triple(p, f->req_ntid);
        f->has_req_ntid = true;
        return true;
    }
    if (tok_eq(&t, ".noreturn") || tok_eq(&t, ".explicitcluster") || tok_eq(&t, ".blocksareclusters"))
        return true;
    if (tok_eq(&t, ".reqnctapercluster")) {
        parse_triple(p, f->cluster);
        f->has_cluster = true;
        return true;
    }
    if (tok_eq(&t, ".pragma")) {
        lex_next(&p->x);
        lex_expect(&p->x, ';');
        return true;
    }
    for (size_t i = 0; i < COUNT(single); i++)
        if (tok_eq(&t, single[i])) {
            parse_triple(p, ignored);
            return true;
        }
    lex_error_at(&p->x, t.line, t.col, "directive '%.*s' is not modelled", t.len, t.text);
    return false;
}

static func *declare_func(parser *p, bool is_entry)
{
    token name = p->x.tok;
    if (name.kind != TOK_NAME) {
        lex_error(&p->x, "expected a function name before '%.*s'", name.len, name.text);
        return NULL;
    }
    lex_next(&p->x);
    symbol *s = lookup(p, name.text, name.len, SYM_FUNC);
    if (s)
        return s->u.func;
    int depth = p->depth;
    p->depth = 0;
    s = declare(p, name.text, name.len, SYM_FUNC);
    p->depth = depth;
    func *f = s->u.func = sg_alloc(&p->m->mem, sizeof *f);
    *f = (func){ .name = s->name, .is_entry = is_entry, .line = name.line, .index = p->m->nfuncs };
    p->m->funcs = sg_grow(&p->m->mem, p->m->funcs, (size_t)p->m->nfuncs, sizeof *p->m->funcs);
    p->m->funcs[p->m->nfuncs++] = f;
    return f;
}

static void check_labels(parser *p, const func *f)
{
    for (int i = 0; i < f->nlabels; i++)
        if (f->labels[i]->target < 0)
            lex_error_at(&p->x, f->labels[i]->line, f->labels[i]->col, "'%s' is not declared", f->labels[i]->name);
}

static void parse_statements(parser *p, const func *f)
{
    p->loc = -1;
    p->used_bytes = 0;
    p->nesting = 0;
    lex_next(&p->x);
    while (p->x.tok.kind != TOK_END && !tok_is(&p->x, '}'))
        parse_statement(p);
    check_labels(p, f);
    lex_expect(&p->x, '}');
}

/* A body that cannot be read is left out with its reason, and reading goes on behind it. */
static void parse_body(parser *p, func *f)
{
    sg_error *err = p->x.err;
    lexer start = p->x;
    int depth = p->depth;
    if (f->has_body) {
        lex_error(&p->x, "'%s' is defined twice", f->name);
        return;
    }
    f->has_body = true;
    p->x.err = &f->refused;
    parse_statements(p, f);
    while (p->depth > depth)
        close_scope(p);
    p->x.err = err;
    if (!f->refused.line)
        return;
    f->ncode = 0;
    if (lex_skip_block(&start))
        p->x = start;
    else
        *err = f->refused;
}

static void parse_func(parser *p, bool is_entry)
{
    var **rets = NULL;
    int nrets = 0;
    open_scope(p);
    if (!is_entry && tok_is(&p->x, '('))
        rets = parse_params(p, &nrets, false);
    func *f = p->f = declare_func(p, is_entry);
    if (f) {
        f->rets = rets;
        f->nrets = nrets;
        f->nparams = 0;
        if (tok_is(&p->x, '('))
            f->params = parse_params(p, &f->nparams, is_entry);
        while (parse_tuning(p, f)) {
        }
        if (tok_is(&p->x, '{'))
            parse_body(p, f);
        else
            lex_expect(&p->x, ';');
    }
    p->f = NULL;
    close_scope(p);
}

static void parse_linkage(parser *p, bool *is_extern)
{
    static const char *const words[] = { ".extern", ".visible", ".weak", ".common" };
    for (;;) {
        size_t i = 0;
        while (i < COUNT(words) && !tok_eq(&p->x.tok, words[i]))
            i++;
        if (i == COUNT(words))
            return;
        *is_extern |= i == 0;
        lex_next(&p->x);
    }
}

static void parse_toplevel(parser *p)
{
    enum space space;
    bool is_extern = false;
    parse_linkage(p, &is_extern);
    token t = p->x.tok;
    lex_next(&p->x);
    if (tok_eq(&t, ".version"))
        parse_version(p);
    else if (tok_eq(&t, ".target"))
        parse_target(p);
    else if (tok_eq(&t, ".address_size"))
        parse_address_size(p);
    else if (tok_eq(&t, ".file"))
        parse_file(p);
    else if (tok_eq(&t, ".section"))
        skip_section(p);
    else if (tok_eq(&t, ".entry"))
        parse_func(p, true);
    else if (tok_eq(&t, ".func"))
        parse_func(p, false);
    else if (tok_eq(&t, ".pragma")) {
        lex_next(&p->x);
        lex_expect(&p->x, ';');
    } else if (parse_space(&t, &space) && space != SP_REG && space != SP_PARAM)
        parse_var_statement(p, space, is_extern);
    else
        lex_error_at(&p->x, t.line, t.col, "unexpected '%.*s' at module level", t.len, t.text);
}

bool sg_parse(module *m, const char *text, size_t len, sg_error *err)
{
    parser *p = sg_alloc(&m->mem, sizeof *p);
    p->m = m;
    char *copy = sg_alloc(&m->mem, len + 1);
    memcpy(copy, text, len);
    m->text = copy;
    lex_start(&p->x, text, len, err);
    if (!tok_eq(&p->x.tok, ".version"))
        lex_error(&p->x, "a PTX module begins with .version");
    while (p->x.tok.kind != TOK_END)
        parse_toplevel(p);
    return err->line == 0;
}

const char *sg_file_name(const module *m, int number)
{
    for (int i = 0; i < m->nfiles; i++)
        if (m->files[i].number == number)
            return m->files[i].name;
    return "?";
}
