/* Ops without a sum on the software device: the reference's bits, in every strategy and layout, with every checker on; the
 * same with the order of blocks and warps permuted, and with 64-bit indices. usage: test_bits [OPTIONS OF THE BACKEND] */
#include "test_device.h"
#include "test_trial.h"

#include <stdio.h>

static cot_backend *ref, *cuda;
static device_functions device;

static const struct { int32_t rank, shape[4]; } shapes[] = {
    { 1, { 1 } }, { 1, { 7 } }, { 1, { 2051 } }, { 2, { 3, 260 } }, { 2, { 130, 12 } }, { 2, { 5, 1031 } }, { 2, { 70, 1 } },
    { 2, { 2, 4096 } }, { 3, { 5, 3, 64 } }, { 3, { 4, 33, 8 } }, { 4, { 2, 3, 1, 5 } },
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* Cells compared, or -1. */
static int64_t agree(trial *t)
{
    char *expected[COT_DB + 1] = { 0 }, *got[COT_DB + 1] = { 0 };
    cot_error error = { .message = "out of memory" };
    int64_t cells = -1;
    bool ran = trial_make(t) && !trial_run(t, ref, NULL, expected, &error) && !trial_run(t, cuda, NULL, got, &error);
    if (!ran)
        diag("%s: %s", trial_name(t), error.message);
    else if (trial_differences(t, expected, got) == 0)
        cells = cot_count(t->desc.rank, t->desc.shape);
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
static void test_op(const cot_op_info *op, cot_element element)
{
    int64_t cells = 0;
    int turn = 0, bad = 0;
    for (int s = 0; s < SHAPES; s++)
        for (int axis = 0; axis < (cot_elementwise(op->family) ? 1 : shapes[s].rank); axis++)
            for (int l = 0; l < TRIAL_LAYOUTS; l++, turn++) {
                trial t = { .layout = (trial_layout)l, .values = turn * 3 % 4 };
                t.desc = (cot_desc){ COT_SIZED(cot_desc), .op = op->op, .element = element, .rank = shapes[s].rank, .axis = axis, .param = 0.3 };
                memcpy(t.desc.shape, shapes[s].shape, sizeof shapes[s].shape);
                if (cot_elementwise(op->family)) /* other policies too, in turn */
                    cot_convention_policies((cot_convention)(turn / 2 % 3), &t.desc.policies);
                device.set_seed((uint64_t)(turn % 3));
                int64_t same = agree(&t);
                bad += same < 0;
                cells += same < 0 ? 0 : same;
            }
    ok(bad == 0 && cells > 0, "%s %s: %d runs, %lld cells", op->name, cot_element_name(element), turn, (long long)cells);
}

static bool open_with(const char *options, const char *more, cot_error *error)
{
    char text[512];
    snprintf(text, sizeof text, "%s%s", options, more);
    return !cot_backend_open("cuda", text, &cuda, error);
}

static void test_all(const char *element, cot_element first)
{
    const cot_op_info *op;
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        for (int e = first; e <= COT_F64 && op->order == COT_ORDER_NONE; e++)
            if (!element || !strcmp(element, cot_element_name((cot_element)e)))
                test_op(op, (cot_element)e);
    cot_backend_close(cuda);
    cmp_ok((long long)take_reports(&device), "==", 0, "and nothing is left behind");
}

int main(int argc, char **argv)
{
    const char *options = argc > 1 ? argv[1] : "device=soft", *element = argc > 2 ? argv[2] : NULL;
    cot_error error;
    if (cot_backend_open("ref", NULL, &ref, &error) || !open_with(options, "", &error)) {
        plan(SKIP_ALL, error.message);
        return done_testing();
    }
    plan(NO_PLAN);
    if (!ok(find_device(&device), "the software device is there"))
        return done_testing();
    device.set_checks(SOFTGPU_ALL_CHECKS);
    test_all(element, COT_F16);
    if (ok(open_with(options, ",index=64", &error), "64-bit indices"))
        test_all(element, COT_F64);
    cot_backend_close(ref);
    return done_testing();
}
