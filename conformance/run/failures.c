/* Failures, kept as they come, and grouped by what they have in common. */
#include "failures.h"

#include <stdlib.h>
#include <string.h>

static int same_cause(const result *a, const result *b)
{
    return a->v.failed && b->v.failed && !strcmp(a->v.clause, b->v.clause)
           && (*a->v.clause || a->v.reason == b->v.reason) && a->lost == b->lost;
}

int same_failure(const result *a, const result *b) { return same_cause(a, b) && a->c.desc.op == b->c.desc.op; }

int failures_cause(const failures *f, int i)
{
    int first = 0;
    while (first < i && !same_cause(&f->groups[first].first, &f->groups[i].first))
        first++;
    return first;
}

int failures_next_of_cause(const failures *f, int i)
{
    for (int next = i + 1; next < f->group_count; next++)
        if (same_cause(&f->groups[next].first, &f->groups[i].first))
            return next;
    return -1;
}

/* Memory for one more; 0, or -1. */
static int grow(void **memory, int64_t *capacity, int64_t count, size_t each)
{
    if (count < *capacity)
        return 0;
    int64_t more = *capacity ? 2 * *capacity : 64;
    void *grown = realloc(*memory, (size_t)more * each);
    if (!grown)
        return -1;
    *memory = grown;
    *capacity = more;
    return 0;
}

static int find_group(failures *f, const result *r) /* -1: out of memory */
{
    for (int i = 0; i < f->group_count; i++)
        if (same_failure(&f->groups[i].first, r))
            return i;
    if (grow((void **)&f->groups, &f->group_capacity, f->group_count, sizeof *f->groups))
        return -1;
    f->groups[f->group_count] = (group){ .op = r->c.desc.op, .first = *r, .least = *r, .asked = -1 };
    return f->group_count++;
}

/* A guess judges the case a dozen times. */
static int tells(const result *r)
{
    enum { MOST_CELLS = 1 << 14 };
    return !r->lost && r->v.operand && r->v.failed_at <= LEVEL_B && r->v.failed >= ENOUGH_TO_GUESS
           && r->v.cells <= MOST_CELLS;
}

void failures_take(failures *f, const result *r)
{
    int at = find_group(f, r);
    if (at < 0 || grow((void **)&f->all, &f->capacity, f->count, sizeof *f->all)) {
        f->forgotten++;
        return;
    }
    f->groups[at].count++;
    if (!f->groups[at].told.v.failed && tells(r))
        f->groups[at].told = *r;
    f->all[f->count++] = (miss){ r->c, r->number, r->v.failed_at, at };
}

void failures_free(failures *f)
{
    for (int i = 0; i < f->group_count; i++)
        free(f->groups[i].text);
    free(f->all);
    free(f->groups);
    *f = (failures){ 0 };
}
