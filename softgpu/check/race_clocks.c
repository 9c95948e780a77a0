/* Maps from keys to times as binary tries with counted references: a branch stands at the highest bit in which its keys
 * differ. */
#include "race_clocks.h"

enum { LEAF = -1 };

struct clocks {
    u64 key; /* of a branch: the bits above its own */
    u32 owners, time;
    int bit;
    clocks *side[2];
};

clocks *clocks_keep(clocks *c)
{
    if (c)
        c->owners++;
    return c;
}

void clocks_drop(clocks *c)
{
    if (!c || --c->owners)
        return;
    if (c->bit != LEAF) {
        clocks_drop(c->side[0]);
        clocks_drop(c->side[1]);
    }
    free(c);
}

u32 clocks_at(const clocks *c, u64 key)
{
    while (c && c->bit != LEAF)
        c = c->side[key >> c->bit & 1];
    return c && c->key == key ? c->time : 0;
}

static clocks *new_leaf(u64 key, u32 time)
{
    clocks *c = malloc(sizeof *c);
    if (c)
        *c = (clocks){ .key = key, .owners = 1, .time = time, .bit = LEAF };
    return c;
}

/* Takes over the sides. Without memory what they know is lost: an order may then be missed, never invented. */
static clocks *new_branch(u64 key, int bit, clocks *low, clocks *high)
{
    clocks *c = malloc(sizeof *c);
    if (!c) {
        clocks_drop(low);
        clocks_drop(high);
        return NULL;
    }
    *c = (clocks){ .key = key >> (bit + 1) << (bit + 1), .owners = 1, .bit = bit, .side = { low, high } };
    return c;
}

static bool covers(const clocks *branch, u64 key) { return !((branch->key ^ key) >> (branch->bit + 1)); }

static clocks *join(clocks *a, clocks *b);

/* a, with its sides joined with these; a itself where nothing is new. */
static clocks *rejoin(clocks *a, clocks *low, clocks *high)
{
    if (low != a->side[0] || high != a->side[1])
        return new_branch(a->key, a->bit, low, high);
    clocks_drop(low);
    clocks_drop(high);
    return clocks_keep(a);
}

/* b lies below one side of a. */
static clocks *join_below(clocks *a, clocks *b)
{
    bool high = b->key >> a->bit & 1;
    return rejoin(a, high ? clocks_keep(a->side[0]) : join(a->side[0], b),
                  high ? join(a->side[1], b) : clocks_keep(a->side[1]));
}

static clocks *join_apart(clocks *a, clocks *b)
{
    int bit = 63 - __builtin_clzll(a->key ^ b->key);
    bool a_high = a->key >> bit & 1;
    return new_branch(a->key, bit, clocks_keep(a_high ? b : a), clocks_keep(a_high ? a : b));
}

static clocks *join(clocks *a, clocks *b)
{
    if (a == b || !b)
        return clocks_keep(a);
    if (!a)
        return clocks_keep(b);
    if (a->bit < b->bit) {
        clocks *other = a;
        a = b;
        b = other;
    }
    if (a->bit == LEAF && a->key == b->key)
        return clocks_keep(a->time >= b->time ? a : b);
    if (a->bit == LEAF || !covers(a, b->key))
        return join_apart(a, b);
    if (a->bit > b->bit)
        return join_below(a, b);
    clocks *low = join(a->side[0], b->side[0]), *high = join(a->side[1], b->side[1]);
    return low == b->side[0] && high == b->side[1] ? rejoin(b, low, high) : rejoin(a, low, high);
}

void clocks_add(clocks **to, clocks *from)
{
    clocks *both = join(*to, from);
    clocks_drop(*to);
    *to = both;
}

void clocks_set(clocks **to, u64 key, u32 time)
{
    if (!time || clocks_at(*to, key) >= time)
        return;
    clocks *leaf = new_leaf(key, time);
    clocks_add(to, leaf);
    clocks_drop(leaf);
}

void clocks_clear(clocks **c)
{
    clocks_drop(*c);
    *c = NULL;
}
