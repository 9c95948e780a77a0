/* Lists of shapes: every kind that a range owes (shape.h), and what a drawn shape would meet too seldom. */
#include "case_draw.h"
#include "case_walk.h"
#include "generate_exact.h"

#include <string.h>

/* Plain numbers, which every formula keeps in range at every length: what is wrong is wrong by the shape. */
static int plain_generator(chance *luck, const cot_op_info *op)
{
    static const char *const names[] = { "uniform", "normal", "integers", "uniform" };
    return generator_find(makes_products(op) ? "near1" : names[chance_below(luck, 4)]);
}

/* A case of so many lines of n cells. An elementwise op has n cells in all where `lines` is 0. */
static int visit_shape(const walk *w, chance *luck, uint64_t seed, int64_t n, int64_t lines, axis_place place)
{
    test_case c = walk_blank(w, plain_generator(luck, w->op), seed);
    int64_t cells = n * lines;
    draw_place(luck, &c.desc, n, lines, cot_has_axis(w->op) ? place : AXIS_LAST);
    draw_options(luck, &c);
    if (cells <= 1 << 16 && chance_below(luck, 2))
        c.layout = (case_layout)chance_below(luck, LAYOUTS);
    return walk_visit(w, c);
}

/* Extents around segments and tiles: a line alone, and lines beside it in every place. */
int visit_extents(const walk *w)
{
    static const int32_t extents[] = { 1, 2, 31, 32, 33, 1023, 1024, 1025, 1057, 4097 };
    int stop = 0;
    for (int i = 0; i < (int)(sizeof extents / sizeof *extents); i++)
        for (int place = -1; place < (cot_has_axis(w->op) ? AXIS_PLACES : 0) && !stop; place++) {
            test_case c = walk_blank(w, 0, 10);
            int64_t n = extents[i];
            chance luck = walk_chance(w, extents[i], place + 1, 10);
            c.desc.shape[0] = extents[i];
            if (place == AXIS_MIDDLE)
                c.desc =
                    (cot_desc){ COT_SIZED(cot_desc), .op = c.desc.op, .element = c.desc.element,
                                .rank = 3,           .axis = 1,       .shape = { 2, extents[i], n > 1057 ? 1 : 2 } };
            else if (place >= 0)
                draw_place(&luck, &c.desc, n, n > 1000 ? 2 : 3, (axis_place)place);
            draw_generator(&luck, &c, extents[i]);
            draw_options(&luck, &c);
            stop = walk_visit(w, c);
        }
    return stop;
}

/* ---- every kind ------------------------------------------------------------------------------ */

static int64_t extent_in(chance *luck, int class)
{
    int i = class / 2;
    return class % 2 ? shape_extents[i] : chance_size(luck, i ? shape_extents[i - 1] + 1 : 2, shape_extents[i] - 1);
}

/* One line, two, or a second block of them, in turn. */
static int64_t few_lines(int64_t n, int turn)
{
    return n > 4096 || turn % 3 == 0 ? 1 : turn % 3 == 1 || n > 128 ? 2 : 65;
}

static int visit_extent_kinds(const walk *w)
{
    int stop = 0;
    for (int k = 0; shape_kind_at(k).extent != SHAPE_ANY && !stop; k++) {
        shape_kind kind = shape_kind_at(k);
        chance luck = walk_chance(w, kind.extent, (int)kind.place, 400);
        if (!shape_is_owed(k, w->op, w->element, w->range->full))
            continue;
        int64_t n = extent_in(&luck, kind.extent), lines = few_lines(n, k + (int)w->element);
        if (!cot_has_axis(w->op)) /* n cells in all */
            for (lines = 1 + chance_below(&luck, 70); n % lines; lines--)
                ;
        stop =
            visit_shape(w, &luck, 400 + (uint64_t)kind.extent, cot_has_axis(w->op) ? n : n / lines, lines, kind.place);
    }
    return stop;
}

/* Lines side by side, most of them short: the first of a class, or what people have. */
static int visit_line_kinds(const walk *w)
{
    static const int64_t lines[LINES_CLASSES] = { 1, 17, 65, 1000, 70000 }, longest[] = { 200, 60, 40, 9, 2 };
    int stop = 0;
    for (int l = 0; l < LINES_CLASSES; l++)
        for (int place = 0; place < (cot_has_axis(w->op) ? AXIS_PLACES : 1) && !stop; place++) {
            chance luck = walk_chance(w, l, place, 430);
            int64_t n = chance_size(&luck, 2, longest[l]);
            stop = visit_shape(w, &luck, 430 + (uint64_t)l, n, lines[l], (axis_place)place);
        }
    return stop;
}

int visit_kinds(const walk *w)
{
    int stop = visit_extent_kinds(w);
    return stop ? stop : visit_line_kinds(w);
}

/* The named extents with 1, 65, 1,000 and 70,000 lines, as far as they are owed. */
int visit_kinds_in_full(const walk *w)
{
    static const int64_t lines[LINES_CLASSES] = { 1, 17, 65, 1000, 70000 };
    int stop = 0;
    for (int k = 0; k < shape_kinds() && w->range->full && !stop; k++) {
        shape_kind kind = shape_kind_at(k);
        chance luck = walk_chance(w, k, 0, 440);
        if (kind.extent != SHAPE_ANY && kind.lines != SHAPE_ANY && shape_is_owed(k, w->op, w->element, 1))
            stop = visit_shape(w, &luck, 440, shape_extents[kind.extent / 2], lines[kind.lines], kind.place);
    }
    return stop;
}

/* ---- others ---------------------------------------------------------------------------------- */

/* Wide rows of lines: whole blocks of a transpose, and blocks that are cut. */
int visit_inner(const walk *w)
{
    static const int32_t inner[] = { 32, 64, 256, 1024, 4096, 33, 96, 100 };
    int stop = 0;
    for (int i = 0; i < (int)(sizeof inner / sizeof *inner) && !stop; i++) {
        chance luck = walk_chance(w, i, 0, 450);
        int64_t n = i < 5 ? chance_size(&luck, 2, 5) : chance_size(&luck, 33, 63);
        axis_place place = (axis_place)(1 + (i + (int)w->element) % 2);
        test_case c = walk_blank(w, plain_generator(&luck, w->op), 450);
        c.desc.rank = place == AXIS_FIRST ? 2 : 3;
        c.desc.axis = c.desc.rank - 2;
        c.desc.shape[0] = 2;
        c.desc.shape[c.desc.rank - 2] = (int32_t)n;
        c.desc.shape[c.desc.rank - 1] = inner[i];
        draw_options(&luck, &c);
        stop = walk_visit(w, c);
    }
    return stop;
}

/* A long line among many dimensions. */
int visit_high_ranks(const walk *w)
{
    int stop = 0;
    for (int rank = 5; rank <= COT_MAX_RANK && !stop; rank++) {
        chance luck = walk_chance(w, rank, 0, 460);
        test_case c = walk_blank(w, plain_generator(&luck, w->op), 460);
        int axis = (int)chance_below(&luck, (unsigned)rank), pair = (axis + 1) % rank;
        c.desc.rank = rank;
        c.desc.axis = cot_has_axis(w->op) ? axis : 0;
        for (int d = 0; d < rank; d++)
            c.desc.shape[d] = d == axis ? 1025 + (int32_t)chance_below(&luck, 1100) : d == pair ? 2 : 1;
        draw_options(&luck, &c);
        c.layout = (case_layout)chance_below(&luck, LAYOUTS);
        stop = walk_visit(w, c);
    }
    return stop;
}

/* A line of more than 65,536 cells whose sum is the same in every order: plain numbers say little of so long a sum to a
 * judge who does not know its order. */
int visit_long_sums(const walk *w)
{
    enum { LEAST = 3 << 15 };
    chance luck = walk_chance(w, 0, 0, 465);
    int exact = exact_generator(w->op->op);
    test_case c = walk_blank(w, exact, 465);
    if (exact < 0)
        return 0;
    draw_place(&luck, &c.desc, LEAST + chance_below(&luck, 1 << 15), 1, (axis_place)chance_below(&luck, AXIS_PLACES));
    draw_options(&luck, &c);
    return walk_visit(w, c);
}

/* Elementwise: totals that are no multiple of a vector, and those around 2^16 and 2^17, where grids end. In the quick
 * run the types take turns at the largest. */
int visit_totals(const walk *w)
{
    static const int32_t totals[] = { 1001, 1002, 1003, 4099, 65537, 65535, 65536, 131071, 131073 };
    int stop = 0;
    for (int i = 0; i < (int)(sizeof totals / sizeof *totals) && !stop; i++) {
        chance luck = walk_chance(w, i, 0, 470);
        test_case c = walk_blank(w, plain_generator(&luck, w->op), 470);
        c.desc.shape[0] = totals[i];
        if (w->range->full || i < 5 || i - 5 == (int)w->element - COT_F16)
            stop = walk_visit(w, c);
    }
    return stop;
}
