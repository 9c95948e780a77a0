#include "failures.h"

#include <stdlib.h>
#include <string.h>

static int same_clause(const char *a, const char *b)
{
    return a && b ? !strcmp(a, b) : a == b;
}

int same_failure(const result *a, const result *b)
{
    return a->v.failed && b->v.failed && a->c.desc.op == b->c.desc.op && same_clause(a->v.clause, b->v.clause) && a->lost == b->lost;
}

/* Room for one more; 0, or -1. */
static int grow(void **memory, int64_t *room, int64_t count, size_t each)
{
    if (count < *room)
        return 0;
    int64_t more = *room ? 2 * *room : 64;
    void *grown = realloc(*memory, (size_t)more * each);
    if (!grown)
        return -1;
    *memory = grown;
    *room = more;
    return 0;
}

static int find_group(failures *f, const result *r) /* -1: out of memory */
{
    for (int i = 0; i < f->group_count; i++)
        if (same_failure(&f->groups[i].first, r))
            return i;
    if (grow((void **)&f->groups, &f->group_room, f->group_count, sizeof *f->groups))
        return -1;
    f->groups[f->group_count] = (group){ r->c.desc.op, r->v.clause, 0, *r, *r };
    return f->group_count++;
}

void failures_take(failures *f, const result *r)
{
    int at = find_group(f, r);
    if (at < 0 || grow((void **)&f->all, &f->room, f->count, sizeof *f->all)) {
        f->forgotten++;
        return;
    }
    f->groups[at].count++;
    f->all[f->count++] = (miss){ r->c, r->v.failed_at, at };
}

void failures_free(failures *f)
{
    free(f->all);
    free(f->groups);
    *f = (failures){ 0 };
}
