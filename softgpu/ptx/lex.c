/* Cuts PTX text into tokens. */
#include "lex.h"
#include "softgpu/base/decimal.h"
#include <ctype.h>
#include <stdarg.h>

void lex_start(lexer *x, const char *text, size_t len, sg_error *err)
{
    *x = (lexer){ .p = text, .end = text + len, .line_start = text, .line = 1, .err = err };
    lex_next(x);
}

static void stop(lexer *x)
{
    x->p = x->end;
    x->tok.kind = TOK_END;
    x->tok.len = 0;
}

static void record(lexer *x, int line, int col, const char *format, va_list args)
{
    if (!x->err->line) {
        x->err->line = line;
        x->err->col = col;
        vsnprintf(x->err->text, sizeof x->err->text, format, args);
    }
    stop(x);
}

void lex_error(lexer *x, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    record(x, x->tok.line, x->tok.col, format, args);
    va_end(args);
}

void lex_error_at(lexer *x, int line, int col, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    record(x, line, col, format, args);
    va_end(args);
}

bool tok_eq(const token *t, const char *text)
{
    return (size_t)t->len == strlen(text) && memcmp(t->text, text, (size_t)t->len) == 0;
}

bool lex_accept(lexer *x, char punct)
{
    if (!tok_is(x, punct))
        return false;
    lex_next(x);
    return true;
}

void lex_expect(lexer *x, char punct)
{
    if (lex_accept(x, punct))
        return;
    if (x->tok.kind == TOK_END)
        lex_error(x, "expected '%c' before the end of the text", punct);
    else
        lex_error(x, "expected '%c' before '%.*s'", punct, x->tok.len, x->tok.text);
}

static int at(const lexer *x, int ahead) { return x->end - x->p > ahead ? (unsigned char)x->p[ahead] : -1; }

static void newline(lexer *x)
{
    x->line++;
    x->line_start = x->p;
}

static void skip_block_comment(lexer *x)
{
    x->p += 2;
    while (x->p < x->end && !(at(x, 0) == '*' && at(x, 1) == '/'))
        if (*x->p++ == '\n')
            newline(x);
    if (x->p < x->end)
        x->p += 2;
}

static void skip_space(lexer *x)
{
    for (;;) {
        int c = at(x, 0);
        if (c == '\n') {
            x->p++;
            newline(x);
        } else if (c == ' ' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
            x->p++;
        else if (c == '/' && at(x, 1) == '/')
            while (x->p < x->end && *x->p != '\n')
                x->p++;
        else if (c == '/' && at(x, 1) == '*')
            skip_block_comment(x);
        else
            return;
    }
}

static bool is_word(int c) { return c > 0 && (isalnum(c) || c == '_' || c == '$' || c == '%'); }

static void take_word(lexer *x)
{
    while (is_word(at(x, 0)))
        x->p++;
}

/* .word, also .word::word */
static void take_dotted(lexer *x)
{
    x->p++;
    take_word(x);
    while (at(x, 0) == ':' && at(x, 1) == ':' && is_word(at(x, 2))) {
        x->p += 2;
        take_word(x);
    }
}

static void take_string(lexer *x)
{
    x->p++;
    while (x->p < x->end && *x->p != '"' && *x->p != '\n')
        x->p += *x->p == '\\' && x->end - x->p > 1 ? 2 : 1;
    if (at(x, 0) != '"') {
        lex_error_at(x, x->tok.line, x->tok.col, "string without an end");
        return;
    }
    x->p++;
}

static int digit_value(int c)
{
    if (c >= '0' && c <= '9')
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return 99;
}

/* Digits of an integer in the base; the count tells the caller whether there were any. */
static int take_digits(lexer *x, int base, u64 *value)
{
    int n = 0;
    *value = 0;
    for (; digit_value(at(x, 0)) < base; n++, x->p++)
        *value = *value * (u64)base + (u64)digit_value(*x->p);
    return n;
}

static void bad_number(lexer *x)
{
    take_word(x);
    lex_error_at(x, x->tok.line, x->tok.col, "malformed number '%.*s'", (int)(x->p - x->tok.text), x->tok.text);
}

/* 0f or 0d and exactly 8 or 16 hexadecimal digits: the bits of the float. */
static void take_hex_float(lexer *x, int digits, enum token_kind kind)
{
    x->p += 2;
    x->tok.kind = kind;
    if (take_digits(x, 16, &x->tok.bits) != digits)
        bad_number(x);
}

static bool is_decimal_float(const lexer *x)
{
    const char *p = x->p;
    while (p < x->end && isdigit((unsigned char)*p))
        p++;
    if (p >= x->end)
        return false;
    if (*p == '.')
        return p + 1 < x->end && isdigit((unsigned char)p[1]);
    return *p == 'e' || *p == 'E';
}

static void take_decimal_float(lexer *x)
{
    size_t used;
    x->tok.kind = TOK_F64;
    x->tok.bits = decimal_to_f64(x->p, (size_t)(x->end - x->p), &used);
    x->p += used;
}

static void take_number(lexer *x)
{
    int c = at(x, 1), base = 10;
    if (*x->p == '0' && (c == 'f' || c == 'F')) {
        take_hex_float(x, 8, TOK_F32);
        return;
    }
    if (*x->p == '0' && (c == 'd' || c == 'D')) {
        take_hex_float(x, 16, TOK_F64);
        return;
    }
    if (is_decimal_float(x)) {
        take_decimal_float(x);
        return;
    }
    x->tok.kind = TOK_INT;
    if (*x->p == '0' && (c == 'x' || c == 'X')) {
        base = 16;
        x->p += 2;
    } else if (*x->p == '0' && (c == 'b' || c == 'B')) {
        base = 2;
        x->p += 2;
    } else if (*x->p == '0')
        base = 8;
    if (!take_digits(x, base, &x->tok.bits)) {
        bad_number(x);
        return;
    }
    if (at(x, 0) == 'U' || at(x, 0) == 'u')
        x->p++;
    if (is_word(at(x, 0)) && at(x, 0) != '%')
        bad_number(x);
}

static void take_punct(lexer *x)
{
    x->tok.kind = TOK_PUNCT;
    x->tok.punct = *x->p++;
    if (!strchr("(){}[]<>,;:=@!|+-~*/&^?", x->tok.punct) || !x->tok.punct)
        lex_error_at(x, x->tok.line, x->tok.col, "unexpected character '\\x%02x'", (unsigned)(u8)x->tok.punct);
}

/* By characters, because no token in the block need be a good one. */
bool lex_skip_block(lexer *x)
{
    int depth = 1;
    for (skip_space(x); depth && x->p < x->end; skip_space(x)) {
        int c = *x->p++;
        depth += c == '{' ? 1 : c == '}' ? -1 : 0;
        while (c == '"' && x->p < x->end && *x->p != '\n' && *x->p++ != '"') {
        }
    }
    if (!depth)
        lex_next(x);
    return !depth;
}

void lex_next(lexer *x)
{
    skip_space(x);
    x->tok = (token){ .kind = TOK_END, .text = x->p, .line = x->line, .col = (int)(x->p - x->line_start) + 1 };
    if (x->p >= x->end)
        return;
    int c = at(x, 0);
    if (isdigit(c))
        take_number(x);
    else if (is_word(c)) {
        x->tok.kind = TOK_NAME;
        take_word(x);
    } else if (c == '.' && is_word(at(x, 1))) {
        x->tok.kind = TOK_DOT;
        take_dotted(x);
    } else if (c == '"') {
        x->tok.kind = TOK_STRING;
        take_string(x);
    } else
        take_punct(x);
    if (x->tok.kind != TOK_END)
        x->tok.len = (int)(x->p - x->tok.text);
}
