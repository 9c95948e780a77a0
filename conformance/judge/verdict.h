/* A verdict: what was looked at, and of the first failure at the lowest level everything that is known, as data. It
 * holds no pointer, so that one process can send it to another. conformance/describe makes sentences of it. */
#ifndef COT_VERDICT_H
#define COT_VERDICT_H

#include "conformance/case/operand.h"
#include "pattern.h"

/* Cumulative: edges and refusals exactly as the clauses say; every cell within its bound of the truth; stable, the same
 * bits on every run; invariant, the same bits of a line wherever and with whatever it is computed; the spec's own bits.
 */
typedef enum level { LEVEL_E, LEVEL_B, LEVEL_D, LEVEL_I, LEVEL_X, LEVELS } level;

const char *level_name(level which);  /* "E", for programs; NULL past the last */
const char *level_title(level which); /* "edges", for people */
int level_find(const char *text);     /* either of them; -1: none */

/* How good the sums of a backend are: the best of these orders whose bound all its errors keep. */
typedef enum grade { GRADE_PAIRWISE, GRADE_SPEC, GRADE_SEQUENTIAL, GRADES } grade;

const char *grade_name(grade which);         /* "pairwise"; "worse" past the last */
grade grade_of(const double graded[GRADES]); /* from the largest error over each bound; GRADES: it keeps none */

/* Why a cell was not judged: a row of unjudged.def each. */
typedef enum unjudged_reason {
#define UNJUDGED(name, clause, sentence) UNJUDGED_##name,
#include "unjudged.def"
#undef UNJUDGED
    UNJUDGED_REASONS
} unjudged_reason;

typedef struct unjudged_info {
    const char *name, *clause, *sentence;
} unjudged_info;

const unjudged_info *unjudged_at(unjudged_reason why); /* NULL where there is none */

/* What went wrong: a row of reasons.def each. */
typedef enum reason {
    REASON_NONE,
#define REASON(name, level, fault, sentence) REASON_##name,
#include "reasons.def"
#undef REASON
    REASONS
} reason;

/* Whose fault a reason is: the backend's; nobody's, but nothing was checked; the suite's own. Only the first breaks a
 * clause. */
typedef enum fault_of { FAULT_OF_BACKEND, FAULT_OF_NO_CHECK, FAULT_OF_SUITE } fault_of;

typedef struct reason_info {
    const char *name;
    level level;
    fault_of fault;
    const char *sentence;
} reason_info;

const reason_info *reason_at(reason which); /* NULL where there is none */

/* How much of a line's sum went into a wrong result. */
typedef enum sum_taken { SUM_WHOLE, SUM_LEFT_OUT, SUM_HALVED } sum_taken;

enum { CLAUSE_SIZE = 32, DEVICE_TEXT_SIZE = 512 };

typedef struct verdict {
    int failed;             /* not 0: failed, so many times */
    level failed_at;        /* the lowest level that it fails */
    level reached;          /* the highest it was judged at and passed; meaningful where it has not failed */
    int64_t cells;          /* looked at; of them: */
    int64_t edge_cells;     /* NaN, infinite or zero for certain, and compared exactly */
    int64_t nan_cells;      /* edges that are NaN */
    int64_t bit_cells;      /* compared bit for bit, with truth or with `against` */
    int64_t open_cells;     /* near the truth, near the literal evaluation, or lost in its overflow: any will do */
    int64_t unjudged_cells; /* nothing could be said; why, where a clause allows it: */
    int64_t unjudged[UNJUDGED_REASONS];
    int64_t oracle_cells;        /* judged without a tolerance as well: exact integers, scaled, mirrored, adjoint */
    int64_t guard_bytes;         /* looked at, before and after a run: inputs, guards, gaps */
    int64_t statuses;            /* compared: of every run, and of refusals */
    double worst;                /* the largest error over its bound */
    int64_t graded_cells;        /* with an error that a sum can have, and */
    double graded[GRADES];       /* the largest of these errors over the bound of each grade */
    double worst_ulps;           /* the largest error in units in the last place */
    reason reason;               /* why it failed; REASON_NONE: it has not */
    char clause[CLAUSE_SIZE];    /* the clause that is broken, "MAX-TIE"; "" where none is */
    int sentence;                /* where the sentence of that clause's text starts that matters */
    cot_operand operand;         /* the first wrong cell: of which output, or COT_NO_OPERAND where it was no cell; */
    cot_element element;         /* its type, */
    int rank;                    /* how many indices it has, */
    int32_t index[COT_MAX_RANK]; /* and which */
    double got, want;            /* its number, and what truth, another run or another backend has there */
    double ratio, ulps;      /* its error over its bound, and in units in the last place, where a bound was broken */
    double inputs[OPERANDS]; /* what the op read there */
    unsigned has_inputs;     /* bits by cot_operand */
    sum_taken taken;         /* of the line's sum, where that explains the wrong cell's line */
    pattern pattern;         /* what the cells that are wrong for this reason have in common */
    struct {
        enum reason reason; /* of the backend that it must equal, where that is itself wrong */
        double got, want, ratio;
    } reference;
    cot_error said, wanted;        /* what a call answered, and what it should have: code, operand and numbers */
    int64_t count;                 /* bytes that were changed; the signal or the exit status of a process */
    double seconds;                /* that a process was given */
    char device[DEVICE_TEXT_SIZE]; /* what the software device reports */
} verdict;

/* Counts a failure, which breaks a clause (NULL: none). Not 0: it is the first at so low a level, and the caller fills
 * in what else is known of it. */
int verdict_fail(verdict *v, reason why, const char *clause);
void verdict_blame(verdict *v, const char *clause); /* another clause than the one it failed by */

/* The same with an answer that was wrong, a count. */
void verdict_fail_call(verdict *v, reason why, const char *clause, const cot_error *said, const cot_error *wanted);
void verdict_fail_count(verdict *v, reason why, const char *clause, int64_t count);

/* Adds what was found in cells that come after those of `v`, by a verdict that began empty. Not 0: its failure is now
 * that of both. */
int verdict_join(verdict *v, const verdict *next);

/* Counts cells that were looked at and could not be judged. */
void verdict_leave(verdict *v, unjudged_reason why, int64_t cells);
int64_t verdict_unexplained(const verdict *v); /* cells that were not judged, and that no row speaks of */

int same_number(double a, double b); /* any NaN is any NaN; zeros have signs */

#endif
