/* cotangent run OP: a gradient, from .npy files to .npy files; cotangent forward OP: the result that it is the gradient of. */
#include "cli.h"
#include "execute.h"
#include "request.h"
#include "tensors.h"

#include <string.h>

enum {
    INPUTS = 1u << COT_DY | 1u << COT_X | 1u << COT_Y | 1u << COT_A | 1u << COT_B,
    FORWARD_INPUTS = 1u << COT_X | 1u << COT_A | 1u << COT_B
};

typedef struct call {
    const cot_op_info *op;
    cot_desc desc;
    request request;
    tensors tensors;
    const char *backend;
} call;

/* ---- what must be given ------------------------------------------------------------------------------------------- */

static int check_outputs(const call *c)
{
    const char *op = c->op->name;
    int wanted = 0;
    for (int o = COT_DX; o < OPERANDS; o++) {
        int used = operand_used(c->op, (cot_operand)o), given = c->tensors.path[o] != NULL;
        if (given && !used)
            return cli_fail(EXIT_USAGE, "%s has no %s: its gradient is %s", op, cot_operand_name((cot_operand)o),
                            has_axis(c->op) ? "dx, so give --dx FILE" : "da and db, so give --da FILE and --db FILE");
        wanted += given;
    }
    return wanted ? EXIT_GOOD
                  : cli_fail(EXIT_USAGE, "%s has nowhere to go: give %s", op,
                             has_axis(c->op) ? "--dx FILE" : "--da FILE, --db FILE or both");
}

static int check_input(const call *c, cot_operand operand)
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

static int check_inputs(const call *c)
{
    int status = EXIT_GOOD;
    for (int o = COT_DY; o <= COT_B && !status; o++)
        if (operand_used(c->op, (cot_operand)o))
            status = check_input(c, (cot_operand)o);
    return status;
}

/* ---- steps, each 0 or an exit code -------------------------------------------------------------------------------- */

static int prepare(call *c, unsigned inputs)
{
    int status = request_desc(&c->request, c->op, &c->desc);
    if (!status && c->op->op == COT_LERP && !c->request.param)
        status = cli_fail(EXIT_USAGE, "lerp needs its weight: give --param W");
    if (!status)
        status = tensors_read(&c->tensors, inputs, &c->desc);
    if (!status)
        status = request_axis(&c->request, &c->desc);
    return status ? status : tensors_check(&c->tensors, &c->desc);
}

/* A gradient without cells does not read y, and max of no cells has none. */
static int make_y(call *c)
{
    cot_view gradient = cot_contiguous(c->desc.element, c->desc.rank, c->desc.shape, NULL);
    return gradient.length ? tensors_forward(&c->tensors, &c->desc) : tensors_make(&c->tensors, COT_Y, &c->desc);
}

static int make_operands(call *c)
{
    int status = EXIT_GOOD;
    if (operand_used(c->op, COT_Y) && !c->tensors.path[COT_Y])
        status = make_y(c);
    for (int o = COT_DX; o < OPERANDS && !status; o++)
        if (operand_used(c->op, (cot_operand)o))
            status = tensors_make(&c->tensors, (cot_operand)o, &c->desc);
    return status;
}

static int compute(call *c)
{
    cot_backend *backend;
    cot_error error;
    int status = cli_backend(c->backend, &backend);
    if (status)
        return status;
    cot_status refused = execute(backend, &c->desc, c->tensors.view, &error);
    cot_backend_close(backend);
    if (!refused)
        return EXIT_GOOD;
    int layout = refused == COT_UNSUPPORTED && error.operand >= COT_DY;
    return cli_fail(cli_exit_code(refused), "%s on backend %s: %s%s", c->op->name, c->backend, error.message,
                    layout ? "; save it in C order (numpy.ascontiguousarray)" : "");
}

static int run_call(call *c)
{
    int status = check_outputs(c);
    if (!status)
        status = check_inputs(c);
    if (!status)
        status = prepare(c, INPUTS);
    if (!status)
        status = make_operands(c);
    if (!status)
        status = compute(c);
    return status ? status : tensors_write(&c->tensors, ~(unsigned)INPUTS);
}

static int forward_call(call *c)
{
    int status = EXIT_GOOD;
    const cot_operand needed[] = { has_axis(c->op) ? COT_X : COT_A, has_axis(c->op) ? COT_X : COT_B, COT_Y };
    for (int i = 0; i < 3 && !status; i++) {
        const char *name = cot_operand_name(needed[i]);
        if (!c->tensors.path[needed[i]])
            status = cli_fail(EXIT_USAGE, "%s %s %s: give --%s FILE", c->op->name, needed[i] == COT_Y ? "writes" : "needs",
                              name, name);
    }
    if (!status)
        status = prepare(c, FORWARD_INPUTS);
    if (!status)
        status = tensors_forward(&c->tensors, &c->desc);
    return status ? status : tensors_write(&c->tensors, 1u << COT_Y);
}

/* ---- the commands ------------------------------------------------------------------------------------------------- */

/* Options that both have, then the command's own. */
static int parse_call(call *c, int argc, char **argv, const cli_command *command, const cli_option *own, size_t own_count)
{
    cli_option options[REQUEST_OPTIONS + 16] = { { 0 } };
    int status, count = request_options(&c->request, options);
    memcpy(options + count, own, own_count * sizeof *own);
    int arguments = cli_parse(argc, argv, command, options, 1, &status);
    return arguments < 0 ? status : cli_op(arguments, argv, command, &c->op);
}

static int run(int argc, char **argv)
{
    call c = { .backend = "ref" };
    const char **path = c.tensors.path;
    const cli_option own[] = {
        { "--dtype", "TYPE", "f16, bf16, f32 or f64 (default: what the files hold; bf16 is uint16 there)", &c.request.dtype,
          NULL },
        { "--shape", "5x37", "the shape of the gradient, where no file shows it", &c.request.shape, NULL },
        { "--backend", "NAME", "a built-in backend, or a shared library by its path (default: ref)", &c.backend, NULL },
        CLI_DEVICE,
        { "--dy", "FILE", "the gradient of the result", &path[COT_DY], NULL },
        { "--x", "FILE", "the operand; unread by some ops (cotangent ops), where it still shows the shape", &path[COT_X],
          NULL },
        { "--y", "FILE", "the saved result; computed from x where it is needed and not given", &path[COT_Y], NULL },
        { "--a", "FILE", "the first operand of a binary operation", &path[COT_A], NULL },
        { "--b", "FILE", "the second", &path[COT_B], NULL },
        { "--dx", "FILE", "where the gradient goes", &path[COT_DX], NULL },
        { "--da", "FILE", "where the first gradient of a binary operation goes", &path[COT_DA], NULL },
        { "--db", "FILE", "where the second goes", &path[COT_DB], NULL },
    };
    cli_results_only();
    int status = parse_call(&c, argc, argv, &cli_run, own, sizeof own / sizeof *own);
    if (!status && c.op)
        status = run_call(&c);
    tensors_free(&c.tensors);
    return status;
}

static int forward(int argc, char **argv)
{
    call c = { 0 };
    const char **path = c.tensors.path;
    const cli_option own[] = {
        { "--dtype", "TYPE", "f16, bf16, f32 or f64 (default: what the files hold; bf16 is uint16 there)", &c.request.dtype,
          NULL },
        { "--x", "FILE", "the operand", &path[COT_X], NULL },
        { "--a", "FILE", "the first operand of a binary operation", &path[COT_A], NULL },
        { "--b", "FILE", "the second", &path[COT_B], NULL },
        { "--y", "FILE", "where the result goes", &path[COT_Y], NULL },
    };
    int status = parse_call(&c, argc, argv, &cli_forward, own, sizeof own / sizeof *own);
    if (!status && c.op)
        status = forward_call(&c);
    tensors_free(&c.tensors);
    return status;
}

const cli_command cli_run = { "run", "OP", "Computes a gradient: .npy files in, .npy files out", run };
const cli_command cli_forward = { "forward", "OP",
                                  "Computes the result that a gradient is of, on the reference: .npy in, .npy out",
                                  forward };
