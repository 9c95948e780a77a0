/* Gradients under other policies than the spec's own: line by line, each in memory as a whole. O(1) work per cell here
 * too, but none of the speed: conventions are for comparing, and the loops of the spec's own stay free of them. */
#include "core/internal.h"
#include "ref_problem.h"

#include "core/formula/heeds.h"
#include "core/formula/spec.h"
#include "core/math/half.h"
#include "core/math/math.h"

enum { LANES = COT_LANES, TILE = COT_TILE, ARRAYS = 5 };

#define ROLLED /* the compiler may unroll what it likes */

/* An entry for each op that heeds a policy: a walk along the line, or a formula for a pair. */
#define LINE_spec(family, NAME, name)
#define LINE_under(family, NAME, name) LINE_##family(NAME, name)
#define LINE_REDUCE(NAME, name) [COT_##NAME] = X(name##_line),
#define LINE_SCAN(NAME, name) [COT_##NAME] = X(name##_line),
#define LINE_BINARY(NAME, name)
#define LINE_BINARY_PARAM(NAME, name)

// clang-format off
#define PAIR_spec(family, NAME, name)
#define PAIR_under(family, NAME, name) PAIR_##family(NAME, name)
#define PAIR_REDUCE(NAME, name)
#define PAIR_SCAN(NAME, name)
#define PAIR_BINARY(NAME, name) case COT_##NAME: return X(name##_under)(p->policies, g, a, b);
#define PAIR_BINARY_PARAM(NAME, name) case COT_##NAME: return X(name##_under)(p->policies, g, p->weight);
// clang-format on

/* The i-th cell of a line, in the direction of the walk. */
static char *cell_at(const ref_problem *p, const ref_operand *o, int64_t line, int64_t i)
{
    int64_t along = o->reduced ? 0 : p->backwards ? p->lines.n - 1 - i : i, group = line / p->lines.inner;
    int64_t offset = line % p->lines.inner * o->across + along * o->along;
    for (int d = p->lines.outer_rank - 1; d >= 0; d--) {
        offset += group % p->lines.outer_shape[d] * o->outer[d];
        group /= p->lines.outer_shape[d];
    }
    return o->data + offset * (int64_t)cot_element_size(p->element);
}

#define TWICE "policy_memory.inc"
#include "twice.inc"

static size_t bytes_each(const ref_problem *p)
{
    size_t cell = p->element == COT_F64 ? sizeof(double) : sizeof(float);
    size_t cells = p->lines.operands[COT_DX].data ? (size_t)p->lines.n + 1 : 0; /* a binary op keeps nothing */
    return (ARRAYS * cells * cell + 63) / 64 * 64;
}

static void run_line(const ref_problem *p, int64_t line, void *memory)
{
    if (p->lines.operands[COT_DX].data)
        p->element == COT_F64 ? whole_line_d(p, line, memory) : whole_line_f(p, line, memory);
    else
        p->element == COT_F64 ? pairs_d(p, line) : pairs_f(p, line);
}

static void work(const ref_problem *p, char *memory, int me, int team)
{
    int64_t lines = p->lines.inner * p->lines.outer;
    for (int64_t line = lines * me / team; line < lines * (me + 1) / team; line++)
        run_line(p, line, memory + (size_t)me * bytes_each(p));
}

const ref_kernels cot_ref_policies = { "cpu, policies", bytes_each, work };
