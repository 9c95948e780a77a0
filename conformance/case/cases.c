/* The cases: a sweep that leaves no hole in op x type x generator x layout, with the rest of each case drawn; then
 * lists of what a drawn case would meet too seldom. Every choice is drawn by its place in the sweep, so it is the same
 * on every run. */
#include "cases.h"
#include "case_draw.h"
#include "case_walk.h"
#include "refusal.h"
#include "generate_exact.h"
#include "operand.h"
#include "words.h"

#include <limits.h>
#include <string.h>

int walk_visit(const walk *w, test_case c)
{
    c.seed += w->range->seed;
    return w->visit(w->self, &c);
}

test_case walk_blank(const walk *w, int which, uint64_t seed)
{
    return (test_case){ .desc = { COT_SIZED(cot_desc), .op = w->op->op, .element = w->element, .rank = 1,
                                  .shape = { 33 }, .param = heeds_param(w->op) ? 0.3 : 0 },
                        .generator = which,
                        .seed = seed };
}

chance walk_chance(const walk *w, int first, int second, uint64_t third)
{
    return chance_of(&(cot_desc){ .op = w->op->op, .element = w->element }, first, second, third + w->range->seed);
}

static int is(const char *name) { return generator_find(name); }

/* ---- the sweep ------------------------------------------------------------------------------- */

enum { SWEEPS_OF_FULL = 4 };

/* Layouts, and after the last of them outputs that are inputs. */
static int sweep_layouts(const walk *w, int which, uint64_t seed)
{
    int stop = 0;
    for (int layout = 0; layout <= LAYOUTS && !stop; layout++) {
        test_case c = walk_blank(w, which, seed);
        chance luck = walk_chance(w, which, layout, seed);
        draw_shape(&luck, &c, w->range->full);
        draw_options(&luck, &c);
        c.layout = layout < LAYOUTS ? (case_layout)layout : (case_layout)chance_below(&luck, LAYOUT_BROADCAST);
        if (layout == LAYOUTS)
            draw_alias(&luck, &c);
        stop = walk_visit(w, c);
    }
    return stop;
}

static int sweep(const walk *w)
{
    int stop = 0;
    for (uint64_t seed = 1; seed <= (w->range->full ? SWEEPS_OF_FULL : 1) && !stop; seed++)
        for (int g = 0; generator_at(g) && !stop; g++)
            stop = sweep_layouts(w, g, seed);
    return stop;
}

/* ---- shapes ---------------------------------------------------------------------------------- */

/* Lines of one cell, of every generator; in the quick run the types take turns. */
static int visit_alone(const walk *w)
{
    int stop = 0;
    for (int g = 0; generator_at(g) && !stop; g++) {
        test_case c = walk_blank(w, g, 15);
        c.desc.rank = 2;
        c.desc.axis = 1;
        c.desc.shape[0] = 6;
        c.desc.shape[1] = 1;
        chance luck = walk_chance(w, g, 0, 15);
        draw_options(&luck, &c);
        if (w->range->full || g % 4 == (int)w->element - COT_F16)
            stop = walk_visit(w, c);
    }
    return stop;
}

/* Every rank, and every axis of it. */
static int visit_ranks(const walk *w)
{
    int stop = 0;
    for (int rank = 1; rank <= COT_MAX_RANK; rank++)
        for (int axis = 0; axis < (cot_has_axis(w->op) ? rank : 1) && !stop; axis++) {
            test_case c = walk_blank(w, 0, 20);
            chance luck = walk_chance(w, rank, axis, 20);
            c.desc.rank = rank;
            c.desc.axis = axis;
            for (int d = 0; d < rank; d++)
                c.desc.shape[d] = d == axis ? 2 + (int32_t)chance_below(&luck, 4)
                                            : 1 + (int32_t)chance_below(&luck, rank > 5 ? 2 : 3);
            c.layout = (case_layout)chance_below(&luck, LAYOUTS);
            draw_generator(&luck, &c, c.desc.shape[axis]);
            draw_options(&luck, &c);
            stop = walk_visit(w, c);
        }
    return stop;
}

/* No cells: on the axis, beside it, and both. */
static int visit_empty(const walk *w)
{
    static const struct {
        int rank;
        int32_t extent[3];
    } shapes[] = { { 1, { 0 } }, { 2, { 0, 3 } }, { 2, { 3, 0 } }, { 2, { 0, 0 } }, { 3, { 2, 0, 3 } } };
    int stop = 0;
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int axis = 0; axis < (cot_has_axis(w->op) ? shapes[s].rank : 1) && !stop; axis++) {
            test_case c = walk_blank(w, 0, 30);
            chance luck = walk_chance(w, (int)s, axis, 30);
            c.desc.rank = shapes[s].rank;
            c.desc.axis = axis;
            memcpy(c.desc.shape, shapes[s].extent, sizeof shapes[s].extent);
            c.layout = (case_layout)chance_below(&luck, LAYOUTS);
            draw_options(&luck, &c);
            stop = walk_visit(w, c);
        }
    return stop;
}

/* Longer than a thousand tiles; truth is asked about every cell of it. In the quick run only what has terms to add. */
static int visit_endless(const walk *w)
{
    static const char *const names[] = { "integers", "uniform" };
    const int full = w->range->full, owed = full || (w->element == COT_F32 && exact_generator(w->op->op) >= 0);
    int stop = 0;
    for (int i = 0; i < (full ? 2 : owed) && !stop; i++) {
        test_case c = walk_blank(w, is(names[i]), 40);
        c.desc.shape[0] = (1 << 20) + 1;
        stop = walk_visit(w, c);
    }
    return stop;
}

/* ---- what only some ops heed ----------------------------------------------------------------- */

static int visit_directions(const walk *w)
{
    int stop = 0;
    for (int g = 0; generator_at(g) && !stop; g++) {
        test_case c = walk_blank(w, g, 50);
        chance luck = walk_chance(w, g, 0, 50);
        draw_shape(&luck, &c, 0);
        stop = walk_visit(w, c);
        c.desc.reverse = 1;
        stop = stop ? stop : walk_visit(w, c);
    }
    return stop;
}

static int visit_corrections(const walk *w)
{
    static const int32_t extents[] = { 1, 2, 33, 200, 1025 };
    int stop = 0;
    for (size_t e = 0; e < sizeof extents / sizeof *extents; e++) {
        const int32_t n = extents[e], corrections[] = { 0, 1, 2, n - 1, n, n + 1, -1, -7, INT_MAX, INT_MIN };
        for (size_t i = 0; i < sizeof corrections / sizeof *corrections && !stop; i++) {
            int known = 0;
            for (size_t j = 0; j < i; j++)
                known |= corrections[j] == corrections[i];
            test_case c = walk_blank(w, 0, 60);
            c.desc.shape[0] = n;
            c.desc.correction = corrections[i];
            chance luck = walk_chance(w, (int)i, n, 60);
            if (corrections[i] != INT_MIN) /* m is rounded, which plain numbers show */
                draw_generator(&luck, &c, n);
            stop = known ? 0 : walk_visit(w, c);
        }
    }
    return stop;
}

static int visit_weights(const walk *w)
{
    static const char *const names[] = { "uniform", "huge", "pairs" };
    int stop = 0;
    for (int i = 0; i < lerp_weights(); i++)
        for (size_t g = 0; g < sizeof names / sizeof *names && !stop; g++) {
            test_case c = walk_blank(w, is(names[g]), 70);
            c.desc.param = lerp_weight(i);
            stop = walk_visit(w, c);
        }
    return stop;
}

static int visit_pairs(const walk *w)
{
    test_case c = walk_blank(w, is("pairs"), 80);
    c.desc.shape[0] = 4097;
    return walk_visit(w, c);
}

/* ---- policies -------------------------------------------------------------------------------- */

/* In the quick run the types take turns. */
static int visit_policies(const walk *w, const cot_policies *policies, uint64_t seed)
{
    int stop = 0;
    for (int g = 0; generator_at(g) && !stop; g++) {
        test_case c = walk_blank(w, g, seed);
        if (!w->range->full && (g + (int)seed) % 4 != (int)w->element - COT_F16)
            continue;
        chance luck = walk_chance(w, g, 0, seed);
        draw_shape(&luck, &c, 0);
        draw_options(&luck, &c);
        c.desc.policies = *policies;
        stop = walk_visit(w, c);
    }
    return stop;
}

static int visit_conventions(const walk *w)
{
    int stop = 0;
    for (int which = COT_CONVENTION_TORCH; which <= COT_CONVENTION_ACCURATE && !stop; which++) {
        cot_policies policies;
        cot_convention_policies((cot_convention)which, &policies);
        stop = visit_policies(w, &policies, 90 + (uint64_t)which);
    }
    return stop;
}

static int visit_single_policies(const walk *w)
{
    const cot_policy_info *policy;
    int stop = 0;
    for (size_t i = 0; (policy = cot_policy_at(i)); i++)
        for (uint8_t value = 1; w->op->policies >> i & 1 && policy->values[value] && !stop; value++) {
            cot_policies policies = { 0 };
            ((uint8_t *)&policies)[policy->offset] = value;
            stop = visit_policies(w, &policies, 100 + 10 * i + value);
        }
    return stop;
}

/* Policies are about ties, NaNs and zeros: numbers that have them, in turn. */
static int telling_generator(chance *luck, int turn)
{
    static const char *const names[] = { "ties",    "tiesall", "ties2", "nan",   "nanfirst", "nanlast",
                                         "zeroone", "zeroall", "pairs", "zeros", "uniform",  "integers" };
    return is(names[turn % 4 * 3 + (int)chance_below(luck, 3)]);
}

/* All policies at once, the op's own and foreign ones, and options that only other ops heed: what an op does not heed
 * changes nothing. */
static int visit_bundles(const walk *w)
{
    int stop = 0;
    for (int i = 0; i < (w->range->full ? 48 : 24) && !stop; i++) {
        test_case c = walk_blank(w, 0, 300 + (uint64_t)i);
        chance luck = walk_chance(w, i, 0, 300);
        c.generator = telling_generator(&luck, i);
        draw_shape(&luck, &c, 0);
        draw_options(&luck, &c);
        draw_foreign_options(&luck, &c);
        draw_policies(&luck, &c.desc.policies);
        stop = walk_visit(w, c);
    }
    return stop;
}

/* Long products that stay in range: literally, and by the products of the others. */
static int visit_products(const walk *w)
{
    static const int32_t extents[] = { 33, 1025, 1057, 2100, 4097 };
    int stop = 0;
    for (size_t e = 0; e < sizeof extents / sizeof *extents; e++)
        for (int zeros = COT_ZEROS_LITERAL; zeros <= COT_ZEROS_EXACT && !stop; zeros++) {
            test_case c = walk_blank(w, is("near1"), 480);
            chance luck = walk_chance(w, extents[e], zeros, 480);
            c.desc.shape[0] = extents[e];
            c.desc.policies.zeros = (uint8_t)zeros;
            draw_options(&luck, &c);
            stop = walk_visit(w, c);
        }
    return stop;
}

static int visit_powers(const walk *w)
{
    test_case c = walk_blank(w, is("powers"), 490);
    c.desc.shape[0] = 1031;
    return walk_visit(w, c);
}

/* ---- calls that are refused ------------------------------------------------------------------ */

enum { REFUSALS_MOST = 256 };

/* Every refusal and operand of an op, in the order in which they are found (VALID-ORDER). */
static int list_refusals(const cot_op_info *op, case_refusal list[REFUSALS_MOST])
{
    int count = 0;
    for (int kind = REFUSAL_DESC; kind < REFUSAL_KINDS; kind++)
        for (int o = COT_NO_OPERAND; o < OPERANDS; o++)
            for (int row = 0; refusal_at(row) && count < REFUSALS_MOST; row++)
                if ((int)refusal_at(row)->kind == kind && refusal_is_of(refusal_at(row), op, (cot_operand)o))
                    list[count++] = (case_refusal){ row + 1, (cot_operand)o };
    return count;
}

static int visit_refusal(const walk *w, case_refusal first, case_refusal second, int32_t rows, int32_t columns)
{
    test_case c = walk_blank(w, 0, 1);
    c.desc.rank = 2;
    c.desc.axis = cot_has_axis(w->op);
    c.desc.shape[0] = rows;
    c.desc.shape[1] = columns;
    c.bad[0] = first;
    c.bad[1] = second;
    return refusal_fits(&c) ? walk_visit(w, c) : 0;
}

/* A refusal alone; with one that is found later; and where there is no cell. In the quick run the types take turns. */
static int visit_refusals(const walk *w)
{
    case_refusal list[REFUSALS_MOST];
    const case_refusal none = { 0, COT_NO_OPERAND };
    int count = list_refusals(w->op, list), stop = 0;
    for (int i = 0; i < count && !stop; i++) {
        chance luck = chance_of(&(cot_desc){ .op = w->op->op }, i, 0, 200);
        if (!w->range->full && i % 4 != (int)w->element - COT_F16)
            continue;
        stop = visit_refusal(w, list[i], none, 4, 6);
        for (int third = 0, later = count - i - 1; third < 3 && later >= 3 && !stop; third++) {
            if (!w->range->full && third != i % 3)
                continue;
            int other = i + 1 + third * (later / 3) + (int)chance_below(&luck, (unsigned)later / 3);
            stop = visit_refusal(w, list[i], list[other], 4, 6);
        }
        if (!stop && list[i].operand)
            stop = visit_refusal(w, list[i], none, 0, 6);
        if (!stop && list[i].operand)
            stop = visit_refusal(w, list[i], none, 4, 0);
    }
    return stop;
}

/* ---- all of it ------------------------------------------------------------------------------- */

static int is_power(const cot_op_info *op) { return op->points == COT_POINTS_POSITIVE_A; }
static int pairs_up(const cot_op_info *op) { return !cot_has_axis(op); }

static const struct {
    int (*visit)(const walk *w);
    int (*applies)(const cot_op_info *op); /* NULL: to every op */
    // clang-format off
} lists[] = {
    { sweep, NULL },
    { visit_extents, NULL },
    { visit_kinds, NULL },
    { visit_kinds_in_full, cot_has_axis },
    { visit_inner, NULL },
    { visit_high_ranks, NULL },
    { visit_long_sums, NULL },
    { visit_totals, pairs_up },
    { visit_alone, cot_has_axis },
    { visit_ranks, NULL },
    { visit_empty, NULL },
    { visit_endless, NULL },
    { visit_directions, heeds_reverse },
    { visit_corrections, heeds_correction },
    { visit_weights, heeds_param },
    { visit_pairs, pairs_up },
    { visit_conventions, NULL },
    { visit_single_policies, NULL },
    { visit_bundles, NULL },
    { visit_products, makes_products },
    { visit_powers, is_power },
    { visit_refusals, NULL },
};
// clang-format on

int range_has_op(const case_range *range, const cot_op_info *op)
{
    return (!range->op_glob || matches_one(range->op_glob, op->name))
           && (!range->families || matches_one(range->families, cot_family_name(op->family)));
}

int range_has_element(const case_range *range, cot_element element)
{
    return !range->elements || range->elements >> element & 1;
}

int cases_visit(const case_range *range, int (*visitor)(void *self, const test_case *c), void *self)
{
    walk w = { .range = range, .visit = visitor, .self = self };
    int stop = 0;
    for (size_t i = 0; (w.op = cot_op_at(i)); i++) {
        if (!range_has_op(range, w.op))
            continue;
        for (w.element = COT_F16; w.element <= COT_F64; w.element++)
            for (size_t l = 0; l < sizeof lists / sizeof *lists && !stop; l++)
                if (range_has_element(range, w.element) && (!lists[l].applies || lists[l].applies(w.op)))
                    stop = lists[l].visit(&w);
    }
    return stop;
}
