/* Deliberately broken backends. Each row of mutants.def breaks one clause of the spec, and the suite must catch it there.
 *
 * A mutant is the reference with a fault. A call is read into numbers, the reference runs on them, and the fault comes in at one
 * of these places: before anything is read (`ask`), in the inputs (`feed`), in a cell or a line of the results (`cell`, `line`),
 * in what is written where (`skip`, `scribble`), in the status (`refuse`), the promises (`promise`) or the checks (`check`). */
#ifndef COT_MUTANT_H
#define COT_MUTANT_H

#include "operand.h"

typedef struct mutant mutant;

/* An open mutant. */
typedef struct mutant_self {
    const mutant *m;
    cot_backend *honest; /* the reference */
    unsigned runs;       /* so far */
    unsigned asked;      /* for promises, so far */
    unsigned threads;    /* as the options have it; 0: all */
    cot_status late;     /* to be said at synchronise */
} mutant_self;

/* A call as numbers: every operand's cells in row-major order. */
typedef struct mutant_call {
    const mutant *m;
    mutant_self *self;
    cot_desc desc;
    const cot_args *args;
    void *workspace;
    size_t workspace_bytes;
    int axis;                /* the last where the op has none */
    int64_t n, inner, lines; /* extent along the axis; cells between neighbours on it; lines */
    double *cells[OPERANDS]; /* NULL where the op does not use the operand */
} mutant_call;

/* A cell of a result. What the op does not read is NaN. */
typedef struct mutant_spot {
    cot_operand out;
    int64_t line, i;
    double g, x, y, a, b;
    double honest; /* what the reference gives */
} mutant_spot;

/* A call to be checked, in copies that a fault may change. */
typedef struct mutant_plea {
    cot_desc desc;
    cot_view views[OPERANDS];
    int given[OPERANDS]; /* 0: NULL */
} mutant_plea;

typedef cot_status mutant_check(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error);

struct mutant {
    const char *name;
    const char *clause; /* that it breaks */
    const char *ops;    /* that it breaks it in: a scope as in the spec, "max, min", "reduce", "all" */
    const char *also;   /* clauses under which it may as well be caught, where one fault shows as another */
    const char *about;

    int with; /* what the fault's function is to do: several rows share one */
    void (*ask)(mutant_call *c);
    void (*feed)(mutant_call *c);
    double (*cell)(const mutant_call *c, const mutant_spot *s);
    void (*line)(const mutant_call *c, int64_t line);
    int (*skip)(const mutant_call *c, cot_operand out, int64_t index);
    void (*scribble)(mutant_call *c);
    cot_status (*refuse)(const mutant_call *c, cot_error *error);
    cot_status (*settle)(mutant_self *self, cot_error *error); /* at synchronise */
    cot_status (*promise)(mutant_self *self, const cot_desc *desc, cot_sku *sku, cot_error *error);
    cot_status (*alloc)(size_t bytes, void **memory, cot_error *error);
    size_t workspace; /* bytes that it asks for */
    mutant_check *check;
    void (*repair)(mutant_plea *p); /* what `check` overlooks */
    cot_status (*forward)(const mutant *m, const cot_desc *desc, const cot_args *args, cot_error *error); /* in place of cot_forward */
};

const mutant *mutant_at(int index); /* the rows in order; NULL past the last */
const mutant *mutant_find(const char *name);
const mutant *control_at(int index); /* "none" and others that have no fault, for the tests of the mutants themselves */

/* By its name. A mutant of the forward operations is no backend, and is refused. */
cot_status mutant_open(const char *name, const char *options, cot_backend **backend, cot_error *error);

cot_status mutant_fail(cot_error *error, cot_status code, cot_operand operand, int64_t needed, int64_t got, const char *message);

#endif
