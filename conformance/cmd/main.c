/* cotangent: the command. */
#include "cli.h"
#include "core/cotangent.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

static const cli_command *const commands[] = {
    &cli_check, &cli_sweep, &cli_merge,   &cli_report, &cli_submit,  &cli_verify,    &cli_fingerprint, &cli_list,
    &cli_emit,  &cli_judge, &cli_replay,  &cli_run,    &cli_forward, &cli_gradcheck, &cli_accuracy,    &cli_bench,
    &cli_serve, &cli_ops,   &cli_explain, &cli_spec,   &cli_version, &cli_help
};
enum { COMMANDS = sizeof commands / sizeof *commands };

const char *cli_program = "cotangent";

static const char *command_name(int index) { return index < COMMANDS ? commands[index]->name : NULL; }

static int run_help(int argc, char **argv)
{
    (void)argc, (void)argv;
    puts("cotangent: are these gradients right?\n\nusage: cotangent COMMAND [OPTION...] [ARGUMENT...]\n");
    for (int i = 0; i < COMMANDS; i++) {
        printf("  %-11s ", commands[i]->name);
        cli_wrapped(commands[i]->about, 14);
    }
    puts("\n`cotangent COMMAND --help` lists a command's options; cotangent(1) has the rest.\n"
         "Exit status: 0 good, 1 failures, 2 usage, 3 backend unusable, 4 not all judged.");
    return EXIT_GOOD;
}

static int run_version(int argc, char **argv)
{
    static const cli_option options[] = { { 0 } };
    int status;
    if (cli_parse(argc, argv, &cli_version, options, 0, &status) < 0)
        return status;
    printf("cotangent %s\nbackends:", COT_VERSION);
    for (size_t i = 0; cot_backend_builtin(i); i++)
        printf(" %s", cot_backend_builtin(i));
    puts("");
    return EXIT_GOOD;
}

const cli_command cli_version = { "version", "", "Prints the version and the backends that are built in", run_version };
const cli_command cli_help = { "help", "", "Prints this", run_help };

int main(int argc, char **argv)
{
    if (argc < 2) {
        run_help(argc, argv);
        return cli_flush(EXIT_USAGE);
    }
    const char *name = argv[1];
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is one that cannot be written: an error, and no litter */
    cli_program = argv[0];
    if (!strcmp(name, "--help") || !strcmp(name, "-h"))
        name = "help";
    if (!strcmp(name, "--version"))
        name = "version";
    for (int i = 0; i < COMMANDS; i++)
        if (!strcmp(commands[i]->name, name)) {
            int status = commands[i]->run(argc - 1, argv + 1);
            cli_say_remark();
            return cli_flush(status);
        }
    return cli_unknown("command", name, command_name, "cotangent help lists the commands");
}
