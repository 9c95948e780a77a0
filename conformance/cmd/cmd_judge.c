/* cotangent judge: gradients in .npy files, of a case that emit wrote or of any inputs, against truth. */
#include "cli.h"
#include "file_call.h"
#include "judge_files.h"
#include "conformance/judge/judge.h"
#include "conformance/case/words.h"
#include "conformance/file/manifest.h"

#include <stdio.h>
#include <string.h>
#include <sys/stat.h>

/* ---- options --------------------------------------------------------------------------------- */

static int read_share(const char *text, double *share)
{
    char number[32];
    size_t length = strlen(text);
    int percent = length && text[length - 1] == '%';
    snprintf(number, sizeof number, "%.*s", (int)(length - (size_t)percent), text);
    int bad = length >= sizeof number || parse_number(number, share);
    *share /= percent ? 100 : 1;
    if (bad || !(*share >= 0 && *share <= 1))
        return cli_fail(EXIT_USAGE, "--accept-unjudged %s: expected a share of the cells, as in 0.05 or 5%%", text);
    return EXIT_GOOD;
}

static int read_format(const char *text, int *json)
{
    *json = !strcmp(text, "json");
    if (!*json && strcmp(text, "text") != 0)
        return cli_fail(EXIT_USAGE, "--format %s: expected text or json", text);
    return EXIT_GOOD;
}

/* ---- any inputs ------------------------------------------------------------------------------ */

static int check_given(const file_call *c)
{
    for (int o = COT_DX; o < OPERANDS; o++) {
        const char *name = cot_operand_name((cot_operand)o);
        int used = cot_operand_used(c->op, (cot_operand)o);
        if (used && !c->tensors.path[o])
            return cli_fail(EXIT_USAGE, "what is judged is %s: give --%s FILE",
                            cot_has_axis(c->op) ? "dx" : "da and db", name);
        if (!used && c->tensors.path[o])
            return cli_fail(EXIT_USAGE, "%s has no %s: its gradient is %s", c->op->name, name,
                            cot_has_axis(c->op) ? "dx" : "da and db");
    }
    return EXIT_GOOD;
}

static int judge_call(file_call *c, const judging *how)
{
    verdict v;
    int status = check_given(c);
    if (!status)
        status = file_call_operands(c, CALL_OUTPUTS);
    return status ? status : judge_and_say(&c->desc, c->tensors.view, stdout, how, &v);
}

/* ---- a directory ----------------------------------------------------------------------------- */

static int is_directory(const char *text)
{
    struct stat what;
    return !stat(text, &what) && S_ISDIR(what.st_mode);
}

/* A directory may be called as an op is: one that holds no case is then not meant. */
static int names_directory(const char *text)
{
    return strchr(text, '/') || manifest_exists(text) || holds_cases(text)
           || (is_directory(text) && !cot_op_find(text));
}

/* The first operand that an option gives a file for, or NULL. */
static const char *named_file(const file_call *c)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        if (c->tensors.path[o])
            return cot_operand_name((cot_operand)o);
    return NULL;
}

/* The first option that a case says itself, or NULL. */
static const char *said_by_case(const file_call *c)
{
    const request *r = &c->request;
    const struct {
        const char *name;
        int given;
    } options[] = {
        { "axis", r->axis != NULL },   { "reverse", r->reverse },     { "correction", r->correction != NULL },
        { "param", r->param != NULL }, { "dtype", r->dtype != NULL }, { "shape", r->shape != NULL }
    };
    for (size_t i = 0; i < sizeof options / sizeof *options; i++)
        if (options[i].given)
            return options[i].name;
    return named_file(c);
}

static int judge_there(const char *directory, const file_call *c, judging *how)
{
    const char *option = said_by_case(c);
    if (option)
        return cli_fail(EXIT_USAGE, "--%s goes with an op: %s is a directory, whose files say it", option, directory);
    if (is_directory(directory) && !manifest_exists(directory) && !holds_cases(directory))
        return cli_fail(EXIT_USAGE, "%s has no case.json, nor has a directory in it: cotangent emit writes them",
                        directory);
    if (how->marks && holds_cases(directory))
        return cli_fail(EXIT_USAGE, "--marks is for one verdict, and %s holds many cases", directory);
    how->convention = c->request.convention;
    how->policy = c->request.policy;
    return holds_cases(directory) ? judge_cases(directory, how) : judge_directory(directory, how);
}

/* With files, what could be either is the op. */
static int means_directory(const char *text, const file_call *c)
{
    return names_directory(text) && !(cot_op_find(text) && named_file(c));
}

static int run(int argc, char **argv)
{
    file_call c = { 0 };
    judging how = { .marks = NULL };
    const char *share = "0", *format = "text";
    cli_option options[FILE_CALL_OPTIONS + 7] = { { 0 } };
    const cli_option own[] = {
        { "--dx", "FILE", "the gradient to be judged", &c.tensors.path[COT_DX], NULL },
        { "--da", "FILE", "of a binary operation: the first,", &c.tensors.path[COT_DA], NULL },
        { "--db", "FILE", "and the second", &c.tensors.path[COT_DB], NULL },
        { "--accept-unjudged", "SHARE",
          "exit with 0 and not 4 where no more than this share of the cells is not judged", &share, NULL },
        { "--format", "F", "text or json: the verdict as data, with what text says", &format, NULL },
        { "--marks", "DIRECTORY", "with json: a file for each output there, a byte for each cell, 1 where it is wrong",
          &how.marks, NULL },
    };
    memcpy(options + file_call_options(&c, options), own, sizeof own);
    int status, arguments = cli_parse(argc, argv, &cli_judge, options, 1, &status);
    if (arguments < 0)
        return status;
    if ((status = read_share(share, &how.accepted)) || (status = read_format(format, &how.json)))
        return status;
    if (how.marks && !how.json)
        return cli_fail(EXIT_USAGE, "--marks goes with --format json");
    if (judge_unusable())
        return cli_fail(EXIT_UNUSABLE, "%s", judge_unusable());
    if (arguments && means_directory(argv[0], &c))
        return judge_there(argv[0], &c, &how);
    status = cli_op(arguments, argv, &cli_judge, &c.op);
    if (!status)
        status = judge_call(&c, &how);
    tensors_free(&c.tensors);
    return status;
}

const cli_command cli_judge = { "judge", "DIRECTORY|OP",
                                "Judges gradients in .npy files: of a case, a battery, or any inputs", run };
