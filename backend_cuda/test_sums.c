/* The ops with a sum on the software device: the reference's bits in every strategy, at the extents where strategies, tiles and
 * segments begin and end, in every kind of layout, with every checker on. */
#include "internal.h"
#include "softgpu/softgpu.h"
#include "tap.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct device_functions {
    void (*set_checks)(uint32_t);
    size_t (*report_count)(void);
    int (*get_report)(size_t, softgpuReport *);
    void (*clear_reports)(void);
    void (*set_seed)(uint64_t);
} device_functions;

static cot_backend *ref, *cuda;
static device_functions device;

/* ---- data --------------------------------------------------------------------------------------------------------- */

static uint64_t state;

static uint32_t draw(void)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (uint32_t)(state >> 33);
}

typedef enum values { PLAIN, TIES, RISING, SPECIAL, VALUES } values;
static const char *const value_names[] = { "plain", "ties", "rising", "special" };

static double value(values kind, int64_t i)
{
    static const double special[] = { 0.0, -0.0, __builtin_inf(), -__builtin_inf(), __builtin_nan(""), 1e-42, 65504.0, -3.0 };
    double plain = (double)draw() / 0x1p30 - 1;
    switch (kind) {
    case TIES: return (double)(draw() % 5) - 2;
    case RISING: return (double)i * 0.25 + plain;
    case SPECIAL: return draw() % 64 ? plain * 20 : special[draw() % 8];
    default: return plain * 3;
    }
}

/* ---- a problem and its operands ----------------------------------------------------------------------------------- */

typedef enum layout { ROWS, COLUMNS, MIDDLE, STRIDED, BROADCAST, ALIASED, LAYOUTS } layout;
static const char *const layout_names[] = { "rows", "columns", "middle", "strided", "broadcast", "aliased" };

typedef struct problem {
    cot_desc desc;
    layout layout;
    values values;
    cot_view views[COT_DB + 1];
    char *memory[COT_DB + 1]; /* the host's */
    size_t bytes[COT_DB + 1];
} problem;

/* A view's strides: contiguous, with gaps, or an input's first dimension repeated. */
static cot_view view_of(const problem *p, cot_operand o)
{
    int32_t shape[COT_MAX_RANK];
    cot_operand_shape(&p->desc, o, shape);
    cot_view v = cot_contiguous(p->desc.element, p->desc.rank, shape, NULL);
    if (p->layout == STRIDED) {
        v.strides[2] = o == COT_DX ? 2 : 3;
        v.strides[1] = shape[2] * v.strides[2] + 5;
        v.strides[0] = shape[1] * v.strides[1] + 3;
    }
    if (p->layout == BROADCAST && o != COT_DX)
        v.strides[0] = 0;
    return v;
}

static void fill(problem *p, cot_operand o)
{
    size_t size = cot_element_size(p->desc.element);
    int64_t cells = 0;
    cot_span(&p->views[o], &cells);
    p->views[o].length = cells;
    p->bytes[o] = (size_t)cells * size;
    p->memory[o] = malloc(p->bytes[o]);
    for (int64_t i = 0; i < cells; i++)
        cot_cell_set(p->desc.element, p->memory[o] + (size_t)i * size, o == COT_DX ? 77 : value(p->values, i));
}

static void make_problem(problem *p)
{
    const cot_op_info *op = cot_op_get(p->desc.op);
    memset(p->memory, 0, sizeof p->memory);
    for (int o = COT_DY; o <= COT_DX; o++)
        if (cot_operand_used(op, (cot_operand)o)) {
            p->views[o] = view_of(p, (cot_operand)o);
            fill(p, (cot_operand)o);
        }
}

static void free_problem(problem *p)
{
    for (int o = COT_DY; o <= COT_DX; o++)
        free(p->memory[o]);
}

/* The operand whose place the result takes under ALIASED: one that has its shape. */
static cot_operand aliased(const problem *p)
{
    if (p->layout != ALIASED)
        return COT_NO_OPERAND;
    bool scan = cot_op_get(p->desc.op)->family == COT_SCAN;
    return cot_op_get(p->desc.op)->family == COT_REDUCE ? COT_X : scan && p->memory[COT_Y] ? COT_Y : COT_DY;
}

/* Runs it on a backend; what the result's memory holds afterwards, or NULL. */
static char *run_on(cot_backend *backend, const problem *p, cot_error *error)
{
    void *memory[COT_DX + 1] = { 0 }, *workspace = NULL;
    cot_view views[COT_DX + 1];
    cot_plan *plan = NULL;
    cot_operand alias = aliased(p);
    cot_args args = { COT_SIZED(cot_args) };
    const cot_view **const slots[] = { &args.dy, &args.x, &args.y, &args.a, &args.b, &args.dx };
    char *result = malloc(p->bytes[COT_DX]);
    cot_status status = cot_select(backend, &p->desc, NULL, &plan, error);
    for (int o = COT_DY; o <= COT_DX && !status; o++) {
        if (!p->memory[o])
            continue;
        views[o] = p->views[o];
        if (o != COT_DX || alias == COT_NO_OPERAND)
            status = cot_alloc(backend, p->bytes[o], &memory[o], error);
        views[o].data = o == COT_DX && alias != COT_NO_OPERAND ? memory[alias] : memory[o];
        if (!status && memory[o])
            status = cot_copy_in(backend, memory[o], p->memory[o], p->bytes[o], error);
        *slots[o - COT_DY] = &views[o];
    }
    size_t bytes = status ? 0 : cot_workspace_size(plan);
    if (!status && bytes)
        status = cot_alloc(backend, bytes, &workspace, error);
    if (!status)
        status = cot_run(plan, NULL, workspace, bytes, &args, error);
    if (!status)
        status = cot_synchronize(backend, NULL, error);
    if (!status)
        status = cot_copy_out(backend, result, views[COT_DX].data, p->bytes[COT_DX], error);
    for (int o = COT_DY; o <= COT_DX; o++)
        cot_free(backend, memory[o]);
    cot_free(backend, workspace);
    cot_plan_free(plan);
    if (!status)
        return result;
    free(result);
    return NULL;
}

/* ---- judging ------------------------------------------------------------------------------------------------------ */

/* Any NaN equals any NaN. -1: no difference. */
static int64_t first_difference(const problem *p, const char *a, const char *b)
{
    size_t size = cot_element_size(p->desc.element);
    for (size_t i = 0; i < p->bytes[COT_DX]; i += size) {
        double x = cot_cell_get(p->desc.element, a + i), y = cot_cell_get(p->desc.element, b + i);
        if (memcmp(a + i, b + i, size) && (x == x || y == y))
            return (int64_t)(i / size);
    }
    return -1;
}

static void say_reports(void)
{
    softgpuReport r;
    for (size_t i = 0; i < device.report_count() && i < 3 && !device.get_report(i, &r); i++)
        diag("%s", r.text);
    device.clear_reports();
}

static bool agrees(problem *p)
{
    cot_error error = { 0 };
    make_problem(p);
    char *expected = run_on(ref, p, &error), *got = expected ? run_on(cuda, p, &error) : NULL;
    int64_t at = got ? first_difference(p, expected, got) : 0;
    bool clean = device.report_count() == 0, same = got && at < 0;
    if (!got)
        diag("%s", error.message);
    else if (!same)
        diag("cell %lld: %.17g, expected %.17g", (long long)at,
             cot_cell_get(p->desc.element, got + (size_t)at * cot_element_size(p->desc.element)),
             cot_cell_get(p->desc.element, expected + (size_t)at * cot_element_size(p->desc.element)));
    if (!clean)
        say_reports();
    if (!same || !clean)
        diag("%s %s %s n %d lines %d reverse %d %s", cot_op_get(p->desc.op)->name, cot_element_name(p->desc.element),
             layout_names[p->layout], p->desc.shape[p->desc.axis], p->desc.shape[p->layout == COLUMNS], p->desc.reverse,
             value_names[p->values]);
    free(expected);
    free(got);
    free_problem(p);
    return same && clean;
}

/* ---- the cases ---------------------------------------------------------------------------------------------------- */

static void set_shape(problem *p, int32_t n, int32_t lines)
{
    cot_desc *d = &p->desc;
    int32_t half = lines > 1 ? lines / 2 : 1;
    switch (p->layout) {
    case COLUMNS: d->rank = 2, d->axis = 0, d->shape[0] = n, d->shape[1] = lines; break;
    case MIDDLE: d->rank = 3, d->axis = 1, d->shape[0] = 2, d->shape[1] = n, d->shape[2] = half; break;
    case STRIDED: d->rank = 3, d->axis = 2, d->shape[0] = 2, d->shape[1] = half, d->shape[2] = n; break;
    default: d->rank = 2, d->axis = 1, d->shape[0] = lines, d->shape[1] = n; break;
    }
}

/* All layouts and values in turn, so that every op, type and extent sees several of them. */
static void test_op(const cot_op_info *op, cot_element element)
{
    static const struct { int32_t n, lines; } sizes[] = {
        { 1, 70 }, { 2, 40 }, { 7, 33 }, { 31, 9 }, { 32, 17 }, { 33, 5 }, { 100, 6 }, { 1023, 3 }, { 1024, 4 }, { 1025, 3 }, { 4096, 2 }, { 4097, 2 }, { 9000, 3 },
    };
    int good = 0, turn = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        for (int l = 0; l < LAYOUTS; l++, turn++) {
            problem p = { .layout = (layout)l, .values = (values)(turn % VALUES) };
            p.desc = (cot_desc){ COT_SIZED(cot_desc), .op = op->op, .element = element, .reverse = turn / 3 % 2, .correction = turn % 3 };
            set_shape(&p, sizes[i].n, sizes[i].lines);
            device.set_seed((uint64_t)(turn % 3));
            good += agrees(&p);
        }
    cmp_ok(good, "==", turn, "%s %s: the reference's bits, and no report, in %d cases", op->name, cot_element_name(element), turn);
}

static void test_long(const cot_op_info *op)
{
    int good = 0;
    for (int v = 0; v < VALUES; v++) {
        problem p = { .layout = v % 2 ? COLUMNS : ROWS, .values = (values)v };
        p.desc = (cot_desc){ COT_SIZED(cot_desc), .op = op->op, .element = COT_F32, .reverse = v / 2 };
        set_shape(&p, 70000, 1 + v);
        good += agrees(&p);
    }
    cmp_ok(good, "==", VALUES, "%s: lines of 70,000 cells", op->name);
}

static bool find(void *library, const char *name, void *slot)
{
    void *found = dlsym(library, name);
    memcpy(slot, &found, sizeof found);
    return found != NULL;
}

int main(int argc, char **argv)
{
    cot_error error;
    const cot_op_info *op;
    if (cot_backend_open("cuda", argc > 2 ? argv[2] : "device=soft", &cuda, &error) || cot_backend_open("ref", NULL, &ref, &error)) {
        plan(SKIP_ALL, error.message);
        return done_testing();
    }
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    bool found = library && find(library, "softgpuSetChecks", &device.set_checks) && find(library, "softgpuReportCount", &device.report_count)
                 && find(library, "softgpuGetReport", &device.get_report) && find(library, "softgpuClearReports", &device.clear_reports)
                 && find(library, "softgpuSetSeed", &device.set_seed);
    plan(NO_PLAN);
    if (!ok(found, "the software device"))
        return done_testing();
    device.set_checks(SOFTGPU_ALL_CHECKS & ~(uint32_t)SOFTGPU_LEAKCHECK);
    for (size_t i = 0; (op = cot_op_at(i)); i++) {
        if (op->order == COT_ORDER_NONE || (argc > 1 && strcmp(argv[1], op->name) && strcmp(argv[1], "all")))
            continue;
        for (int e = COT_F16; e <= COT_F64; e++)
            test_op(op, (cot_element)e);
        test_long(op);
    }
    cot_backend_close(cuda);
    cot_backend_close(ref);
    return done_testing();
}
