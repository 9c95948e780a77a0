/* The arena. Blocks double in size so that a large module costs few system allocations. */
#include "base.h"

struct arena_block {
    struct arena_block *next;
    size_t used, size;
};

enum { HEADER = (sizeof(struct arena_block) + 15) / 16 * 16, FIRST_BLOCK = 1 << 14 };

static struct arena_block *add_block(arena *a, size_t need)
{
    size_t size = a->blocks ? 2 * a->blocks->size : FIRST_BLOCK;
    if (size > (1 << 22))
        size = 1 << 22;
    if (size < need)
        size = need;
    struct arena_block *b = a->used + size <= a->limit ? calloc(1, HEADER + size) : NULL;
    if (!b)
        longjmp(*a->escape, 1);
    b->next = a->blocks;
    b->size = size;
    a->blocks = b;
    a->used += size;
    return b;
}

void *sg_alloc(arena *a, size_t size)
{
    if (size > a->limit)
        longjmp(*a->escape, 1);
    size = (size + 15) / 16 * 16;
    struct arena_block *b = a->blocks;
    if (!b || b->size - b->used < size)
        b = add_block(a, size);
    void *p = (char *)b + HEADER + b->used;
    b->used += size;
    return p;
}

char *sg_strndup(arena *a, const char *s, size_t n)
{
    char *copy = sg_alloc(a, n + 1);
    memcpy(copy, s, n);
    return copy;
}

void sg_arena_free(arena *a)
{
    while (a->blocks) {
        struct arena_block *next = a->blocks->next;
        free(a->blocks);
        a->blocks = next;
    }
    a->used = 0;
}

/* Capacity is implied: a power of two, so the array is full exactly when n is one. */
void *sg_grow(arena *a, void *items, size_t n, size_t item_size)
{
    if (n && (n & (n - 1)))
        return items;
    void *bigger = sg_alloc(a, (n ? 2 * n : 1) * item_size);
    if (n)
        memcpy(bigger, items, n * item_size);
    return bigger;
}
