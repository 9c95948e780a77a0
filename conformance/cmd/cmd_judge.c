/* cotangent judge: gradients in .npy files, of a case that emit wrote or of any inputs, against truth. */
#include "cli.h"
#include "file_call.h"
#include "judge_say.h"
#include "conformance/judge/judge_views.h"
#include "conformance/file/manifest.h"
#include "conformance/file/npy_header.h"
#include "conformance/case/words.h"
#include "conformance/case/problem.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- options --------------------------------------------------------------------------------- */

static double accepted_share; /* as --accept-unjudged says */

static int read_share(const char *text)
{
    char number[32];
    size_t length = strlen(text);
    int percent = length && text[length - 1] == '%';
    snprintf(number, sizeof number, "%.*s", (int)(length - (size_t)percent), text);
    int bad = length >= sizeof number || parse_number(number, &accepted_share);
    accepted_share /= percent ? 100 : 1;
    if (bad || !(accepted_share >= 0 && accepted_share <= 1))
        return cli_fail(EXIT_USAGE, "--accept-unjudged %s: expected a share of the cells, as in 0.05 or 5%%", text);
    return EXIT_GOOD;
}

static int in_json; /* as --format says */

static int read_format(const char *text)
{
    in_json = !strcmp(text, "json");
    if (!in_json && strcmp(text, "text") != 0)
        return cli_fail(EXIT_USAGE, "--format %s: expected text or json", text);
    return EXIT_GOOD;
}

/* In JSON every wrong cell is said: `marks` has a byte for each. */
static int judge_to_json(const cot_desc *desc, const cot_view views[OPERANDS])
{
    verdict v;
    unsigned char *marks[OPERANDS] = { 0 };
    cot_status status = COT_OK;
    for (int o = COT_DX; o < OPERANDS; o++)
        if (cot_operand_used(cot_op_get(desc->op), (cot_operand)o))
            status = (marks[o] = calloc(1, (size_t)cell_count(&views[o]) + 1)) ? status : COT_INTERNAL;
    if (!status)
        status = judge_and_mark(desc, views, marks, &v);
    judge_end();
    int code = status ? cli_fail(EXIT_FAILED, "out of memory") : say_json(desc, views, marks, &v, accepted_share);
    for (int o = COT_DX; o < OPERANDS; o++)
        free(marks[o]);
    return code;
}

static int judge_to_text(const cot_desc *desc, const cot_view views[OPERANDS])
{
    verdict v;
    cot_status status = judge_views(desc, views, &v);
    judge_end();
    return status ? cli_fail(EXIT_FAILED, "out of memory") : say_text(stdout, desc, views, &v, accepted_share);
}

static int judge_and_say(const cot_desc *desc, const cot_view views[OPERANDS])
{
    return in_json ? judge_to_json(desc, views) : judge_to_text(desc, views);
}

/* ---- a case in a directory ------------------------------------------------------------------- */

static int check_outputs_there(const cot_desc *desc, const tensors *t)
{
    char shape[NPY_TEXT_SIZE];
    for (int o = COT_DX; o < OPERANDS; o++)
        if (t->path[o] && access(t->path[o], R_OK))
            return cli_fail(EXIT_USAGE, "%s is missing: save %s there (%s%s, shape %s), then judge again", t->path[o],
                            cot_operand_name((cot_operand)o), cot_element_name(desc->element),
                            desc->element == COT_BF16 ? " as uint16" : "",
                            npy_shape_print(desc->rank, desc->shape, shape));
    return EXIT_GOOD;
}

/* A result of other inputs says nothing: those in the files must be the case's own. NaN is NaN. */
static int check_inputs_same(const problem *p, const tensors *t)
{
    for (int o = COT_DY; o < COT_DX; o++) {
        const cot_view *own = &p->tensors[o].view, *read = &t->view[o];
        for (int64_t i = 0, n = read->rank ? cell_count(own) : 0; i < n; i++) {
            double a = cell_value(own, i), b = cell_value(read, i);
            if (!same_number(a, b))
                return cli_fail(EXIT_USAGE,
                                "%s is not what emit wrote: emit the case again, or judge your own inputs with "
                                "cotangent judge %s --%s ...",
                                t->path[o], cot_op_get(p->c.desc.op)->name, cot_operand_name((cot_operand)o));
        }
    }
    return EXIT_GOOD;
}

static int judge_problem(const problem *p, tensors *t)
{
    cot_view views[OPERANDS] = { { 0 } };
    cot_desc desc = p->c.desc;
    int status = check_outputs_there(&desc, t);
    for (int o = COT_DY; o < COT_DX; o++)
        if (t->path[o] && access(t->path[o], R_OK))
            t->path[o] = NULL; /* inputs may be gone: the id says what they were */
    if (!status)
        status = cli_file(tensors_read(t, ~0u, &desc));
    if (!status)
        status = cli_file(tensors_check(t, &desc));
    if (!status)
        status = check_inputs_same(p, t);
    if (status)
        return status;
    for (int o = COT_DY; o < OPERANDS; o++)
        views[o] = cot_is_output((cot_operand)o) ? t->view[o] : p->tensors[o].view;
    return judge_and_say(&desc, views);
}

static int judge_directory(const char *directory)
{
    char paths[OPERANDS][MANIFEST_PATH];
    tensors t = { 0 };
    test_case c;
    problem p;
    int status = cli_file(manifest_read(directory, &c));
    if (!status)
        status = cli_file(manifest_paths(directory, cot_op_get(c.desc.op), paths, &t));
    if (status)
        return status;
    if (problem_make(&p, &c))
        return cli_fail(EXIT_FAILED, "there is no memory for the case");
    status = judge_problem(&p, &t);
    problem_free(&p);
    tensors_free(&t);
    return status;
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

static int judge_call(file_call *c)
{
    int status = check_given(c);
    if (!status)
        status = file_call_operands(c, CALL_OUTPUTS);
    return status ? status : judge_and_say(&c->desc, c->tensors.view);
}

/* A directory may be called as an op is: with files, it is the op. */
static int names_files(const tensors *t)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        if (t->path[o])
            return 1;
    return 0;
}

static int run(int argc, char **argv)
{
    file_call c = { 0 };
    const char *share = "0", *format = "text";
    cli_option options[FILE_CALL_OPTIONS + 6] = { { 0 } };
    const cli_option own[] = {
        { "--dx", "FILE", "the gradient to be judged", &c.tensors.path[COT_DX], NULL },
        { "--da", "FILE", "of a binary operation: the first,", &c.tensors.path[COT_DA], NULL },
        { "--db", "FILE", "and the second", &c.tensors.path[COT_DB], NULL },
        { "--accept-unjudged", "SHARE",
          "exit with 0 and not 4 where no more than this share of the cells is not judged", &share, NULL },
        { "--format", "F", "text or json: the verdict as data, with what text says", &format, NULL },
    };
    memcpy(options + file_call_options(&c, options), own, sizeof own);
    int status, arguments = cli_parse(argc, argv, &cli_judge, options, 1, &status);
    if (arguments < 0)
        return status;
    if ((status = read_share(share)) || (status = read_format(format)))
        return status;
    if (judge_unusable())
        return cli_fail(EXIT_UNUSABLE, "%s", judge_unusable());
    if (arguments && !names_files(&c.tensors) && (manifest_exists(argv[0]) || strchr(argv[0], '/')))
        return judge_directory(argv[0]);
    status = cli_op(arguments, argv, &cli_judge, &c.op);
    if (!status)
        status = judge_call(&c);
    tensors_free(&c.tensors);
    return status;
}

const cli_command cli_judge = { "judge", "DIRECTORY|OP",
                                "Judges gradients in .npy files: of a case that emit wrote, or of any inputs", run };
