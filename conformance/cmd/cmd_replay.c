/* cotangent replay: what a framework returned, against what a backend returns and what truth says of both. */
#include "cli.h"
#include "replay.h"
#include "conformance/case/problem.h"
#include "conformance/case/words.h"
#include "conformance/file/artefacts.h"
#include "conformance/file/npy.h"
#include "conformance/judge/judge.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CONVENTIONS = 16, KNOWN = REPLAY_OUTCOMES, COUNTS };
enum { OPS = COT_LOG_SOFTMAX };

typedef struct session {
    const char *path, *emit_path;
    cot_backend *backend;
    artefacts known;
    FILE *emit;
    int line, all, refused;                      /* refused: why the file could not be replayed, which has been said */
    int64_t count[CONVENTIONS][OPS + 1][COUNTS]; /* by outcome; KNOWN: artefacts of the list */
    int64_t total[COUNTS], named;                /* vectors that the list names, whether they differ or not */
} session;

/* ---- what comes back ------------------------------------------------------------------------- */

static void emit_number(FILE *to, double number)
{
    isnan(number) ? fputs("\"nan\"", to) : fprintf(to, "\"%a\"", number);
}

/* The line as it was, and what the backend returned behind its members. */
static void emit(session *s, const char *line, const vector *v, const replay *r)
{
    fprintf(s->emit, "%.*s", (int)v->end, line);
    for (int o = COT_DX; o < OPERANDS; o++) {
        if (!r->got[o].data || r->outcome == REPLAY_SKIPPED)
            continue;
        fprintf(s->emit, ",\"got_%s\":[", cot_operand_name((cot_operand)o));
        for (int64_t i = 0; i < r->got[o].length; i++) {
            fputs(i ? "," : "", s->emit);
            emit_number(s->emit, cell_value(&r->got[o], i));
        }
        fputs("]", s->emit);
    }
    fputs("}\n", s->emit);
}

/* ---- a line ---------------------------------------------------------------------------------- */

enum { SHOWN = 20 }; /* differences that are printed unless all are asked for */

static void count(session *s, const vector *v, const replay *r)
{
    const artefact_class *artefact = r->outcome == REPLAY_DIFFERS ? artefacts_find(&s->known, v) : NULL;
    int what = artefact ? KNOWN : (int)r->outcome, convention = 0;
    while (strcmp(v->convention, convention_name((cot_convention)convention)))
        convention++;
    s->count[convention][v->desc.op][what]++;
    s->total[what]++;
    s->named += artefacts_name(&s->known, v);
    int64_t bad = s->total[REPLAY_DIFFERS] + s->total[REPLAY_WRONG];
    if ((what == REPLAY_DIFFERS || what == REPLAY_WRONG) && (s->all || bad <= SHOWN))
        printf("%s %s, line %d\n  %s\n", what == REPLAY_WRONG ? "WRONG  " : "differs", v->id, s->line, r->why);
    if (what == REPLAY_SKIPPED && s->total[what] == 1)
        printf("skipped %s, line %d, and others\n  %s\n", v->id, s->line, r->why);
}

static int replay_line(session *s, const char *line)
{
    vector v;
    replay r = { 0 };
    file_error wrong = vector_read(line, &v);
    int status = wrong.status ? cli_fail(wrong.status == FILE_FAILED ? EXIT_FAILED : EXIT_USAGE, "%s, line %d: %s",
                                         s->path, s->line, wrong.text)
                              : EXIT_GOOD;
    if (!status) {
        artefacts_apply(&s->known, &v);
        status = replay_run(s->backend, &v, &r) ? cli_fail(EXIT_FAILED, "out of memory") : EXIT_GOOD;
    }
    if (!status)
        count(s, &v, &r);
    if (!status && s->emit)
        emit(s, line, &v, &r);
    replay_free(&r);
    vector_free(&v);
    return status;
}

static int replay_file(session *s)
{
    char *line = NULL;
    size_t size = 0;
    int status = EXIT_GOOD;
    FILE *file = fopen(s->path, "r");
    if (!file)
        return cli_fail(EXIT_USAGE, "%s: it cannot be read: %s", s->path, strerror(errno));
    while (!status && getline(&line, &size, file) > 0) {
        s->line++;
        if (line[strspn(line, " \t\r\n")])
            status = replay_line(s, line);
    }
    if (!status && ferror(file))
        status = cli_fail(EXIT_FAILED, "%s: it cannot be read: %s", s->path, strerror(errno));
    free(line);
    fclose(file);
    return status;
}

/* ---- the summary ----------------------------------------------------------------------------- */

static const struct {
    int what;
    const char *name;
} columns[] = { { REPLAY_SAME, "same bits" }, { REPLAY_NEAR, "in bound" }, { KNOWN, "artefacts" },
                { REPLAY_DIFFERS, "differ" }, { REPLAY_WRONG, "WRONG" },   { REPLAY_SKIPPED, "skipped" } };
enum { COLUMNS = sizeof columns / sizeof *columns };

static int64_t print_row(const char *op, const char *convention, const int64_t counts[COUNTS])
{
    int64_t vectors = 0;
    for (int i = 0; i < COUNTS; i++)
        vectors += counts[i];
    if (!vectors)
        return 0;
    printf("%-13s %-11s %8lld", op, convention, (long long)vectors);
    for (int i = 0; i < COLUMNS; i++)
        printf(" %9lld", (long long)counts[columns[i].what]);
    puts("");
    return vectors;
}

static void print_artefacts(const session *s, int64_t vectors)
{
    for (int i = 0; i < s->known.classes; i++)
        if (s->known.class[i].vectors)
            printf("\n%s %s, %lld vectors: ", s->known.class[i].pending ? "pending" : "artefact",
                   s->known.class[i].name, (long long)s->known.class[i].vectors),
                cli_wrapped(s->known.class[i].sentence, 2);
    if (s->known.classes && vectors)
        printf("\n%lld of the %lld vectors that the list names differ; outside it %.2f %% of all do\n",
               (long long)s->total[KNOWN], (long long)s->named,
               100.0 * (double)s->total[REPLAY_DIFFERS] / (double)vectors);
}

static int64_t print_summary(const session *s)
{
    printf("\n%-13s %-11s %8s", "op", "convention", "vectors");
    for (int i = 0; i < COLUMNS; i++)
        printf(" %9s", columns[i].name);
    puts("");
    for (int c = 0; c < CONVENTIONS && convention_name((cot_convention)c); c++)
        for (int op = 1; op <= OPS; op++)
            print_row(cot_op_get((cot_op)op)->name, convention_name((cot_convention)c), s->count[c][op]);
    int64_t vectors = print_row("all", "", s->total);
    if (!vectors)
        puts("no vectors");
    print_artefacts(s, vectors);
    return vectors;
}

/* A row that nothing needs hides what would differ tomorrow. */
static int unused_rows(const session *s)
{
    int unused = 0;
    for (int i = 0; i < s->known.rows; i++)
        if (!s->known.row[i].used && (s->known.row[i].kind < 0 || !s->known.class[s->known.row[i].kind].pending)) {
            printf("the list's line %d is not needed: %s\n", s->known.row[i].line, s->known.row[i].glob);
            unused++;
        }
    return unused;
}

static int conclude(session *s)
{
    if (!print_summary(s))
        return cli_fail(EXIT_USAGE, "%s holds no vectors", s->path);
    int unused = unused_rows(s);
    return s->total[REPLAY_DIFFERS] || s->total[REPLAY_WRONG] || unused ? EXIT_FAILED : EXIT_GOOD;
}

/* ---- the command ----------------------------------------------------------------------------- */

static int print_emitted(FILE *to, void *what)
{
    session *s = what;
    s->emit = to;
    s->refused = replay_file(s);
    return s->refused || ferror(to);
}

/* The file is there whole or not at all. */
static int replay_emitting(session *s)
{
    npy_draft draft = { 0 };
    char why[NPY_WHY_SIZE] = "";
    int which, failed = npy_draft_print(&draft, s->emit_path, print_emitted, s, why)
                        || npy_drafts_keep(&draft, 1, &which, why);
    npy_draft_drop(&draft);
    if (s->refused)
        return s->refused;
    return failed ? cli_fail(EXIT_FAILED, "%s: %s", s->emit_path, why) : EXIT_GOOD;
}

static int replay_all(session *s, const char *known)
{
    int status = known ? cli_file(artefacts_read(known, &s->known)) : EXIT_GOOD;
    if (!status)
        status = s->emit_path ? replay_emitting(s) : replay_file(s);
    return status ? status : conclude(s);
}

static int run(int argc, char **argv)
{
    static session s;
    const char *backend = "ref", *known = NULL;
    const cli_option options[] = {
        { "--backend", "NAME", "who is to return it: as check's --backend (default: ref)", &backend, NULL },
        { "--emit", "FILE", "every line again, with got_dx or got_da and got_db", &s.emit_path, NULL },
        { "--known", "FILE", "artefacts that are not reproduced, and functions with policies of their own", &known,
          NULL },
        { "--all", NULL, "print every difference, and not the first 20 alone", NULL, &s.all },
        CLI_DEVICE,
        CLI_TIMEOUT,
        { 0 },
    };
    int status, arguments = cli_parse(argc, argv, &cli_replay, options, 1, &status);
    if (arguments < 0)
        return status;
    if (!arguments)
        return cli_fail(EXIT_USAGE, "replay needs a file of vectors, one JSON object a line");
    if (judge_unusable())
        return cli_fail(EXIT_UNUSABLE, "%s", judge_unusable());
    s.path = argv[0];
    status = cli_backend(backend, &s.backend);
    if (status)
        return status;
    status = replay_all(&s, known);
    cot_backend_close(s.backend);
    artefacts_free(&s.known);
    judge_end();
    return status;
}

const cli_command cli_replay = { "replay", "FILE.jsonl",
                                 "Compares a backend with what PyTorch or JAX returned: vectors, one a line", run };
