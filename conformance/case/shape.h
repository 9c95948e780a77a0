/* Shapes by their kinds: how long a line is, how many there are, and where the axis stands. A kernel is chosen by them,
 * so a range of cases owes every op and type each kind, and what was not judged is a hole (run/tally.h).
 *
 * An elementwise op has no axis: its extent is all of its cells, its lines are those of the last dimension, and its
 * axis stands last. */
#ifndef COT_SHAPE_H
#define COT_SHAPE_H

#include "core/cotangent.h"

typedef enum axis_place { AXIS_LAST, AXIS_FIRST, AXIS_MIDDLE, AXIS_PLACES } axis_place;

/* Extents that everybody has a kernel for are classes of their own, and so are the gaps between them: class 2 i is the
 * gap below the i-th of them, class 2 i + 1 that extent itself. */
enum { EXTENTS = 11, EXTENT_CLASSES = 2 * EXTENTS + 1, LINES_CLASSES = 5, SHAPE_ANY = -1, SHAPE_NAME_SIZE = 80 };

extern const int32_t shape_extents[EXTENTS];
extern const int64_t shape_lines[LINES_CLASSES]; /* the least number of lines in a class: 1, 2, 65, 1,000, 65,536 */

/* An extent in a place, however many lines there are; a number of lines beside a place, of whatever extent; or all
 * three. SHAPE_ANY where it does not matter. */
typedef struct shape_kind {
    int extent, lines;
    axis_place place;
} shape_kind;

shape_kind shape_of(const cot_desc *desc); /* all three */

int shape_kinds(void); /* how many there are */
shape_kind shape_kind_at(int index);
int shape_kind_is(int index, const shape_kind *shape);
void shape_name(int index, char text[SHAPE_NAME_SIZE]); /* "extent 64 first", "70000 lines middle" and so on */

/* Whether a range owes this kind to an op and type. Large ones take turns: in the quick run they are met in one place,
 * and in the full one with many lines in one place, or in one type. */
int shape_is_owed(int index, const cot_op_info *op, cot_element element, int full);

/* The place where an op and type meet a class of large extents. */
axis_place shape_turn(const cot_op_info *op, cot_element element, int extent_class);

#endif
