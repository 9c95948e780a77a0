/* Constant expressions of integers, with C's operators and precedence. */
#include "parse.h"

typedef struct number {
    u64 bits;
    bool is_unsigned;
} number;

enum { MOST_NESTED = 64 };

typedef struct operator
{
    char text[3];
    u8 level;
}
operator;

/* The operator that the text goes on with, NULL where it is none. A % may begin a name, but none can stand here. */
static const operator* operator_at(const lexer *x)
{
    static const operator all[] = { { "||", 1 }, { "&&", 2 }, { "==", 6 }, { "!=", 6 }, { "<=", 7 }, { ">=", 7 },
                                    { "<<", 8 }, { ">>", 8 }, { "|", 3 },  { "^", 4 },  { "&", 5 },  { "<", 7 },
                                    { ">", 7 },  { "+", 9 },  { "-", 9 },  { "*", 10 }, { "/", 10 }, { "%", 10 } };
    for (size_t i = 0; x->tok.len && i < COUNT(all); i++) {
        const char *op = all[i].text;
        if (*x->tok.text == op[0] && (!op[1] || (x->end - x->tok.text > 1 && x->tok.text[1] == op[1])))
            return &all[i];
    }
    return NULL;
}

static void skip_operator(lexer *x, const char *op)
{
    x->p = x->tok.text + strlen(op);
    lex_next(x);
}

static u64 divide(u64 a, u64 b, bool is_unsigned, bool rest)
{
    if (is_unsigned)
        return rest ? a % b : a / b;
    if (b == (u64)-1)
        return rest ? 0 : -a;
    return (u64)(rest ? (s64)a % (s64)b : (s64)a / (s64)b);
}

static u64 shift_right(number a, u64 by)
{
    bool ones = !a.is_unsigned && a.bits >> 63;
    u64 fill = ones ? ~(u64)0 : 0;
    return by > 63 ? fill : by ? a.bits >> by | fill << (64 - by) : a.bits;
}

static bool is_less(number a, number b)
{
    return (a.is_unsigned || b.is_unsigned) ? a.bits < b.bits : (s64)a.bits < (s64)b.bits;
}

static number truth(bool value) { return (number){ value, false }; }

static number compare(const char *op, number a, number b)
{
    switch (*op) {
    case '=': return truth(a.bits == b.bits);
    case '!': return truth(a.bits != b.bits);
    case '<': return truth(op[1] ? !is_less(b, a) : is_less(a, b));
    default: return truth(op[1] ? !is_less(a, b) : is_less(b, a));
    }
}

static number apply(parser *p, const char *op, number a, number b)
{
    bool either = a.is_unsigned || b.is_unsigned;
    if (!strcmp(op, "<<"))
        return (number){ b.bits > 63 ? 0 : a.bits << b.bits, a.is_unsigned };
    if (!strcmp(op, ">>"))
        return (number){ shift_right(a, b.bits), a.is_unsigned };
    if (strchr("=!<>", *op))
        return compare(op, a, b);
    if (!strcmp(op, "||") || !strcmp(op, "&&"))
        return truth(*op == '|' ? a.bits || b.bits : a.bits && b.bits);
    if (strchr("/%", *op) && !b.bits)
        lex_error(&p->x, "division by zero");
    switch (*op) {
    case '+': return (number){ a.bits + b.bits, either };
    case '-': return (number){ a.bits - b.bits, either };
    case '*': return (number){ a.bits * b.bits, either };
    case '&': return (number){ a.bits & b.bits, either };
    case '|': return (number){ a.bits | b.bits, either };
    case '^': return (number){ a.bits ^ b.bits, either };
    default: return (number){ b.bits ? divide(a.bits, b.bits, either, *op == '%') : 0, either };
    }
}

static number parse_choice(parser *p);
static number parse_unary(parser *p);

static bool nest(parser *p)
{
    if (p->nesting == MOST_NESTED)
        lex_error(&p->x, "an expression nested deeper than %d", MOST_NESTED);
    else
        p->nesting++;
    return p->x.tok.kind != TOK_END;
}

static number parse_literal(parser *p)
{
    token t = p->x.tok;
    bool is_int = t.kind == TOK_INT;
    if (!is_int && !tok_eq(&t, "WARP_SZ"))
        lex_error(&p->x, "expected a number before '%.*s'", t.len, t.text);
    else
        lex_next(&p->x);
    bool suffix = is_int && (t.text[t.len - 1] | 32) == 'u';
    return is_int ? (number){ t.bits, suffix || t.bits >> 63 } : (number){ WARP, false };
}

/* (.s64) value, (.u64) value, (value) */
static number parse_bracket(parser *p)
{
    token cast = p->x.tok;
    number n;
    if (!tok_eq(&cast, ".s64") && !tok_eq(&cast, ".u64")) {
        n = parse_choice(p);
        lex_expect(&p->x, ')');
        return n;
    }
    lex_next(&p->x);
    lex_expect(&p->x, ')');
    n = parse_unary(p);
    n.is_unsigned = cast.text[1] == 'u';
    return n;
}

static number parse_unary(parser *p)
{
    number n = { 0, false };
    char op = p->x.tok.kind == TOK_PUNCT ? p->x.tok.punct : 0;
    if (!op || !strchr("+-~!(", op))
        return parse_literal(p);
    if (!nest(p))
        return n;
    lex_next(&p->x);
    n = op == '(' ? parse_bracket(p) : parse_unary(p);
    p->nesting--;
    if (op == '-')
        n.bits = -n.bits;
    return op == '!' ? truth(!n.bits) : op == '~' ? (number){ ~n.bits, n.is_unsigned } : n;
}

static number parse_binary(parser *p, int level)
{
    number a = parse_unary(p);
    for (const operator* op; (op = operator_at(&p->x)) && op->level >= level;) {
        skip_operator(&p->x, op->text);
        a = apply(p, op->text, a, parse_binary(p, op->level + 1));
    }
    return a;
}

static number parse_choice(parser *p)
{
    number n = parse_binary(p, 1);
    if (!lex_accept(&p->x, '?') || !nest(p))
        return n;
    number yes = parse_choice(p);
    lex_expect(&p->x, ':');
    number no = parse_choice(p);
    p->nesting--;
    return (number){ n.bits ? yes.bits : no.bits, yes.is_unsigned || no.is_unsigned };
}

u64 parse_const(parser *p) { return parse_choice(p).bits; }

bool parse_float(parser *p, token *out, bool *negative)
{
    lexer start = p->x;
    *negative = lex_accept(&p->x, '-');
    *out = p->x.tok;
    if (out->kind == TOK_F32 || out->kind == TOK_F64) {
        lex_next(&p->x);
        return true;
    }
    p->x = start;
    return false;
}
