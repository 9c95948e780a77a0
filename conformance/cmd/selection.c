/* The options that choose cases. */
#include "selection.h"
#include "shard.h"
#include "conformance/case/generate.h"
#include "conformance/case/words.h"
#include "conformance/clause/clauses.h"
#include "conformance/clause/suite_tests.h"
#include "conformance/report/report.h"

#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

int selection_options(selection *s, cli_option *rows)
{
    const cli_option options[SELECTION_OPTIONS] = {
        { "--op", "GLOB,...", "only ops that match one of these", &s->range.op_glob, NULL },
        { "--dtype", "TYPE,...", "only these of f16, bf16, f32 and f64", &s->dtypes, NULL },
        { "--family", "GLOB,...", "only ops of these families", &s->range.families, NULL },
        { "--layout", "GLOB,...", "only cases of these layouts", &s->layouts, NULL },
        { "--generator", "GLOB,...", "only cases with numbers of these generators", &s->generators, NULL },
        { "--clause", "ID,...", "only cases that judge one of these clauses", &s->clauses, NULL },
        { "--convention", "NAME", "the cases of the spec's own policies, under spec, torch, jax or accurate",
          &s->convention, NULL },
        { "--policy", "NAME=VALUE,...", "or under single policies", &s->policy, NULL },
        { "--case", "ID...", "this case; may come again", &s->ids, NULL },
        { "--cases", "FILE", "the cases of a file, an id a line; - is the standard input", &s->file, NULL },
        { "--quick", NULL, "the quick range, in minutes (the default)", NULL, &s->quick },
        { "--full", NULL, "the full range", NULL, &s->range.full },
        { "--shard", "I/N", "only the I-th of N parts, from 1/N to N/N (default: what a scheduler's variables say)",
          &s->part, NULL },
        { "--seed", "S", "other numbers: added to every case's own seed; random: any, and it is said", &s->seed, NULL },
    };
    memcpy(rows, options, sizeof options);
    return SELECTION_OPTIONS;
}

/* ---- names ----------------------------------------------------------------------------------- */

static const char *family_name(int i)
{
    const cot_family_info *family = cot_family_at((size_t)i);
    return family ? family->name : NULL;
}

static const char *layout_at(int i) { return layout_name((case_layout)i); }

static const char *generator_name(int i)
{
    const generator *g = generator_at(i);
    return g ? g->name : NULL;
}

static const char *clause_name(int i)
{
    const clause *c = clause_at(i);
    return c ? c->id : NULL;
}

static int matches_any(const char *glob, const char *(*name_at)(int i))
{
    const char *name;
    for (int i = 0; (name = name_at(i)); i++)
        if (matches_one(glob, name))
            return 1;
    return 0;
}

static void list_names(const char *(*name_at)(int i), char *text, size_t size)
{
    const char *name;
    size_t used = 0;
    *text = 0;
    for (int i = 0; (name = name_at(i)) && used < size; i++)
        used += (size_t)snprintf(text + used, size - used, "%s%s", i ? " " : "", name);
}

/* Every glob of a list matches something: a name that is misspelt is not a smaller selection. */
static int check_names(const char *kind, const char *globs, const char *(*name_at)(int i))
{
    for (const char *at = globs ? globs : ""; *at; at += strspn(at, ",\n")) {
        char glob[128], all[4096];
        int length = (int)strcspn(at, ",\n");
        snprintf(glob, sizeof glob, "%.*s", length, at);
        at += length;
        if (matches_any(glob, name_at))
            continue;
        list_names(name_at, all, sizeof all);
        return cli_unknown(kind, glob, name_at, all);
    }
    return 0;
}

static int check_all_names(const selection *s)
{
    int status = check_names("op", s->range.op_glob, cli_op_name);
    status = status ? status : check_names("family", s->range.families, family_name);
    status = status ? status : check_names("layout", s->layouts, layout_at);
    status = status ? status : check_names("generator", s->generators, generator_name);
    return status ? status : check_names("clause", s->clauses, clause_name);
}

/* ---- numbers --------------------------------------------------------------------------------- */

static int read_types(selection *s)
{
    for (const char *at = s->dtypes ? s->dtypes : ""; *at; at += strspn(at, ",\n")) {
        char name[16];
        cot_element element;
        int length = (int)strcspn(at, ",\n"), status;
        snprintf(name, sizeof name, "%.*s", length, at);
        if ((status = cli_element(name, &element)))
            return status;
        s->range.elements |= 1u << element;
        at += length;
    }
    return 0;
}

static int read_seed(selection *s)
{
    long long seed = 0;
    if (s->seed && !strcmp(s->seed, "random")) {
        seed = (long long)((uint64_t)time(NULL) * 2654435761u + (uint64_t)getpid()) & INT_MAX;
        fprintf(stderr, "cotangent: --seed %lld\n", seed);
    } else if (s->seed && parse_integer(s->seed, 0, INT_MAX, &seed)) {
        return cli_fail(EXIT_USAGE, "--seed %s: expected a number from 0 to %d, or random", s->seed, INT_MAX);
    }
    s->range.seed = (uint64_t)seed;
    return 0;
}

/* ---- cases by their ids ---------------------------------------------------------------------- */

static int add_case(selection *s, const char *id, const char *from)
{
    char why[CASE_ID_SIZE];
    test_case *more = realloc(s->named, (size_t)(s->named_count + 1) * sizeof *more);
    if (!more)
        return cli_fail(EXIT_FAILED, "out of memory");
    s->named = more;
    if (case_parse(id, &s->named[s->named_count], why))
        return cli_fail(EXIT_USAGE, "%s%s: %s", from, id, why);
    s->named_count++;
    return 0;
}

static int read_ids(selection *s)
{
    char id[CASE_ID_SIZE];
    int status = 0;
    for (const char *at = s->ids; at && *at && !status; at += strspn(at, "\n")) {
        int length = (int)strcspn(at, "\n");
        snprintf(id, sizeof id, "%.*s", length, at);
        status = add_case(s, id, "");
        at += length;
    }
    return status;
}

/* An id a line; what is behind a #, and empty lines, are left out. */
static int read_file(selection *s)
{
    char line[CASE_ID_SIZE + 256], from[300];
    FILE *file = strcmp(s->file, "-") ? fopen(s->file, "r") : stdin;
    int status = 0;
    if (!file)
        return cli_fail(EXIT_USAGE, "--cases %s: %s", s->file, strerror(errno));
    for (int number = 1; !status && fgets(line, sizeof line, file); number++) {
        char *id = line + strspn(line, " \t");
        id[strcspn(id, "# \t\r\n")] = 0;
        snprintf(from, sizeof from, "%s, line %d: ", s->file, number);
        status = *id ? add_case(s, id, from) : 0;
    }
    if (!status && ferror(file))
        status = cli_fail(EXIT_USAGE, "--cases %s: %s", s->file, strerror(errno));
    if (file != stdin)
        fclose(file);
    return status ? status : s->named_count ? 0 : cli_fail(EXIT_USAGE, "--cases %s: there is no id in it", s->file);
}

static int is_filtered(const selection *s)
{
    return s->range.op_glob || s->dtypes || s->range.families || s->layouts || s->generators || s->clauses
           || s->convention || s->policy || s->quick || s->range.full;
}

int selection_read(selection *s)
{
    int status;
    s->shard = s->shards = 1;
    if (s->quick && s->range.full)
        return cli_fail(EXIT_USAGE, "--quick or --full, not both");
    if ((s->ids || s->file) && is_filtered(s))
        return cli_fail(EXIT_USAGE,
                        "%s names cases by itself: leave out what chooses others (--op, --dtype, --full, ...)",
                        s->ids ? "--case" : "--cases");
    if ((status = cli_policies(s->convention, s->policy, &s->under)))
        return status;
    if ((status = check_all_names(s)) || (status = read_types(s)) || (status = read_seed(s)))
        return status;
    if ((s->ids && (status = read_ids(s))) || (s->file && (status = read_file(s))))
        return status;
    return shard_read(s->part, "--shard", &s->shard, &s->shards);
}

void selection_free(selection *s) { free(s->named); }

/* ---- the cases ------------------------------------------------------------------------------- */

typedef struct filter {
    const selection *s;
    int64_t index;
    int (*visit)(void *self, const test_case *c);
    void *self;
} filter;

static int judges_clause(const char *clauses, const test_case *c)
{
    suite_test t = { .c = *c };
    const clause *one;
    case_print(c, t.id);
    for (int i = 0; (one = clause_at(i)); i++)
        if (matches_one(clauses, one->id) && test_of_clause(&t, one->id, one->scope))
            return 1;
    return 0;
}

static int is_wanted(const selection *s, const test_case *c)
{
    return (!s->layouts || matches_one(s->layouts, layout_name(c->layout)))
           && (!s->generators || matches_one(s->generators, generator_at(c->generator)->name))
           && (!s->clauses || judges_clause(s->clauses, c));
}

/* Under other policies a case of the spec's own is another case; one that has some is left out, and a call that must be
 * refused stays as it is. 0: left out. */
static int put_under(const selection *s, test_case *c)
{
    if (c->bad[0].row || !(s->convention || s->policy))
        return 1;
    if (!cot_uses_spec_policies(c->desc.op, &c->desc.policies))
        return 0;
    c->desc.policies = s->under;
    return 1;
}

static int visit_own(void *self, const test_case *c)
{
    filter *f = self;
    test_case under = *c;
    if (!is_wanted(f->s, c) || !put_under(f->s, &under))
        return 0;
    return f->index++ % f->s->shards == f->s->shard - 1 ? f->visit(f->self, &under) : 0;
}

int selection_is_whole(const selection *s)
{
    return !s->named_count && s->shards == 1 && !s->layouts && !s->generators && !s->clauses;
}

int selection_visit(const selection *s, int (*visit)(void *self, const test_case *c), void *self)
{
    filter f = { s, 0, visit, self };
    int stop = 0;
    for (int64_t i = 0; i < s->named_count && !stop; i++)
        stop = visit_own(&f, &s->named[i]);
    return s->named_count ? stop : cases_visit(&s->range, visit_own, &f);
}

/* ---- in a result ----------------------------------------------------------------------------- */

/* Lists have commas, however they were given. */
static void print_list(FILE *to, const char *list)
{
    char *text = strdup(list);
    for (char *at = text; at && (at = strchr(at, '\n'));)
        *at = ',';
    print_json_string(to, text ? text : "");
    free(text);
}

static void print_named(FILE *to, const selection *s)
{
    char id[CASE_ID_SIZE];
    fprintf(to, " \"cases\": [");
    for (int64_t i = 0; i < s->named_count; i++) {
        case_print(&s->named[i], id);
        fprintf(to, "%s", i ? ", " : "");
        print_json_string(to, id);
    }
    fprintf(to, "]");
}

void selection_print(FILE *to, const selection *s)
{
    const char *const given[][2] = { { "op", s->range.op_glob },      { "dtype", s->dtypes },
                                     { "family", s->range.families }, { "layout", s->layouts },
                                     { "generator", s->generators },  { "clause", s->clauses },
                                     { "convention", s->convention }, { "policy", s->policy } };
    int printed = 0;
    fprintf(to, "{");
    for (size_t i = 0; i < sizeof given / sizeof *given; i++)
        if (given[i][1]) {
            fprintf(to, "%s\"%s\": ", printed++ ? ", " : " ", given[i][0]);
            print_list(to, given[i][1]);
        }
    if (s->named_count)
        print_named(to, s);
    fprintf(to, " }");
}
