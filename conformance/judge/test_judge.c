/* Every level and every oracle can fail: backends that are the reference, broken in one way, and the verdict on each.
 */
#include "judge.h"
#include "oracle.h"
#include "conformance/tap/tap.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- broken backends ------------------------------------------------------------------------- */

typedef struct broken {
    cot_backend *reference;
    int runs;
    void (*spoil)(struct broken *b, const cot_desc *desc, const cot_args *args); /* after the reference has run */
    cot_status (*refuse)(const cot_desc *desc, const cot_args *args,
                         cot_error *error); /* instead of the core, or NULL */
} broken;

static void *cell_of(const cot_view *view, int64_t i) /* of a contiguous one */
{
    return (char *)view->data + (size_t)i * cot_element_size(view->element);
}

static const cot_view *output(const cot_args *args) { return args->dx ? args->dx : args->da; }

static int64_t cells_of(const cot_view *view) { return cot_cell_count(view->rank, view->shape); }

static void change_all(const cot_args *args, double (*how)(double value))
{
    const cot_view *out = output(args);
    for (int64_t i = 0; i < cells_of(out); i++) {
        void *cell = cell_of(out, cot_cell_offset(out, i));
        cot_cell_set(out->element, cell, how(cot_cell_get(out->element, cell)));
    }
}

static double no_nan(double v) { return isnan(v) ? 0 : v; }
static double plus_zero(double v) { return v == 0 ? 0.0 : v; }
static double larger(double v) { return v * (1 + 0x1p-9); }
static double twice(double v) { return 2 * v; }
static double next(double v) { return v == 0 ? v : (double)nextafterf((float)v, INFINITY); }
static double next_if_large(double v) { return fabs(v) > 0.01 ? next(v) : v; }

static void swallows_nan(broken *b, const cot_desc *d, const cot_args *a) { (void)b, (void)d, change_all(a, no_nan); }
static void loses_signs(broken *b, const cot_desc *d, const cot_args *a) { (void)b, (void)d, change_all(a, plus_zero); }
static void is_loose(broken *b, const cot_desc *d, const cot_args *a) { (void)b, (void)d, change_all(a, larger); }
static void is_twice(broken *b, const cot_desc *d, const cot_args *a) { (void)b, (void)d, change_all(a, twice); }
static void is_off(broken *b, const cot_desc *d, const cot_args *a) { (void)b, (void)d, change_all(a, next); }
static void is_off_where_large(broken *b, const cot_desc *d, const cot_args *a)
{
    (void)b, (void)d, change_all(a, next_if_large);
}

static int is_contiguous(const cot_view *view)
{
    int64_t next = 1;
    int contiguous = 1;
    for (int d = view->rank - 1; d >= 0; next *= view->shape[d--])
        contiguous &= view->shape[d] == 1 || view->strides[d] == next;
    return contiguous;
}

static void is_off_in_crowds(broken *b, const cot_desc *d, const cot_args *a)
{
    if (cells_of(output(a)) / d->shape[d->axis] >= 5)
        is_off(b, d, a);
}

static void is_off_where_strided(broken *b, const cot_desc *d, const cot_args *a)
{
    if (!is_contiguous(output(a)))
        is_off(b, d, a);
}

/* As an order of sums that is left to chance makes NaN of inf - inf. */
static void is_nan_by_chance(broken *b, const cot_desc *d, const cot_args *a)
{
    (void)d;
    if (b->runs % 5 == 2)
        cot_cell_set(output(a)->element, cell_of(output(a), 0), (double)NAN);
}

static void is_nan_somewhere(broken *b, const cot_desc *d, const cot_args *a)
{
    (void)b, (void)d, cot_cell_set(output(a)->element, cell_of(output(a), 3), (double)NAN);
}

static void is_noisy(broken *b, const cot_desc *d, const cot_args *a)
{
    if (b->runs % 2 == 0)
        is_off(b, d, a);
}

static void leaves_a_cell(broken *b, const cot_desc *d, const cot_args *a)
{
    const cot_view *out = output(a);
    (void)d;
    memset(cell_of(out, 0), b->runs % 2 ? 0xFF : 0x35, cot_element_size(out->element)); /* the judge's own fill */
}

static void writes_past_the_end(broken *b, const cot_desc *d, const cot_args *a)
{
    (void)b, (void)d, memset(cell_of(output(a), cells_of(output(a))), 0, 1);
}

static void writes_an_input(broken *b, const cot_desc *d, const cot_args *a)
{
    (void)b, (void)d, cot_cell_set(a->dy->element, cell_of(a->dy, 0), 0.125);
}

static void add_nothing_of(const cot_args *a, const cot_view *from, int64_t i)
{
    const cot_view *out = output(a);
    double strange = cot_cell_get(from->element, cell_of(from, i));
    if (isnan(strange))
        cot_cell_set(out->element, cell_of(out, 0), strange);
}

static void reads_past_the_end(broken *b, const cot_desc *d, const cot_args *a)
{
    (void)b, (void)d, add_nothing_of(a, a->dy, cells_of(a->dy));
}
static void reads_y(broken *b, const cot_desc *d, const cot_args *a) { (void)b, (void)d, add_nothing_of(a, a->y, 0); }

static void change_cell(const cot_view *out, int64_t i, double (*how)(double value))
{
    cot_cell_set(out->element, cell_of(out, i), how(cot_cell_get(out->element, cell_of(out, i))));
}

static void last_cell_is_twice(broken *b, const cot_desc *d, const cot_args *a)
{
    (void)b, (void)d, change_cell(output(a), cells_of(output(a)) - 1, twice);
}

static void ignores_strides(broken *b, const cot_desc *d, const cot_args *a)
{
    (void)b;
    if (a->dx->strides[d->rank - 1] != 1)
        change_cell(a->dx, 0, twice);
}

static void ignores_reverse(broken *b, const cot_desc *d, const cot_args *a)
{
    if (d->reverse)
        is_loose(b, d, a);
}

static void heeds_ties(broken *b, const cot_desc *d, const cot_args *a)
{
    if (d->policies.ties)
        is_loose(b, d, a);
}

static void is_loose_in_crowds(broken *b, const cot_desc *d, const cot_args *a)
{
    if (d->rank > 1)
        is_loose(b, d, a);
}

static cot_status says(cot_error *error, cot_status code, cot_operand operand, int64_t needed, int64_t got,
                       const char *message)
{
    *error = (cot_error){ .code = code, .operand = operand, .needed = needed, .got = got };
    strcpy(error->message, message);
    return code;
}

static cot_status looks_at_saves(const cot_desc *desc, const cot_args *args, cot_error *error)
{
    (void)desc;
    return args && args->x ? says(error, COT_INVALID_PROBLEM, COT_X, 0, 0, "x is not needed") : COT_OK;
}

static cot_status any_rank(const cot_desc *desc, const cot_args *args, cot_error *error)
{
    (void)args;
    return desc && desc->rank == 9 ? says(error, COT_INVALID_PROBLEM, COT_DESC, 8, 9, "rank") : COT_OK;
}

static cot_status another_operand(const cot_desc *desc, const cot_args *args, cot_error *error)
{
    (void)desc;
    return args && !args->a ? says(error, COT_INVALID_PROBLEM, COT_B, 1, 0, "absent") : COT_OK;
}

static cot_status other_numbers(const cot_desc *desc, const cot_args *args, cot_error *error)
{
    (void)args;
    return desc && desc->rank == 9 ? says(error, COT_UNSUPPORTED, COT_DESC, 7, 9, "rank") : COT_OK;
}

static cot_status without_a_word(const cot_desc *desc, const cot_args *args, cot_error *error)
{
    (void)args;
    return desc && desc->rank == 9 ? says(error, COT_UNSUPPORTED, COT_DESC, 8, 9, "") : COT_OK;
}

static cot_status writes_first(const cot_desc *desc, const cot_args *args, cot_error *error)
{
    (void)desc;
    if (!args || args->a)
        return COT_OK;
    memset(args->da->data, 0, 1);
    return says(error, COT_INVALID_PROBLEM, COT_A, 1, 0, "a is absent");
}

/* ---- the table behind them ------------------------------------------------------------------- */

static cot_status capabilities(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    cot_plan *plan;
    cot_status status = cot_select(((broken *)self)->reference, desc, NULL, &plan, error);
    if (!status)
        *sku = *cot_plan_sku(plan);
    cot_plan_free(plan);
    return status;
}

static cot_status run(void *self, cot_stream stream, void *workspace, size_t bytes, const cot_desc *desc,
                      const cot_args *args, cot_error *error)
{
    broken *b = self;
    cot_plan *plan;
    (void)stream;
    cot_status status = cot_select(b->reference, desc, NULL, &plan, error);
    if (!status)
        status = cot_run(plan, NULL, workspace, bytes, args, error);
    cot_plan_free(plan);
    b->runs++;
    if (!status && b->spoil)
        b->spoil(b, desc, args);
    return status;
}

static cot_status validate(void *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    return ((broken *)self)->refuse(desc, args, error);
}

static broken current;

static cot_status open_current(const char *options, void **self, cot_error *error)
{
    (void)options;
    *self = &current;
    return cot_backend_open("ref", NULL, &current.reference, error);
}

static void close_current(void *self) { cot_backend_close(((broken *)self)->reference); }

static const char *reason_name(const verdict *v) { return v->reason ? reason_at(v->reason)->name : "no reason"; }

/* ---- verdicts -------------------------------------------------------------------------------- */

typedef struct trial_of {
    const char *what, *id;
    void (*spoil)(broken *b, const cot_desc *desc, const cot_args *args);
    cot_status (*refuse)(const cot_desc *desc, const cot_args *args, cot_error *error);
    level at;
    const char *clause;
} trial_of;

static const trial_of trials[] = {
    { "a NaN that is swallowed", "prod/f32/5x37/1/contig/zeros/1", swallows_nan, NULL, LEVEL_E, "PROD-ZERO" },
    { "a sign of zero that is lost", "mul/f32/130/-/contig/zeros/1", loses_signs, NULL, LEVEL_E, "ARITH-ZERO" },
    { "a result outside its bound", "var/f32/5x37/1/contig/uniform/1", is_loose, NULL, LEVEL_B, "BOUND" },
    { "a NaN in the place of a number", "var/f32/5x37/1/contig/uniform/1", is_nan_somewhere, NULL, LEVEL_B,
      "ARITH-NAN" },
    { "the last cell of a line that is judged in parts", "mul/f32/140001/-/contig/uniform/1", last_cell_is_twice, NULL,
      LEVEL_B, NULL },
    { "the last line of many", "mul/f32/70x5/-/contig/uniform/1", last_cell_is_twice, NULL, LEVEL_B, NULL },
    { "a result within its bound, with other bits", "std/f32/5x37/1/contig/wide/1", is_off, NULL, LEVEL_X,
      "FOLD-ORDER" },
    { "results that change from run to run", "var/f32/5x37/1/contig/ties/1", is_noisy, NULL, LEVEL_D, "DETERMINISM" },
    { "bits that hang on the number of lines", "std/f32/5x37/1/contig/wide/1", is_off_in_crowds, NULL, LEVEL_I,
      "INVARIANCE-LINES" },
    { "bits that hang on the layout", "std/f32/5x37/1/contig/wide/1", is_off_where_strided, NULL, LEVEL_I,
      "INVARIANCE-LAYOUT" },
    { "a cell that nobody writes, where NaN is wanted", "norm2/f32/33/0/contig/nanall/2", leaves_a_cell, NULL, LEVEL_E,
      "LAYOUT-ONLY-CELLS" },
    { "a byte written past the end", "mul/f32/33/-/contig/uniform/1", writes_past_the_end, NULL, LEVEL_E,
      "LAYOUT-ONLY-CELLS" },
    { "an input that is changed", "mul/f32/33/-/contig/uniform/1", writes_an_input, NULL, LEVEL_E,
      "LAYOUT-ONLY-CELLS" },
    { "what lies past the end, read", "mul/f32/33/-/contig/uniform/1", reads_past_the_end, NULL, LEVEL_E,
      "LAYOUT-STRIDES" },
    { "a save that must not be read, read", "var/f32/5x37/1/contig/uniform/1", reads_y, NULL, LEVEL_E, "VAR-SAVE" },
    { "a save that is not needed, refused", "sum/f32/5x37/1/contig/uniform/1", NULL, looks_at_saves, LEVEL_E,
      "SAVE-IGNORED" },
    { "strides that are not heeded", "cumsum/f32/5x37/1/sliced/uniform/1", ignores_strides, NULL, LEVEL_B,
      "LAYOUT-STRIDES" },
    { "a direction that is not heeded", "cumsum/f32/5x37/1/contig/uniform/1,rev=1", ignores_reverse, NULL, LEVEL_B,
      "SCAN-REVERSE" },
    { "a policy that is heeded, and is another op's", "var/f32/5x37/1/contig/uniform/1,ties=split", heeds_ties, NULL,
      LEVEL_B, "POLICY-FOREIGN" },
    { "lines that are right alone", "var/f32/5x37/1/contig/uniform/1", is_loose_in_crowds, NULL, LEVEL_B,
      "EXTENT-ANY" },
    { "integers that are not exact, within the bound", "cumsum/f32/5x37/1/contig/integers/1", is_off, NULL, LEVEL_B,
      NULL },
    { "a result that does not scale, within the bound", "softmax/f32/5x37/1/contig/uniform/1", is_off_where_large, NULL,
      LEVEL_D, "ARITH-COMPUTE" },
    { "a wrong status", "mul/f32/4x6/-/contig/uniform/1,bad=rank_nine", NULL, any_rank, LEVEL_E, "VALID-RANK" },
    { "a wrong operand", "mul/f32/4x6/-/contig/uniform/1,bad=absent.a", NULL, another_operand, LEVEL_E,
      "ERROR-DETAIL" },
    { "wrong numbers in an error", "mul/f32/4x6/-/contig/uniform/1,bad=rank_nine", NULL, other_numbers, LEVEL_E,
      "ERROR-DETAIL" },
    { "an error without a message", "mul/f32/4x6/-/contig/uniform/1,bad=rank_nine", NULL, without_a_word, LEVEL_E,
      "ERROR-DETAIL" },
    { "a refused call that writes", "mul/f32/4x6/-/contig/uniform/1,bad=absent.a", NULL, writes_first, LEVEL_E,
      "VALID-PRESENCE" },
    { "a wrong order of checks", "mul/f32/4x6/-/contig/uniform/1,bad=absent.a+absent.b", NULL, another_operand, LEVEL_E,
      "VALID-ORDER" },
};

static cot_backend *open_broken(const trial_of *t)
{
    static cot_backend_api api;
    cot_backend *backend;
    api = (cot_backend_api){ .abi = COT_BACKEND_ABI,
                             .size = sizeof api,
                             .name = "broken",
                             .open = open_current,
                             .close = close_current,
                             .capabilities = capabilities,
                             .run = run,
                             .validate = t->refuse ? validate : NULL };
    current = (broken){ .spoil = t->spoil, .refuse = t->refuse };
    if (cot_backend_from(&api, NULL, &backend, NULL))
        BAIL_OUT("a backend cannot be made");
    return backend;
}

static void test_trial(const trial_of *t, cot_backend *reference)
{
    test_case c;
    char why[CASE_ID_SIZE] = "";
    verdict v;
    if (case_parse(t->id, &c, why))
        BAIL_OUT("%s: %s", t->id, why);
    court seat = { .backend = open_broken(t), .against = reference, .level = LEVEL_X };
    judge_case(&seat, &c, &v);
    if (!ok(v.failed && v.failed_at == t->at && (!t->clause || !strcmp(v.clause, t->clause)), "%s: level %s, %s",
            t->what, level_name(t->at), t->clause ? t->clause : "its op's clause"))
        diag("%s: failed %d at %s, clause %s: %s", t->id, v.failed, level_name(v.failed_at), v.clause, reason_name(&v));
    seat.level = t->at ? t->at - 1 : LEVEL_E;
    judge_case(&seat, &c, &v);
    if (t->at && !ok(!v.failed && v.reached == seat.level, "and level %s it reaches", level_name(seat.level)))
        diag("%s", reason_name(&v));
    cot_backend_close(seat.backend);
}

/* Terms whose squares underflow: a bound that is made of them would accuse everybody. */
static void test_small_terms(cot_backend *reference)
{
    static const char *const ids[] = { "cumprod/f64/1100/0/contig/uniform/1", "cumprod/f64/2100/0/contig/normal/1" };
    for (int i = 0; i < 2; i++) {
        test_case c;
        char why[CASE_ID_SIZE];
        verdict v;
        if (case_parse(ids[i], &c, why))
            BAIL_OUT("%s: %s", ids[i], why);
        judge_case(&(court){ .backend = reference, .level = LEVEL_B }, &c, &v);
        ok(!v.failed && v.worst > 0, "the reference keeps its bound where squares of terms underflow: %s, %.3g", ids[i],
           v.worst);
    }
}

static void test_correct(cot_backend *reference)
{
    static const trial_of correct = { .what = "correct" };
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++) {
        test_case c;
        char why[CASE_ID_SIZE];
        verdict v;
        case_parse(trials[i].id, &c, why);
        court seat = { .backend = open_broken(&correct), .against = reference, .level = LEVEL_X, .bare = 1 };
        judge_case(&seat, &c, &v);
        if (!ok(!v.failed && v.reached == LEVEL_X && v.statuses > 0, "nothing broken: %s", trials[i].id))
            diag("%s", reason_name(&v));
        cot_backend_close(seat.backend);
    }
}

/* The oracles alone, without truth. */
/* Integers are exact unless a policy says otherwise to which the op listens. */
static void test_exactness(void)
{
    static const struct {
        const char *id;
        int exact;
    } rows[] = {
        { "sum/f32/33/0/contig/integers/1", 1 }, { "sum/f32/33/0/contig/integers/1,conv=torch", 1 },
        { "max/f32/33/0/contig/integers/1", 1 }, { "max/f32/33/0/contig/integers/1,conv=torch", 0 },
        { "sum/f32/33/0/contig/uniform/1", 0 },  { "mean/f32/33/0/contig/integers/1", 0 },
    };
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        test_case c;
        char why[CASE_ID_SIZE];
        case_parse(rows[i].id, &c, why);
        cmp_ok(integers_are_exact(&c), "==", rows[i].exact, "%s: %s to the bit", rows[i].id,
               rows[i].exact ? "judged" : "not judged");
    }
}

static void test_oracle(const char *id, void (*spoil)(broken *b, const cot_desc *desc, const cot_args *args),
                        const char *clause)
{
    test_case c;
    char why[CASE_ID_SIZE];
    problem p;
    trial t;
    cot_error error;
    verdict v = { 0 };
    case_parse(id, &c, why);
    cot_backend *backend = open_broken(&(trial_of){ .spoil = spoil });
    if (problem_make(&p, &c) || trial_run(&t, backend, &p, first_fill, &error))
        BAIL_OUT("%s: %s", id, error.message);
    level from = clause && !strcmp(clause, "ARITH-COMPUTE") ? LEVEL_D : LEVEL_B; /* scaling compares two runs */
    judge_oracles(&(court){ .backend = backend, .level = LEVEL_D }, &t, &v);
    if (clause)
        is(v.failed && v.failed_at == from ? v.clause : "nothing", clause, "an oracle sees it: %s", id);
    else
        ok(!v.failed && v.oracle_cells > 0, "an oracle judges %lld cells of %s", (long long)v.oracle_cells, id);
    trial_free(&t);
    problem_free(&p);
    cot_backend_close(backend);
}

/* Options that must not matter, and do. */
static void test_twins(cot_backend *reference)
{
    test_case c;
    char why[CASE_ID_SIZE];
    verdict v;
    case_parse("var/f32/5x37/1/contig/wide/1", &c, why);
    court seat = { .backend = reference, .twins = { open_broken(&(trial_of){ .spoil = is_off }) }, .level = LEVEL_D };
    judge_case(&seat, &c, &v);
    ok(v.failed && v.failed_at == LEVEL_D && !strcmp(v.clause, "DETERMINISM"), "bits that hang on an option: level D");
    cot_backend_close(seat.twins[0]);
}

/* NaN that comes and goes has not come from beside the operands. */
static void test_chance(level upto)
{
    test_case c;
    char why[CASE_ID_SIZE];
    verdict v;
    case_parse("var/f32/5x37/1/contig/wide/1", &c, why);
    court seat = { .backend = open_broken(&(trial_of){ .spoil = is_nan_by_chance }), .level = upto };
    judge_case(&seat, &c, &v);
    if (upto < LEVEL_D)
        ok(!v.failed, "a NaN by chance in another run is no failure at level %s", level_name(upto));
    else
        ok(v.failed && v.failed_at == LEVEL_D && !strcmp(v.clause, "DETERMINISM"), "and DETERMINISM at level D");
    if (upto < LEVEL_D ? v.failed : !v.failed)
        diag("%s", reason_name(&v));
    cot_backend_close(seat.backend);
}

int main(void)
{
    cot_backend *reference;
    plan(NO_PLAN);
    if (cot_backend_open("ref", NULL, &reference, NULL))
        BAIL_OUT("there is no reference");
    for (size_t i = 0; i < sizeof trials / sizeof *trials; i++)
        test_trial(&trials[i], reference);
    test_small_terms(reference);
    test_correct(reference);
    test_oracle("cumsum/f32/33/0/contig/integers/1", NULL, NULL);
    test_oracle("cumsum/f32/33/0/contig/integers/1", last_cell_is_twice, "SCAN-REVERSE");
    test_oracle("cummax/f16/5x37/1/contig/integers/3,rev=1", NULL, NULL);
    test_oracle("cummax/f16/5x37/1/contig/integers/3,rev=1", last_cell_is_twice, "SCAN-REVERSE");
    test_oracle("softmax/f32/5x37/1/contig/integers/1", NULL, NULL);
    test_oracle("softmax/f32/5x37/1/contig/integers/1", last_cell_is_twice, "SOFTMAX");
    test_oracle("cumsum/f32/33/0/contig/integers/1", is_twice, "CUMSUM");
    test_oracle("cummin/f32/5x37/0/contig/integers/1,rev=1", is_twice, "CUMMAX");
    test_oracle("sum/f32/5x37/0/contig/integers/1", is_twice, "SUM");
    test_oracle("cumsum/f32/33/0/contig/integers/1,conv=torch", last_cell_is_twice, "SCAN-REVERSE");
    test_exactness();
    test_oracle("norm2/f32/5x37/0/contig/normal/1", NULL, NULL);
    test_oracle("norm2/f32/5x37/0/contig/normal/1", is_off_where_large, "ARITH-COMPUTE");
    test_twins(reference);
    test_chance(LEVEL_E);
    test_chance(LEVEL_B);
    test_chance(LEVEL_D);
    cot_backend_close(reference);
    judge_end();
    return done_testing();
}
