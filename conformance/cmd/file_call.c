/* A gradient whose operands are .npy files, from options to views. */
#include "file_call.h"

#include <string.h>

enum { INPUTS = 1u << COT_DY | 1u << COT_X | 1u << COT_Y | 1u << COT_A | 1u << COT_B };

int file_call_options(file_call *c, cli_option *rows)
{
    const char **path = c->tensors.path;
    const cli_option own[] = {
        { "--dtype", "TYPE", "f16, bf16, f32 or f64 (default: what the files hold; bf16 is uint16 there)",
          &c->request.dtype, NULL },
        { "--shape", "5x37", "the shape of the gradient, where no file shows it", &c->request.shape, NULL },
        { "--dy", "FILE", "the gradient of the result", &path[COT_DY], NULL },
        { "--x", "FILE", "the operand; unread by some ops (cotangent ops), where it still shows the shape",
          &path[COT_X], NULL },
        { "--y", "FILE", "the saved result; computed from x where it is needed and not given", &path[COT_Y], NULL },
        { "--a", "FILE", "the first operand of a binary operation", &path[COT_A], NULL },
        { "--b", "FILE", "the second", &path[COT_B], NULL },
    };
    int count = request_options(&c->request, rows);
    memcpy(rows + count, own, sizeof own);
    return count + (int)(sizeof own / sizeof *own);
}

/* ---- what must be given ---------------------------------------------------------------------- */

static int check_given(const file_call *c, cot_operand operand)
{
    const char *name = cot_operand_name(operand);
    if (c->tensors.path[operand])
        return EXIT_GOOD;
    if (operand != COT_Y)
        return cli_fail(EXIT_USAGE, "%s needs %s: give --%s FILE", c->op->name, name, name);
    return c->tensors.path[COT_X]
               ? EXIT_GOOD
               : cli_fail(EXIT_USAGE, "%s needs y: give --y FILE, or --x FILE to compute it from", c->op->name);
}

/* ---- reading --------------------------------------------------------------------------------- */

int file_call_read(file_call *c, unsigned operands)
{
    int status = request_desc(&c->request, c->op, &c->desc);
    if (!status && cot_op_takes(c->op, COT_TAKES_PARAM) && !c->request.param)
        status = cli_fail(EXIT_USAGE, "lerp needs its weight: give --param W");
    if (!status)
        status = cli_file(tensors_read(&c->tensors, operands, &c->desc));
    if (!status)
        status = request_axis(&c->request, &c->desc);
    return status ? status : cli_file(tensors_check(&c->tensors, &c->desc));
}

int file_call_forward(file_call *c)
{
    cot_args args;
    cot_error error;
    int status = cli_file(tensors_make(&c->tensors, COT_Y, &c->desc));
    if (status)
        return status;
    point_args(&args, c->tensors.view);
    cot_status refused = cot_forward(&c->desc, &args, &error);
    return refused ? cli_fail(cli_exit_code(refused), "%s: %s", c->op->name, error.message) : EXIT_GOOD;
}

/* A gradient without cells does not read y, and max of no cells has none. */
static int make_y(file_call *c)
{
    cot_view gradient = cot_contiguous(c->desc.element, c->desc.rank, c->desc.shape, NULL);
    return gradient.length ? file_call_forward(c) : cli_file(tensors_make(&c->tensors, COT_Y, &c->desc));
}

int file_call_operands(file_call *c, unsigned outputs)
{
    int status = EXIT_GOOD;
    for (int o = COT_DY; o <= COT_B && !status; o++)
        if (cot_operand_used(c->op, (cot_operand)o))
            status = check_given(c, (cot_operand)o);
    if (!status)
        status = file_call_read(c, INPUTS | outputs);
    if (!status && cot_operand_used(c->op, COT_Y) && !c->tensors.path[COT_Y])
        status = make_y(c);
    return status;
}
