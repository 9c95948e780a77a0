/* What a kernel is handed, by value. Plain C, without a CUDA header: the host fills it and the device reads it.
 *
 * A problem is lines of n cells along the axis, `inner` of them side by side, and `outer` such groups: line l lies at
 * (l % inner) * across, plus its group's offset. An elementwise problem has lines too: its innermost dimension.
 * Dimensions that every operand walks as one have been merged, so a contiguous elementwise problem is one line. */
#ifndef COT_CUDA_LAUNCH_H
#define COT_CUDA_LAUNCH_H

#include <stdint.h>

enum {
    LAUNCH_OUTER = 6,  /* dimensions beside a line's own and the inner one */
    VECTOR_BYTES = 16, /* the widest access of a thread */
    ON_CHIP = 4        /* tiles of a line that one block takes */
};

typedef struct cuda_operand {
    void *data; /* NULL where the op does not use it */
    int64_t
        along; /* strides, in elements: along the axis, from line to line, from group to group (the fastest first) */
    int64_t across;
    int64_t outer[LAUNCH_OUTER];
} cuda_operand;

/* Numbers of a formula, in the compute type: ARITH-COUNT, VAR-CLAMP, LERP-WEIGHT. */
typedef struct cuda_numbers_f {
    float n, m, weight;
} cuda_numbers_f;

typedef struct cuda_numbers_d {
    double n, m, weight;
} cuda_numbers_d;

typedef struct cuda_launch {
    cuda_operand dy, x, y, a, b, dx, da, db;
    int64_t n, inner, outer;
    int64_t outer_shape[LAUNCH_OUTER];
    uint32_t outer_rank;
    uint32_t backwards; /* a scan's line is walked from its end */
    cuda_numbers_f numbers_f;
    cuda_numbers_d numbers_d;
    uint8_t policies[16]; /* the bytes of cot_policies */
    double param;         /* as the descriptor has it */
    int64_t correction;
    void *workspace;

    /* What the strategy's own `shape` sets; each means what its kernels say. */
    int64_t count;          /* of whatever a grid is made of */
    uint32_t pieces;        /* of a line */
    uint32_t team;          /* threads that share a line or a piece of it: a power of two, */
    uint32_t team_shift;    /* and its logarithm */
    uint32_t head;          /* cells before the first aligned one */
    uint32_t columns;       /* lines side by side that a block takes: a power of two, */
    uint32_t columns_shift; /* and its logarithm */
    int64_t pitch;          /* of a line's part of the workspace, in its own units */
} cuda_launch;

#endif
