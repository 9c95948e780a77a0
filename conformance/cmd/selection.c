/* The options that choose cases. */
#include "selection.h"
#include "conformance/case/words.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

int selection_options(selection *s, cli_option *rows)
{
    const cli_option options[SELECTION_OPTIONS] = {
        { "--op", "GLOB", "only ops that match", &s->range.op_glob, NULL },
        { "--dtype", "TYPE", "only f16, bf16, f32 or f64", &s->dtype, NULL },
        { "--case", "ID", "only this case", &s->id, NULL },
        { "--quick", NULL, "the quick range, in minutes (the default)", NULL, &s->quick },
        { "--full", NULL, "the full range", NULL, &s->range.full },
        { "--shard", "I/N", "only the I-th of N parts, from 1/N to N/N", &s->part, NULL },
        { "--seed", "S", "other numbers: added to every case's own seed", &s->seed, NULL },
    };
    memcpy(rows, options, sizeof options);
    return SELECTION_OPTIONS;
}

static int read_shard(selection *s)
{
    char left[16], trailing;
    long long shard = 0, shards = 0;
    char right[16];
    if (sscanf(s->part, "%15[0-9]/%15[0-9]%c", left, right, &trailing) != 2 || parse_integer(right, 1, INT_MAX, &shards)
        || parse_integer(left, 1, shards, &shard))
        return cli_fail(EXIT_USAGE, "--shard %s: expected I/N with I from 1 to N, as 1/4", s->part);
    s->shard = (int)shard;
    s->shards = (int)shards;
    return 0;
}

int selection_read(selection *s)
{
    int status = 0;
    long long seed = 0;
    char why[CASE_ID_SIZE];
    s->shard = s->shards = 1;
    if (s->quick && s->range.full)
        return cli_fail(EXIT_USAGE, "--quick or --full, not both");
    if (s->dtype && (status = cli_element(s->dtype, &s->range.element)))
        return status;
    if (s->seed && parse_integer(s->seed, 0, INT_MAX, &seed))
        return cli_fail(EXIT_USAGE, "--seed %s: expected a number from 0 to %d", s->seed, INT_MAX);
    s->range.seed = (uint64_t)seed;
    if (s->id && case_parse(s->id, &s->single, why))
        return cli_fail(EXIT_USAGE, "%s: %s", s->id, why);
    return s->part ? read_shard(s) : 0;
}

typedef struct filter {
    const selection *s;
    int64_t index;
    int (*visit)(void *self, const test_case *c);
    void *self;
} filter;

static int visit_own(void *self, const test_case *c)
{
    filter *f = self;
    return f->index++ % f->s->shards == f->s->shard - 1 ? f->visit(f->self, c) : 0;
}

int selection_visit(const selection *s, int (*visit)(void *self, const test_case *c), void *self)
{
    filter f = { s, 0, visit, self };
    return s->id ? visit(self, &s->single) : cases_visit(&s->range, visit_own, &f);
}
