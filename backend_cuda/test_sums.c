/* Ops with a sum on the software device: the reference's bits at the extents where tiles, segments and strategies begin
 * and end, with every checker on and the order of blocks and warps permuted; reductions and scans under other policies
 * too. usage: test_sums [OPTIONS OF THE BACKEND [OP or "" [TYPE]]] */
#include "test_device.h"
#include "test_trial.h"

static cot_backend *ref, *cuda;
static device_functions device;
static strategies ran;

/* x rises or falls along memory: every cell of a line wins, or only one. */
static void make_slope(trial *t, int slope)
{
    size_t size = cot_element_size(t->desc.element), bytes = t->memory[COT_X] ? t->bytes[COT_X] : 0;
    for (size_t i = 0; i < bytes / size; i++)
        cot_cell_set(t->desc.element, t->memory[COT_X] + i * size, slope * (double)i / 64);
}

/* The neighbour that logcumsumexp reads across a tile's edge is y's. */
static bool make(trial *t, int slope)
{
    bool made = trial_make(t);
    if (made && t->layout == ALIASED && t->desc.op == COT_LOGCUMSUMEXP)
        t->alias = COT_Y;
    if (made && slope)
        make_slope(t, slope);
    return made;
}

static bool agrees(trial *t, int slope)
{
    char *expected[COT_DB + 1] = { 0 }, *got[COT_DB + 1] = { 0 };
    cot_error error = { .message = "out of memory" };
    bool done = make(t, slope) && !trial_run(t, ref, NULL, expected, &error) && !trial_run(t, cuda, NULL, got, &error);
    if (!done)
        diag("%s", error.message);
    bool same = done && trial_differences(t, expected, got) == 0, clean = take_reports(&device) == 0;
    take_launches(&device, &ran);
    if (!same || !clean)
        diag("%s reverse %d slope %d", trial_name(t), t->desc.reverse, slope);
    results_free(expected);
    results_free(got);
    trial_free(t);
    return same && clean;
}

/* Lines of n cells as rows, as columns, and in groups of columns. */
enum { SHAPES = 3 };

static void set_shape(trial *t, int shape, int32_t n, int32_t lines)
{
    const struct {
        int32_t rank, axis, shape[3];
    } shapes[SHAPES] = {
        { 2, 1, { lines, n, 0 } },
        { 2, 0, { n, lines, 0 } },
        { 3, 1, { 2, n, (lines + 1) / 2 } },
    };
    t->desc.rank = shapes[shape].rank;
    t->desc.axis = shapes[shape].axis;
    memcpy(t->desc.shape, shapes[shape].shape, sizeof shapes[shape].shape);
}

/* Layouts, values and directions take turns, so that every op, type and extent sees several of each. */
static trial turn_of(const cot_op_info *op, cot_element element, int turn)
{
    trial t = { .layout = (trial_layout)(turn % TRIAL_LAYOUTS), .values = turn * 3 % 4 };
    t.desc = (cot_desc){ COT_SIZED(cot_desc), .op = op->op, .element = element, .reverse = turn / 3 % 2,
                         .correction = turn % 3 };
    return t;
}

static int slope_of(int turn)
{
    static const int slopes[] = { 0, 1, 0, 0, -1 };
    return slopes[turn % 5];
}

/* The strategies of each kind of sum: `sizes` below reaches them all. */
static const char *const strategies_of[][9] = {
    [COT_KIND_FOLD] = { "columns", "short", "rows", "strided", "sums", "levels", "cells" },
    [COT_KIND_SCAN] = { "columns", "short", "rows", "look", "chain", "apply" },
    [COT_KIND_WINNER] = { "columns", "short", "rows", "best", "bests", "look", "chain", "apply" },
    [COT_KIND_RECURRENCE] = { "columns", "short", "rows", "look", "chain", "apply" },
};

static void test_op(const cot_op_info *op, cot_element element)
{
    // clang-format off
    static const struct { int32_t n, lines; } sizes[] = {
        { 1, 70 },   { 2, 40 },   { 7, 33 },   { 31, 9 },   { 32, 17 },  { 33, 5 },   { 100, 6 },
        { 1023, 3 }, { 1024, 4 }, { 1025, 3 }, { 2048, 2 }, { 4096, 2 }, { 4097, 2 }, { 9000, 3 },
    };
    // clang-format on
    int good = 0, turn = 0;
    ran.count = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int s = 0; s < SHAPES * 2; s++, turn++) {
            trial t = turn_of(op, element, turn);
            set_shape(&t, s % SHAPES, sizes[i].n, sizes[i].lines);
            device.set_seed((uint64_t)(turn % 3));
            good += agrees(&t, slope_of(turn));
        }
    cmp_ok(good, "==", turn, "%s %s: the reference's bits, and no report, in %d runs", op->name,
           cot_element_name(element), turn);
    ok(ran_exactly(&ran, strategies_of[op->kind]), "%s %s: every strategy has run", op->name,
       cot_element_name(element));
}

/* Several blocks a line, and more tiles than lanes. */
static void test_long(const cot_op_info *op)
{
    static const struct {
        int32_t n, lines, shape;
    } sizes[] = { { 70000, 1, 0 }, { 40000, 2, 1 } };
    int good = 0;
    for (int i = 0; i < 2; i++) {
        trial t = turn_of(op, COT_F32, 4 * i);
        set_shape(&t, sizes[i].shape, sizes[i].n, sizes[i].lines);
        good += agrees(&t, 0);
    }
    cmp_ok(good, "==", 2, "%s: long lines", op->name);
}

/* Reductions and scans under each value of each policy that they heed, and under it together with all others. */
static void test_policy(const cot_op_info *op, cot_element element, const cot_policy_info *policy)
{
    static const struct {
        int32_t n, lines;
    } sizes[] = { { 1, 40 }, { 33, 5 }, { 1030, 3 }, { 5000, 2 } };
    static const char *const lines[] = { "line", NULL }, *const moments[] = { "sums", "levels", "line", NULL };
    int good = 0, turn = 0;
    ran.count = 0;
    for (uint8_t v = 1; policy->values[v]; v++)
        for (int i = 0; i < 4; i++)
            for (int s = 0; s < SHAPES; s++, turn++) {
                trial t = turn_of(op, element, turn * 5);
                set_shape(&t, s, sizes[i].n, sizes[i].lines);
                t.desc.correction = turn % 2 ? sizes[i].n + turn % 3 - 1 : 1;
                if (turn % 4 == 3)
                    cot_convention_policies(COT_CONVENTION_TORCH, &t.desc.policies);
                ((uint8_t *)&t.desc.policies)[policy->offset] = v;
                good += agrees(&t, 0);
            }
    cmp_ok(good, "==", turn, "%s %s under other values of %s: %d runs", op->name, cot_element_name(element),
           policy->name, turn);
    ok(ran_exactly(&ran, op->kind == COT_KIND_FOLD ? moments : lines), "which run kernels of their own");
}

static void test_policies(const cot_op_info *op, cot_element element)
{
    const cot_policy_info *policy;
    for (size_t i = 0; (policy = cot_policy_at(i)) && cot_has_axis(op); i++)
        if (op->policies >> i & 1)
            test_policy(op, element, policy);
}

static bool is_asked_for(const char *asked, const char *name) { return !asked || !*asked || !strcmp(asked, name); }

static void test_all(const cot_op_info *op, const char *element)
{
    bool sums = op->kind != COT_KIND_NONE;
    for (int e = COT_F16; e <= COT_F64; e++) {
        if (!is_asked_for(element, cot_element_name((cot_element)e)))
            continue;
        if (sums)
            test_op(op, (cot_element)e);
        test_policies(op, (cot_element)e);
    }
    if (sums && is_asked_for(element, "f32"))
        test_long(op);
}

int main(int argc, char **argv)
{
    const char *options = argc > 1 ? argv[1] : "device=soft", *name = argc > 2 ? argv[2] : NULL,
               *element = argc > 3 ? argv[3] : NULL;
    const cot_op_info *op;
    if (!open_backends(options, &ref, &cuda, &device))
        return done_testing();
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        if (is_asked_for(name, op->name))
            test_all(op, element);
    cot_backend_close(cuda);
    cot_backend_close(ref);
    cmp_ok((long long)take_reports(&device), "==", 0, "and nothing is left behind");
    return done_testing();
}
