/* Options, exit codes, messages and backends, for every command. */
#include "conformance/port/backends.h"
#include "conformance/port/proxy.h"
#include "cli.h"
#include "conformance/case/words.h"
#include "conformance/describe/describe.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

enum { COLUMNS = 79 };

int cli_fail(int status, const char *format, ...)
{
    va_list list;
    va_start(list, format);
    int column = fprintf(stderr, "cotangent: ");
    if (isatty(STDERR_FILENO)) {
        char text[8192];
        vsnprintf(text, sizeof text, format, list);
        print_wrapped(stderr, text, column, COLUMNS, "  ");
    } else { /* a line, for other programs */
        vfprintf(stderr, format, list);
        fputc('\n', stderr);
    }
    va_end(list);
    return status;
}

int cli_file(file_error error)
{
    static const int codes[] = { [FILE_GOOD] = EXIT_GOOD, [FILE_WRONG] = EXIT_USAGE, [FILE_FAILED] = EXIT_FAILED };
    return error.status ? cli_fail(codes[error.status], "%s", error.text) : EXIT_GOOD;
}

/* ---- help ------------------------------------------------------------------------------------ */

static void print_help(const cli_command *command, const cli_option *options)
{
    printf("usage: cotangent %s%s%s%s\n\n", command->name, options->name ? " [OPTION...]" : "",
           *command->arguments ? " " : "", command->arguments);
    char about[256];
    snprintf(about, sizeof about, "%s.", command->about);
    cli_wrapped(about, 0);
    if (options->name)
        puts("");
    for (; options->name; options++) {
        char left[48];
        snprintf(left, sizeof left, "%s%s%s", options->name, options->value ? " " : "",
                 options->value ? options->value : "");
        printf("  %-20s ", left);
        cli_wrapped_from(options->about, strlen(left) > 20 ? (int)strlen(left) + 3 : 23, 23);
    }
}

/* ---- options --------------------------------------------------------------------------------- */

static const cli_option *listed; /* what option_name walks; the command line is parsed by one thread */

static const char *option_name(int index) { return listed[index].name; }

static const cli_option *find_option(const cli_option *options, const char *name, size_t length)
{
    for (; options->name; options++)
        if (strlen(options->name) == length && !strncmp(options->name, name, length))
            return options;
    return NULL;
}

/* Values of an option that came again, a line each; they stay where they are until the program ends. */
static int add_value(const cli_option *option, const char *value)
{
    static char lines[1 << 16];
    static size_t used;
    int length = snprintf(lines + used, sizeof lines - used, "%s\n%s", *option->text, value);
    if (length < 0 || (size_t)length >= sizeof lines - used)
        return cli_fail(-1, "%s came too often: name the cases in a file, --cases FILE", option->name);
    *option->text = lines + used;
    used += (size_t)length + 1;
    return 0;
}

/* `seen`: a bit for each option that came before. */
static int set_value(const cli_option *options, const cli_option *option, const char *value, uint64_t *seen)
{
    uint64_t bit = (uint64_t)1 << (option - options);
    int again = (*seen & bit) != 0;
    *seen |= bit;
    if (again && strstr(option->value, "..."))
        return add_value(option, value);
    if (again && strcmp(*option->text, value))
        return cli_fail(-1, "%s came twice, with %s and with %s: give it once", option->name, *option->text, value);
    *option->text = value;
    return 0;
}

/* Sets one option; the number of words it took, or -1. */
static int take_option(const cli_option *options, int left, char **words, uint64_t *seen)
{
    const char *equals = strchr(words[0], '=');
    size_t length = equals ? (size_t)(equals - words[0]) : strlen(words[0]);
    const cli_option *option = find_option(options, words[0], length);
    if (!option) {
        char name[64];
        snprintf(name, sizeof name, "%.*s", (int)length, words[0]);
        listed = options;
        cli_unknown("option", name, option_name, "--help lists the options");
        return -1;
    }
    if (!option->value && equals)
        return cli_fail(-1, "%s takes no value", option->name);
    if (!option->value)
        return *option->flag = 1;
    if (!equals && left < 2)
        return cli_fail(-1, "%s needs a value: %s %s", option->name, option->name, option->value);
    if (set_value(options, option, equals ? equals + 1 : words[1], seen))
        return -1;
    return equals ? 1 : 2;
}

int cli_parse(int argc, char **argv, const cli_command *command, const cli_option *options, int most_arguments,
              int *status)
{
    int arguments = 0;
    uint64_t seen = 0;
    for (int i = 1; i < argc;) {
        int taken = 1;
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            print_help(command, options);
            *status = EXIT_GOOD;
            return -1;
        }
        if (argv[i][0] == '-' && argv[i][1])
            taken = take_option(options, argc - i, argv + i, &seen);
        else
            argv[arguments++] = argv[i];
        *status = EXIT_USAGE;
        if (taken < 0)
            return -1;
        i += taken;
    }
    if (arguments > most_arguments)
        return cli_fail(-1, "%s does not take \"%s\" (cotangent %s --help)", command->name, argv[most_arguments],
                        command->name);
    return arguments;
}

/* ---- what commands ask for ------------------------------------------------------------------- */

int cli_op(int arguments, char **argv, const cli_command *command, const cot_op_info **op)
{
    if (arguments < 1)
        return cli_fail(EXIT_USAGE, "%s needs an op (cotangent ops lists them)", command->name);
    *op = cot_op_find(argv[0]);
    return *op ? EXIT_GOOD : cli_unknown("op", argv[0], cli_op_name, "cotangent ops lists them");
}

int cli_seconds(const char *text, double *seconds)
{
    if (text && (parse_number(text, seconds) || !(*seconds > 0)))
        return cli_fail(EXIT_USAGE, "--timeout %s: expected seconds", text);
    return EXIT_GOOD;
}

const char *cli_device, *cli_timeout;
static char remark[128];
static int results_only;

cot_status cli_open(const char *name, const char *device, cot_backend **backend, cot_error *error)
{
    char options[512];
    if (snprintf(options, sizeof options, "device=%s", device ? device : "") >= (int)sizeof options) {
        *error = (cot_error){ .code = COT_INVALID_PROBLEM, .message = "the device's name is too long" };
        return error->code;
    }
    return suite_backend_open(name, device && *device ? options : NULL, backend, error);
}

int cli_backend(const char *name, cot_backend **backend)
{
    cot_error error;
    double patience = CASE_PATIENCE;
    int unknown = cli_known_backend(name);
    if (unknown)
        return unknown;
    if (cli_seconds(cli_timeout, &patience))
        return EXIT_USAGE;
    call_patience_for(patience);
    cot_status status = cli_open(name, cli_device, backend, &error);
    if (status)
        return cli_fail(status == COT_INVALID_PROBLEM ? EXIT_USAGE : EXIT_UNUSABLE, "%s", error.message);
    suite_backend_remark(*backend, remark, sizeof remark);
    return EXIT_GOOD;
}

void cli_results_only(void) { results_only = 1; }

int cli_flush(int status)
{
    if (!fflush(stdout) && !ferror(stdout))
        return status;
    return cli_fail(status ? status : EXIT_FAILED, "standard output cannot be written: %s", strerror(errno));
}

void cli_say_remark(void)
{
    fflush(stdout);
    if (*remark)
        fprintf(results_only ? stderr : stdout, "%s\n", remark);
}

int cli_exit_code(cot_status status)
{
    switch (status) {
    case COT_OK: return EXIT_GOOD;
    case COT_UNSUPPORTED: return EXIT_UNUSABLE;
    case COT_INTERNAL: return EXIT_FAILED;
    default: return EXIT_USAGE;
    }
}

void cli_wrapped_from(const char *text, int column, int further)
{
    char indent[64];
    snprintf(indent, sizeof indent, "%*s", further, "");
    print_wrapped(stdout, text, column, COLUMNS, indent);
}

void cli_wrapped(const char *text, int column) { cli_wrapped_from(text, column, column); }

void cli_row(const char *text, int column)
{
    if (isatty(STDOUT_FILENO))
        cli_wrapped(text, column);
    else
        puts(text);
}
