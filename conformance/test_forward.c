/* The library's forward operations against truth's: edges and whatever holds no exp, log, pow or hypot bit for bit, the rest
 * within more roundings than any order of adding makes. */
#include "test_truth.h"

#include "generate.h"

#include <stdlib.h>

static sample s;

static int64_t results(void)
{
    return is_reduction(s.desc.op) ? 1 : s.n;
}

static void fill(int which)
{
    for (int64_t i = 0; i < s.n; i++) {
        double *const operands[] = { s.x, s.a, s.b };
        for (int o = 0; o < 3; o++) {
            draw d = { 5, (cot_operand)(COT_X + o), s.desc.element, i, s.n, i, 0 };
            operands[o][i] = truth_round(s.desc.element, truth_round(COT_F32, generator_at(which)->value(&d)));
        }
    }
}

static cot_view view_of(const double *from, int64_t n, unsigned char *memory)
{
    int32_t extent = (int32_t)n;
    for (int64_t i = 0; i < n; i++)
        cot_cell_set(s.desc.element, memory + (size_t)i * cot_element_size(s.desc.element), from[i]);
    return cot_contiguous(s.desc.element, 1, &extent, memory);
}

/* Leaves the library's y in s.y. */
static cot_status run_library(void)
{
    static unsigned char memory[4][LONGEST * sizeof(double)];
    cot_view x = view_of(s.x, s.n, memory[0]), a = view_of(s.a, s.n, memory[1]), b = view_of(s.b, s.n, memory[2]);
    cot_view y = view_of(s.y, results(), memory[3]);
    cot_args args = { COT_SIZED(cot_args), .x = &x, .a = &a, .b = &b, .y = &y };
    cot_status status = cot_forward(&s.desc, &args, NULL);
    for (int64_t i = 0; i < results() && !status; i++)
        s.y[i] = cot_cell_get(s.desc.element, memory[3] + (size_t)i * cot_element_size(s.desc.element));
    return status;
}

static int agrees(const truth_cell *cell, double got)
{
    if (cell->holds & (TRUTH_EDGE | TRUTH_BITS))
        return same_number(got, cell->literal);
    return !(cell->holds & TRUTH_BOUND) || truth_score(cell, s.desc.element, got, 16 + 4 * (double)s.n) <= 1;
}

static int compare(const char *generator_name)
{
    for (int64_t i = 0; i < results(); i++)
        if (!agrees(&s.first[i], s.y[i])) {
            diag("%s of %d, cell %d: got %a, truth %a (exact %a)", generator_name, (int)s.n, (int)i, s.y[i], s.first[i].literal,
                 real_to(s.first[i].exact));
            return 0;
        }
    return 1;
}

static void check_op(const cot_op_info *op, cot_element element, int reverse)
{
    static const int64_t lengths[] = { 1, 5, 33, 2100 };
    int good = 1;
    for (size_t l = 0; l < sizeof lengths / sizeof *lengths; l++)
        for (int which = 0; generator_at(which) && (lengths[l] < 1000 || which < 8) && good; which++) { /* long lines of a few */
            start_sample(&s, op->op, element, lengths[l]);
            s.desc.reverse = reverse, s.desc.correction = which & 1, s.desc.param = 0.3;
            fill(which);
            good = run_forward(&s) == COT_OK && run_library() == COT_OK && compare(generator_at(which)->name);
        }
    ok(good, "%s %s%s", op->name, cot_element_name(element), reverse ? " reversed" : "");
}

int main(void)
{
    const cot_op_info *op;
    plan(NO_PLAN);
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        for (int e = COT_F16; e <= COT_F64; e++)
            for (int reverse = 0; reverse <= (op->family == COT_SCAN); reverse++)
                check_op(op, (cot_element)e, reverse);
    truth_end();
    return done_testing();
}
