#include "tensors.h"
#include "npy.h"
#include "npy_header.h"

#include <stdlib.h>
#include <string.h>

/* ---- reading ------------------------------------------------------------------------------------------------------ */

static int bad_file(int status, const tensors *t, cot_operand operand, const char *why)
{
    return cli_fail(status, "%s (--%s): %s", t->path[operand], cot_operand_name(operand), why);
}

/* The gradient of a reduction has the shape of x, not of dy and y; in the other families all operands have it. */
static int shows_shape(const cot_op_info *op, cot_operand operand)
{
    return op->family != COT_REDUCE || operand == COT_X || is_output(operand);
}

static int read_one(tensors *t, cot_operand operand, cot_desc *desc)
{
    char why[NPY_WHY_SIZE];
    cot_view *view = &t->view[operand];
    if (npy_read(t->path[operand], desc->element, view, why))
        return bad_file(EXIT_USAGE, t, operand, why);
    desc->element = view->element;
    if (!desc->rank && shows_shape(cot_op_get(desc->op), operand)) {
        desc->rank = view->rank;
        memcpy(desc->shape, view->shape, sizeof desc->shape);
    }
    return EXIT_GOOD;
}

int tensors_read(tensors *t, unsigned operands, cot_desc *desc)
{
    int status = EXIT_GOOD;
    for (int o = COT_DY; o < OPERANDS && !status; o++)
        if (t->path[o] && operands >> o & 1)
            status = read_one(t, (cot_operand)o, desc);
    if (!status && !desc->rank)
        status =
            cli_fail(EXIT_USAGE, "no file shows the shape of %s's gradient: give --shape, as in --shape 5x37, or --x FILE",
                     cot_op_get(desc->op)->name);
    return status;
}

static int check_one(const tensors *t, cot_operand operand, const cot_desc *desc)
{
    const cot_view *view = &t->view[operand];
    int32_t wanted[COT_MAX_RANK];
    char got_text[NPY_TEXT_SIZE], wanted_text[NPY_TEXT_SIZE];
    operand_shape(desc, operand, wanted);
    if (view->rank == desc->rank && !memcmp(view->shape, wanted, (size_t)desc->rank * sizeof *wanted))
        return EXIT_GOOD;
    return cli_fail(EXIT_USAGE, "%s (--%s): its shape is %s, expected %s%s", t->path[operand], cot_operand_name(operand),
                    npy_shape_print(view->rank, view->shape, got_text), npy_shape_print(desc->rank, wanted, wanted_text),
                    shows_shape(cot_op_get(desc->op), operand) ? "" : " (the reduced axis is kept, as with keepdims=True)");
}

int tensors_check(const tensors *t, const cot_desc *desc)
{
    int status = EXIT_GOOD;
    for (int o = COT_DY; o < OPERANDS && !status; o++)
        if (t->view[o].rank)
            status = check_one(t, (cot_operand)o, desc);
    return status;
}

/* ---- making ------------------------------------------------------------------------------------------------------- */

int tensors_make(tensors *t, cot_operand operand, const cot_desc *desc)
{
    cot_view *view = &t->view[operand];
    if (!operand_make(desc, operand, view))
        return EXIT_GOOD;
    return cli_fail(EXIT_FAILED, "there is no memory for %s: %lld cells of %s", cot_operand_name(operand),
                    (long long)view->length, cot_element_name(desc->element));
}

int tensors_forward(tensors *t, const cot_desc *desc)
{
    cot_args args;
    cot_error error;
    int status = tensors_make(t, COT_Y, desc);
    if (status)
        return status;
    point_args(&args, t->view);
    cot_status refused = cot_forward(desc, &args, &error);
    return refused ? cli_fail(cli_exit_code(refused), "%s: %s", cot_op_get(desc->op)->name, error.message) : EXIT_GOOD;
}

/* ---- writing ------------------------------------------------------------------------------------------------------ */

static int keep_drafts(const tensors *t, npy_draft *drafts, const cot_operand *operands, int count)
{
    char why[NPY_WHY_SIZE];
    int failed;
    return npy_drafts_keep(drafts, count, &failed, why) ? bad_file(EXIT_FAILED, t, operands[failed], why) : EXIT_GOOD;
}

int tensors_write(const tensors *t, unsigned outputs)
{
    char why[NPY_WHY_SIZE];
    npy_draft drafts[OPERANDS];
    cot_operand operands[OPERANDS];
    int count = 0, status = EXIT_GOOD;
    for (int o = COT_DY; o < OPERANDS && !status; o++) {
        if (!(t->path[o] && outputs >> o & 1))
            continue;
        operands[count] = (cot_operand)o;
        if (npy_draft_write(&drafts[count++], t->path[o], &t->view[o], why))
            status = bad_file(EXIT_FAILED, t, (cot_operand)o, why);
    }
    if (!status)
        status = keep_drafts(t, drafts, operands, count);
    while (count)
        npy_draft_drop(&drafts[--count]);
    return status;
}

void tensors_free(tensors *t)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        free(t->view[o].data);
    memset(t, 0, sizeof *t);
}
