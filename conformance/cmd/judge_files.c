/* What judge does with directories: a case that emit wrote, with its results beside it; and many of them. */
#include "judge_files.h"
#include "cli.h"
#include "judge_say.h"
#include "conformance/case/problem.h"
#include "conformance/case/told.h"
#include "conformance/clause/clauses.h"
#include "conformance/file/manifest.h"
#include "conformance/file/npy_header.h"
#include "conformance/judge/judge_views.h"
#include "conformance/report/report.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct mark_file {
    const unsigned char *marks;
    size_t cells;
} mark_file;

static int print_marks(FILE *to, void *what)
{
    const mark_file *f = what;
    return fwrite(f->marks, 1, f->cells, to) != f->cells;
}

static int write_marks(const char *directory, cot_operand o, mark_file *f)
{
    char path[MANIFEST_PATH], why[NPY_WHY_SIZE] = "";
    npy_draft draft = { 0 };
    int which, length = snprintf(path, sizeof path, "%s/%s.marks", directory, cot_operand_name(o));
    if (length >= (int)sizeof path)
        return cli_fail(EXIT_USAGE, "--marks %s: the path is too long", directory);
    int failed = npy_draft_print(&draft, path, print_marks, f, why) || npy_drafts_keep(&draft, 1, &which, why);
    npy_draft_drop(&draft);
    return failed ? cli_fail(EXIT_FAILED, "%s: %s", path, why) : EXIT_GOOD;
}

static int write_all_marks(const char *directory, const cot_view views[OPERANDS], unsigned char *const marks[OPERANDS])
{
    int status = EXIT_GOOD;
    for (int o = COT_DX; o < OPERANDS && !status; o++) {
        mark_file f = { marks[o], marks[o] ? (size_t)cell_count(&views[o]) : 0 };
        if (marks[o])
            status = write_marks(directory, (cot_operand)o, &f);
    }
    return status;
}

/* In JSON every wrong cell is said: `marks` has a byte for each. */
static int judge_to_json(const cot_desc *desc, const cot_view views[OPERANDS], const judging *how, verdict *v)
{
    unsigned char *marks[OPERANDS] = { 0 };
    cot_status status = COT_OK;
    for (int o = COT_DX; o < OPERANDS; o++)
        if (cot_operand_used(cot_op_get(desc->op), (cot_operand)o))
            status = (marks[o] = calloc(1, (size_t)cell_count(&views[o]) + 1)) ? status : COT_INTERNAL;
    if (!status)
        status = judge_and_mark(desc, views, marks, v);
    judge_end();
    int code = status       ? cli_fail(EXIT_FAILED, "out of memory")
               : how->marks ? write_all_marks(how->marks, views, marks)
                            : EXIT_GOOD;
    if (!code)
        code = say_json(desc, views, how->marks ? NULL : marks, v, how->accepted);
    for (int o = COT_DX; o < OPERANDS; o++)
        free(marks[o]);
    return code;
}

static int judge_to_text(const cot_desc *desc, const cot_view views[OPERANDS], FILE *to, double accepted, verdict *v)
{
    cot_status status = judge_views(desc, views, v);
    judge_end();
    return status ? cli_fail(EXIT_FAILED, "out of memory") : say_text(to, desc, views, v, accepted);
}

int judge_and_say(const cot_desc *desc, const cot_view views[OPERANDS], FILE *to, const judging *how, verdict *v)
{
    return how->json ? judge_to_json(desc, views, how, v) : judge_to_text(desc, views, to, how->accepted, v);
}

/* ---- a case ---------------------------------------------------------------------------------- */

/* A case with its results. */
typedef struct filed {
    test_case c;
    problem p;
    tensors t;
    char paths[OPERANDS][MANIFEST_PATH];
} filed;

static cot_operand missing_output(const tensors *t)
{
    for (int o = COT_DX; o < OPERANDS; o++)
        if (t->path[o] && access(t->path[o], R_OK))
            return (cot_operand)o;
    return COT_NO_OPERAND;
}

static int check_outputs_there(const cot_desc *desc, const tensors *t)
{
    char shape[NPY_TEXT_SIZE];
    cot_operand o = missing_output(t);
    return o ? cli_fail(EXIT_USAGE, "%s is missing: save %s there (%s%s, shape %s), then judge again", t->path[o],
                        cot_operand_name(o), cot_element_name(desc->element),
                        desc->element == COT_BF16 ? " as uint16" : "", npy_shape_print(desc->rank, desc->shape, shape))
             : EXIT_GOOD;
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

/* What the directory is of: the id alone, under the policies that are asked for. No input depends on them. */
static int read_case(const char *directory, const judging *how, filed *f)
{
    *f = (filed){ 0 };
    int status = cli_file(manifest_read(directory, &f->c));
    if (!status)
        status = cli_policies(how->convention, how->policy, &f->c.desc.policies);
    return status ? status : cli_file(manifest_paths(directory, cot_op_get(f->c.desc.op), f->paths, &f->t));
}

static int read_results(filed *f)
{
    cot_desc desc = f->c.desc;
    int status = check_outputs_there(&desc, &f->t);
    if (!status && problem_make(&f->p, &f->c))
        return cli_fail(EXIT_FAILED, "there is no memory for the case");
    for (int o = COT_DY; o < COT_DX; o++)
        if (f->t.path[o] && access(f->t.path[o], R_OK))
            f->t.path[o] = NULL; /* inputs may be gone: the id says what they were */
    if (!status)
        status = cli_file(tensors_read(&f->t, ~0u, &desc));
    if (!status)
        status = cli_file(tensors_check(&f->t, &desc));
    return status ? status : check_inputs_same(&f->p, &f->t);
}

static int judge_filed(const filed *f, FILE *to, const judging *how, verdict *v)
{
    cot_view views[OPERANDS] = { { 0 } };
    for (int o = COT_DY; o < OPERANDS; o++)
        views[o] = cot_is_output((cot_operand)o) ? f->t.view[o] : f->p.tensors[o].view;
    return judge_and_say(&f->c.desc, views, to, how, v);
}

static void forget(filed *f)
{
    problem_free(&f->p);
    tensors_free(&f->t);
}

int judge_directory(const char *directory, const judging *how)
{
    filed f;
    verdict v;
    int status = read_case(directory, how, &f);
    if (!status)
        status = read_results(&f);
    if (!status)
        status = judge_filed(&f, stdout, how, &v);
    forget(&f);
    return status;
}

/* ---- many cases ------------------------------------------------------------------------------ */

typedef enum outcome { RIGHT, WRONG, UNJUDGED, MISSING, UNREADABLE, OUTCOMES } outcome;

static const char *const outcome_names[OUTCOMES] = { "right", "WRONG", "unjudged", "missing", "unreadable" };

enum { IN_FULL = 3, CLAUSES = 32 }; /* verdicts that are said whole; clauses that are counted */

typedef struct summary {
    const judging *how;
    int count[OUTCOMES];
    char clause[CLAUSES][CLAUSE_SIZE]; /* that are broken, and by how many cases */
    int broken[CLAUSES];
} summary;

static void count_clause(summary *s, const char *id)
{
    int i = 0;
    while (i < CLAUSES - 1 && *s->clause[i] && strcmp(s->clause[i], id) != 0)
        i++;
    snprintf(s->clause[i], CLAUSE_SIZE, "%s", id);
    s->broken[i]++;
}

static outcome outcome_of(int status)
{
    return status == EXIT_GOOD ? RIGHT : status == EXIT_UNJUDGED ? UNJUDGED : WRONG;
}

static void say_line(outcome what, const char *directory, const test_case *c, const char *more)
{
    char id[CASE_ID_SIZE];
    case_print(c, id);
    printf("%-10s %s  %s%s%s\n", outcome_names[what], directory, id, *more ? ": " : "", more);
}

static outcome judge_as_text(summary *s, const char *directory, const filed *f, verdict *v)
{
    char *text = NULL;
    size_t size;
    FILE *to = open_memstream(&text, &size);
    if (!to)
        return cli_fail(EXIT_FAILED, "out of memory"), UNREADABLE;
    outcome what = outcome_of(judge_filed(f, to, s->how, v));
    if (told_end(to, &text))
        return cli_fail(EXIT_FAILED, "out of memory"), UNREADABLE;
    say_line(what, directory, &f->c, what == WRONG ? v->clause : "");
    if (what == UNJUDGED || (what == WRONG && s->count[WRONG] < IN_FULL))
        for (const char *line = text; *line; line += strcspn(line, "\n") + 1)
            printf("    %.*s\n", (int)strcspn(line, "\n"), line);
    free(text);
    return what;
}

static outcome judge_as_json(summary *s, const filed *f, verdict *v)
{
    printf(", \"verdict\": ");
    return outcome_of(judge_filed(f, stdout, s->how, v));
}

static outcome judge_one(summary *s, const char *directory, filed *f)
{
    verdict v = { 0 };
    cot_operand lacks = missing_output(&f->t);
    outcome what = lacks             ? MISSING
                   : read_results(f) ? UNREADABLE
                   : s->how->json    ? judge_as_json(s, f, &v)
                                     : judge_as_text(s, directory, f, &v);
    if (!s->how->json && lacks)
        say_line(what, directory, &f->c, strrchr(f->t.path[lacks], '/') + 1);
    if (!s->how->json && what == UNREADABLE)
        say_line(what, directory, &f->c, "");
    if (what == WRONG)
        count_clause(s, v.clause);
    return what;
}

static void judge_entry(summary *s, const char *within, const char *name, int first)
{
    char directory[MANIFEST_PATH], id[CASE_ID_SIZE] = "";
    filed f;
    snprintf(directory, sizeof directory, "%s/%s", within, name);
    int unreadable = read_case(directory, s->how, &f);
    if (!unreadable)
        case_print(&f.c, id);
    if (s->how->json) {
        printf("%s\n{ \"directory\": ", first ? "" : ",");
        print_json_string(stdout, directory);
        printf(", \"id\": \"%s\"", id);
    }
    outcome what = unreadable ? UNREADABLE : judge_one(s, directory, &f);
    if (s->how->json)
        printf(", \"outcome\": \"%s\" }", what == WRONG ? "wrong" : outcome_names[what]);
    s->count[what]++;
    forget(&f);
}

static void say_summary(const summary *s, int cases)
{
    const char *comma = "";
    printf("%d case%s:", cases, cases == 1 ? "" : "s");
    for (int o = 0; o < OUTCOMES; o++)
        if (s->count[o]) {
            printf("%s %d %s", comma, s->count[o], outcome_names[o]);
            comma = ",";
        }
    printf("\n");
    for (int i = 0; i < CLAUSES && s->broken[i]; i++) {
        const clause *c = clause_find(s->clause[i]);
        printf("  %d by %s: %s\n", s->broken[i], *s->clause[i] ? s->clause[i] : "no clause", c ? c->text : "");
    }
    if (s->count[WRONG] > IN_FULL)
        printf("  cotangent judge DIRECTORY/CASE says more of one\n");
    if (s->count[MISSING])
        printf("  missing: save the result of each case beside its inputs, as its case.json says, and judge again\n");
}

static void say_summary_in_json(const summary *s, int cases)
{
    const char *comma = "";
    printf("\n], \"totals\": { \"cases\": %d", cases);
    for (int o = 0; o < OUTCOMES; o++)
        printf(", \"%s\": %d", o == WRONG ? "wrong" : outcome_names[o], s->count[o]);
    printf(" }, \"clauses\": {");
    for (int i = 0; i < CLAUSES && s->broken[i]; i++, comma = ",")
        printf("%s \"%s\": %d", comma, s->clause[i], s->broken[i]);
    printf(" } }\n");
}

/* Its directories' names, in their order. Negative: it cannot be read. */
static int list(const char *directory, struct dirent ***entries)
{
    return scandir(directory, entries, NULL, alphasort);
}

static int is_case(const char *within, const char *name)
{
    char path[MANIFEST_PATH];
    int length = *name == '.' ? MANIFEST_PATH : snprintf(path, sizeof path, "%s/%s", within, name);
    return length < MANIFEST_PATH && manifest_exists(path);
}

int holds_cases(const char *directory)
{
    struct dirent **entries;
    int found = 0, n = manifest_exists(directory) ? -1 : list(directory, &entries);
    for (int i = 0; i < n; i++) {
        found |= is_case(directory, entries[i]->d_name);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    return found;
}

int judge_cases(const char *directory, const judging *how)
{
    struct dirent **entries;
    summary s = { .how = how };
    cot_policies asked = { 0 };
    if (cli_policies(how->convention, how->policy, &asked))
        return EXIT_USAGE;
    int cases = 0, n = list(directory, &entries);
    if (how->json)
        printf("{ \"format\": 1, \"cases\": [");
    for (int i = 0; i < n; i++) {
        if (is_case(directory, entries[i]->d_name))
            judge_entry(&s, directory, entries[i]->d_name, !cases++);
        free(entries[i]);
    }
    if (n >= 0)
        free(entries);
    how->json ? say_summary_in_json(&s, cases) : say_summary(&s, cases);
    return s.count[WRONG]                            ? EXIT_FAILED
           : s.count[MISSING] || s.count[UNREADABLE] ? EXIT_USAGE
           : s.count[UNJUDGED]                       ? EXIT_UNJUDGED
                                                     : EXIT_GOOD;
}
