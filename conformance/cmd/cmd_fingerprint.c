/* cotangent fingerprint: what a backend does at the edges and in which order it adds, found from outside. */
#include "cli.h"
#include "fingerprint_say.h"
#include "selection.h"
#include "conformance/case/words.h"

#include <stdlib.h>
#include <string.h>

typedef struct options {
    selection s; /* --op and --dtype */
    const char *backend, *extents, *format;
    int extent[FINGERPRINT_EXTENTS], count;
} options;

static int read_extents(options *o)
{
    for (const char *at = o->extents; *at; at += strspn(at, ",\n")) {
        char text[32];
        long long extent;
        int length = (int)strcspn(at, ",\n");
        snprintf(text, sizeof text, "%.*s", length, at);
        if (parse_integer(text, 1, SUM_TREE_MOST, &extent))
            return cli_fail(EXIT_USAGE, "--extent %s: expected a number of terms, from 1 to %d", text, SUM_TREE_MOST);
        if (o->count == FINGERPRINT_EXTENTS)
            return cli_fail(EXIT_USAGE, "--extent: no more than %d of them", FINGERPRINT_EXTENTS);
        o->extent[o->count++] = (int)extent;
        at += length;
    }
    return EXIT_GOOD;
}

/* One type: sums of another are other sums. */
static int read_type(const options *o, cot_element *element)
{
    *element = COT_F32;
    for (cot_element e = COT_F16; e <= COT_F64; e++)
        if (o->s.range.elements >> e & 1)
            *element = e;
    if (o->s.range.elements & (o->s.range.elements - 1))
        return cli_fail(EXIT_USAGE, "--dtype: one type at a time");
    return EXIT_GOOD;
}

static int take_fingerprint(const options *o, cot_backend *backend, cot_element element)
{
    const cot_op_info *op;
    cot_backend *reference = NULL;
    cot_error error;
    int done = 0;
    fingerprint *f = calloc(1, sizeof *f);
    if (!f || cot_backend_open("ref", NULL, &reference, &error)) {
        free(f);
        return cli_fail(EXIT_FAILED, "out of memory");
    }
    for (size_t i = 0; (op = cot_op_at(i)) && f->ways < FINGERPRINT_OPS; i++)
        if (range_has_op(&o->s.range, op))
            fingerprint_op(backend, reference, op, element, o->extent, o->count, f);
    for (int i = 0; i < f->ways; i++)
        done += !f->way[i].status;
    if (done && !o->s.range.op_glob)
        fingerprint_arithmetic(backend, element, f);
    int status = done ? EXIT_GOOD
                      : cli_fail(EXIT_UNUSABLE, "backend %s does none of it: %s", o->backend,
                                 f->ways ? f->way[0].error.message : "no op");
    if (!status)
        strcmp(o->format, "json") ? fingerprint_text(f, o->backend, element) : fingerprint_json(f, o->backend, element);
    fingerprint_free(f);
    free(f);
    cot_backend_close(reference);
    return status;
}

static int check_options(options *o, cot_element *element)
{
    int status = selection_read(&o->s);
    if (!status)
        status = read_extents(o);
    if (!status)
        status = read_type(o, element);
    if (!status && strcmp(o->format, "text") != 0 && strcmp(o->format, "json") != 0)
        status = cli_fail(EXIT_USAGE, "--format %s: expected text or json", o->format);
    return status;
}

static int run(int argc, char **argv)
{
    options o = { .backend = "ref", .extents = "7,33,100,300,1100", .format = "text" };
    const char *extents = NULL;
    cot_element element;
    cot_backend *backend;
    int status;
    const cli_option rows[] = {
        { "--backend", "NAME", "as check has it (default: ref)", &o.backend, NULL },
        CLI_DEVICE,
        { "--op", "GLOB,...", "only ops that match one of these, and no other questions", &o.s.range.op_glob, NULL },
        { "--dtype", "TYPE", "f16, bf16, f32 (default) or f64", &o.s.dtypes, NULL },
        { "--extent", "N,...", "how many terms the sums have (default: 7,33,100,300,1100)", &extents, NULL },
        { "--format", "F", "text or json: with the tree of every sum", &o.format, NULL },
        { 0 },
    };
    if (cli_parse(argc, argv, &cli_fingerprint, rows, 0, &status) < 0)
        return status;
    o.extents = extents ? extents : o.extents;
    if ((status = check_options(&o, &element)) || (status = cli_backend(o.backend, &backend)))
        return status;
    status = take_fingerprint(&o, backend, element);
    cot_backend_close(backend);
    return status;
}

const cli_command cli_fingerprint = { "fingerprint", "",
                                      "Finds out what a backend does at the edges, and in which order it adds", run };
