/* The reference in WebAssembly, with SIMD and without, under node: the bits of the native one in every op and type. A
 * part of the quick range; `cotangent check --backend wasm` runs all of it. Inputs: the cases' own seeds. */
#include "conformance/case/cases.h"
#include "conformance/describe/describe.h"
#include "court.h"
#include "conformance/case/problem.h"
#include "conformance/tap/tap.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum { EVERY = 9, MOST_CELLS = 2200 };

typedef struct sample {
    court seat;
    int seen, judged, failed, not_done;
    int64_t cells, bit_cells;
} sample;

static int judge_some(void *self, const test_case *c)
{
    sample *s = self;
    char id[CASE_ID_SIZE], why[WHY_SIZE];
    verdict v;
    cot_view gradient = cot_contiguous(c->desc.element, c->desc.rank, c->desc.shape, NULL);
    if (gradient.length > MOST_CELLS || s->seen++ % EVERY)
        return 0;
    cot_status status = judge_case(&s->seat, c, &v);
    s->judged++;
    s->not_done += status == COT_UNSUPPORTED;
    s->failed += v.failed != 0;
    s->cells += v.cells;
    s->bit_cells += v.bit_cells;
    case_print(c, id);
    describe_why(&v, why);
    if (v.failed)
        diag("%s: %s", id, why);
    return 0;
}

static void test_op(const court *seat, const char *name, const cot_op_info *op)
{
    for (int e = COT_F16; e <= COT_F64; e++) {
        sample s = { .seat = *seat };
        case_range range = { .op_glob = op->name, .elements = 1u << e };
        cases_visit(&range, judge_some, &s);
        ok(s.judged >= 8 && !s.failed && !s.not_done && s.bit_cells >= 100 && s.bit_cells == s.cells,
           "%s: %s %s: %d cases, %lld cells, all with the reference's bits", name, op->name,
           cot_element_name((cot_element)e), s.judged, (long long)s.bit_cells);
    }
}

static void test_backend(const char *builddir, const char *name, const char *device)
{
    char command[1024];
    court seat;
    cot_error error;
    const cot_op_info *op;
    snprintf(command, sizeof command, "process:exec node '%s/wasm/%s.js'", builddir, name);
    cot_status status = court_open(&seat, command, NULL, "ref", LEVEL_X, &error);
    ok(!status, "%s opens", name);
    if (status)
        diag("%s", error.message);
    is(status ? "" : cot_backend_about(seat.backend)->device, device, "%s: it says what it runs on", name);
    for (size_t i = 0; !status && (op = cot_op_at(i)); i++)
        test_op(&seat, name, op);
    if (!status)
        court_close(&seat);
}

int main(void)
{
    const char *builddir = getenv("builddir") ? getenv("builddir") : ".";
    char script[1024];
    snprintf(script, sizeof script, "%s/wasm/wasm.js", builddir);
    if (access(script, R_OK))
        plan(SKIP_ALL, "no emcc when this was configured");
    else if (system("node --version > /dev/null 2>&1"))
        plan(SKIP_ALL, "no node");
    else {
        plan(NO_PLAN);
        test_backend(builddir, "wasm", "WebAssembly, SIMD");
        test_backend(builddir, "wasm-nosimd", "WebAssembly");
    }
    judge_end();
    return done_testing();
}
