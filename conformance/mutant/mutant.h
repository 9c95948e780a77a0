/* Deliberately broken backends. Each row of mutants.def breaks one clause of the spec, and the suite must catch it
 * there.
 *
 * A mutant is the reference with a defect. A call is read into numbers, the reference runs on them, and the defect
 * comes in at one of these places: before anything is read (`ask`), in the inputs (`feed`), in a cell or a line of the
 * results (`cell`, `line`), in what is written where (`skip`, `scribble`), in the status (`refuse`), the promises
 * (`promise`) or the checks (`check`). */
#ifndef COT_MUTANT_H
#define COT_MUTANT_H

#include "conformance/case/operand.h"

typedef struct mutant mutant;

/* An open mutant. */
typedef struct mutant_self {
    const mutant *m;
    cot_backend *reference;
    unsigned runs;    /* so far */
    unsigned asked;   /* for promises, so far */
    unsigned threads; /* as the options have it; 0: all */
    cot_status late;  /* to be said at synchronise */
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
    double reference; /* what the reference gives */
} mutant_spot;

/* A call to be checked, in copies that a defect may change. */
typedef struct mutant_plea {
    cot_desc desc;
    cot_view views[OPERANDS];
    int given[OPERANDS]; /* 0: NULL */
} mutant_plea;

/* The calls that a defect is in. It sees the row, for its `with`. */
typedef int mutant_where(const mutant *m, const cot_desc *desc);

/* The places where a defect comes in. */
typedef void mutant_ask(mutant_call *c);
typedef void mutant_feed(mutant_call *c);
typedef double mutant_cell(const mutant_call *c, const mutant_spot *s);
typedef void mutant_line(const mutant_call *c, int64_t line);
typedef int mutant_skip(const mutant_call *c, cot_operand out, int64_t index);
typedef void mutant_scribble(mutant_call *c);
typedef cot_status mutant_refuse(const mutant_call *c, cot_error *error);
typedef cot_status mutant_settle(mutant_self *self, cot_error *error); /* at synchronise */
typedef cot_status mutant_promise(mutant_self *self, const cot_desc *desc, cot_sku *sku, cot_error *error);
typedef cot_status mutant_alloc(size_t bytes, void **memory, cot_error *error);
typedef cot_status mutant_check(mutant_self *self, const cot_desc *desc, const cot_args *args, cot_error *error);
typedef void mutant_repair(mutant_plea *p); /* what `check` overlooks */
typedef cot_status mutant_forward(const mutant *m, const cot_desc *desc, const cot_args *args,
                                  cot_error *error); /* in place of cot_forward */

struct mutant {
    const char *name;
    const char *clause; /* that it breaks */
    const char *ops;    /* that it breaks it in: a scope as in the spec, "max, min", "reduce", "all" */
    const char *also;   /* clauses under which it may as well be caught, where one defect shows as another */
    const char *about;

    int with;            /* what the defect's function is to do: several rows share one */
    size_t workspace;    /* bytes that it asks for */
    int slow;            /* it looks at a whole line for each of its cells: long lines are left alone */
    mutant_where *where; /* elsewhere it is the reference; NULL: in every call under the spec's own policies */
    mutant_ask *ask;
    mutant_feed *feed;
    mutant_cell *cell;
    mutant_line *line;
    mutant_skip *skip;
    mutant_scribble *scribble;
    mutant_refuse *refuse;
    mutant_settle *settle;
    mutant_promise *promise;
    mutant_alloc *alloc;
    mutant_check *check;
    mutant_repair *repair;
    mutant_forward *forward;
};

const mutant *mutant_at(int index);     /* the rows in order; NULL past the last */
const mutant *mutant_of_all(int index); /* these, and then the three kinds below */
const mutant *mutant_find(const char *name);

/* "none" and others that have no defect, for the tests of the mutants themselves. */
const mutant *control_at(int index);

const mutant *vacuous_at(int index); /* those of long lines (mutant_vacuous.c); NULL past the last */
const mutant *rare_at(int index);    /* wrong for a handful of pairs (mutant_rare.c); NULL past the last */

/* By its name. A mutant of the forward operations is no backend, and is refused. */
cot_status mutant_open(const char *name, const char *options, cot_backend **backend, cot_error *error);

cot_status mutant_fail(cot_error *error, cot_status code, cot_operand operand, int64_t needed, int64_t got,
                       const char *message);

#endif
