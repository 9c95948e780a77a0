/* cotangent serve BACKEND: a backend behind the protocol on standard input and output. */
#ifdef HAVE_CONFIG_H
#include "config.h"
#endif
#include "cli.h"
#include "serve.h"

#include <string.h>
#include <unistd.h>

#ifdef HAVE_DLOPEN
#include <dlfcn.h>
#endif

/* A plug-in's table: the core has loaded and checked it by now, and this finds the same one. */
static const cot_backend_api *find_api(const char *name)
{
    const cot_backend_api *api = NULL;
#ifdef HAVE_DLOPEN
    void *library = strchr(name, '/') ? dlopen(name, RTLD_NOW | RTLD_LOCAL) : NULL;
    union { void *object; cot_backend_entry_fn function; } entry = { library ? dlsym(library, COT_BACKEND_ENTRY) : NULL };
    if (entry.object)
        api = entry.function();
    if (library)
        dlclose(library);
#else
    (void)name;
#endif
    return api;
}

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
    return serve(argv[0], find_api, STDIN_FILENO, out) ? cli_fail(EXIT_FAILED, "serve: what came in is no message of the protocol")
                                                       : EXIT_GOOD;
}

const cli_command cli_serve = { "serve", "BACKEND", "Answers the suite's protocol on standard input and output, for a backend", run };
