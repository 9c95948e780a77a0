/* What the parts of the parser share. */
#ifndef SG_PARSE_H
#define SG_PARSE_H

#include "lex.h"
#include "ptx.h"

enum sym_kind { SYM_NONE, SYM_VAR, SYM_REG, SYM_VECTOR, SYM_REGS, SYM_FUNC, SYM_LABEL };

/* A name in a scope. SYM_REGS declares prefix<count>: registers are made as they are used. A vector is as many
 * registers, one behind the other. */
typedef struct symbol {
    struct symbol *next, *outer; /* hash chain; earlier symbol of the same scope, for leaving it */
    const char *name;
    u32 hash;
    int depth;
    u8 kind;
    union {
        var *var;
        func *func;
        label *label;
        int reg;
        struct {
            int reg;
            u8 lanes;
        } vector;
        struct {
            const type *type;
            u32 count;
            u8 lanes;
        } regs;
    } u;
} symbol;

enum { SYM_BUCKETS = 4096, MAX_DEPTH = 64 };

typedef struct parser {
    lexer x;
    module *m;
    func *f; /* the function being read */
    symbol *bucket[SYM_BUCKETS];
    symbol *scope[MAX_DEPTH]; /* symbols of each open scope */
    int depth;
    int loc;
    u32 used_bytes; /* of the next instruction, by a pragma */
    int nesting;    /* of a constant expression */
    bool is_call;   /* of the instruction: brackets are lists of its arguments */
} parser;

/* scope.c */
bool open_scope(parser *p); /* false with an error where they are nested too deeply */
void close_scope(parser *p);
symbol *declare(parser *p, const char *name, int len, enum sym_kind kind); /* in the innermost scope; error if there */
symbol *lookup(parser *p, const char *name, int len, enum sym_kind kind);  /* NULL where unknown */
int lookup_reg(parser *p, const char *name, int len);                      /* register index or -1 */
const symbol *find_reg(parser *p, const char *name, int len); /* one or a vector; NULL where it is neither */
int new_reg(parser *p, const char *name, const type *t);
void declare_reg(parser *p, const token *name, const type *t, u8 lanes);
label *get_label(parser *p, const token *t);
label *new_label(parser *p, const token *t, int depth);

/* parse_var.c */
var *parse_var(parser *p, enum space space, bool is_extern); /* after the space word, without ';' */
bool parse_space(const token *t, enum space *space);
void parse_reg(parser *p);
void parse_var_statement(parser *p, enum space space, bool is_extern);

/* parse_table.c: what a label may name beside a statement */
bool parse_table(parser *p, label *l);   /* after "name:"; false where a statement follows */
void find_labels(parser *p);             /* declares the labels of the block that begins here in its scope */
void lower_branch(parser *p, pins *brx); /* brx.idx as comparisons and branches */

/* parse_const.c */
u64 parse_const(parser *p);                              /* an integer, or operators on integers */
bool parse_float(parser *p, token *out, bool *negative); /* false, and nothing read, where none stands here */

/* parse_ins.c */
void add_statement(parser *p, const pins *i);
void parse_statement(parser *p);
operand parse_operand(parser *p);
bool parse_int(parser *p, s64 *value);

#endif
