/* cotangent run OP: a gradient, from .npy files to .npy files; cotangent forward OP: the result that it is the gradient
 * of. */
#include "cli.h"
#include "conformance/case/device_run.h"
#include "file_call.h"

#include <string.h>

enum { FORWARD_INPUTS = 1u << COT_X | 1u << COT_A | 1u << COT_B };

/* ---- what must be given ---------------------------------------------------------------------- */

static int check_outputs(const file_call *c)
{
    const char *op = c->op->name;
    int wanted = 0;
    for (int o = COT_DX; o < OPERANDS; o++) {
        int used = cot_operand_used(c->op, (cot_operand)o), given = c->tensors.path[o] != NULL;
        if (given && !used)
            return cli_fail(EXIT_USAGE, "%s has no %s: its gradient is %s", op, cot_operand_name((cot_operand)o),
                            cot_has_axis(c->op) ? "dx, so give --dx FILE"
                                                : "da and db, so give --da FILE and --db FILE");
        wanted += given;
    }
    return wanted ? EXIT_GOOD
                  : cli_fail(EXIT_USAGE, "%s has nowhere to go: give %s", op,
                             cot_has_axis(c->op) ? "--dx FILE" : "--da FILE, --db FILE or both");
}

/* ---- steps, each 0 or an exit code ----------------------------------------------------------- */

static int make_outputs(file_call *c)
{
    int status = EXIT_GOOD;
    for (int o = COT_DX; o < OPERANDS && !status; o++)
        if (cot_operand_used(c->op, (cot_operand)o))
            status = cli_file(tensors_make(&c->tensors, (cot_operand)o, &c->desc));
    return status;
}

static int compute(file_call *c, const char *name)
{
    cot_backend *backend;
    cot_error error;
    int status = cli_backend(name, &backend);
    if (status)
        return status;
    cot_status refused = device_execute(backend, &c->desc, c->tensors.view, &error);
    cot_backend_close(backend);
    if (!refused)
        return EXIT_GOOD;
    int layout = refused == COT_UNSUPPORTED && error.operand >= COT_DY;
    return cli_fail(cli_exit_code(refused), "%s on backend %s: %s%s", c->op->name, name, error.message,
                    layout ? "; save it in C order (numpy.ascontiguousarray)" : "");
}

static int run_call(file_call *c, const char *backend)
{
    int status = check_outputs(c);
    if (!status)
        status = file_call_operands(c, 0);
    if (!status)
        status = make_outputs(c);
    if (!status)
        status = compute(c, backend);
    return status ? status : cli_file(tensors_write(&c->tensors, CALL_OUTPUTS));
}

static int forward_call(file_call *c)
{
    int status = EXIT_GOOD;
    const cot_operand needed[] = { cot_has_axis(c->op) ? COT_X : COT_A, cot_has_axis(c->op) ? COT_X : COT_B, COT_Y };
    for (int i = 0; i < 3 && !status; i++) {
        const char *name = cot_operand_name(needed[i]);
        if (!c->tensors.path[needed[i]])
            status = cli_fail(EXIT_USAGE, "%s %s %s: give --%s FILE", c->op->name,
                              needed[i] == COT_Y ? "writes" : "needs", name, name);
    }
    if (!status)
        status = file_call_read(c, FORWARD_INPUTS);
    if (!status)
        status = file_call_forward(c);
    return status ? status : cli_file(tensors_write(&c->tensors, 1u << COT_Y));
}

/* ---- the commands ---------------------------------------------------------------------------- */

static int run(int argc, char **argv)
{
    file_call c = { 0 };
    const char *backend = "ref";
    cli_option options[FILE_CALL_OPTIONS + 7] = { { 0 } };
    const cli_option own[] = {
        { "--backend", "NAME", "a built-in backend, or a shared library by its path (default: ref)", &backend, NULL },
        CLI_DEVICE,
        CLI_TIMEOUT,
        { "--dx", "FILE", "where the gradient goes", &c.tensors.path[COT_DX], NULL },
        { "--da", "FILE", "where the first gradient of a binary operation goes", &c.tensors.path[COT_DA], NULL },
        { "--db", "FILE", "where the second goes", &c.tensors.path[COT_DB], NULL },
    };
    memcpy(options + file_call_options(&c, options), own, sizeof own);
    cli_results_only();
    int status, arguments = cli_parse(argc, argv, &cli_run, options, 1, &status);
    if (arguments < 0)
        return status;
    status = cli_op(arguments, argv, &cli_run, &c.op);
    if (!status)
        status = run_call(&c, backend);
    tensors_free(&c.tensors);
    return status;
}

static int forward(int argc, char **argv)
{
    file_call c = { 0 };
    cli_option options[REQUEST_OPTIONS + 6] = { { 0 } };
    const char **path = c.tensors.path;
    const cli_option own[] = {
        { "--dtype", "TYPE", "f16, bf16, f32 or f64 (default: what the files hold; bf16 is uint16 there)",
          &c.request.dtype, NULL },
        { "--x", "FILE", "the operand", &path[COT_X], NULL },
        { "--a", "FILE", "the first operand of a binary operation", &path[COT_A], NULL },
        { "--b", "FILE", "the second", &path[COT_B], NULL },
        { "--y", "FILE", "where the result goes", &path[COT_Y], NULL },
    };
    memcpy(options + request_options(&c.request, options), own, sizeof own);
    int status, arguments = cli_parse(argc, argv, &cli_forward, options, 1, &status);
    if (arguments < 0)
        return status;
    status = cli_op(arguments, argv, &cli_forward, &c.op);
    if (!status)
        status = forward_call(&c);
    tensors_free(&c.tensors);
    return status;
}

const cli_command cli_run = { "run", "OP", "Computes a gradient: .npy files in, .npy files out", run };
const cli_command cli_forward = { "forward", "OP",
                                  "Computes the result that a gradient is of, on the reference: .npy in, .npy out",
                                  forward };
