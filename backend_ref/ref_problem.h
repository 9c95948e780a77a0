/* A call as the loops see it: its lines, and how they are walked. */
#ifndef COT_REF_PROBLEM_H
#define COT_REF_PROBLEM_H

#include "core/lines.h"

typedef cot_line_operand ref_operand;

typedef struct ref_problem {
    cot_lines lines;
    cot_op op;
    cot_element element;
    bool backwards;    /* the line is walked from its end */
    bool columns;      /* neighbouring lines lie closer than a line's neighbouring cells */
    bool transposed;   /* columns, although they do not: short lines of a scan */
    bool packed;       /* short lines of a scan that fill whole tiles, one line after the other */
    bool stream;       /* too large for the caches: results go past them */
    bool folds, scans; /* what the op's formula sums, and how */
    bool wins;         /* a scan of kind WINNER */
    bool recurs;       /* a scan of kind RECURRENCE */
    bool averages;     /* what is folded is divided by n: the mean of var and std */
    int threads;
    cot_policies policies;
    int32_t correction;
    double weight;
} ref_problem;

void cot_ref_arrange(ref_problem *p, const cot_desc *desc, const cot_args *args, int threads, int64_t stream);

/* The loops, built for an instruction set. `work` is one thread's part of
 * a team's, and needs that many bytes, aligned to 64, for each of the problem's threads. */
typedef struct ref_kernels {
    const char *isa;
    size_t (*bytes_each)(const ref_problem *p);
    void (*work)(const ref_problem *p, char *memory, int me, int team);
} ref_kernels;

extern const ref_kernels cot_ref_baseline, cot_ref_avx2, cot_ref_avx512, cot_ref_policies;

/* environment.c: the default floating-point environment inside, the caller's afterwards. */
void cot_ref_enter(void *saved);
void cot_ref_leave(const void *saved);
enum { COT_REF_ENVIRONMENT_SIZE = 64 };

#endif
