/* cotangent serve BACKEND: a backend behind the protocol on standard input and output. */
#include "cli.h"
#include "conformance/port/backends.h"
#include "conformance/port/serve.h"

#include <unistd.h>

static int run(int argc, char **argv)
{
    static const cli_option options[] = { { 0 } };
    int status, arguments = cli_parse(argc, argv, &cli_serve, options, 1, &status);
    if (arguments < 0)
        return status;
    if (arguments < 1)
        return cli_fail(EXIT_USAGE, "serve needs a backend, as in cotangent serve ./my.so");
    int out = dup(STDOUT_FILENO);
    if (out < 0 || dup2(STDERR_FILENO, STDOUT_FILENO) < 0) /* what a backend prints must not get between the messages */
        return cli_fail(EXIT_FAILED, "there is no standard output to answer on");
    return serve(argv[0], suite_backend_open_here, STDIN_FILENO, out)
               ? cli_fail(EXIT_FAILED, "serve: what came in is no message of the protocol")
               : EXIT_GOOD;
}

const cli_command cli_serve = { "serve", "BACKEND",
                                "Answers the suite's protocol on standard input and output, for a backend", run };
