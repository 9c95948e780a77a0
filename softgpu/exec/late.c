/* Asynchronous copies that are under way. */
#include "device.h"

enum { MOST_COPIES = 1 << 16 };

bool late_push(warp *w, late_copy *c)
{
    late_copies *l = &w->late;
    if (l->n == l->size) {
        u32 more = l->size ? 2 * l->size : 64;
        late_copy *grown = more <= MOST_COPIES ? realloc(l->list, more * sizeof *grown) : NULL;
        if (!grown)
            return false;
        l->list = grown;
        l->size = more;
    }
    c->group = l->groups[c->lane];
    l->list[l->n++] = *c;
    return true;
}

void late_reset(warp *w)
{
    w->late.n = 0;
    memset(w->late.groups, 0, sizeof w->late.groups);
    memset(w->late.bulk_groups, 0, sizeof w->late.bulk_groups);
}
