/* Binary operations under other policies than the spec's own: any layout, cell by cell, in 64 bits. Conventions are for
 * comparing; the fast kernels stay free of them. */
#include "core/cotangent.h"
#include "core/formula/heeds.h"
#include "places.h"
#include "core/formula/policy.inc"

enum { THREADS = 256 };
enum { DY, OF_A, OF_B, DA, DB, OPERANDS };

typedef X(pair) (*formula)(cot_policies p, REAL g, REAL a, REAL b);

COT_FN void store_pair(const cuda_launch &k, const int64_t (&at)[OPERANDS], X(pair) d)
{
    store(out(k.da), at[DA], d.a);
    store(out(k.db), at[DB], d.b);
}

COT_FN cot_policies policies_of(const cuda_launch &k)
{
    cot_policies p;
    __builtin_memcpy(&p, k.policies, sizeof p);
    return p;
}

/* False past the last cell. */
COT_FN bool find_cell(const cuda_launch &k, int64_t (&at)[OPERANDS])
{
    const cuda_operand *const list[OPERANDS] = { &k.dy, &k.a, &k.b, &k.da, &k.db };
    uint64_t cell = (uint64_t)block_index() * THREADS + thread_index(), line = cell / (uint64_t)k.n;
    if (cell >= (uint64_t)k.count)
        return false;
    find_line(k, line, list, at);
    UNROLLED for (int o = 0; o < OPERANDS; o++) at[o] += (int64_t)(cell - line * (uint64_t)k.n) * list[o]->along;
    return true;
}

COT_FN void under(formula grad, const cuda_launch &k)
{
    int64_t at[OPERANDS];
    if (find_cell(k, at))
        store_pair(k, at,
                   grad(policies_of(k), load(in(k.dy), at[DY]), load(in(k.a), at[OF_A]), load(in(k.b), at[OF_B])));
}

COT_FN void under_weight(X(pair) (*grad)(cot_policies, REAL, double), const cuda_launch &k)
{
    int64_t at[OPERANDS];
    if (find_cell(k, at))
        store_pair(k, at, grad(policies_of(k), load(in(k.dy), at[DY]), k.param));
}

/* A row of the op table that heeds a policy has its kernel. */
#define KERNELS_spec(family, name)
#define KERNELS_under(family, name) KERNELS_##family(name)
#define KERNELS_BINARY(name) \
    KERNEL(name, under) { under(X(name##_under), k); }
#define KERNELS_BINARY_PARAM(name) \
    KERNEL(name, under) { under_weight(X(name##_under), k); }
#define KERNELS_REDUCE(name) /* policy.cu */
#define KERNELS_SCAN(name)
#define OP(family, NAME, name, needs, policies, ...) COT_ROW(KERNELS_, COT_HEEDS(policies))(family, name)
#include "core/ops.def"
