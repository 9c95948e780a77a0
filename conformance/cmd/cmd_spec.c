/* cotangent spec: the clauses, what tests each, and which mutants break it; the innocents. */
#include "conformance/clause/clauses.h"
#include "cli.h"
#include "conformance/innocent/innocent.h"
#include "conformance/mutant/mutant.h"
#include "conformance/clause/suite_tests.h"

#include <fnmatch.h>
#include <stdio.h>
#include <string.h>

typedef struct spec_options {
    const char *glob; /* of clauses */
    int coverage, mutants, innocents, json;
} spec_options;

static int64_t count_tests(const clause *c, const suite_tests *tests)
{
    int64_t count = 0;
    for (int64_t i = 0; i < tests->count; i++)
        count += test_of_clause(&tests->at[i], c->id, c->scope);
    return count;
}

/* The next mutant of a clause from a row on, and that row; NULL after the last. */
static const mutant *next_mutant(const clause *c, int *row)
{
    const mutant *m;
    while ((m = mutant_at((*row)++)))
        if (!strcmp(m->clause, c->id))
            return m;
    return NULL;
}

static int is_covered(const clause *c, int64_t tests)
{
    int row = 0;
    return tests > 0 && next_mutant(c, &row) != NULL;
}

/* ---- for people ------------------------------------------------------------------------------ */

/* "left (ops)" */
static void print_head(const char *left, const char *ops)
{
    char text[1024];
    snprintf(text, sizeof text, "(%s)", ops);
    cli_wrapped_from(text, printf("%s ", left), 4);
}

static void print_clause(const clause *c)
{
    print_head(c->id, c->scope);
    printf("  ");
    cli_wrapped(c->text, 2);
}

static void print_mutants(const clause *c)
{
    const mutant *m;
    for (int row = 0; (m = next_mutant(c, &row));) {
        char left[80];
        snprintf(left, sizeof left, "%-20s mutant:%s", c->id, m->name);
        print_head(left, m->ops);
        printf("    ");
        cli_wrapped(m->about, 4);
    }
}

static void print_coverage(const clause *c, int64_t tests)
{
    const char *globs = clause_globs(c->id);
    const mutant *m;
    int any = 0;
    int column = printf("%-20s %lld tests: ", c->id, (long long)tests);
    cli_wrapped_from(globs ? globs + strspn(globs, " ") : "none", column, 24);
    for (int row = 0; (m = next_mutant(c, &row)); any = 1)
        printf("%*smutant:%s\n", 24, "", m->name);
    if (!any)
        printf("%*sno mutant\n", 24, "");
}

/* Those whose name a glob matches. */
static int print_innocents(const char *glob)
{
    const innocent *v;
    int any = 0;
    for (int i = 0; (v = innocent_at(i)); i++) {
        if (glob && fnmatch(glob, v->name, 0))
            continue;
        printf("innocent:%s, level %s\n  ", v->name, v->promise);
        cli_wrapped(v->about, 2);
        cli_wrapped_from(v->ops, printf("  stands for "), 4);
        cli_wrapped_from(v->clauses, printf("  its bits break "), 4);
        any = 1;
    }
    return any ? EXIT_GOOD : cli_fail(EXIT_USAGE, "no innocent matches \"%s\"", glob);
}

/* ---- for programs ---------------------------------------------------------------------------- */

static void print_words_json(const char *words)
{
    const char *first = words + strspn(words, " ");
    for (const char *at = first; *at; at += strspn(at, " ")) {
        size_t length = strcspn(at, " ");
        printf("%s\"%.*s\"", at == first ? "" : ", ", (int)length, at);
        at += length;
    }
}

static void print_json(const clause *c, int64_t tests, int first)
{
    const char *globs = clause_globs(c->id);
    const mutant *m;
    int any = 0;
    printf("%s    {\"clause\": \"%s\", \"scope\": \"%s\", \"cases\": %lld, \"tests\": [", first ? "" : ",\n", c->id,
           c->scope, (long long)tests);
    print_words_json(globs ? globs : "");
    printf("], \"mutants\": [");
    for (int row = 0; (m = next_mutant(c, &row)); any = 1)
        printf("%s\"mutant:%s\"", any ? ", " : "", m->name);
    printf("]}");
}

/* ---- the command ----------------------------------------------------------------------------- */

static void print_one(const spec_options *r, const clause *c, int64_t tests, int first)
{
    if (r->json)
        print_json(c, tests, first);
    else if (r->coverage)
        print_coverage(c, tests);
    else if (r->mutants)
        print_mutants(c);
    else
        print_clause(c);
}

static int print_all(const spec_options *r)
{
    suite_tests tests = { 0 };
    const clause *c;
    int clauses = 0, covered = 0;
    if ((r->coverage || r->json) && suite_tests_list(&(case_range){ 0 }, NULL, &tests))
        return cli_fail(EXIT_FAILED, "out of memory");
    if (r->json)
        puts("{\"clauses\": [");
    for (int i = 0; (c = clause_at(i)); i++) {
        if (r->glob && fnmatch(r->glob, c->id, 0))
            continue;
        int64_t count = count_tests(c, &tests);
        print_one(r, c, count, clauses++ == 0);
        covered += is_covered(c, count);
    }
    suite_tests_free(&tests);
    if (!clauses)
        return cli_fail(EXIT_USAGE, "no clause matches \"%s\"; cotangent spec lists them", r->glob);
    if (r->json)
        printf("\n  ], \"total\": %d, \"covered\": %d}\n", clauses, covered);
    else if (r->coverage)
        printf("%d of %d clauses have tests and mutants\n", covered, clauses);
    return (r->json || r->coverage) && covered < clauses ? EXIT_FAILED : EXIT_GOOD;
}

static int run(int argc, char **argv)
{
    spec_options r = { 0 };
    int status;
    const cli_option options[] = {
        { "--coverage", NULL, "what tests each clause, and which mutants break it; fails where one has neither", NULL,
          &r.coverage },
        { "--mutants", NULL, "the broken backends, by the clause that each breaks", NULL, &r.mutants },
        { "--innocents", NULL, "the right backends that differ from the reference, or those that a glob matches", NULL,
          &r.innocents },
        { "--json", NULL, "the coverage, for programs", NULL, &r.json },
        { 0 },
    };
    int arguments = cli_parse(argc, argv, &cli_spec, options, 1, &status);
    if (arguments < 0)
        return status;
    r.glob = arguments ? argv[0] : NULL;
    return r.innocents ? print_innocents(r.glob) : print_all(&r);
}

const cli_command cli_spec = { "spec", "[CLAUSE]",
                               "Prints the spec's clauses, what tests each, and which mutants break it", run };
