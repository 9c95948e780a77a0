/* The lines of a large case that truth looks at, drawn by its seed. */
#include "truth_lines.h"
#include "philox.h"

#include <stdlib.h>

enum { STREAM = 200 }; /* apart from those of the generators */

static int by_number(const void *a, const void *b)
{
    int64_t one = *(const int64_t *)a, other = *(const int64_t *)b;
    return one < other ? -1 : one > other;
}

static void add(truth_lines *t, int64_t line)
{
    for (int64_t i = 0; i < t->count; i++)
        if (t->line[i] == line)
            return;
    t->line[t->count++] = line;
}

/* Before and after a power of two, drawn among those that are in the case. */
static void add_boundary(truth_lines *t, uint32_t draw, int64_t lines)
{
    int powers = 0;
    while ((int64_t)2 << powers < lines)
        powers++;
    int64_t power = (int64_t)1 << (powers ? 1 + draw % (unsigned)powers : 0);
    add(t, power - 1);
    if (power < lines)
        add(t, power);
}

/* Where no cell needs another and no function is slow, truth is cheap. */
static int64_t cells_of_whole(const cot_op_info *op)
{
    return op->kind == COT_KIND_NONE && !(op->traits & COT_OP_SLOW) ? TRUTH_CELLS_CHEAP : TRUTH_CELLS;
}

/* Every second one from a binade of line numbers, so that the first blocks of a grid are seen as well as the last. */
static int64_t drawn_line(philox r, uint64_t turn, int64_t lines)
{
    int binades = 0;
    while ((int64_t)2 << binades < lines)
        binades++;
    int64_t least = turn % 2 ? (int64_t)1 << r.word[2] % ((unsigned)binades + 1) : 0;
    int64_t most = turn % 2 && 2 * least < lines ? 2 * least : lines;
    return least + (int64_t)(((uint64_t)r.word[1] << 32 | r.word[0]) % (uint64_t)(most - least));
}

static int64_t how_many(int64_t n, int64_t lines)
{
    int64_t count = n ? TRUTH_CELLS / n : lines;
    count = count < TRUTH_LINES_LEAST ? TRUTH_LINES_LEAST : count > TRUTH_LINES_MOST ? TRUTH_LINES_MOST : count;
    return count < lines ? count : lines;
}

static int64_t line_extent(const cot_desc *d)
{
    return d->shape[cot_has_axis(cot_op_get(d->op)) ? d->axis : d->rank - 1];
}

truth_lines case_truth_lines(const test_case *c, int64_t lines)
{
    const cot_desc *d = &c->desc;
    int64_t n = line_extent(d);
    int64_t wanted = how_many(n, lines);
    truth_lines t = { .count = lines, .all = n * lines <= cells_of_whole(cot_op_get(d->op)) || wanted == lines };
    if (t.all)
        return t;
    t.count = 0;
    add(&t, 0);
    add(&t, lines - 1);
    add_boundary(&t, philox_at(c->seed, STREAM, 0).word[0], lines);
    for (uint64_t i = 1; t.count < wanted; i++)
        add(&t, drawn_line(philox_at(c->seed, STREAM, i), i, lines));
    qsort(t.line, (size_t)t.count, sizeof *t.line, by_number);
    return t;
}

int64_t truth_line_at(const truth_lines *t, int64_t k) { return t->all ? k : t->line[k]; }

int64_t case_cells_left(const test_case *c)
{
    int64_t n = line_extent(&c->desc), lines = n ? cot_cell_count(c->desc.rank, c->desc.shape) / n : 0;
    int outputs = cot_operand_used(cot_op_get(c->desc.op), COT_DB) ? 2 : 1;
    return (lines - case_truth_lines(c, lines).count) * n * outputs;
}
