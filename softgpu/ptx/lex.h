/* PTX text to tokens. A dotted word such as .global or .L1::evict_last is one token. */
#ifndef SG_LEX_H
#define SG_LEX_H

#include "softgpu/base/base.h"

enum token_kind { TOK_END, TOK_NAME, TOK_DOT, TOK_INT, TOK_F32, TOK_F64, TOK_STRING, TOK_PUNCT };

typedef struct token {
    enum token_kind kind;
    const char *text; /* within the source, not terminated */
    int len;
    int line, col;
    char punct; /* of TOK_PUNCT */
    u64 bits;   /* value of a number: integer, or the bits of the float */
} token;

typedef struct lexer {
    const char *p, *end, *line_start;
    int line;
    token tok; /* the current token */
    sg_error *err;
} lexer;

void lex_start(lexer *x, const char *text, size_t len, sg_error *err);
void lex_next(lexer *x);

/* Records the first error, at the current token, and ends the input so that every loop over tokens ends too. */
void lex_error(lexer *x, const char *format, ...) PRINTF_LIKE(2, 3);
void lex_error_at(lexer *x, int line, int col, const char *format, ...) PRINTF_LIKE(4, 5);

static inline bool tok_is(const lexer *x, char punct) { return x->tok.kind == TOK_PUNCT && x->tok.punct == punct; }
bool tok_eq(const token *t, const char *text);
bool lex_accept(lexer *x, char punct);
void lex_expect(lexer *x, char punct);

/* Goes behind the '}' of the block whose '{' is the current token, whatever is between; false where there is none. */
bool lex_skip_block(lexer *x);

#endif
