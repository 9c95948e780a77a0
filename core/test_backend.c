/* What is not a plain rejection: calls that must pass, workspaces, preferences, layouts, the registry and its
 * libraries. */
#include "builtin.h"
#include "test_call.h"

#include <math.h>

/* ---- calls that must pass -------------------------------------------------------------------- */

static void accepts(call *c, const char *name)
{
    cot_error error = make_call(c);
    if (!cmp_ok(error.code, "==", COT_OK, "accepted: %s", name))
        diag("%s", error.message);
}

static void test_accepted(void)
{
    static const cot_view garbage = { .element = (cot_element)99, .rank = -7, .data = (void *)3, .length = -1 };
    call c;
    for (size_t i = 0; i < cot_op_count(); i++) {
        good_call(&c, cot_op_at(i));
        for (int o = COT_X; o <= COT_DB; o++) /* a save that the op does not need is ignored, whatever it holds */
            if (!*slot(&c, (cot_operand)o)) {
                c.views[o] = garbage;
                *slot(&c, (cot_operand)o) = &c.views[o];
            }
        accepts(&c, cot_op_at(i)->name);
    }
    good_call(&c, cot_op_get(COT_LERP));
    c.desc.param = (double)NAN;
    accepts(&c, "a NaN parameter is data");
    c.desc.param = (double)INFINITY;
    accepts(&c, "so is an infinite one");
    good_call(&c, cot_op_get(COT_MUL));
    c.desc.axis = 99;
    accepts(&c, "an elementwise op has no axis to be wrong");
    good_call(&c, cot_op_get(COT_MUL));
    c.views[COT_DA].data = c.views[COT_A].data;
    c.views[COT_DB].data = c.views[COT_B].data;
    accepts(&c, "an output that is exactly an input");
    good_call(&c, cot_op_get(COT_MUL));
    c.views[COT_A].strides[0] = c.views[COT_A].strides[1] = 0;
    c.views[COT_A].length = 1;
    accepts(&c, "a broadcast input of one element");
    good_call(&c, cot_op_get(COT_CUMSUM));
    c.desc.size = sizeof(cot_desc) + sizeof c.newer_fields;
    accepts(&c, "a newer header's struct that sets nothing new");
}

static void test_empty(void)
{
    call c;
    good_call(&c, cot_op_get(COT_SOFTMAX));
    c.desc.shape[1] = c.good.shape[1] = 0;
    for (int o = COT_DY; o <= COT_DB; o++) {
        c.views[o].shape[1] = 0;
        c.views[o].length = 0;
        c.views[o].data = NULL;
    }
    accepts(&c, "empty tensors need no data");
    good_call(&c, cot_op_get(COT_MAX));
    c.desc.shape[1] = c.views[COT_X].shape[1] = c.views[COT_DX].shape[1] = 0;
    accepts(&c, "a reduced axis of extent 0");
    c.views[COT_DY].length = 3;
    cmp_ok(make_call(&c).code, "==", COT_BUFFER_TOO_SMALL, "whose dy is checked all the same");
}

/* ---- a backend with wishes ------------------------------------------------------------------- */

static size_t needs_100(void *self, const cot_desc *desc)
{
    (void)self, (void)desc;
    return 100;
}

static cot_status contiguous_only(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    (void)self, (void)desc, (void)error;
    sku->layouts = COT_LAYOUT_CONTIGUOUS;
    return COT_OK;
}

/* Says that it does another op, of no element type, and has no name. */
static cot_status says_nonsense(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    (void)self, (void)desc, (void)error;
    *sku = (cot_sku){ .op = (cot_op)0, .category = (cot_family)77, .layouts = COT_LAYOUT_CONTIGUOUS };
    return COT_OK;
}

static cot_status run_with(const cot_backend_api *api, call *c, void *workspace, size_t bytes, cot_error *error)
{
    cot_backend backend = { .api = api };
    cot_plan *plan = NULL;
    cot_status status = cot_select(&backend, &c->desc, NULL, &plan, error);
    if (!status)
        status = cot_run(plan, NULL, workspace, bytes, &c->args, error);
    cot_plan_free(plan);
    return status;
}

static void test_workspace(void)
{
    cot_backend_api api = accepting;
    api.workspace_size = needs_100;
    call c;
    cot_error error;
    _Alignas(16) char space[160];
    good_call(&c, cot_op_get(COT_SOFTMAX));
    cmp_ok(run_with(&api, &c, space, 99, &error), "==", COT_WORKSPACE_TOO_SMALL, "99 bytes of 100");
    ok(error.operand == COT_WORKSPACE && error.needed == 100 && error.got == 99, "and the sizes are named");
    cmp_ok(run_with(&api, &c, NULL, 100, &error), "==", COT_INVALID_PROBLEM, "no workspace at all");
    cmp_ok(run_with(&api, &c, space + 8, 100, &error), "==", COT_MISALIGNED, "a misaligned workspace");
    ok(error.needed == COT_WORKSPACE_ALIGNMENT && error.got == 8, "and by how much");
    cmp_ok(run_with(&api, &c, c.memory[COT_DX], 100, &error), "==", COT_INVALID_PROBLEM, "a workspace that is dx");
    ok(error.operand == COT_WORKSPACE && error.got == 96, "with the bytes that it shares");
    cmp_ok(run_with(&api, &c, space, 100, &error), "==", COT_OK, "a good one");
    c.views[COT_DY].length = 0;
    cmp_ok(run_with(&api, &c, NULL, 0, &error), "==", COT_BUFFER_TOO_SMALL,
           "operands are checked before the workspace");
    good_call(&c, cot_op_get(COT_SOFTMAX));
    c.desc.shape[0] = c.views[COT_DY].shape[0] = c.views[COT_Y].shape[0] = c.views[COT_DX].shape[0] = 0;
    cmp_ok(run_with(&api, &c, NULL, 0, &error), "==", COT_OK, "no cell, no workspace");
}

static void test_layouts(void)
{
    cot_backend_api api = accepting;
    api.capabilities = contiguous_only;
    call c;
    cot_error error;
    good_call(&c, cot_op_get(COT_MUL));
    cmp_ok(run_with(&api, &c, NULL, 0, &error), "==", COT_OK, "a contiguous-only backend takes contiguous operands");
    c.views[COT_B].strides[0] = 7, c.views[COT_B].length = 28;
    cmp_ok(run_with(&api, &c, NULL, 0, &error), "==", COT_UNSUPPORTED, "but none that is strided");
    ok(error.operand == COT_B && strstr(error.message, "strided"), "and says which");
    good_call(&c, cot_op_get(COT_MUL));
    c.views[COT_DB].data = c.views[COT_B].data;
    cmp_ok(run_with(&api, &c, NULL, 0, &error), "==", COT_UNSUPPORTED, "nor an aliased output");
    api.capabilities = says_nonsense;
    good_call(&c, cot_op_get(COT_MUL));
    cmp_ok(run_with(&api, &c, NULL, 0, &error), "==", COT_OK, "what a plan is for is not the backend's to say");
    c.views[COT_B].strides[0] = 7, c.views[COT_B].length = 28;
    cmp_ok(run_with(&api, &c, NULL, 0, &error), "==", COT_UNSUPPORTED, "but its layouts are");
}

static void test_preference(void)
{
    cot_backend_api api = accepting;
    api.workspace_size = needs_100;
    cot_backend backend = { .api = &api };
    cot_plan *plan = NULL;
    cot_error error;
    call c;
    good_call(&c, cot_op_get(COT_SOFTMAX));
    cot_preference small = { COT_SIZED(cot_preference), .max_workspace_bytes = 99 };
    cmp_ok(cot_select(&backend, &c.desc, &small, &plan, &error), "==", COT_UNSUPPORTED,
           "a plan that needs too much workspace");
    ok(!plan && error.operand == COT_PREFERENCE && error.needed == 100 && error.got == 99, "is not made, and says why");
    cot_preference strict = { COT_SIZED(cot_preference), .need_bit_identical = 1 };
    cmp_ok(cot_select(&backend, &c.desc, &strict, &plan, &error), "==", COT_UNSUPPORTED,
           "a promise that the backend does not make");
    cot_preference steady = { COT_SIZED(cot_preference), .need_deterministic = 1 };
    cmp_ok(cot_select(&backend, &c.desc, &steady, &plan, &error), "==", COT_UNSUPPORTED, "or another that it does not");
    ok(!plan && strstr(error.message, "is not deterministic"), "which is said: %s", error.message);
    cot_preference unsized = { .max_workspace_bytes = 99 };
    cmp_ok(cot_select(&backend, &c.desc, &unsized, &plan, &error), "==", COT_INVALID_PROBLEM,
           "a preference without its size");
    cmp_ok(cot_select(&backend, NULL, NULL, &plan, &error), "==", COT_INVALID_PROBLEM, "no descriptor");
    cmp_ok(cot_select(NULL, &c.desc, NULL, &plan, NULL), "==", COT_INVALID_PROBLEM, "no backend, and no error to fill");
    cmp_ok(cot_run(NULL, NULL, NULL, 0, &c.args, &error), "==", COT_INVALID_PROBLEM, "no plan");
}

/* A port with checks of its own is asked instead of the core. */
static cot_status refuse(void *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    (void)self, (void)desc;
    return args ? cot_fail(error, COT_UNSUPPORTED, COT_DY, 1, 2, "not today") : COT_OK;
}

static void test_own_validation(void)
{
    cot_backend_api api = accepting;
    api.validate = refuse;
    call c;
    cot_error error;
    good_call(&c, cot_op_get(COT_SUM));
    c.views[COT_DY].length = 0;
    cmp_ok(run_with(&api, &c, NULL, 0, &error), "==", COT_UNSUPPORTED, "a backend's own validation answers for it");
    is(error.message, "not today", "in its own words");
}

/* ---- what is not there ------------------------------------------------------------------------ */

static void test_null(void)
{
    cot_error error = { 0 };
    cot_backend *backend;
    void *memory = &error;
    char byte = 1;
    ok(!cot_backend_about(NULL) && !cot_plan_sku(NULL) && !cot_precision_guarantee(NULL) && !cot_workspace_size(NULL),
       "of no backend and no plan nothing is told");
    ok(cot_synchronize(NULL, NULL, &error) == COT_INVALID_PROBLEM && !strcmp(error.message, "backend is NULL"),
       "no backend: %s", error.message);
    ok(cot_alloc(NULL, 4, &memory, &error) == COT_INVALID_PROBLEM && !memory, "no memory from no backend");
    ok(cot_copy_in(NULL, &byte, &byte, 1, &error) == COT_INVALID_PROBLEM
           && cot_copy_out(NULL, &byte, &byte, 1, NULL) == COT_INVALID_PROBLEM,
       "no copies either");
    cot_free(NULL, NULL);
    if (!ok(!cot_backend_open("ref", NULL, &backend, &error), "a backend"))
        return;
    cmp_ok(cot_alloc(backend, 4, NULL, &error), "==", COT_INVALID_PROBLEM, "memory that goes nowhere: %s",
           error.message);
    ok(cot_copy_in(backend, NULL, &byte, 1, &error) == COT_INVALID_PROBLEM && !strcmp(error.message, "to is NULL"),
       "a copy to nowhere: %s", error.message);
    ok(cot_copy_out(backend, &byte, NULL, 1, &error) == COT_INVALID_PROBLEM && !strcmp(error.message, "from is NULL"),
       "a copy of nothing: %s", error.message);
    ok(!cot_copy_in(backend, NULL, NULL, 0, &error), "but no bytes need no memory");
    cot_free(backend, NULL);
    cot_backend_close(backend);
}

/* The forward of an axis of extent 0 is refused for its operands before anything looks into them. */
static void test_forward(void)
{
    cot_desc desc = { COT_SIZED(cot_desc), .op = COT_MAX, .element = COT_F32, .rank = 1, .shape = { 0 } };
    cot_view x = { .element = COT_F32, .rank = 1 }, y = { .element = COT_F32, .rank = 1000003, .shape = { 1 } };
    cot_args args = { COT_SIZED(cot_args), .x = &x };
    cot_error error = { 0 };
    ok(cot_forward(&desc, &args, &error) == COT_INVALID_PROBLEM && error.operand == COT_Y, "no y: %s", error.message);
    args.y = &y;
    ok(cot_forward(&desc, &args, &error) == COT_INVALID_PROBLEM && error.operand == COT_Y, "a wild rank: %s",
       error.message);
}

/* A last cell at 2^63 - 2 elements: one more does not fit the count of them. */
static void test_far_strides(void)
{
    call c;
    good_call(&c, cot_op_get(COT_MUL));
    c.views[COT_A].strides[0] = INT64_MAX / (TEST_ROWS - 1), c.views[COT_A].strides[1] = 0;
    cot_error error = make_call(&c);
    ok(error.code == COT_INVALID_PROBLEM && error.operand == COT_A, "strides beyond every memory: %s", error.message);
}

/* ---- the registry ---------------------------------------------------------------------------- */

static void refuses_to_open(const char *name, const char *says)
{
    cot_backend *backend = (cot_backend *)&name;
    cot_error error;
    cmp_ok(cot_backend_open(name, NULL, &backend, &error), "!=", COT_OK, "does not open: %s", name ? name : "NULL");
    if (!ok(!backend && strstr(error.message, says), "and says \"%s\"", says))
        diag("it said: %s", error.message);
}

static void test_registry(void)
{
    cot_backend *backend;
    cot_error error;
    is(cot_backend_builtin(0), "ref", "the reference is built in");
    cmp_ok(cot_backend_open("ref", NULL, &backend, &error), "==", COT_OK, "and opens by name");
    void *memory = NULL;
    char out[4] = "";
    ok(!cot_alloc(backend, 4, &memory, &error) && !cot_copy_in(backend, memory, "abc", 4, &error)
           && !cot_copy_out(backend, out, memory, 4, &error) && !cot_synchronize(backend, NULL, &error),
       "a backend on the host has memory too");
    is(out, "abc", "which holds what is put in");
    cot_free(backend, memory);
    cot_backend_close(backend);
    cot_backend_close(NULL);
    refuses_to_open(NULL, "NULL");
    refuses_to_open("nothing", "no backend \"nothing\"");
    refuses_to_open("./nothing.so", "cannot load ./nothing.so");
}

static void test_own_table(void)
{
    static const cot_backend_api torn = { .abi = COT_BACKEND_ABI, .size = sizeof torn, .name = "torn" };
    cot_backend *backend;
    cot_error error;
    cmp_ok(cot_backend_from(cot_backend_ref(), NULL, &backend, &error), "==", COT_OK,
           "a table of the caller's own opens");
    cot_backend_close(backend);
    cmp_ok(cot_backend_from(&torn, NULL, &backend, &error), "==", COT_INVALID_PROBLEM, "and is checked");
    ok(strstr(error.message, "lacks run") && !backend, "which is said: %s", error.message);
    cmp_ok(cot_backend_from(NULL, NULL, &backend, &error), "==", COT_INVALID_PROBLEM, "no table is no backend");
}

static void name_device(void *self, cot_backend_info *info)
{
    (void)self;
    info->device = "a simulated chip";
    info->arch = 90;
    info->software = 1;
}

static void test_about(void)
{
    cot_backend_api api = *cot_backend_ref();
    cot_backend *backend;
    cot_error error;
    api.describe = name_device;
    cot_backend_from(&api, NULL, &backend, &error);
    const cot_backend_info *info = cot_backend_about(backend);
    is(info->name, "ref", "a backend has its table's name");
    is(info->device, "a simulated chip", "and the device that it describes");
    ok(info->arch == 90 && info->software && !info->own_memory && !info->validates, "with all that is said of it");
    cot_backend_close(backend);
    api.size = offsetof(cot_backend_api, describe); /* what lies behind the table is not the table's */
    api.validate = refuse;
    cmp_ok(cot_backend_from(&api, NULL, &backend, &error), "==", COT_OK, "a table from before describe opens");
    info = cot_backend_about(backend);
    ok(!*info->device && !info->arch && !info->software && info->validates, "and what lies behind it is not called");
    cot_backend_close(backend);
    api.size = sizeof api + 8;
    cmp_ok(cot_backend_from(&api, NULL, &backend, &error), "==", COT_UNSUPPORTED,
           "a table from after this header does not");
    cot_backend_open("ref", NULL, &backend, &error);
    ok(*cot_backend_about(backend)->device && !cot_backend_about(backend)->software,
       "the reference says what it runs on");
    cot_backend_close(backend);
}

static void test_libraries(void)
{
    cot_backend *backend;
    cot_error error;
    call c;
    cmp_ok(cot_backend_open("./conformance/fixture/plugin_good.so", "answer=42", &backend, &error), "==", COT_OK,
           "a shared library opens by its path");
    good_call(&c, cot_op_get(COT_SUM));
    cot_plan *plan = NULL;
    ok(!cot_select(backend, &c.desc, NULL, &plan, &error) && !cot_run(plan, NULL, NULL, 0, &c.args, &error),
       "and runs a plan");
    is(cot_plan_sku(plan)->backend, "plugin", "under its own name");
    ok(c.memory[COT_DX][0] == 42, "with the options that it was given");
    is(cot_backend_about(backend)->name, "plugin", "and the backend is known by that name");
    cot_plan_free(plan);
    cot_backend_close(backend);
    refuses_to_open("./conformance/fixture/plugin_old.so", "ABI 0, this library speaks 1");
    refuses_to_open("./conformance/fixture/plugin_small.so", "table of 16 bytes");
    refuses_to_open("./conformance/fixture/plugin_empty.so", "does not export cot_backend_entry");
    refuses_to_open("./conformance/fixture/plugin_torn.so", "expected all or none");
}

int main(void)
{
    plan(NO_PLAN);
    test_accepted();
    test_empty();
    test_workspace();
    test_layouts();
    test_preference();
    test_own_validation();
    test_null();
    test_forward();
    test_far_strides();
    test_registry();
    test_own_table();
    test_about();
    test_libraries();
    return done_testing();
}
