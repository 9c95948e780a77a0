#include "case_draw.h"
#include "generate.h"
#include "operand.h"
#include "philox.h"

#include <math.h>
#include <string.h>

chance chance_of(const cot_desc *desc, int first, int second, uint64_t third)
{
    return (chance){ (uint64_t)desc->op << 8 | desc->element, third << 32 | (uint32_t)first << 8 | (uint32_t)second, 0 };
}

unsigned chance_below(chance *luck, unsigned bound)
{
    return philox_at(luck->key, luck->stream, luck->used++).word[0] % bound;
}

/* ---- shapes -------------------------------------------------------------------------------------------------------- */

typedef struct shape {
    int rank, axis;
    int32_t extent[COT_MAX_RANK];
} shape;

/* Most are short, so that there can be many; the long ones cross the end of a tile. */
static const shape short_shapes[] = {
    { 1, 0, { 33 } }, { 1, 0, { 130 } }, { 2, 1, { 5, 37 } }, { 2, 0, { 37, 5 } }, { 2, 0, { 64, 3 } }, { 2, 1, { 2, 65 } },
    { 3, 1, { 3, 34, 2 } }, { 3, 2, { 2, 3, 35 } }, { 3, 0, { 39, 2, 2 } }, { 4, 1, { 2, 36, 1, 3 } }, { 5, 2, { 2, 1, 34, 2, 1 } },
    { 6, 4, { 1, 2, 1, 1, 34, 2 } },
};
static const shape long_shapes[] = {
    { 1, 0, { 1025 } }, { 1, 0, { 1056 } }, { 1, 0, { 2100 } }, { 2, 0, { 1030, 2 } }, { 2, 1, { 2, 1057 } }, { 3, 1, { 1, 1100, 2 } },
};
static const shape longer_shapes[] = {
    { 1, 0, { 4097 } }, { 2, 1, { 3, 2049 } }, { 2, 0, { 3073, 2 } }, { 2, 0, { 257, 33 } }, { 2, 1, { 33, 257 } }, { 3, 1, { 7, 129, 5 } },
};

static const shape *one_of(chance *luck, const shape *shapes, size_t bytes)
{
    return &shapes[chance_below(luck, (unsigned)(bytes / sizeof *shapes))];
}

/* Truth adds a logcumsumexp term by term where exp would leave even MPFR's range. */
static int is_slow(const test_case *c, int which)
{
    static const char *const far[] = { "exponents", "huge", "pairs" };
    int slow = 0;
    for (size_t i = 0; i < sizeof far / sizeof *far; i++)
        slow |= which == generator_find(far[i]);
    return slow && c->desc.op == COT_LOGCUMSUMEXP;
}

void draw_shape(chance *luck, test_case *c, int larger)
{
    unsigned size = chance_below(luck, is_slow(c, c->generator) ? 4 : larger ? 6 : 5);
    const shape *s = size < 4   ? one_of(luck, short_shapes, sizeof short_shapes)
                     : size < 5 ? one_of(luck, long_shapes, sizeof long_shapes)
                                : one_of(luck, longer_shapes, sizeof longer_shapes);
    c->desc.rank = s->rank;
    c->desc.axis = has_axis(cot_op_get(c->desc.op)) ? s->axis : 0;
    memcpy(c->desc.shape, s->extent, sizeof c->desc.shape);
}

void draw_generator(chance *luck, test_case *c, int32_t extent)
{
    int count = 0;
    while (generator_at(count))
        count++;
    do
        c->generator = (int)chance_below(luck, (unsigned)count);
    while (generator_at(c->generator)->extent > extent || (extent > 300 && is_slow(c, c->generator)));
}

/* ---- what only some ops heed --------------------------------------------------------------------------------------- */

/* Exact in f32 and not, across its range and beyond it, and no numbers at all (LERP-WEIGHT). */
static const double weights[] = { 0.3, 0, 1, 0.5, -0.25, 1.1, 3, 0x1.000001p0, 1e-46, 1e-42, 1e39, -1e300, (double)INFINITY, (double)NAN };

int lerp_weights(void)
{
    return (int)(sizeof weights / sizeof *weights);
}

double lerp_weight(int index)
{
    return weights[index];
}

void draw_options(chance *luck, test_case *c)
{
    cot_desc *d = &c->desc;
    const int32_t n = d->shape[d->axis], corrections[] = { 1, 0, 2, n, n + 1, -3, n - 1 };
    unsigned turn = chance_below(luck, 64);
    if (cot_op_get(d->op)->family == COT_SCAN)
        d->reverse = (int32_t)turn & 1;
    if (d->op == COT_VAR || d->op == COT_STD)
        d->correction = corrections[turn % (sizeof corrections / sizeof *corrections)];
    if (d->op == COT_LERP)
        d->param = turn & 1 ? lerp_weight((int)turn % lerp_weights()) : 0.3;
}

/* A reduction's dy has dx's shape only where the axis has extent 1. */
void draw_alias(chance *luck, test_case *c)
{
    const cot_op_info *op = cot_op_get(c->desc.op);
    cot_operand candidates[OPERANDS];
    unsigned count = 0;
    for (int o = COT_DY; o < COT_DX; o++)
        if (operand_used(op, (cot_operand)o) && (op->family != COT_REDUCE || o == COT_X))
            candidates[count++] = (cot_operand)o;
    c->alias = count ? candidates[chance_below(luck, count)] : COT_DY;
    if (!count)
        c->desc.shape[c->desc.axis] = 1;
}
