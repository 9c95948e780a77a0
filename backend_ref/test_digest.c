/* The same bits: results of every op and element type, and under each convention of the ops that heed it, digested,
 * against backend_ref/digests.txt; on one thread and on two, with the baseline loops and the best, and from callers
 * that round upwards or flush subnormals; each with proof that it ran so. The file is the same for every compiler,
 * optimisation and processor. `test_digest --write` prints it anew, when the spec has changed the bits. With QUICK in
 * the environment every 17th row is tried. */
#include "conformance/case/digest.h"
#include "conformance/case/generate.h"
#include "conformance/case/operand.h"
#include "conformance/case/problem.h"
#include "conformance/tap/tap.h"
#include "test_witness.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- callers --------------------------------------------------------------------------------- */

typedef struct caller {
    const char *name, *options;
    int upwards, flushes;
    int threads, streams; /* what must be seen of it: so many threads; results past the caches */
    const char *device;   /* the loops that must run; NULL: the best that there are */
} caller;

// clang-format off
static const caller callers[] = {
    { "one thread", "threads=1", 0, 0, 1, 0, NULL },
    { "two threads", "threads=2", 0, 0, 2, 0, NULL },
    { "three threads, baseline loops", "threads=3,isa=baseline", 0, 0, 3, 0, "cpu, baseline" },
    { "AVX2 loops", "threads=2,isa=avx2", 0, 0, 2, 0, "cpu, AVX2" }, /* where the best are wider */
    { "results past the caches", "threads=2,stream=0", 0, 0, 2, 1, NULL },
    { "results past the caches, AVX2 loops", "threads=2,isa=avx2,stream=0", 0, 0, 2, 1, "cpu, AVX2" },
    { "results past the caches, baseline loops", "threads=1,isa=baseline,stream=0", 0, 0, 1, 1, "cpu, baseline" },
    { "a caller that rounds upwards", "threads=2", 1, 0, 2, 0, NULL },
    { "a caller that flushes subnormals", "threads=2", 0, 1, 2, 0, NULL },
};
// clang-format on
enum { CALLERS = sizeof callers / sizeof *callers };

static witness seen[CALLERS];
static int in_mode[CALLERS]; /* calls that were made in the caller's mode, as arithmetic shows */
static const char *devices[CALLERS];
static int calls; /* of each */

static void set_environment(const caller *c)
{
    fesetround(c->upwards ? FE_UPWARD : FE_TONEAREST);
#ifdef __SSE2__
    _mm_setcsr((_mm_getcsr() & ~0x8040u) | (c->flushes ? 0x8040u : 0));
#endif
}

static int environment_kept(const caller *c)
{
    int kept = fegetround() == (c->upwards ? FE_UPWARD : FE_TONEAREST);
#ifdef __SSE2__
    kept &= !!(_mm_getcsr() & 0x8040u) == c->flushes;
#endif
    return kept;
}

/* What arithmetic does, and not what a register says. Not inlined: it must not be done later, in another mode. */
__attribute__((noinline)) static int mode_works(const caller *c)
{
    volatile float one = 1, tiny = 0x1p-30f, least = 0x1p-126f, half = 0.5f;
    int rounds = one + tiny > one, keeps = least * half > 0;
#ifndef __SSE2__
    keeps = !c->flushes; /* no way to flush */
#endif
    return rounds == c->upwards && keeps == !c->flushes;
}

/* ---- digests --------------------------------------------------------------------------------- */

static const struct {
    int rank;
    int32_t extent[3];
} shapes[] = {
    { 1, { 33 } },         { 2, { 5, 37 } },    { 2, { 40, 7 } },    { 3, { 3, 32, 2 } },
    { 1, { 1025 } },       { 2, { 2, 33000 } }, { 2, { 257, 257 } }, { 2, { 70, 64 } },
    { 3, { 2, 10, 256 } }, { 2, { 300, 100 } }, { 1, { 200001 } },
};
enum { GENERATORS = 5 };
static const char *const generators[GENERATORS] = { "uniform", "nan", "inf", "zeros", "subnormal" };

/* Under the conventions: a correction of the whole extent in one of them, for POLICY-DIVISOR. */
static const struct {
    int shape, axis, correction;
} convention_shapes[] = { { 1, 0, 1 }, { 1, 1, 1 }, { 2, 0, 40 }, { 4, 0, 1 } };
static const char *const convention_generators[GENERATORS] = { "uniform", "nan", "inf", "zeros", "ties" };
static const char *const conventions[] = {
    [COT_CONVENTION_TORCH] = "torch", [COT_CONVENTION_JAX] = "jax", [COT_CONVENTION_ACCURATE] = "accurate"
};

static uint64_t mix(uint64_t digest, uint64_t cell)
{
    digest = (digest ^ cell) * 0x9e3779b97f4a7c15u;
    return digest ^ digest >> 32;
}

static uint64_t digest_tensor(const tensor *t, uint64_t digest)
{
    for (int64_t i = 0, n = t->memory ? cell_count(&t->view) : 0; i < n; i++)
        digest = mix(digest, cell_bits(cell_value(&t->view, i)));
    return digest;
}

static uint64_t digest_run(cot_backend *backend, size_t i, problem *p, const cot_desc *desc, uint64_t digest)
{
    const caller *who = &callers[i];
    cot_plan *plan = NULL;
    cot_error error;
    witness_watch(&seen[i], backend);
    if (cot_select(backend, desc, NULL, &plan, &error))
        BAIL_OUT("%s", error.message);
    for (int o = COT_DX; o <= COT_DB; o++) /* nothing of the caller before may stand in for a result */
        if (p->tensors[o].memory)
            memset(p->tensors[o].memory, 0xa5, p->tensors[o].bytes);
    devices[i] = cot_plan_sku(plan)->device;
    set_environment(who);
    in_mode[i] += mode_works(who);
    calls += i == 0;
    cot_status status = cot_run(plan, NULL, NULL, 0, &p->args, &error);
    if (!environment_kept(who))
        digest++;
    set_environment(&callers[0]);
    if (status)
        BAIL_OUT("%s", error.message);
    for (int o = COT_DX; o <= COT_DB; o++)
        digest = digest_tensor(&p->tensors[o], digest);
    cot_plan_free(plan);
    return digest;
}

/* Every caller's digest of a case: what the forward saved, and the results. */
static void digest_case(cot_backend **backends, size_t count, const test_case *c, uint64_t *digests)
{
    problem p;
    if (problem_make(&p, c))
        BAIL_OUT("out of memory");
    uint64_t y = digest_tensor(&p.tensors[COT_Y], 0);
    for (size_t i = 0; i < count; i++)
        if (backends[i])
            digests[i] = digest_run(backends[i], i, &p, &c->desc, mix(digests[i], y));
    problem_free(&p);
}

/* All layouts, generators and directions of one op, element type, shape and axis. */
static void digest_row(cot_backend **backends, size_t count, test_case c, const char *const names[GENERATORS],
                       uint64_t *digests)
{
    int64_t cells = cot_cell_count(c.desc.rank, c.desc.shape); /* large shapes are not drawn in every way */
    for (c.layout = LAYOUT_CONTIG; c.layout <= (cells > 4000 ? LAYOUT_TRANSPOSED : LAYOUT_SLICED); c.layout++)
        for (size_t g = 0; g < (cells > 10000 ? 1 : GENERATORS); g++) {
            c.generator = generator_find(names[g]);
            c.desc.reverse = (int)(g + (size_t)c.layout) & 1;
            digest_case(backends, count, &c, digests);
        }
}

/* ---- all of them ----------------------------------------------------------------------------- */

enum { MOST = 3000, SAMPLE = 17 };

typedef struct table {
    struct {
        char id[64];
        uint64_t digests[CALLERS];
    } row[MOST];
    int rows, step; /* every row, or one of as many */
    int absent[CALLERS];
} table;

static void name_row(const cot_desc *desc, cot_convention convention, char *id)
{
    int used =
        snprintf(id, 64, "%s/%s/%d", cot_op_get(desc->op)->name, cot_element_name(desc->element), desc->shape[0]);
    for (int d = 1; d < desc->rank; d++)
        used += snprintf(id + used, 64 - (size_t)used, "x%d", desc->shape[d]);
    used += snprintf(id + used, 64 - (size_t)used, "/%d", desc->axis);
    if (convention)
        snprintf(id + used, 64 - (size_t)used, ",conv=%s", conventions[convention]);
}

/* The case of one shape and axis, under a convention. */
static test_case make_case(const cot_op_info *op, cot_element element, size_t shape, int axis,
                           cot_convention convention)
{
    test_case c = { .desc = { COT_SIZED(cot_desc), .op = op->op, .element = element, .rank = shapes[shape].rank,
                              .axis = axis, .correction = 1, .param = 0.3 },
                    .seed = shape };
    memcpy(c.desc.shape, shapes[shape].extent, sizeof shapes[shape].extent);
    cot_convention_policies(convention, &c.desc.policies);
    return c;
}

/* Whether it is one of the rows that are tried. */
static int add_row(cot_backend **backends, size_t count, test_case c, cot_convention convention, table *t)
{
    if (t->rows == MOST)
        BAIL_OUT("more than %d rows", MOST);
    name_row(&c.desc, convention, t->row[t->rows].id);
    if (t->rows++ % t->step)
        return 0;
    digest_row(backends, count, c, convention ? convention_generators : generators, t->row[t->rows - 1].digests);
    return 1;
}

static void digest_op(cot_backend **backends, size_t count, const cot_op_info *op, cot_element element, table *t)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int axis = 0; axis < (cot_has_axis(op) ? shapes[s].rank : 1); axis++)
            add_row(backends, count, make_case(op, element, s, axis, COT_CONVENTION_SPEC), COT_CONVENTION_SPEC, t);
}

/* Ops that heed a convention, and those whose digests show it: of losers and quotient torch has values that do nothing
 * in maximum, minimum and hypot. */
static int heeding, told_apart;

/* Whether a row's digest is another than that of the same calls under the spec's own policies. The first caller makes
 * them, and they are not counted twice. */
static int shows_convention(cot_backend *backend, test_case c, uint64_t digest)
{
    uint64_t own = 0;
    int before = calls, modes = in_mode[0];
    c.desc.policies = (cot_policies){ 0 };
    digest_row(&backend, 1, c, convention_generators, &own);
    calls = before;
    in_mode[0] = modes;
    return own != digest;
}

/* Where the op heeds the convention. */
static void digest_convention(cot_backend **backends, size_t count, const cot_op_info *op, cot_convention convention,
                              table *t)
{
    cot_policies policies;
    int shown = 0;
    cot_convention_policies(convention, &policies);
    if (cot_uses_spec_policies(op->op, &policies))
        return;
    for (int e = COT_F16; e <= COT_F64; e++)
        for (size_t s = 0; s < sizeof convention_shapes / sizeof *convention_shapes; s++) {
            int axis = convention_shapes[s].axis;
            test_case c = make_case(op, (cot_element)e, (size_t)convention_shapes[s].shape, axis, convention);
            c.desc.correction = convention_shapes[s].correction;
            if ((!axis || cot_has_axis(op)) && add_row(backends, count, c, convention, t))
                shown |= shows_convention(backends[0], c, t->row[t->rows - 1].digests[0]);
        }
    heeding++;
    told_apart += shown;
    if (!shown)
        note("%s under %s: no row shows it", op->name, conventions[convention]);
}

/* NULL where the processor has no such instructions. */
static cot_backend *open_for(const caller *who)
{
    cot_backend *backend = NULL;
    cot_error error;
    cot_status status = cot_backend_open("ref", who->options, &backend, &error);
    if (status && status != COT_UNSUPPORTED)
        BAIL_OUT("%s", error.message);
    return backend;
}

/* By the first `count` callers. */
static void digest_all(size_t count, table *t)
{
    cot_backend *backends[CALLERS];
    const cot_op_info *op;
    for (size_t i = 0; i < count; i++)
        t->absent[i] = !(backends[i] = open_for(&callers[i]));
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        for (int e = COT_F16; e <= COT_F64; e++)
            digest_op(backends, count, op, (cot_element)e, t);
    for (int c = COT_CONVENTION_TORCH; c <= COT_CONVENTION_ACCURATE; c++)
        for (size_t i = 0; (op = cot_op_at(i)); i++)
            digest_convention(backends, count, op, (cot_convention)c, t);
    for (size_t i = 0; i < count; i++)
        cot_backend_close(backends[i]);
}

static void read_table(table *t)
{
    char path[1024];
    const char *root = getenv("srcdir");
    snprintf(path, sizeof path, "%s/backend_ref/digests.txt", root ? root : ".");
    FILE *file = fopen(path, "r");
    if (!file)
        BAIL_OUT("cannot read %s", path);
    unsigned long long digest;
    for (; t->rows < MOST && fscanf(file, "%63s %llx", t->row[t->rows].id, &digest) == 2; t->rows++)
        t->row[t->rows].digests[0] = digest;
    fclose(file);
}

/* That the caller's calls ran as it asked for. */
static void prove(size_t who)
{
    const caller *c = &callers[who];
    const witness *w = &seen[who];
    cmp_ok(in_mode[who], "==", calls, "%s: in its floating-point mode at each of %d calls", c->name, calls);
    cmp_ok(w->other_mode, "==", 0, "%s: the loops never were in it", c->name);
#ifdef _OPENMP
    cmp_ok(witness_threads(w), "==", c->threads, "%s: on %d threads", c->name, c->threads);
#endif
    ok(c->streams ? w->streamed && !w->kept : w->kept && !w->streamed, "%s: results go %s the caches", c->name,
       c->streams ? "past" : "through");
    is(devices[who], c->device ? c->device : devices[0], "%s: by those loops", c->name);
}

static void compare(size_t who, const table *want, const table *got)
{
    int wrong = 0;
    for (int i = 0; !got->absent[who] && i < got->rows && i < want->rows; i += got->step) {
        unsigned long long is = got->row[i].digests[who], should = want->row[i].digests[0];
        if ((strcmp(got->row[i].id, want->row[i].id) || is != should) && wrong++ < 5)
            diag("%s: %016llx, expected %s %016llx", got->row[i].id, is, want->row[i].id, should);
    }
    skip(got->absent[who], 1, "%s: this build or this processor has none", callers[who].name);
    prove(who);
    cmp_ok(wrong, "==", 0, "%s: the same bits", callers[who].name);
    end_skip;
}

int main(int argc, char **argv)
{
    static table got, want;
    got.step = getenv("QUICK") ? SAMPLE : 1;
    if (argc > 1 && !strcmp(argv[1], "--write")) {
        got.step = 1;
        digest_all(1, &got);
        for (int i = 0; i < got.rows; i++)
            printf("%s %016llx\n", got.row[i].id, (unsigned long long)got.row[i].digests[0]);
        return 0;
    }
    plan(NO_PLAN);
    read_table(&want);
    digest_all(CALLERS, &got);
    note("%s row of %d", got.step > 1 ? "every 17th" : "every", got.rows);
    cmp_ok(got.rows, "==", want.rows, "as many digests as in the file");
    cmp_ok(heeding, ">=", 3, "conventions are heeded by ops");
    if (got.step == 1)
        cmp_ok(told_apart, "==", heeding - 3, "and other digests show it, but for torch's maximum, minimum and hypot");
    for (size_t i = 0; i < CALLERS; i++)
        compare(i, &want, &got);
    return done_testing();
}
