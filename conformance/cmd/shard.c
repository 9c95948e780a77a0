/* Parts of the work, and the schedulers that hand them out. */
#include "shard.h"
#include "cli.h"
#include "conformance/case/words.h"

#include <limits.h>
#include <stdio.h>
#include <stdlib.h>

/* A scheduler's variables: the index of this task, that of the first one, what lies between two, and how many there
 * are.
 */
typedef struct scheduler {
    const char *index, *first, *step, *count;
    int starts;       /* the first index where `first` is NULL or not set */
    const char *hint; /* what the count is, for those whose scheduler leaves it to them; NULL: it sets both */
} scheduler;

static const scheduler schedulers[] = {
    { "SLURM_ARRAY_TASK_ID", "SLURM_ARRAY_TASK_MIN", "SLURM_ARRAY_TASK_STEP", "SLURM_ARRAY_TASK_COUNT", 0,
      NULL }, /* Slurm's arrays */
    { "JOB_COMPLETION_INDEX", NULL, NULL, "JOB_COMPLETIONS", 0,
      "the job's completions" },                                                        /* Kubernetes' indexed jobs */
    { "TEST_SHARD_INDEX", NULL, NULL, "TEST_TOTAL_SHARDS", 0, "the number of shards" }, /* Bazel and its like */
    { "CI_NODE_INDEX", NULL, NULL, "CI_NODE_TOTAL", 1, NULL },                          /* GitLab's parallel jobs */
};
enum { SCHEDULERS = sizeof schedulers / sizeof *schedulers };

static int read_number(const char *name, long long least, long long most, long long *value)
{
    const char *text = getenv(name);
    if (text && !parse_integer(text, least, most, value))
        return 0;
    return cli_fail(EXIT_USAGE, "%s=%s: expected a number from %lld to %lld, or give I/N", name, text ? text : "",
                    least, most);
}

/* An array with other gaps than its step, as 1,5,9-11, does not say which of its tasks comes when. */
static int find_place(const scheduler *s, long long index, long long first, long long step, long long count)
{
    if ((index - first) % step == 0 && (index - first) / step < count)
        return 0;
    return cli_fail(EXIT_USAGE,
                    "%s=%lld is none of %lld indices from %lld in steps of %lld: number the tasks without "
                    "gaps, or give I/N",
                    s->index, index, count, first, step);
}

static int read_scheduler(const scheduler *s, int *shard, int *shards)
{
    long long first = s->starts, step = 1, count, index;
    int status = read_number(s->count, 1, INT_MAX, &count);
    if (!status && s->first && getenv(s->first))
        status = read_number(s->first, 0, INT_MAX, &first);
    if (!status && s->step && getenv(s->step))
        status = read_number(s->step, 1, INT_MAX, &step);
    if (!status)
        status = read_number(s->index, first, first + (count - 1) * step, &index);
    if (!status)
        status = find_place(s, index, first, step, count);
    if (status)
        return status;
    *shard = (int)((index - first) / step + 1);
    *shards = (int)count;
    fprintf(stderr, "cotangent: part %d/%d, by %s\n", *shard, *shards, s->index);
    return 0;
}

/* An index alone would make every task do all of the work. */
static int refuse_lone(const scheduler *s)
{
    return cli_fail(EXIT_USAGE, "%s=%s is set, %s is not: set it to %s, or give I/N (1/1: all)", s->index,
                    getenv(s->index), s->count, s->hint);
}

int shard_read(const char *part, const char *option, int *shard, int *shards)
{
    char left[16], right[16], trailing;
    long long own = 1, all = 1;
    for (int i = 0; i < SCHEDULERS && !part; i++)
        if (getenv(schedulers[i].index)) {
            if (getenv(schedulers[i].count))
                return read_scheduler(&schedulers[i], shard, shards);
            if (schedulers[i].hint)
                return refuse_lone(&schedulers[i]);
        }
    if (part
        && (sscanf(part, "%15[0-9]/%15[0-9]%c", left, right, &trailing) != 2 || parse_integer(right, 1, INT_MAX, &all)
            || parse_integer(left, 1, all, &own)))
        return cli_fail(EXIT_USAGE, "%s %s: expected I/N with I from 1 to N, as 1/4", option, part);
    *shard = (int)own;
    *shards = (int)all;
    return 0;
}
