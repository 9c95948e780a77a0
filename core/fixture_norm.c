/* A call of the toy family norm (conformance/house/toy/norm.edits), which has a weight w and its gradient dw. Compiled
 * by core/test_family.sh in a copy of the core that has this family; speaks TAP. */
#include "internal.h"
#include "lines.h"

#include <stdio.h>
#include <string.h>

enum { ROWS = 4, CELLS = 5, COLUMNS = 6, MOST = ROWS * CELLS * COLUMNS };

static int count, failed;

static void ok(bool good, const char *name)
{
    failed += !good;
    printf("%sok %d - %s\n", good ? "" : "not ", ++count, name);
}

typedef struct call {
    cot_desc desc;
    cot_view views[COT_OPERANDS];
    cot_args args;
    float memory[COT_OPERANDS][MOST];
} call;

static void start(call *c)
{
    memset(c, 0, sizeof *c);
    c->desc = (cot_desc){ COT_SIZED(cot_desc), .op = COT_TOY_NORM,       .element = COT_F32,
                          .rank = 3,           { ROWS, CELLS, COLUMNS }, .axis = 1 };
    for (int o = COT_FIRST_OPERAND; o < COT_OPERANDS; o++) {
        int32_t shape[COT_MAX_RANK];
        cot_operand_shape(&c->desc, (cot_operand)o, shape);
        c->views[o] = cot_contiguous(COT_F32, 3, shape, c->memory[o]);
    }
    const cot_view *v = c->views;
    c->args = (cot_args){ COT_SIZED(cot_args), .dy = &v[COT_DY], .x = &v[COT_X],
                          .w = &v[COT_W],      .dx = &v[COT_DX], .dw = &v[COT_DW] };
}

static cot_operand refused(const call *c)
{
    cot_error error = { 0 };
    return cot_check_args(&c->desc, &c->args, &error) == COT_INVALID_PROBLEM ? error.operand : COT_NO_OPERAND;
}

static bool has_shape(const cot_view *view, int32_t rows, int32_t cells, int32_t columns)
{
    return view->shape[0] == rows && view->shape[1] == cells && view->shape[2] == columns;
}

static void test_table(void)
{
    const cot_op_info *op = cot_op_find("toy_norm");
    ok(op && op->op == COT_TOY_NORM && !strcmp(cot_family_name(op->family), "norm"), "the op and its family are known");
    ok(!strcmp(cot_operand_name(COT_W), "w") && !strcmp(cot_operand_name(COT_DW), "dw"), "operands have their names");
    ok(!strcmp(cot_operand_name(COT_WORKSPACE), "workspace"), "and so has the workspace behind them");
    ok(!cot_is_output(COT_W) && cot_is_output(COT_DW), "dw is an output, and w is none");
    ok(cot_operand_used(op, COT_W) && cot_operand_used(op, COT_DW) && !cot_operand_used(op, COT_A), "this op has both");
    ok(!cot_operand_used(cot_op_get(COT_SOFTMAX), COT_W), "another has not");
}

static void test_call(void)
{
    static call c;
    cot_error error;
    start(&c);
    ok(has_shape(&c.views[COT_W], 1, CELLS, 1) && has_shape(&c.views[COT_DW], 1, CELLS, 1),
       "w and dw lie along the axis");
    ok(has_shape(&c.views[COT_DX], ROWS, CELLS, COLUMNS), "dx has the descriptor's shape");
    ok(!cot_check_desc(&c.desc, &error) && !cot_check_args(&c.desc, &c.args, &error), "a good call is taken");
    c.args.w = NULL;
    ok(refused(&c) == COT_W, "without w it is refused");
    start(&c);
    c.args.w = &c.views[COT_X];
    ok(refused(&c) == COT_W, "and with a w of x's shape");
    start(&c);
    c.views[COT_DX].data = c.memory[COT_W];
    ok(refused(&c) == COT_DX, "and where dx lies over w, which stands behind it in the table");
    start(&c);
    c.views[COT_DW].data = c.memory[COT_DX];
    ok(refused(&c) == COT_DW, "and where dw lies over dx");
}

static void test_lines(void)
{
    static call c;
    cot_lines l;
    start(&c);
    cot_take_lines(&l, &c.desc, &c.args);
    ok(l.output == COT_DX && l.n == CELLS && l.inner == COLUMNS && l.outer == ROWS, "lines are those of dx");
    const cot_line_operand *w = &l.operands[COT_W], *dw = &l.operands[COT_DW];
    ok(w->along == 1 && !w->across && !w->outer[0], "every line reads the same w");
    ok(dw->along == 1 && !dw->across && !dw->outer[0], "and adds to the same dw");
}

int main(void)
{
    test_table();
    test_call();
    test_lines();
    printf("1..%d\n", count);
    return failed > 0;
}
