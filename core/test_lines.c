/* Lines: dimensions are sorted as the first output has them, merged where every operand walks them as one, and cut at
 * the axis. */
#include "internal.h"
#include "lines.h"
#include "conformance/tap/tap.h"

#include <string.h>

typedef struct fixture {
    cot_desc desc;
    cot_view views[COT_DB + 1];
    cot_args args;
    float memory[64];
} fixture;

/* Contiguous operands of the shapes that the descriptor asks for. */
static void prepare(fixture *f, cot_op op, int32_t rank, const int32_t *shape, int32_t axis)
{
    memset(f, 0, sizeof *f);
    f->desc = (cot_desc){ COT_SIZED(cot_desc), .op = op, .element = COT_F32, .rank = rank, .axis = axis };
    memcpy(f->desc.shape, shape, (size_t)rank * sizeof *shape);
    for (int o = COT_DY; o <= COT_DB; o++) {
        int32_t own[COT_MAX_RANK];
        cot_operand_shape(&f->desc, (cot_operand)o, own);
        f->views[o] = cot_contiguous(COT_F32, rank, own, f->memory + o);
    }
    const cot_view *v = f->views;
    f->args = (cot_args){ COT_SIZED(cot_args), &v[COT_DY], &v[COT_X],  &v[COT_Y], &v[COT_A],
                          &v[COT_B],           &v[COT_DX], &v[COT_DA], &v[COT_DB] };
}

static cot_lines lines_of(const fixture *f)
{
    cot_lines lines;
    cot_take_lines(&lines, &f->desc, &f->args);
    return lines;
}

static void test_elementwise(void)
{
    fixture f;
    prepare(&f, COT_MUL, 3, (const int32_t[]){ 2, 3, 4 }, 0);
    cot_lines l = lines_of(&f);
    ok(l.n == 24 && l.inner == 1 && l.outer == 1 && l.outer_rank == 0, "contiguous operands are one line");
    ok(l.output == COT_DA && l.operands[COT_DA].along == 1 && l.operands[COT_DB].data, "whose output is da");
    ok(!l.operands[COT_X].data && !l.operands[COT_DX].data, "operands that the op does not use have no data");

    f.views[COT_A].strides[0] = 0; /* a is repeated along the first dimension */
    l = lines_of(&f);
    ok(l.n == 12 && l.inner == 2 && l.outer == 1, "one operand that walks two dimensions otherwise keeps them apart");
    ok(l.operands[COT_A].across == 0 && l.operands[COT_B].across == 12, "each operand has strides of its own");

    prepare(&f, COT_ADD, 2, (const int32_t[]){ 3, 4 }, 0);
    for (int o = COT_DY; o <= COT_DB; o++)
        f.views[o].strides[0] = 1, f.views[o].strides[1] = 3;
    l = lines_of(&f);
    ok(l.n == 12 && l.inner == 1, "column-major operands are one line too: dimensions are sorted by the output");
}

static void test_axis(void)
{
    fixture f;
    prepare(&f, COT_MAX, 3, (const int32_t[]){ 2, 3, 4 }, 1);
    cot_lines l = lines_of(&f);
    const cot_line_operand *x = &l.operands[COT_X], *dy = &l.operands[COT_DY];
    ok(l.n == 3 && l.inner == 4 && l.outer == 2 && l.outer_rank == 1 && l.outer_shape[0] == 2,
       "an axis in the middle: neighbours inside, groups outside");
    ok(x->along == 4 && x->across == 1 && x->outer[0] == 12 && !x->reduced, "strides of x");
    ok(dy->reduced && dy->across == 1 && dy->outer[0] == 4, "dy has one cell a line");
    ok(l.output == COT_DX && !l.operands[COT_DX].reduced, "the output is dx");

    prepare(&f, COT_CUMSUM, 4, (const int32_t[]){ 1, 5, 1, 3 }, 1);
    l = lines_of(&f);
    ok(l.n == 5 && l.inner == 3 && l.outer == 1 && l.outer_rank == 0, "dimensions of extent 1 are left out");
    ok(!l.operands[COT_DY].reduced, "a scan's dy is not reduced");

    prepare(&f, COT_SOFTMAX, 1, (const int32_t[]){ 7 }, 0);
    l = lines_of(&f);
    ok(l.n == 7 && l.inner == 1 && l.outer == 1 && l.operands[COT_Y].along == 1, "a single line");
}

static void test_unread(void)
{
    fixture f;
    prepare(&f, COT_VAR, 2, (const int32_t[]){ 2, 3 }, 1);
    ok(!lines_of(&f).operands[COT_Y].data, "a y that is never read counts as unused");
    prepare(&f, COT_STD, 2, (const int32_t[]){ 2, 3 }, 1);
    ok(lines_of(&f).operands[COT_Y].data == (char *)f.views[COT_Y].data, "one that is read does not");
}

int main(void)
{
    plan(NO_PLAN);
    test_elementwise();
    test_axis();
    test_unread();
    return done_testing();
}
