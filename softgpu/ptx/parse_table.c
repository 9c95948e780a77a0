/* What a label may name beside a statement: lists of branch targets, of functions, prototypes of calls. And the labels
 * of inner blocks. */
#include "parse.h"

/* Prototypes and lists of functions are promises; a call looks at the function that it gets. */
static void skip_statement(parser *p)
{
    while (p->x.tok.kind != TOK_END && !tok_is(&p->x, ';'))
        lex_next(&p->x);
    lex_expect(&p->x, ';');
}

static void parse_targets(parser *p, label *l)
{
    do {
        if (p->x.tok.kind != TOK_NAME) {
            lex_error(&p->x, "expected a label before '%.*s'", p->x.tok.len, p->x.tok.text);
            return;
        }
        l->targets = sg_grow(&p->m->mem, l->targets, (size_t)l->ntargets, sizeof *l->targets);
        l->targets[l->ntargets++] = get_label(p, &p->x.tok);
        lex_next(&p->x);
    } while (lex_accept(&p->x, ','));
    lex_expect(&p->x, ';');
}

bool parse_table(parser *p, label *l)
{
    token t = p->x.tok;
    bool is_branch = tok_eq(&t, ".branchtargets");
    if (!is_branch && !tok_eq(&t, ".calltargets") && !tok_eq(&t, ".callprototype"))
        return false;
    l->is_table = true;
    lex_next(&p->x);
    if (is_branch)
        parse_targets(p, l);
    else
        skip_statement(p);
    return true;
}

void find_labels(parser *p)
{
    lexer ahead = p->x;
    sg_error ignored = { 0 };
    int depth = 0;
    token before = { 0 };
    ahead.err = &ignored;
    for (; ahead.tok.kind != TOK_END && (depth || !tok_is(&ahead, '}')); lex_next(&ahead)) {
        if (tok_is(&ahead, ':') && before.kind == TOK_NAME && !depth)
            new_label(p, &before, p->depth);
        depth += tok_is(&ahead, '{') ? 1 : tok_is(&ahead, '}') ? -1 : 0;
        before = ahead.tok;
    }
}

static operand reg_operand(int reg) { return (operand){ .kind = OP_REG, .reg = reg, .reg2 = -1 }; }

static void add_helper(parser *p, const pins *like, const char *opcode, const operand *ops, int n)
{
    pins i = *like;
    i.opcode = opcode;
    i.nops = n;
    i.ops = sg_alloc(&p->m->mem, (size_t)n * sizeof *ops);
    memcpy(i.ops, ops, (size_t)n * sizeof *ops);
    add_statement(p, &i);
}

static void add_bra(parser *p, pins like, int guard, bool negated, label *to)
{
    operand o = { .kind = OP_LABEL, .reg = -1, .reg2 = -1, .u.label = to };
    like.guard = guard;
    like.guard_negated = negated;
    add_helper(p, &like, "bra", &o, 1);
}

/* brx.idx i, list: a comparison and a branch for each target but the last, to which all other indices go. */
void lower_branch(parser *p, pins *brx)
{
    const label *list = brx->nops == 2 && brx->ops[1].kind == OP_LABEL ? brx->ops[1].u.label : NULL;
    if (!list || !list->ntargets || brx->ops[0].kind != OP_REG) {
        lex_error_at(&p->x, brx->line, brx->col, "'%s' needs an index and a list of targets", brx->opcode);
        return;
    }
    pins like = *brx;
    label *behind = NULL;
    like.guard = -1;
    if (brx->guard >= 0) {
        behind = sg_alloc(&p->m->mem, sizeof *behind);
        add_bra(p, like, brx->guard, !brx->guard_negated, behind);
        like.is_helper = true;
    }
    int found = new_reg(p, "brx", sg_type(".pred", 5));
    for (int i = 0; i + 1 < list->ntargets; i++) {
        operand ops[] = { reg_operand(found), brx->ops[0], { .kind = OP_IMM, .reg = -1, .reg2 = -1, .imm = (u64)i } };
        add_helper(p, &like, "setp.eq.u32", ops, 3);
        like.is_helper = true;
        add_bra(p, like, found, false, list->targets[i]);
    }
    add_bra(p, like, -1, false, list->targets[list->ntargets - 1]);
    if (behind)
        behind->target = p->f->ncode;
}
