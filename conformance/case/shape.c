/* Kinds of shapes: their classes, their names, and which of them a range owes. */
#include "shape.h"

#include <stdio.h>

const int32_t shape_extents[EXTENTS] = { 64, 128, 256, 512, 768, 1000, 1024, 2048, 4096, 50257, 131072 };
const int64_t shape_lines[LINES_CLASSES] = { 1, 2, 65, 1000, 65536 };

enum {
    BY_EXTENT = EXTENT_CLASSES * AXIS_PLACES,
    BY_LINES = LINES_CLASSES * AXIS_PLACES,
    BY_BOTH = BY_EXTENT * LINES_CLASSES,
    LARGE = 2 * 9,        /* the classes above 4,096 */
    EVERYWHERE = 1 << 16, /* cells of a case that stands in every place, */
    EVERY_TYPE = 1 << 20, /* in every type, */
    MOST = 64 * 70000     /* and at all */
};

static int extent_class(int64_t n)
{
    int i = 0;
    while (i < EXTENTS && n > shape_extents[i])
        i++;
    return 2 * i + (i < EXTENTS && n == shape_extents[i]);
}

static int lines_class(int64_t lines)
{
    int i = 0;
    while (i + 1 < LINES_CLASSES && lines >= shape_lines[i + 1])
        i++;
    return i;
}

shape_kind shape_of(const cot_desc *desc)
{
    int has_axis = cot_has_axis(cot_op_get(desc->op)), axis = has_axis ? desc->axis : desc->rank - 1;
    int64_t cells = cot_cell_count(desc->rank, desc->shape), n = desc->shape[axis];
    axis_place place = axis == desc->rank - 1 ? AXIS_LAST : axis == 0 ? AXIS_FIRST : AXIS_MIDDLE;
    return (shape_kind){ extent_class(has_axis ? n : cells), lines_class(n ? cells / n : 0), place };
}

int shape_kinds(void) { return BY_EXTENT + BY_LINES + BY_BOTH; }

shape_kind shape_kind_at(int index)
{
    axis_place place = (axis_place)(index % AXIS_PLACES);
    if (index < BY_EXTENT)
        return (shape_kind){ index / AXIS_PLACES, SHAPE_ANY, place };
    index -= BY_EXTENT;
    if (index < BY_LINES)
        return (shape_kind){ SHAPE_ANY, index / AXIS_PLACES, place };
    index -= BY_LINES;
    return (shape_kind){ index / AXIS_PLACES / LINES_CLASSES, index / AXIS_PLACES % LINES_CLASSES, place };
}

int shape_kind_is(int index, const shape_kind *shape)
{
    shape_kind k = shape_kind_at(index);
    return (k.extent == SHAPE_ANY || k.extent == shape->extent) && (k.lines == SHAPE_ANY || k.lines == shape->lines)
           && k.place == shape->place;
}

/* ---- names ----------------------------------------------------------------------------------- */

static void name_extent(int class, char *text, size_t size)
{
    int i = class / 2;
    if (class % 2)
        snprintf(text, size, "extent %d ", shape_extents[i]);
    else if (i == EXTENTS)
        snprintf(text, size, "extent over %d ", shape_extents[i - 1]);
    else
        snprintf(text, size, "extent %d-%d ", i ? shape_extents[i - 1] + 1 : 1, shape_extents[i] - 1);
}

static void name_lines(int class, char *text, size_t size)
{
    static const char *const names[LINES_CLASSES] = { "1 line ", "2-64 lines ", "65-999 lines ", "1000-65535 lines ",
                                                      "65536 lines or more " };
    snprintf(text, size, "%s", names[class]);
}

void shape_name(int index, char text[SHAPE_NAME_SIZE])
{
    static const char *const places[AXIS_PLACES] = { "last", "first", "middle" };
    char extent[40] = "", lines[24] = "";
    shape_kind k = shape_kind_at(index);
    if (k.extent != SHAPE_ANY)
        name_extent(k.extent, extent, sizeof extent);
    if (k.lines != SHAPE_ANY)
        name_lines(k.lines, lines, sizeof lines);
    snprintf(text, SHAPE_NAME_SIZE, "%s%s%s", extent, lines, places[k.place]);
}

/* ---- what is owed ---------------------------------------------------------------------------- */

axis_place shape_turn(const cot_op_info *op, cot_element element, int class)
{
    return cot_has_axis(op) ? (axis_place)(((int)op->op + (int)element + class) % AXIS_PLACES) : AXIS_LAST;
}

/* The named extents with 1, 65, 1,000 and 70,000 lines. */
static int both_owed(const shape_kind *k, const cot_op_info *op, cot_element element)
{
    static const int64_t lines[LINES_CLASSES] = { 1, 0, 65, 1000, 70000 };
    int64_t cells = k->extent % 2 ? shape_extents[k->extent / 2] * lines[k->lines] : 0;
    int turn = k->extent + k->lines;
    if (cells == 0 || cells > MOST || !cot_has_axis(op))
        return 0;
    if (cells > EVERY_TYPE && (turn + (int)op->op) % 4 != (int)element - COT_F16)
        return 0;
    return cells <= EVERYWHERE || k->place == shape_turn(op, element, turn);
}

int shape_is_owed(int index, const cot_op_info *op, cot_element element, int full)
{
    shape_kind k = shape_kind_at(index);
    if ((!cot_has_axis(op) && k.place != AXIS_LAST) || k.extent == EXTENT_CLASSES - 1)
        return 0;
    if (k.extent != SHAPE_ANY && k.lines != SHAPE_ANY)
        return full && both_owed(&k, op, element);
    return k.extent < LARGE || full || k.place == shape_turn(op, element, k.extent);
}
