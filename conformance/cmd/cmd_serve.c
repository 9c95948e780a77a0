/* cotangent serve BACKEND: a backend behind the protocol on standard input and output. */
#include "cli.h"
#include "conformance/port/backends.h"
#include "conformance/case/words.h"
#include "conformance/port/serve.h"
#include "conformance/run/device_checks.h"

#include <limits.h>
#include <unistd.h>

/* ---- the software device, where a backend has loaded it -------------------------------------- */

static device_checks device;
static long long order; /* of its blocks and warps; 0: the natural one */

static int is_software(void) { return device_checks_find(&device); }

/* A backend may load it at any time. */
static void before_run(const cot_sku *plan)
{
    if (!device_checks_find(&device))
        return;
    device_checks_start(&device, plan->guarantee.bit_identical);
    device.order((uint64_t)order);
}

static int report(char *message, size_t bytes)
{
    return device_checks_find(&device) ? device_checks_report(&device, message, bytes) : 0;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int run(int argc, char **argv)
{
    static const serve_watch watch = { is_software, before_run, report };
    const char *seed = NULL;
    const cli_option options[] = {
        { "--order", "S", "another order of blocks and warps, where the backend runs on the software device", &seed,
          NULL },
        { 0 },
    };
    int status, arguments = cli_parse(argc, argv, &cli_serve, options, 1, &status);
    if (arguments < 0)
        return status;
    if (arguments < 1)
        return cli_fail(EXIT_USAGE, "serve needs a backend, as in cotangent serve ./my.so");
    if (seed && parse_integer(seed, 0, INT_MAX, &order))
        return cli_fail(EXIT_USAGE, "--order %s: expected a number from 0 to %d", seed, INT_MAX);
    int out = dup(STDOUT_FILENO);
    if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) /* what a backend prints must not get between the messages */
        return cli_fail(EXIT_FAILED, "there is no standard output to answer on");
    return serve(argv[0], suite_backend_open_here, &watch, STDIN_FILENO, out)
               ? cli_fail(EXIT_FAILED, "serve: what came in is no message of the protocol")
               : EXIT_GOOD;
}

const cli_command cli_serve = { "serve", "BACKEND",
                                "Answers the suite's protocol on standard input and output, for a backend", run };
