/* The search for the smallest case that fails like a given one. */
#include "shrink.h"
#include "failures.h"
#include "conformance/case/generate.h"

#include <string.h>

enum { MOST_TRIES = 400, MOST_LOST_TRIES = 40, MOST_CANDIDATES = 128, AT_ONCE = 8 };
static const int64_t most_cells = (int64_t)1 << 22; /* that are judged in the search, all together */

typedef struct search {
    pool *p;
    result best;
    int tries;
    int64_t cells;
    test_case candidates[MOST_CANDIDATES];
    int count;
    int found; /* by the batch in hand: its first that fails */
    int seen;  /* of that batch */
    result hit;
} search;

/* ---- what is simpler ------------------------------------------------------------------------- */

/* Kept where it is a case at all: what an id cannot say, or refuses, is none. */
static void propose(search *s, const test_case *c)
{
    char id[CASE_ID_SIZE], before[CASE_ID_SIZE], why[CASE_ID_SIZE];
    test_case parsed;
    case_print(c, id);
    case_print(&s->best.c, before);
    if (s->count < MOST_CANDIDATES && strcmp(id, before) && !case_parse(id, &parsed, why))
        s->candidates[s->count++] = parsed;
}

static void without_dimension(search *s, int d)
{
    test_case c = s->best.c;
    cot_desc *desc = &c.desc;
    if (desc->rank < 2 || (d == desc->axis && cot_has_axis(cot_op_get(desc->op))))
        return;
    memmove(desc->shape + d, desc->shape + d + 1, (size_t)(desc->rank - d - 1) * sizeof *desc->shape);
    desc->shape[--desc->rank] = 0;
    desc->axis -= d < desc->axis;
    propose(s, &c);
}

/* Very small, or smaller by a half, a quarter, ... one: found soon whether the failure needs a long line or not. */
static void shorter(search *s, int d)
{
    static const int32_t small[] = { 1, 2, 3, 4 };
    test_case c = s->best.c;
    int32_t extent = c.desc.shape[d];
    for (size_t i = 0; i < sizeof small / sizeof *small; i++)
        if (small[i] < extent) {
            c.desc.shape[d] = small[i];
            propose(s, &c);
        }
    for (int32_t less = extent / 2; less > 0 && extent - less > 4; less /= 2) {
        c.desc.shape[d] = extent - less;
        propose(s, &c);
    }
}

static const char *const plain[] = { "integers", "ties", "uniform" }; /* plainest first */
enum { PLAIN = sizeof plain / sizeof *plain, TINY = 8 };

/* With one of the plainer generators, or as it is for i == PLAIN. */
static void with_numbers(search *s, test_case c, int i)
{
    c.generator = i < PLAIN ? generator_find(plain[i]) : s->best.c.generator;
    if (c.generator >= 0)
        propose(s, &c);
}

static void plainer_numbers(search *s)
{
    for (int i = 0; i < PLAIN && generator_find(plain[i]) != s->best.c.generator; i++)
        with_numbers(s, s->best.c, i);
}

/* One line of a few cells at once, in any plain numbers: what fails in general fails there. */
static void tiny(search *s)
{
    test_case c = s->best.c;
    if (c.desc.rank == 1 && c.desc.shape[0] <= TINY)
        return;
    memset(c.desc.shape, 0, sizeof c.desc.shape);
    c.desc.rank = 1;
    c.desc.axis = 0;
    c.layout = LAYOUT_CONTIG;
    for (c.desc.shape[0] = 1; c.desc.shape[0] <= TINY; c.desc.shape[0]++)
        for (int i = 0; i <= PLAIN; i++)
            with_numbers(s, c, i);
}

/* Keys of the id, each left out alone. */
static void fewer_keys(search *s)
{
    test_case c = s->best.c;
    c.layout = LAYOUT_CONTIG;
    propose(s, &c);
    c = s->best.c, c.alias = COT_NO_OPERAND;
    propose(s, &c);
    c = s->best.c, c.desc.reverse = 0;
    propose(s, &c);
    c = s->best.c, c.desc.correction = 0;
    propose(s, &c);
    c = s->best.c, memset(&c.desc.policies, 0, sizeof c.desc.policies);
    propose(s, &c);
    c = s->best.c, c.bad[1].row = 0;
    propose(s, &c);
    c = s->best.c, c.bad[0] = c.bad[1], c.bad[1].row = 0;
    propose(s, &c);
}

static void propose_all(search *s, int first)
{
    s->count = 0;
    if (first)
        tiny(s);
    for (int d = 0; d < s->best.c.desc.rank; d++)
        without_dimension(s, d);
    for (int d = 0; d < s->best.c.desc.rank; d++)
        shorter(s, d);
    fewer_keys(s);
    plainer_numbers(s);
}

/* ---- the search ------------------------------------------------------------------------------ */

static int64_t cells_of(const test_case *c) { return cot_cell_count(c->desc.rank, c->desc.shape); }

static void look(void *self, const result *r)
{
    search *s = self;
    if (s->found < 0 && same_failure(r, &s->best)) {
        s->found = s->seen;
        s->hit = *r;
    }
    s->seen++;
}

/* The search has had its number of tries, or of cells. */
static int spent(const search *s)
{
    return s->tries >= (s->best.lost ? MOST_LOST_TRIES : MOST_TRIES) || s->cells > most_cells;
}

/* Takes the first candidate that fails as the best; 0 where none does. Judged a few at once; those after it are as if
 * never tried, so that the number of processes changes nothing. */
static int improve(search *s)
{
    for (int from = 0; from < s->count && !spent(s); from += AT_ONCE) {
        s->found = -1;
        s->seen = 0;
        int last = from + AT_ONCE < s->count ? from + AT_ONCE : s->count, ended = 0;
        for (int i = from; i < last && !ended; i++)
            ended = pool_judge(s->p, &s->candidates[i]);
        if (ended || pool_drain(s->p))
            return 0;
        int tried = s->found < 0 ? last - from : s->found + 1;
        s->tries += tried;
        for (int i = from; i < from + tried; i++)
            s->cells += cells_of(&s->candidates[i]);
        if (s->found >= 0) {
            s->best = s->hit;
            return 1;
        }
    }
    return 0;
}

int shrink(pool *p, const result *first, result *least)
{
    search s = { .p = p, .best = *first };
    *least = *first;
    if (first->lost == LOST_LATE)
        return 0; /* each try would take as long */
    pool_deliver_to(p, look, &s);
    propose_all(&s, 1);
    while (improve(&s))
        propose_all(&s, 0);
    *least = s.best;
    return pool_is_late(p);
}
