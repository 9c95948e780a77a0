/* The same bits: results of every op and element type, digested, against conformance/digests.txt; on one thread and on two,
 * with the baseline loops and the best, and from callers that round upwards or flush subnormals. The file is the same for
 * every compiler, optimisation and processor. `test_digest --write` prints it anew, when the spec has changed the bits. */
#include "generate.h"
#include "operand.h"
#include "problem.h"
#include "tap.h"

#include <fenv.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#ifdef __SSE2__
#include <xmmintrin.h>
#endif

/* ---- callers ------------------------------------------------------------------------------------------------------ */

typedef struct caller {
    const char *name, *options;
    int upwards, flushes;
} caller;

static const caller callers[] = {
    { "one thread", "threads=1", 0, 0 },
    { "two threads", "threads=2", 0, 0 },
    { "three threads, baseline loops", "threads=3,isa=baseline", 0, 0 },
    { "results past the caches", "threads=2,stream=0", 0, 0 },
    { "results past the caches, baseline loops", "threads=1,isa=baseline,stream=0", 0, 0 },
    { "a caller that rounds upwards", "threads=2", 1, 0 },
    { "a caller that flushes subnormals", "threads=2", 0, 1 },
};

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

/* ---- digests ------------------------------------------------------------------------------------------------------ */

static const struct { int rank; int32_t extent[3]; } shapes[] = {
    { 1, { 33 } }, { 2, { 5, 37 } }, { 2, { 40, 7 } }, { 3, { 3, 32, 2 } }, { 1, { 1025 } }, { 2, { 2, 33000 } }, { 2, { 257, 257 } },
    { 2, { 70, 64 } }, { 3, { 2, 20, 256 } }, { 2, { 300, 100 } }, { 1, { 200001 } },
};
static const char *const generators[] = { "uniform", "nan", "inf", "zeros", "subnormal" };

static uint64_t mix(uint64_t digest, uint64_t cell)
{
    for (int i = 0; i < 8; i++)
        digest = (digest ^ (cell >> 8 * i & 0xff)) * 0x100000001b3u; /* FNV-1a */
    return digest;
}

/* Every NaN counts as one; everything else by its bits. */
static uint64_t digest_tensor(const tensor *t, uint64_t digest)
{
    for (int64_t i = 0, n = t->memory ? cell_count(&t->view) : 0; i < n; i++) {
        double value = cell_value(&t->view, i);
        uint64_t bits = 0x7ff8000000000000u;
        if (value == value)
            memcpy(&bits, &value, sizeof bits);
        digest = mix(digest, bits);
    }
    return digest;
}

static uint64_t digest_case(cot_backend *backend, const caller *who, const test_case *c, uint64_t digest)
{
    problem p;
    cot_plan *plan = NULL;
    cot_error error;
    if (problem_make(&p, c) || cot_select(backend, &c->desc, NULL, &plan, &error))
        BAIL_OUT("%s", error.message);
    set_environment(who);
    cot_status status = cot_run(plan, NULL, NULL, 0, &p.args, &error);
    if (!environment_kept(who))
        digest++;
    set_environment(&callers[0]);
    if (status)
        BAIL_OUT("%s", error.message);
    for (int o = COT_Y; o <= COT_DB; o++) /* y: what the forward saved */
        if (o == COT_Y || is_output((cot_operand)o))
            digest = digest_tensor(&p.tensors[o], digest);
    cot_plan_free(plan);
    problem_free(&p);
    return digest;
}

/* All layouts, generators and directions of one op, element type, shape and axis. */
static uint64_t digest_row(cot_backend *backend, const caller *who, test_case c)
{
    uint64_t digest = 0xcbf29ce484222325u;
    int large = c.desc.shape[0] * (c.desc.rank > 1 ? c.desc.shape[1] : 1) > 10000;
    for (c.layout = LAYOUT_CONTIG; c.layout <= (large ? LAYOUT_TRANSPOSED : LAYOUT_SLICED); c.layout++)
        for (size_t g = 0; g < (large ? 1 : sizeof generators / sizeof *generators); g++) {
            for (c.generator = 0; strcmp(generator_at(c.generator)->name, generators[g]);)
                c.generator++;
            c.desc.reverse = (int)g & 1;
            digest = digest_case(backend, who, &c, digest);
        }
    return digest;
}

/* ---- all of them -------------------------------------------------------------------------------------------------- */

typedef struct table {
    struct { char id[64]; uint64_t digest; } row[2000];
    int rows;
} table;

static void digest_op(cot_backend *backend, const caller *who, const cot_op_info *op, cot_element element, table *t)
{
    for (size_t s = 0; s < sizeof shapes / sizeof *shapes; s++)
        for (int axis = 0; axis < (has_axis(op) ? shapes[s].rank : 1); axis++) {
            test_case c = { .desc = { COT_SIZED(cot_desc), .op = op->op, .element = element, .rank = shapes[s].rank, .axis = axis,
                                      .correction = 1, .param = 0.3 }, .seed = s };
            memcpy(c.desc.shape, shapes[s].extent, sizeof shapes[s].extent);
            int used = snprintf(t->row[t->rows].id, 64, "%s/%s/%d", op->name, cot_element_name(element), c.desc.shape[0]);
            for (int d = 1; d < c.desc.rank; d++)
                used += snprintf(t->row[t->rows].id + used, 64 - (size_t)used, "x%d", c.desc.shape[d]);
            snprintf(t->row[t->rows].id + used, 64 - (size_t)used, "/%d", axis);
            t->row[t->rows++].digest = digest_row(backend, who, c);
        }
}

static void digest_all(const caller *who, table *t)
{
    cot_backend *backend;
    cot_error error;
    const cot_op_info *op;
    if (cot_backend_open("ref", who->options, &backend, &error))
        BAIL_OUT("%s", error.message);
    t->rows = 0;
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        for (int e = COT_F16; e <= COT_F64; e++)
            digest_op(backend, who, op, (cot_element)e, t);
    cot_backend_close(backend);
}

static void read_table(table *t)
{
    char path[1024];
    const char *root = getenv("srcdir");
    snprintf(path, sizeof path, "%s/conformance/digests.txt", root ? root : ".");
    FILE *file = fopen(path, "r");
    if (!file)
        BAIL_OUT("cannot read %s", path);
    unsigned long long digest;
    while (t->rows < 2000 && fscanf(file, "%63s %llx", t->row[t->rows].id, &digest) == 2)
        t->row[t->rows++].digest = digest;
    fclose(file);
}

static void compare(const caller *who, const table *want, const table *got)
{
    int wrong = 0;
    for (int i = 0; i < got->rows && i < want->rows; i++)
        if ((strcmp(got->row[i].id, want->row[i].id) || got->row[i].digest != want->row[i].digest) && wrong++ < 5)
            diag("%s: %016llx, expected %s %016llx", got->row[i].id, (unsigned long long)got->row[i].digest, want->row[i].id,
                 (unsigned long long)want->row[i].digest);
    cmp_ok(got->rows, "==", want->rows, "%s: as many digests as in the file", who->name);
    cmp_ok(wrong, "==", 0, "%s: the same bits", who->name);
}

int main(int argc, char **argv)
{
    static table got, want;
    if (argc > 1 && !strcmp(argv[1], "--write")) {
        digest_all(&callers[0], &got);
        for (int i = 0; i < got.rows; i++)
            printf("%s %016llx\n", got.row[i].id, (unsigned long long)got.row[i].digest);
        return 0;
    }
    plan(NO_PLAN);
    read_table(&want);
    for (size_t i = 0; i < sizeof callers / sizeof *callers; i++) {
        digest_all(&callers[i], &got);
        compare(&callers[i], &want, &got);
    }
    return done_testing();
}
