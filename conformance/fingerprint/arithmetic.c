/* Short lines whose results tell how they were computed. */
#include "arithmetic.h"
#include "asked.h"
#include "conformance/case/device_run.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- lines ----------------------------------------------------------------------------------- */

typedef struct line {
    cot_desc desc;
    cot_view view[OPERANDS];
    cot_error error;
} line;

/* Every cell is 0. */
static line line_make(const char *op, cot_element element, int lines, int n)
{
    const cot_op_info *info = cot_op_find(op);
    line l = { .desc = { COT_SIZED(cot_desc), .op = info->op, .element = element, .rank = 2, .shape = { lines, n },
                         .axis = cot_has_axis(info) } };
    for (int o = COT_DY; o < OPERANDS; o++)
        if (cot_operand_used(info, (cot_operand)o) && operand_make(&l.desc, (cot_operand)o, &l.view[o]))
            abort();
    return l;
}

static void line_free(line *l)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        free(l->view[o].data);
}

static void *cell(const line *l, cot_operand o, int64_t i)
{
    return (char *)l->view[o].data + (size_t)i * cot_element_size(l->desc.element);
}

static void set(line *l, cot_operand o, int64_t i, double number)
{
    if (l->view[o].rank)
        cot_cell_set(l->desc.element, cell(l, o, i), number);
}

static void fill(line *l, cot_operand o, double number)
{
    for (int64_t i = 0; i < l->view[o].length; i++)
        set(l, o, i, number);
}

static double get(const line *l, cot_operand o, int64_t i) { return cot_cell_get(l->desc.element, cell(l, o, i)); }

static int run(line *l, cot_backend *backend)
{
    return asked_under(backend, &l->desc, &l->error) || device_execute(backend, &l->desc, l->view, &l->error);
}

__attribute__((format(printf, 2, 3))) static void say(char text[FINDING_SIZE], const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(text, FINDING_SIZE, format, list);
    va_end(list);
}

/* ---- questions ------------------------------------------------------------------------------- */

typedef void question(cot_backend *backend, cot_element element, finding *f);

/* Weights of 1: y itself, or its exponential. */
static void weigh(line *l) { fill(l, COT_Y, l->desc.op == COT_SOFTMAX); }

/* The sum of four terms of g, the last of which is 0; NaN: it was not computed. */
static double sum_of(cot_backend *backend, line *l, const double terms[4])
{
    int scans = cot_op_get(l->desc.op)->family == COT_SCAN;
    weigh(l);
    for (int i = 0; i < 4; i++)
        set(l, COT_DY, i, terms[i]);
    if (run(l, backend))
        return (double)NAN;
    return scans ? get(l, COT_DX, 0) : -get(l, COT_DX, 3);
}

/* The first power of two beside which a unit is lost, whichever two of big, unit and -big meet first. */
static int width_of(cot_backend *backend, line *l, double unit, int most)
{
    for (int k = 1; k <= most; k++)
        for (int place = 0; place < 3; place++) {
            double big = ldexp(unit, k), terms[4] = { 0 };
            terms[place] = unit;
            terms[(place + 1) % 3] = big;
            terms[(place + 2) % 3] = -big;
            double sum = sum_of(backend, l, terms);
            if (sum != unit)
                return isnan(sum) ? -1 : k;
        }
    return most + 1;
}

static void accumulator(cot_backend *backend, cot_element element, finding *f)
{
    int half = element == COT_F16, most = half ? 39 : 70;
    line l = line_make(f->op, element, 1, 4);
    int bits = width_of(backend, &l, half ? 0x1p-24 : 1, most);
    const char *type = bits == 8    ? " (bf16)"
                       : bits == 11 ? " (f16)"
                       : bits == 24 ? " (f32)"
                       : bits == 53 ? " (f64)"
                                    : "";
    if (bits < 0)
        say(f->found, "%s", l.error.message);
    else
        say(f->found, bits > most ? "more than %d bits, or compensated" : "%d bits%s", bits > most ? most : bits, type);
    say(f->spec, element == COT_F64 ? "53 bits (f64)" : "24 bits (f32)");
    line_free(&l);
}

static void seed(cot_backend *backend, cot_element element, finding *f)
{
    line l = line_make(f->op, element, 1, 4);
    int scans = cot_op_get(l.desc.op)->family == COT_SCAN;
    weigh(&l);
    fill(&l, COT_DY, -0.0);
    if (run(&l, backend))
        say(f->found, "%s", l.error.message);
    else /* a scan shows the sum; a softmax -0 - s, which is +0 for an s of -0 */
        say(f->found, signbit(get(&l, COT_DX, 3)) == scans ? "the first term, or -0" : "+0");
    say(f->spec, "the first term, or -0");
    line_free(&l);
}

/* A square that needs more bits than there are, and what it rounds to: their difference is 0, unless it is fused. */
static void fused(cot_backend *backend, cot_element element, finding *f)
{
    double e = element == COT_F64 ? 0x1p-27 : 0x1p-12;
    int kept = 0, failed = 0;
    line l = line_make(f->op, element, 1, 4);
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            if (i == j)
                continue;
            fill(&l, COT_Y, 1);
            fill(&l, COT_DY, 0);
            set(&l, COT_Y, i, 1 + e);
            set(&l, COT_DY, i, 1 + e);
            set(&l, COT_DY, j, -(1 + 2 * e));
            failed |= run(&l, backend);
            kept |= !failed && get(&l, COT_DX, 3) != 0;
        }
    if (element < COT_F32)
        say(f->found, "products of %s are exact", cot_element_name(element));
    else
        say(f->found, "%s",
            failed ? l.error.message
            : kept ? "products are not rounded before they are added"
                   : "products are rounded");
    say(f->spec, element < COT_F32 ? "products of %s are exact" : "products are rounded", cot_element_name(element));
    line_free(&l);
}

static void subnormal(cot_backend *backend, cot_element element, finding *f)
{
    static const struct {
        double subnormal, factor, small;
    } numbers[] = { [COT_F16] = { 0x1p-20, 0x1p10, 0x1p-10 },
                    [COT_BF16] = { 0x1p-130, 0x1p20, 0x1p-65 },
                    [COT_F32] = { 0x1p-140, 0x1p20, 0x1p-70 },
                    [COT_F64] = { 0x1p-1060, 0x1p100, 0x1p-530 } };
    line l = line_make("mul", element, 1, 2);
    set(&l, COT_DY, 0, numbers[element].factor);
    set(&l, COT_B, 0, numbers[element].subnormal);
    set(&l, COT_DY, 1, numbers[element].small);
    set(&l, COT_B, 1, numbers[element].small);
    if (run(&l, backend)) {
        say(f->found, "%s", l.error.message);
    } else {
        int taken = get(&l, COT_DA, 0) != 0, given = get(&l, COT_DA, 1) != 0;
        say(f->found, taken && given ? "taken and given"
                      : taken        ? "taken, and results flushed to 0"
                      : given        ? "operands taken for 0, and given"
                                     : "taken for 0, and flushed to 0");
    }
    say(f->spec, "taken and given");
    line_free(&l);
}

static void empty(cot_backend *backend, cot_element element, finding *f)
{
    line l = line_make(f->op, element, 3, 0);
    say(f->found, "%s", run(&l, backend) ? l.error.message : "accepted");
    say(f->spec, "accepted");
    line_free(&l);
}

/* Numbers that no order adds exactly. */
static void fill_lines(line *l, int n)
{
    for (cot_operand o = COT_DY; o < COT_DX; o++)
        for (int64_t i = 0; i < l->view[o].length; i++) {
            uint64_t z = (uint64_t)(l->view[o].shape[1] == 1 ? 1 : i % n) * UINT64_C(0x9e3779b97f4a7c15) + (uint64_t)o;
            z = (z ^ (z >> 29)) * UINT64_C(0xbf58476d1ce4e5b9);
            set(l, o, i, (double)(z >> 40) * 0x1p-24 + 0.25);
        }
}

/* The same line alone and among others, and again. */
static void invariance(cot_backend *backend, cot_element element, finding *f)
{
    enum { N = 1000, LINES = 37 };
    line alone = line_make(f->op, element, 1, N), among = line_make(f->op, element, LINES, N);
    size_t bytes = N * cot_element_size(element);
    fill_lines(&alone, N);
    fill_lines(&among, N);
    int failed = run(&alone, backend) || run(&among, backend), other = 0;
    for (int i = 0; i < LINES && !failed; i++)
        other += memcmp((char *)among.view[COT_DX].data + (size_t)i * bytes, alone.view[COT_DX].data, bytes) != 0;
    if (failed)
        say(f->found, "%s", *alone.error.message ? alone.error.message : among.error.message);
    else if (other)
        say(f->found, "%d of %d lines have other bits than the same line alone", other, LINES);
    else
        say(f->found, "the same bits alone and among others");
    say(f->spec, "the same bits alone and among others");
    line_free(&alone);
    line_free(&among);
}

static const struct {
    const char *name, *op;
    question *ask;
} questions[] = {
    { "accumulator", "softmax", accumulator },
    { "accumulator", "log_softmax", accumulator },
    { "accumulator", "cumsum", accumulator },
    { "start of sums", "softmax", seed },
    { "start of sums", "cumsum", seed },
    { "products in sums", "softmax", fused },
    { "subnormals", "mul", subnormal },
    { "no cells", "sum", empty },
    { "no cells", "var", empty },
    { "invariance", "var", invariance },
    { "invariance", "softmax", invariance },
    { "invariance", "cumsum", invariance },
};

int finding_at(int index, cot_backend *backend, cot_element element, finding *f)
{
    if (index >= (int)(sizeof questions / sizeof *questions))
        return 0;
    *f = (finding){ .name = questions[index].name, .op = questions[index].op };
    questions[index].ask(backend, element, f);
    return 1;
}
