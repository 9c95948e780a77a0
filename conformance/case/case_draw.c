/* Shapes, layouts and options that are drawn by a counter-based generator, the same on every run. */
#include "case_draw.h"
#include "generate.h"
#include "operand.h"
#include "philox.h"

#include <math.h>
#include <string.h>

chance chance_of(const cot_desc *desc, int first, int second, uint64_t third)
{
    return (chance){ (uint64_t)desc->op << 8 | desc->element, third << 32 | (uint32_t)first << 8 | (uint32_t)second,
                     0 };
}

unsigned chance_below(chance *luck, unsigned bound)
{
    return philox_at(luck->key, luck->stream, luck->used++).word[0] % bound;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

int64_t chance_size(chance *luck, int64_t least, int64_t most) /* every binade is as likely as the next */
{
    int low = 0, high = 0;
    while (least >> low > 1)
        low++;
    while (most >> high > 1)
        high++;
    int64_t binade = (int64_t)1 << (low + (int)chance_below(luck, (unsigned)(high - low + 1)));
    int64_t from = binade < least ? least : binade, to = 2 * binade - 1 > most ? most : 2 * binade - 1;
    return from + (int64_t)chance_below(luck, (unsigned)(to - from + 1));
}

/* Dimensions of a tensor, one after the other. */
typedef struct dims {
    int count;
    int32_t extent[COT_MAX_RANK];
} dims;

/* A divisor of a number, not too large a one. */
static int64_t divisor(chance *luck, int64_t number, int64_t most)
{
    int64_t found = 1, start = chance_size(luck, 1, most);
    for (int64_t d = start; d > 1 && found == 1; d--)
        found = number % d ? 1 : d;
    return found;
}

/* A number of lines as one dimension, or as the product of up to `most`. */
static void add_split(chance *luck, dims *to, int64_t number, int most)
{
    int parts = most > 1 ? 1 + (int)chance_below(luck, (unsigned)(chance_below(luck, 3) ? 2 : most)) : most;
    for (; parts > 1; parts--) {
        int64_t factor = divisor(luck, number, 64);
        to->extent[to->count++] = (int32_t)factor;
        number /= factor;
    }
    if (most > 0)
        to->extent[to->count++] = (int32_t)number;
}

void draw_place(chance *luck, cot_desc *desc, int64_t n, int64_t lines, axis_place place)
{
    enum { INNER_MOST = 4096 };
    int64_t inner = place == AXIS_LAST ? 1 : place == AXIS_FIRST ? lines : divisor(luck, lines, INNER_MOST);
    int64_t outer = lines / inner;
    dims d = { 0 };
    if (place == AXIS_MIDDLE || (place == AXIS_LAST && (outer > 1 || chance_below(luck, 4) == 0)))
        add_split(luck, &d, outer, place == AXIS_MIDDLE ? 3 : COT_MAX_RANK - 1);
    desc->axis = d.count;
    d.extent[d.count++] = (int32_t)n;
    if (place != AXIS_LAST)
        add_split(luck, &d, inner, COT_MAX_RANK - d.count);
    desc->rank = d.count;
    memset(desc->shape, 0, sizeof desc->shape);
    memcpy(desc->shape, d.extent, (size_t)d.count * sizeof *d.extent);
    desc->axis = cot_has_axis(cot_op_get(desc->op)) ? desc->axis : 0;
}

/* Most are small, so that there can be many; in the full run a few are as large as memory is meant for. */
static int64_t draw_cells(chance *luck, int larger)
{
    unsigned turn = chance_below(luck, 1024);
    if (larger && turn < 18)
        return turn < 2 ? (int64_t)1 << 22 : (int64_t)1 << 17;
    return turn % 16 < 12 ? 256 : turn % 16 < 15 ? 2100 : 8192;
}

/* Where segments, tiles and vectors end: at a power of two, and beside it. */
static int64_t near_power(chance *luck, int64_t n)
{
    int64_t power = 1;
    while (2 * power <= n)
        power *= 2;
    return power - 1 + (int64_t)chance_below(luck, 3);
}

static int64_t draw_extent(chance *luck, int64_t least, int64_t most)
{
    int64_t n = chance_size(luck, chance_below(luck, 2) && most > 33 && least < 33 ? 33 : least, most);
    int64_t beside = chance_below(luck, 4) ? n : near_power(luck, n);
    return beside < least || beside > most ? n : beside;
}

void draw_shape(chance *luck, test_case *c, int larger)
{
    enum { EXTENT_MOST = 1 << 17, LINES_MOST = 1 << 16 };
    const int64_t least = generator_at(c->generator)->extent, cells = draw_cells(luck, larger);
    int64_t lines = chance_below(luck, 2) ? chance_size(luck, 1, cells / (least < 4 ? 4 : least)) : 1;
    int64_t most = cells / lines < EXTENT_MOST ? cells / lines : EXTENT_MOST;
    int64_t n = draw_extent(luck, least, most);
    int64_t beside = cells / n < LINES_MOST ? cells / n : LINES_MOST;
    lines = lines == 1 ? chance_size(luck, 1, beside) : lines < LINES_MOST ? lines : LINES_MOST;
    draw_place(luck, &c->desc, n, lines, (axis_place)chance_below(luck, AXIS_PLACES));
}

/* Any but the exact ones, which stand last and have cases of their own. */
void draw_generator(chance *luck, test_case *c, int32_t extent)
{
    int count = 0;
    while (generator_at(count) && strncmp(generator_at(count)->name, "exact", 5))
        count++;
    do
        c->generator = (int)chance_below(luck, (unsigned)count);
    while (generator_at(c->generator)->extent > extent);
}

/* ---- what only some ops heed ----------------------------------------------------------------- */

/* Exact in f32 and not, across its range and beyond it, and no numbers at all (LERP-WEIGHT). */
static const double weights[] = {
    0.3, 0, 1, 0.5, -0.25, 1.1, 3, 0x1.000001p0, 1e-46, 1e-42, 1e39, -1e300, (double)INFINITY, (double)NAN
};

int lerp_weights(void) { return (int)(sizeof weights / sizeof *weights); }

double lerp_weight(int index) { return weights[index]; }

void draw_options(chance *luck, test_case *c)
{
    cot_desc *d = &c->desc;
    const int32_t n = d->shape[d->axis], corrections[] = { 1, 0, 2, n, n + 1, -3, n - 1 };
    unsigned turn = chance_below(luck, 64);
    if (heeds_reverse(cot_op_get(d->op)))
        d->reverse = (int32_t)turn & 1;
    if (heeds_correction(cot_op_get(d->op)))
        d->correction = corrections[turn % (sizeof corrections / sizeof *corrections)];
    if (heeds_param(cot_op_get(d->op)))
        d->param = turn & 1 ? lerp_weight((int)turn % lerp_weights()) : 0.3;
}

void draw_foreign_options(chance *luck, test_case *c)
{
    cot_desc *d = &c->desc;
    const cot_op_info *op = cot_op_get(d->op);
    const int32_t n = d->shape[d->axis], corrections[] = { 1, 8, n, n + 1, -3, INT32_MAX };
    unsigned turn = chance_below(luck, 64);
    if (!heeds_reverse(op))
        d->reverse = (int32_t)turn & 1;
    if (!heeds_correction(op))
        d->correction = corrections[turn % (sizeof corrections / sizeof *corrections)];
    if (!heeds_param(op) && turn & 2)
        d->param = 0.3;
}

void draw_policies(chance *luck, cot_policies *policies)
{
    const cot_policy_info *policy;
    for (size_t i = 0; (policy = cot_policy_at(i)); i++) {
        unsigned values = 0;
        while (policy->values[values])
            values++;
        ((uint8_t *)policies)[policy->offset] = (uint8_t)chance_below(luck, values);
    }
}

/* A reduction's dy has dx's shape only where the axis has extent 1. */
void draw_alias(chance *luck, test_case *c)
{
    const cot_op_info *op = cot_op_get(c->desc.op);
    cot_operand candidates[OPERANDS];
    unsigned count = 0;
    for (int o = COT_DY; o < COT_DX; o++)
        if (cot_operand_used(op, (cot_operand)o) && (op->family != COT_REDUCE || o == COT_X))
            candidates[count++] = (cot_operand)o;
    c->alias = count ? candidates[chance_below(luck, count)] : COT_DY;
    if (!count)
        c->desc.shape[c->desc.axis] = 1;
}
