/* How a problem is shared out among threads. A strategy is a row of its family's table: when it applies, and the
 * kernels it launches, one after the other. The first row that applies is taken; the last applies always. */
#ifndef COT_CUDA_STRATEGY_H
#define COT_CUDA_STRATEGY_H

#include <stdbool.h>
#include <stddef.h>

#include "core/cotangent.h"
#include "backend_cuda/kernels/launch.h"

typedef struct cuda_problem {
    const cot_op_info *op;
    cot_element element;
    int64_t vector;      /* cells of 16 bytes */
    int64_t lines;       /* inner * outer */
    bool wide;           /* some offset or count does not fit 31 bits */
    uint32_t processors; /* of the device */
    cuda_launch launch;  /* the geometry; what a strategy sets is 0 */
} cuda_problem;

typedef struct cuda_grid {
    uint32_t blocks, threads;
} cuda_grid;

/* A launch of the kernel op_element_suffix. `shape` may set the strategy's fields of k. */
typedef struct cuda_phase {
    const char *suffix;
    cuda_grid (*shape)(const cuda_problem *p, cuda_launch *k);
} cuda_phase;

enum { CUDA_PHASES = 6 };

typedef struct cuda_strategy {
    const char *module; /* the .cu file that holds its kernels; NULL ends a table */
    bool (*applies)(const cuda_problem *p);
    cuda_phase phases[CUDA_PHASES];
    size_t (*workspace)(const cot_desc *desc); /* bytes that it may need, whatever the layout; NULL: none */
} cuda_strategy;

extern const cuda_strategy cot_cuda_elementwise[], cot_cuda_reduce[], cot_cuda_fold[], cot_cuda_scan[];
extern const cuda_strategy cot_cuda_policy_binary[], cot_cuda_policy[]; /* under other policies than the spec's own */

/* The table for an op, by its family, the order of its sum, and whether a policy that it heeds is set. */
const cuda_strategy *cot_cuda_strategies(const cot_op_info *op, const void *policies);

/* cuda_arrange.c */
void cot_cuda_arrange(cuda_problem *p, const cot_desc *desc, const cot_args *args);

/* Every line of an operand starts at a multiple of 16 bytes, and its cells lie side by side: along the axis, or across.
 */
bool cot_cuda_vector_rows(const cuda_problem *p, const cuda_operand *o);
bool cot_cuda_vector_columns(const cuda_problem *p, const cuda_operand *o);

static inline int64_t ceil_div(int64_t a, int64_t b) { return (a + b - 1) / b; }

static inline uint32_t log2_ceil(int64_t v)
{
    uint32_t log = 0;
    while (((int64_t)1 << log) < v)
        log++;
    return log;
}

/* What the last rows of tables are made of: any layout, a thread a cell. */
enum { CELL_THREADS = 256 };

static inline bool always(const cuda_problem *p) { return p != NULL; }
static inline bool is_narrow(const cuda_problem *p) { return !p->wide; }

static inline cuda_grid cell_by_cell(const cuda_problem *p, cuda_launch *k)
{
    k->count = k->n * p->lines;
    return (cuda_grid){ (uint32_t)ceil_div(k->count, CELL_THREADS), CELL_THREADS };
}

#endif
