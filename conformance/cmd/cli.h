/* The command line: a table of commands, each with a table of options. */
#ifndef COT_CLI_H
#define COT_CLI_H

#include "conformance/file/file_error.h"
#include "core/cotangent.h"

enum { EXIT_GOOD = 0, EXIT_FAILED = 1, EXIT_USAGE = 2, EXIT_UNUSABLE = 3, EXIT_UNJUDGED = 4 };

typedef struct cli_option {
    const char *name;  /* "--op" */
    const char *value; /* what stands for its value in the help, "GLOB"; NULL: it takes none. "GLOB,...", "ID...": it
                        * may come again, and its values add up */
    const char *about;
    const char **text; /* where the value goes, a line for each where it came again */
    int *flag;         /* or what is set, for an option without one */
} cli_option;

typedef struct cli_command {
    const char *name;
    const char *arguments; /* "OP", or "" */
    const char *about;
    int (*run)(int argc, char **argv);
} cli_command;

extern const char *cli_program; /* the name that the command was called by */

/* Takes the options out of argv (argv[0] is the command) and leaves the arguments, in their order, counted by the
 * result. Where the command must end instead, -1: *status is its exit code, and everything has been said. */
int cli_parse(int argc, char **argv, const cli_command *command, const cli_option *options, int most_arguments,
              int *status);

/* Says on stderr that `given` is not one of the names, which it may have meant, and which there are. EXIT_USAGE. */
int cli_unknown(const char *kind, const char *given, const char *(*name_at)(int index), const char *how_to_list);

/* "cotangent: ..." and a new line on stderr. Returns `status`. */
__attribute__((format(printf, 2, 3))) int cli_fail(int status, const char *format, ...);

/* Says what is wrong with a file, where anything is. Returns 0, or its exit code. */
int cli_file(file_error error);

/* Prints text that continues in a column: broken at spaces, a new line at its end. */
void cli_wrapped(const char *text, int column);
void cli_wrapped_from(const char *text, int column, int further); /* further lines begin in a column of their own */
void cli_row(const char *text, int column); /* wrapped on a terminal; elsewhere one line, for other programs */

/* 0, or an exit code, and everything has been said. `arguments` is cli_parse's count. */
int cli_op(int arguments, char **argv, const cli_command *command, const cot_op_info **op);
const char *cli_op_name(int index); /* the ops in order, for cli_unknown; NULL past the last */
int cli_element(const char *name, cot_element *element);
int cli_seconds(const char *text, double *seconds); /* of --timeout; NULL leaves them as they are */
int cli_backend(const char *name, cot_backend **backend);
cot_status cli_open(const char *name, const char *device, cot_backend **backend, cot_error *error); /* NULL, "": any */
int cli_known_backend(const char *name); /* 0, or an exit code: there can be none of that name */

/* --convention and --policy, either may be NULL; `op` is one whose policies `explain` lists. */
int cli_policies(const char *convention, const char *list, cot_policies *policies);

/* Options of commands that open a backend by cli_backend. */
// clang-format off
#define CLI_DEVICE { "--device", "D", "the device that the backend is to use, where it has several", &cli_device, NULL }
#define CLI_TIMEOUT { "--timeout", "S", "seconds; a call to a port may take a third of them (default: 60)", \
    &cli_timeout, NULL }
// clang-format on
extern const char *cli_device, *cli_timeout;

/* What must not be left out about the backends that cli_backend has opened, as the last line: on stderr where stdout is
 * for results alone. */
void cli_results_only(void);
void cli_say_remark(void);

/* At the end: what was printed has been written, or that is said, and the exit code is not 0. */
int cli_flush(int status);

/* What the library's refusal is to a shell: a wrong call, a backend that does not do it, or a failure of the run. */
int cli_exit_code(cot_status status);

extern const cli_command cli_run, cli_forward, cli_gradcheck, cli_emit, cli_judge, cli_replay, cli_serve;
extern const cli_command cli_spec, cli_ops, cli_explain, cli_check, cli_list, cli_bench, cli_accuracy, cli_version,
    cli_help, cli_sweep, cli_merge, cli_report, cli_submit, cli_verify, cli_fingerprint;

#endif
