/* The hunt for counterexamples to the bounds: for every op it climbs from random lines to such on which a right
 * evaluation errs by more of its bound: other orders of the sum, fused or not, with reciprocals, running means and
 * functions that are 2 ULP off. None may come above 1 (doc/bounds.md). `make hunt` hunts longer, and writes the table
 * that this prints to doc/hunt.txt.
 *
 *   test_hunt [--steps N] */
#include "conformance/case/operand.h"
#include "conformance/case/philox.h"
#include "conformance/judge/judge_views.h"
#include "conformance/port/backends.h"
#include "conformance/tap/tap.h"
#include "core/formula/spec.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Cells of a line, and of one that is longer than a tile. Those are tried where an op has terms to add or to multiply,
 * from one start each, and in fewer steps. */
enum { SHORT = 96, LONG = 2 * COT_TILE + COT_SEGMENT + 1, STARTS = 4, FEWER = 4 };

/* Who evaluates, and what it claims: the order of its sums, and for the spec's own no further roundings. */
typedef struct hunter {
    const char *backend;
    cot_order claim;
    cot_convention convention;
} hunter;

static const hunter hunters[] = {
    { "ref", COT_ORDER_FOLD, COT_CONVENTION_SPEC },
    { "ref", COT_ORDER_FOLD, COT_CONVENTION_ACCURATE },
    { "innocent:pairwise", COT_ORDER_PAIRWISE, COT_CONVENTION_SPEC },
    { "innocent:sequential", COT_ORDER_ANOTHER, COT_CONVENTION_SPEC },
    { "innocent:backward", COT_ORDER_ANOTHER, COT_CONVENTION_SPEC },
    { "innocent:shuffled", COT_ORDER_ANOTHER, COT_CONVENTION_SPEC },
    { "innocent:random_each", COT_ORDER_ANOTHER, COT_CONVENTION_SPEC },
    { "innocent:fused", COT_ORDER_ANOTHER, COT_CONVENTION_SPEC },
    { "innocent:gpu", COT_ORDER_ANOTHER, COT_CONVENTION_SPEC },
    { "innocent:compensated", COT_ORDER_ANOTHER, COT_CONVENTION_SPEC },
    { "innocent:welford", COT_ORDER_ANOTHER, COT_CONVENTION_SPEC },
    { "innocent:hoisted_reciprocal", COT_ORDER_ANOTHER, COT_CONVENTION_SPEC },
    { "innocent:quotients_reciprocal", COT_ORDER_ANOTHER, COT_CONVENTION_SPEC },
    { "innocent:hillis_steele", COT_ORDER_ANOTHER, COT_CONVENTION_SPEC },
    { "innocent:anchors_4", COT_ORDER_ANOTHER, COT_CONVENTION_SPEC },
};
enum { HUNTERS = sizeof hunters / sizeof *hunters };

/* ---- luck ------------------------------------------------------------------------------------ */

static uint64_t drawn;

static uint32_t below(uint32_t bound) { return philox_at(7, 0, drawn++).word[0] % bound; }

/* Of ordinary size, now and then far from it, as far as its type goes, or one of a few. */
static double fresh_number(cot_element element)
{
    const uint32_t far = element == COT_F16 ? 8 : 20;
    double fraction = 1 + below(1 << 23) * 0x1p-23 + below(1 << 29) * 0x1p-52, sign = below(2) ? 1 : -1;
    int exponent = below(4) ? (int)below(5) - 2 : (int)below(2 * far + 1) - (int)far;
    return sign * (below(6) ? fraction : 1) * ldexp(1, exponent);
}

/* ---- a line ---------------------------------------------------------------------------------- */

typedef struct line {
    cot_desc desc;
    int forward; /* y is what the forward operation gives, and not just any number */
    cot_view views[OPERANDS];
} line;

static int64_t cells_of(const line *l, cot_operand o)
{
    return l->views[o].rank ? cot_cell_count(l->views[o].rank, l->views[o].shape) : 0;
}

static void *cell_of(const line *l, cot_operand o, int64_t i)
{
    return (char *)l->views[o].data + (size_t)i * cot_element_size(l->desc.element);
}

/* Numbers that differ, or one: the errors of a sum of equal terms add up. */
static void line_fill(line *l, cot_operand o)
{
    int alike = below(3) == 0;
    double number = fresh_number(l->desc.element);
    for (int64_t i = 0; i < cells_of(l, o); i++)
        cot_cell_set(l->desc.element, cell_of(l, o, i), alike ? number : fresh_number(l->desc.element));
}

static void line_make(line *l, cot_op op, cot_element element, cot_convention convention, int32_t n)
{
    *l = (line){ .desc = { COT_SIZED(cot_desc), .op = op, .element = element, .rank = 1, .shape = { n },
                           .correction = (int32_t)below(2), .param = 0.3, .reverse = (int32_t)below(2) } };
    cot_convention_policies(convention, &l->desc.policies);
    for (int o = COT_DY; o < OPERANDS; o++)
        if ((cot_operand_used(cot_op_get(op), (cot_operand)o) || o == COT_X)
            && operand_make(&l->desc, (cot_operand)o, &l->views[o]))
            BAIL_OUT("out of memory");
    for (int o = COT_DY; o < COT_DX; o++)
        line_fill(l, (cot_operand)o);
}

static void line_free(line *l)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        free(l->views[o].data);
}

static void line_copy(line *to, const line *from)
{
    for (int o = COT_DY; o < COT_DX; o++)
        if (from->views[o].rank)
            memcpy(to->views[o].data, from->views[o].data,
                   (size_t)cells_of(from, (cot_operand)o) * cot_element_size(from->desc.element));
}

/* Another number, its neighbour, its like, its opposite, its double: in one cell or in many. */
static double changed(const line *l, cot_operand o, int64_t i, uint32_t how)
{
    static const double unit[] = { [COT_F16] = 0x1p-10, [COT_BF16] = 0x1p-7, [COT_F32] = 0x1p-23, [COT_F64] = 0x1p-52 };
    double old = cot_cell_get(l->desc.element, cell_of(l, o, i)), one = fabs(old) * unit[l->desc.element];
    double step = below(2) ? one : -one;
    double other = cot_cell_get(l->desc.element, cell_of(l, o, (int64_t)below((uint32_t)cells_of(l, o))));
    const double to[] = {
        fresh_number(l->desc.element), old + step, old + 8 * step, other, -other, -old, 2 * old, old / 2
    };
    return to[how];
}

static void line_change(line *l)
{
    cot_operand o;
    do
        o = (cot_operand)(COT_DY + (int)below(COT_DX - COT_DY));
    while (!cells_of(l, o));
    uint32_t how = below(8), many = below(3) ? 1 : 1 + below((uint32_t)cells_of(l, o));
    int64_t first = (int64_t)below((uint32_t)cells_of(l, o));
    for (uint32_t k = 0; k < many; k++) {
        int64_t i = (first + k) % cells_of(l, o);
        cot_cell_set(l->desc.element, cell_of(l, o, i), changed(l, o, i, how));
    }
}

/* ---- evaluations ----------------------------------------------------------------------------- */

static int has_bounds(const verdict *v) { return v->cells > v->edge_cells + v->open_cells + v->unjudged_cells; }

/* The error over the bound; negative where nothing was judged by one. */
static double ratio_of(cot_backend *backend, cot_order claim, const line *l)
{
    cot_args args;
    cot_plan *plan;
    verdict v;
    double ratio = -1;
    point_args(&args, l->views);
    if (l->forward)
        cot_forward(&l->desc, &args, NULL);
    if (cot_select(backend, &l->desc, NULL, &plan, NULL))
        return ratio;
    if (!cot_run(plan, NULL, NULL, 0, &args, NULL) && !judge_claimed(&l->desc, l->views, claim, &v))
        ratio = v.failed && v.reason != REASON_BOUND ? (double)INFINITY : has_bounds(&v) ? v.worst : -1;
    cot_plan_free(plan);
    return ratio;
}

typedef struct catch
{
    long tried, judged; /* evaluations; those of them that were judged by a bound */
    double worst;
}
catch;

static void climb(cot_backend *backend, const hunter *who, const line *start, long steps, catch *c)
{
    line best = *start, next = *start;
    for (int o = COT_DY; o < OPERANDS; o++)
        if (best.views[o].rank && operand_make(&best.desc, (cot_operand)o, &next.views[o]))
            BAIL_OUT("out of memory");
    double height = ratio_of(backend, who->claim, &best);
    for (long i = 0; i < steps; i++) {
        line_copy(&next, &best);
        line_change(&next);
        double ratio = ratio_of(backend, who->claim, &next);
        c->tried++;
        c->judged += ratio >= 0;
        if (ratio >= height) {
            line_copy(&best, &next);
            height = ratio;
        }
    }
    c->worst = height > c->worst ? height : c->worst;
    line_free(&next);
}

static int has_terms(const cot_op_info *op) { return op->kind != COT_KIND_NONE || op->op == COT_PROD; }

/* Past 1,024 cells an innocent no longer sums a scan's cells each in halves, but one after the other. */
static int is_hunted_long(const hunter *who, const cot_op_info *op)
{
    return has_terms(op) && (who->claim != COT_ORDER_PAIRWISE || op->kind == COT_KIND_FOLD);
}

/* Every second line has its forward operation's y: but for that, no logcumsumexp has a bound, and no max a winner. */
static void climb_from(cot_backend *backend, const hunter *who, const cot_op_info *op, cot_element element, int start,
                       long steps, catch *c)
{
    line l;
    int32_t n = start == STARTS ? LONG - (int32_t)below(COT_TILE) : 1 + (int32_t)below(below(2) ? 8 : SHORT);
    line_make(&l, op->op, element, who->convention, n);
    l.forward = op->op == COT_LOGCUMSUMEXP || start % 2;
    climb(backend, who, &l, start == STARTS ? steps / FEWER : steps, c);
    line_free(&l);
}

/* Nothing is tried where the convention has no policy that the op heeds. */
static catch hunt_by(const hunter *who, const cot_op_info *op, cot_element element, long steps)
{
    catch c = { 0 };
    cot_backend *backend;
    cot_error error;
    cot_policies policies;
    cot_convention_policies(who->convention, &policies);
    if (who->convention != COT_CONVENTION_SPEC && cot_uses_spec_policies(op->op, &policies))
        return c;
    if (suite_backend_open_here(who->backend, NULL, &backend, &error))
        BAIL_OUT("%s: %s", who->backend, error.message);
    for (int start = 0; start < STARTS + is_hunted_long(who, op); start++)
        climb_from(backend, who, op, element, start, steps, &c);
    cot_backend_close(backend);
    return c;
}

/* ---- the table ------------------------------------------------------------------------------- */

static void print_legend(long steps)
{
    diag("The hunt for counterexamples (doc/bounds.md): %ld steps from %d starts, and %ld from one with a line of",
         steps, STARTS, steps / FEWER);
    diag("%d to %d cells where an op has terms to add; the worst error/bound of", LONG - COT_TILE + 1, LONG);
    for (int h = 0; h < HUNTERS; h++)
        diag("  %c %s%s, %s", 'a' + h, hunters[h].backend,
             hunters[h].convention == COT_CONVENTION_ACCURATE ? " under the convention accurate" : "",
             hunters[h].claim == COT_ORDER_ANOTHER ? "under the bound of any order"
                                                   : "under the bound of its own order");
    char heads[HUNTERS * 6 + 1];
    for (int h = 0; h < HUNTERS; h++)
        snprintf(heads + h * 6, 7, "%6c", 'a' + h);
    diag("%-12s %-4s %11s%s", "op", "type", "evaluations", heads);
}

static void hunt(const cot_op_info *op, cot_element element, long steps)
{
    char row[HUNTERS * 6 + 1];
    catch all = { 0 };
    int idle = 0;
    for (int h = 0; h < HUNTERS; h++) {
        catch c = hunt_by(&hunters[h], op, element, steps);
        all.tried += c.tried;
        idle += c.tried && !c.judged;
        all.worst = c.worst > all.worst ? c.worst : all.worst;
        c.tried ? snprintf(row + h * 6, 7, "%6.3f", c.worst) : snprintf(row + h * 6, 7, "%6s", "-");
    }
    ok(all.tried >= STARTS * steps && all.worst <= 1 && !idle, "%s %s: worst error/bound %.3f, %d without any",
       op->name, cot_element_name(element), all.worst, idle);
    diag("%-12s %-4s %11ld%s", op->name, cot_element_name(element), all.tried, row);
}

int main(int argc, char **argv)
{
    long steps = argc > 2 && !strcmp(argv[1], "--steps") ? atol(argv[2]) : 12;
    const cot_op_info *op;
    plan(NO_PLAN);
    print_legend(steps);
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        for (int e = COT_F16; e <= COT_F64; e++)
            hunt(op, (cot_element)e, steps);
    judge_end();
    return done_testing();
}
