/* Operands in .npy files: read, checked, made and written. */
#include "tensors.h"
#include "npy.h"
#include "npy_header.h"

#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- reading --------------------------------------------------------------------------------- */

static file_error bad_file(file_status status, const tensors *t, cot_operand operand, const char *why)
{
    return file_wrong(status, "%s (--%s): %s", t->path[operand], cot_operand_name(operand), why);
}

/* The gradient of a reduction has the shape of x, not of dy and y; in the other families all operands have it. */
static int shows_shape(const cot_op_info *op, cot_operand operand)
{
    return op->family != COT_REDUCE || operand == COT_X || cot_is_output(operand);
}

static file_error read_one(tensors *t, cot_operand operand, cot_desc *desc)
{
    char why[NPY_WHY_SIZE];
    cot_view *view = &t->view[operand];
    if (npy_read(t->path[operand], desc->element, view, why))
        return bad_file(FILE_WRONG, t, operand, why);
    desc->element = view->element;
    if (!desc->rank && shows_shape(cot_op_get(desc->op), operand)) {
        desc->rank = view->rank;
        memcpy(desc->shape, view->shape, sizeof desc->shape);
    }
    return file_good();
}

file_error tensors_read(tensors *t, unsigned operands, cot_desc *desc)
{
    file_error wrong = file_good();
    for (int o = COT_DY; o < OPERANDS && !wrong.status; o++)
        if (t->path[o] && operands >> o & 1)
            wrong = read_one(t, (cot_operand)o, desc);
    if (!wrong.status && !desc->rank)
        wrong = file_wrong(FILE_WRONG,
                           "no file shows the shape of %s's gradient: give --shape, as in --shape 5x37, or --x FILE",
                           cot_op_get(desc->op)->name);
    return wrong;
}

static file_error check_one(const tensors *t, cot_operand operand, const cot_desc *desc)
{
    const cot_view *view = &t->view[operand];
    int32_t wanted[COT_MAX_RANK];
    char got_text[NPY_TEXT_SIZE], wanted_text[NPY_TEXT_SIZE];
    cot_operand_shape(desc, operand, wanted);
    if (view->rank == desc->rank && !memcmp(view->shape, wanted, (size_t)desc->rank * sizeof *wanted))
        return file_good();
    return file_wrong(
        FILE_WRONG, "%s (--%s): its shape is %s, expected %s%s", t->path[operand], cot_operand_name(operand),
        npy_shape_print(view->rank, view->shape, got_text), npy_shape_print(desc->rank, wanted, wanted_text),
        shows_shape(cot_op_get(desc->op), operand) ? "" : " (the reduced axis is kept, as with keepdims=True)");
}

file_error tensors_check(const tensors *t, const cot_desc *desc)
{
    file_error wrong = file_good();
    for (int o = COT_DY; o < OPERANDS && !wrong.status; o++)
        if (t->view[o].rank)
            wrong = check_one(t, (cot_operand)o, desc);
    return wrong;
}

/* ---- making ---------------------------------------------------------------------------------- */

file_error tensors_make(tensors *t, cot_operand operand, const cot_desc *desc)
{
    cot_view *view = &t->view[operand];
    if (!operand_make(desc, operand, view))
        return file_good();
    return file_wrong(FILE_FAILED, "there is no memory for %s: %lld cells of %s", cot_operand_name(operand),
                      (long long)view->length, cot_element_name(desc->element));
}

/* ---- writing --------------------------------------------------------------------------------- */

static file_error keep_drafts(const tensors *t, npy_draft *drafts, const cot_operand *operands, int count)
{
    char why[NPY_WHY_SIZE];
    int failed;
    return npy_drafts_keep(drafts, count, &failed, why) ? bad_file(FILE_FAILED, t, operands[failed], why) : file_good();
}

static file_error write_all_or_none(const tensors *t, unsigned outputs)
{
    char why[NPY_WHY_SIZE];
    npy_draft drafts[OPERANDS];
    cot_operand operands[OPERANDS];
    int count = 0;
    file_error wrong = file_good();
    for (int o = COT_DY; o < OPERANDS && !wrong.status; o++) {
        if (!(t->path[o] && outputs >> o & 1))
            continue;
        operands[count] = (cot_operand)o;
        if (npy_draft_write(&drafts[count++], t->path[o], &t->view[o], why))
            wrong = bad_file(FILE_FAILED, t, (cot_operand)o, why);
    }
    if (!wrong.status)
        wrong = keep_drafts(t, drafts, operands, count);
    while (count)
        npy_draft_drop(&drafts[--count]);
    return wrong;
}

/* Somebody who ends the program meanwhile waits until all files are in their places, or none is there. Blocking signals
 * would not do: threads that have computed would take them. */
enum { ENDS = 4 };
static const int ends[ENDS] = { SIGINT, SIGTERM, SIGHUP, SIGQUIT };
static volatile sig_atomic_t asked;

static void ask(int number) { asked = number; }

static void hold_signals(struct sigaction before[ENDS])
{
    struct sigaction hold = { .sa_handler = ask, .sa_flags = SA_RESTART };
    asked = 0;
    for (int i = 0; i < ENDS; i++)
        if (!sigaction(ends[i], NULL, &before[i]) && before[i].sa_handler == SIG_DFL)
            sigaction(ends[i], &hold, NULL);
}

static void let_signals(const struct sigaction before[ENDS])
{
    for (int i = 0; i < ENDS; i++)
        sigaction(ends[i], &before[i], NULL);
    if (asked)
        raise(asked);
}

file_error tensors_write(const tensors *t, unsigned outputs)
{
    struct sigaction before[ENDS];
    hold_signals(before);
    file_error wrong = write_all_or_none(t, outputs);
    let_signals(before);
    return wrong;
}

void tensors_free(tensors *t)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        free(t->view[o].data);
    memset(t, 0, sizeof *t);
}
