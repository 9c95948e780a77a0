/* Runs a case on a backend and judges every cell of its results, against truth and against another backend. */
#ifndef COT_JUDGE_H
#define COT_JUDGE_H

#include "case.h"
#include "operand.h"

/* Cumulative: edges and refusals exactly as the clauses say; every cell within its bound of the truth; the same bits on every
 * run; the spec's own bits. */
typedef enum level { LEVEL_E, LEVEL_B, LEVEL_D, LEVEL_X, LEVELS } level;

enum { TWINS = 2 };

/* Who is judged: the backend on trial, how far, and for level X whom it must equal. */
typedef struct court {
    cot_backend *backend;
    cot_backend *against;      /* NULL: truth alone */
    cot_backend *twins[TWINS]; /* the same backend opened with options that must not matter (DETERMINISM), or NULL */
    level level;
    int bare; /* a further run without guards behind the operands: the device finds what goes past them */
} court;

/* Opens all that by the names of suite_backend_open. `against` may be NULL or the same name: truth alone. */
cot_status court_open(court *seat, const char *name, const char *options, const char *against, level upto, cot_error *error);
void court_close(court *seat);

typedef struct verdict {
    int failed;             /* not 0: failed, so many times */
    level failed_at;        /* the lowest level that it fails */
    level reached;          /* the highest it was judged at and passed; meaningful where it has not failed */
    int64_t cells;          /* looked at; of them: */
    int64_t edge_cells;     /* NaN, infinite or zero for certain, and compared exactly */
    int64_t nan_cells;      /* edges that are NaN */
    int64_t bit_cells;      /* compared bit for bit, with truth or with `against` */
    int64_t unjudged_cells; /* no edge, no bound (an intermediate leaves the normal range), no bits to compare with */
    int64_t oracle_cells;   /* judged by an oracle without a tolerance as well: exact integers, scaled, mirrored, adjoint */
    int64_t guard_bytes;    /* looked at, before and after a run: inputs, guards, gaps */
    int64_t statuses;       /* compared: of every run, and of refusals */
    double worst;           /* the largest error over its bound */
    double worst_ulps;      /* the largest error in units in the last place */
    double worst_roundings; /* the largest error in roundings: of u * condition + s (clause BOUND) */
    double roundings;       /* k, the spec's own */
    const char *clause;     /* the clause that is broken, "MAX-TIE" */
    cot_operand operand;    /* the first wrong cell: of which output, or COT_NO_OPERAND where it was no cell; */
    int32_t index[COT_MAX_RANK]; /* its index, */
    double got, want;
    double inputs[OPERANDS]; /* and what the op read there */
    unsigned has_inputs;     /* bits by cot_operand */
    char why[768];           /* one or a few sentences for a person */
} verdict;

const char *level_name(level which); /* "E"; NULL past the last */

/* NULL, or why this build cannot judge at all. */
const char *judge_unusable(void);

/* COT_UNSUPPORTED from the backend is returned, and no failure. */
cot_status judge_case(const court *seat, const test_case *c, verdict *v);

void judge_end(void); /* after the last case */

#endif
