/* Ops without a sum on the software device: the reference's bits, in every strategy and layout, with every checker on;
 * the same with the order of blocks and warps permuted, and with 64-bit indices. usage: test_bits [OPTIONS OF THE
 * BACKEND] */
#include "test_device.h"
#include "test_seed.h"
#include "test_trial.h"

#include <stdio.h>

static cot_backend *ref, *cuda;
static device_functions device;
static strategies ran;

static const struct {
    int32_t rank, shape[4];
} shapes[] = {
    { 1, { 1 } },        { 1, { 7 } },        { 1, { 2051 } },       { 2, { 3, 260 } },
    { 2, { 130, 12 } },  { 2, { 5, 1031 } },  { 2, { 70, 1 } },      { 2, { 2, 4096 } },
    { 3, { 5, 3, 64 } }, { 3, { 4, 33, 8 } }, { 4, { 2, 3, 1, 5 } }, { 4, { 2, 3, 4, 5 } },
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Cells compared, or -1. */
static int64_t agree(trial *t)
{
    char *expected[COT_DB + 1] = { 0 }, *got[COT_DB + 1] = { 0 };
    cot_error error = { .message = "out of memory" };
    int64_t cells = -1;
    bool done = trial_make(t) && !trial_run(t, ref, NULL, expected, &error) && !trial_run(t, cuda, NULL, got, &error);
    if (!done)
        diag("%s: %s", trial_name(t), error.message);
    else if (trial_differences(t, expected, got) == 0)
        cells = cot_cell_count(t->desc.rank, t->desc.shape);
    take_launches(&device, &ran);
    if (take_reports(&device)) {
        diag("%s", trial_name(t));
        cells = -1;
    }
    results_free(expected);
    results_free(got);
    trial_free(t);
    return cells;
}

/* Layouts and values take turns, so that every shape and axis sees several. */
/* The strategies that the shapes and layouts reach, with 32-bit indices and with 64-bit ones, and under policies. */
static const char *const binary[2][4] = { { "flat", "general32" }, { "flat", "general64" } };
static const char *const binary_under[2][4] = { { "flat", "general32", "under" }, { "flat", "general64", "under" } };
static const char *const reduce[2][8] = { { "rows", "columns", "packed", "rows1", "columns1", "general32" },
                                          { "rows", "columns", "rows1", "columns1", "general64" } };

static void test_op(const cot_op_info *op, cot_element element, bool wide)
{
    const char *const *wanted = cot_has_axis(op) ? reduce[wide] : op->policies ? binary_under[wide] : binary[wide];
    int64_t cells = 0;
    int turn = 0, bad = 0;
    ran.count = 0;
    for (int s = 0; s < SHAPES; s++)
        for (int axis = 0; axis < (cot_has_axis(op) ? shapes[s].rank : 1); axis++)
            for (int l = 0; l < TRIAL_LAYOUTS; l++, turn++) {
                trial t = { .layout = (trial_layout)l, .values = turn * 3 % 4 };
                t.desc = (cot_desc){ COT_SIZED(cot_desc),    .op = op->op, .element = element,
                                     .rank = shapes[s].rank, .axis = axis, .param = 0.3 };
                memcpy(t.desc.shape, shapes[s].shape, sizeof shapes[s].shape);
                if (!cot_has_axis(op)) /* other policies too, in turn */
                    cot_convention_policies((cot_convention)(turn / 2 % 4), &t.desc.policies);
                device.set_seed((uint64_t)(turn % 3));
                int64_t same = agree(&t);
                bad += same < 0;
                cells += same < 0 ? 0 : same;
            }
    ok(bad == 0 && cells > 0, "%s %s: %d runs, %lld cells", op->name, cot_element_name(element), turn,
       (long long)cells);
    ok(ran_exactly(&ran, wanted), "%s %s: every strategy has run, with %d-bit indices", op->name,
       cot_element_name(element), wide ? 64 : 32);
}

static bool open_with(const char *options, const char *more, cot_error *error)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s", options, more);
    return !cot_backend_open("cuda", text, &cuda, error);
}

static void test_all(const char *element, cot_element first, bool wide)
{
    const cot_op_info *op;
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        for (int e = first; e <= COT_F64 && op->kind == COT_KIND_NONE; e++)
            if (!element || !strcmp(element, cot_element_name((cot_element)e)))
                test_op(op, (cot_element)e, wide);
    cot_backend_close(cuda);
    cmp_ok((long long)take_reports(&device), "==", 0, "and nothing is left behind");
}

int main(int argc, char **argv)
{
    const char *options = argc > 1 ? argv[1] : "device=soft", *element = argc > 2 ? argv[2] : NULL;
    cot_error error;
    if (!open_backends(options, &ref, &cuda, &device))
        return done_testing();
    test_seed(&device);
    test_all(element, COT_F16, false);
    if (ok(open_with(options, ",index=64", &error), "64-bit indices"))
        test_all(element, COT_F64, true);
    cot_backend_close(ref);
    return done_testing();
}
