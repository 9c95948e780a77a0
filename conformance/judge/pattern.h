/* What the wrong cells of a walk over a result have in common, found without keeping them. */
#ifndef COT_PATTERN_H
#define COT_PATTERN_H

#include "core/cotangent.h"

enum { PATTERN_BOXES = 64 };

/* A line is a row of cells along the op's axis, or along the last dimension where the op has none. */
typedef enum pattern_kind {
    PATTERN_NONE,       /* no cell was wrong */
    PATTERN_ONE,        /* one cell */
    PATTERN_ALL,        /* every cell of every output */
    PATTERN_OUTPUT,     /* every cell of one output of two */
    PATTERN_FROM,       /* in every line, every cell from index `from` on */
    PATTERN_UP_TO,      /* in every line, every cell up to index `to` */
    PATTERN_EVERY,      /* in every line, every step-th cell from index `from` on */
    PATTERN_COLUMN,     /* one index along the axis, `from`, in several lines */
    PATTERN_LINE,       /* one line of several, its first index `line` */
    PATTERN_LINES,      /* every cell of the lines from `line` to `last_line` */
    PATTERN_EVERY_LINE, /* every cell of every stride-th line from `line` on */
    PATTERN_RANGE,      /* every cell from `first` to `last`, across lines */
    PATTERN_TAIL,       /* only cells from index `from` on, all past the last whole tile or segment of their lines */
    PATTERN_WITHIN,     /* only in lines from `line` to `last_line`, many cells and a part of the lines */
    PATTERN_OTHER,
    PATTERNS
} pattern_kind;

typedef struct pattern {
    pattern_kind kind;
    int outputs;                     /* that have a wrong cell: 1, or 2 where it is da and db */
    int64_t wrong, cells;            /* of all the cells that these outputs have */
    int64_t first, last;             /* the least and the greatest wrong index, row-major */
    int64_t from, to, step;          /* the least and the greatest index along the axis, the step between them */
    int64_t line, last_line, stride; /* the first and the last line, the step between them */
    int64_t lines, n;                /* that there are; cells along each */
    uint64_t map[2];                 /* of dx, or of da and db: bit i where a cell of the i-th box is wrong */
    unsigned mapped;                 /* the outputs that the op has, bits by cot_operand */
} pattern;

const char *pattern_name(pattern_kind kind); /* "from"; NULL past the last */

/* An output's cells in their order, row-major, are parted into so many boxes, as even as can be: 64, or one for each
 * cell where there are fewer. The text has a letter for each box, "#" where a cell in it is wrong and "." elsewhere; ""
 * for what is no output of the op. */
int pattern_boxes(const pattern *p);
void pattern_map(const pattern *p, cot_operand output, char text[PATTERN_BOXES + 1]);

/* A walk in progress. It begins as { .desc = ... }. */
typedef struct wrong_cells {
    const cot_desc *desc;
    unsigned outputs; /* bits by cot_operand */
    pattern seen;
} wrong_cells;

void wrong_cells_add(wrong_cells *w, cot_operand output, int64_t index); /* each cell once, in any order */
void wrong_cells_join(wrong_cells *w, const wrong_cells *others);        /* of another part of the same walk */
pattern wrong_cells_pattern(const wrong_cells *w);

#endif
