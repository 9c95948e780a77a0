/* What wrong cells have in common: counts, extents and a greatest common divisor, kept up to date cell by cell. */
#include "pattern.h"
#include "conformance/case/operand.h"
#include "core/formula/spec.h"

const char *pattern_name(pattern_kind kind)
{
    static const char *const names[PATTERNS] = {
        [PATTERN_NONE] = "none",     [PATTERN_ONE] = "one",       [PATTERN_ALL] = "all",
        [PATTERN_OUTPUT] = "output", [PATTERN_FROM] = "from",     [PATTERN_UP_TO] = "up to",
        [PATTERN_EVERY] = "every",   [PATTERN_COLUMN] = "column", [PATTERN_LINE] = "line",
        [PATTERN_LINES] = "lines",   [PATTERN_RANGE] = "range",   [PATTERN_EVERY_LINE] = "every line",
        [PATTERN_TAIL] = "tail",     [PATTERN_WITHIN] = "within", [PATTERN_OTHER] = "other",
    };
    return (unsigned)kind < PATTERNS ? names[kind] : NULL;
}

static int64_t divisor(int64_t a, int64_t b)
{
    while (b) {
        int64_t rest = a % b;
        a = b;
        b = rest;
    }
    return a < 0 ? -a : a;
}

static void widen(int64_t *least, int64_t *most, int64_t value)
{
    *least = value < *least ? value : *least;
    *most = value > *most ? value : *most;
}

static void mark(pattern *p, cot_operand output, int64_t index, int64_t cells)
{
    int64_t box = cells > PATTERN_BOXES ? index * PATTERN_BOXES / cells : index;
    p->map[output == COT_DB] |= (uint64_t)1 << box;
}

void wrong_cells_add(wrong_cells *w, cot_operand output, int64_t index)
{
    line_shape l = lines_of(w->desc);
    pattern *p = &w->seen;
    int64_t along = index / l.inner % l.n, line = index / (l.inner * l.n) * l.inner + index % l.inner;
    if (!p->wrong++) {
        p->first = p->last = index;
        p->from = p->to = along;
        p->line = p->last_line = line;
    }
    p->outputs += !(w->outputs >> output & 1);
    w->outputs |= 1u << output;
    p->step = divisor(p->step, along - p->from); /* from the least so far: the differences stay multiples of it */
    p->stride = divisor(p->stride, line - p->line);
    widen(&p->first, &p->last, index);
    widen(&p->from, &p->to, along);
    widen(&p->line, &p->last_line, line);
    mark(p, output, index, l.n * l.count);
}

/* Of cells that a damaged process may have counted. */
int pattern_boxes(const pattern *p)
{
    int64_t cells = p->outputs > 0 ? p->cells / p->outputs : 0;
    return cells < 0 ? 0 : cells < PATTERN_BOXES ? (int)cells : PATTERN_BOXES;
}

void pattern_map(const pattern *p, cot_operand output, char text[PATTERN_BOXES + 1])
{
    int boxes = p->mapped >> output & 1 ? pattern_boxes(p) : 0;
    for (int i = 0; i < boxes; i++)
        text[i] = p->map[output == COT_DB] >> i & 1 ? '#' : '.';
    text[boxes] = 0;
}

void wrong_cells_join(wrong_cells *w, const wrong_cells *others)
{
    pattern *p = &w->seen;
    const pattern *q = &others->seen;
    if (!p->wrong || !q->wrong) {
        *w = p->wrong ? *w : *others;
        return;
    }
    p->wrong += q->wrong;
    w->outputs |= others->outputs;
    p->outputs = 0;
    for (unsigned rest = w->outputs; rest; rest &= rest - 1)
        p->outputs++;
    p->step = divisor(divisor(p->step, q->step), q->from - p->from);
    p->stride = divisor(divisor(p->stride, q->stride), q->line - p->line);
    widen(&p->first, &p->last, q->first), widen(&p->first, &p->last, q->last);
    widen(&p->from, &p->to, q->from), widen(&p->from, &p->to, q->to);
    widen(&p->line, &p->last_line, q->line), widen(&p->line, &p->last_line, q->last_line);
    for (int i = 0; i < 2; i++)
        p->map[i] |= q->map[i];
}

/* The same cells of every line. */
static pattern_kind kind_along(const pattern *p)
{
    int64_t all = p->outputs * p->lines; /* cells at one index along the axis */
    if (p->from < p->to && p->wrong == all * (p->n - p->from))
        return PATTERN_FROM;
    if (p->from < p->to && p->wrong == all * (p->to + 1))
        return PATTERN_UP_TO;
    if (p->step > 1 && p->wrong > 2 && p->wrong == all * ((p->n - 1 - p->from) / p->step + 1))
        return PATTERN_EVERY;
    return p->from == p->to && p->line < p->last_line ? PATTERN_COLUMN : PATTERN_NONE;
}

/* Some of the lines. */
static pattern_kind kind_of_lines(const pattern *p)
{
    int64_t all = p->outputs * p->n; /* cells of one line */
    if (p->lines == 1)
        return PATTERN_NONE;
    if (p->line == p->last_line)
        return PATTERN_LINE;
    if (p->wrong == all * (p->last_line - p->line + 1))
        return PATTERN_LINES;
    return p->stride > 1 && p->wrong == all * ((p->lines - 1 - p->line) / p->stride + 1) ? PATTERN_EVERY_LINE
                                                                                         : PATTERN_NONE;
}

static int is_past(const pattern *p, int64_t size) /* the last whole multiple of `size`, in lines that have several */
{
    return p->n > size && p->from >= (p->n - 1) / size * size;
}

/* Part of the cells that something is true of. Few cells lie together by chance. */
static pattern_kind kind_of_part(const pattern *p)
{
    enum { MANY = 8 };
    if (p->outputs == 1 && p->wrong == p->last - p->first + 1)
        return PATTERN_RANGE;
    if (p->wrong >= MANY && (is_past(p, COT_TILE) || is_past(p, COT_SEGMENT)))
        return PATTERN_TAIL;
    return p->wrong >= MANY && 4 * (p->last_line - p->line + 1) <= 3 * p->lines ? PATTERN_WITHIN : PATTERN_OTHER;
}

static pattern_kind kind_of(const pattern *p, int has_two)
{
    if (p->wrong < 2)
        return PATTERN_ONE;
    if (p->wrong == p->cells)
        return has_two && p->outputs == 1 ? PATTERN_OUTPUT : PATTERN_ALL;
    pattern_kind along = kind_along(p), across = kind_of_lines(p);
    return along ? along : across ? across : kind_of_part(p);
}

pattern wrong_cells_pattern(const wrong_cells *w)
{
    pattern p = w->seen;
    if (p.wrong) {
        line_shape l = lines_of(w->desc);
        p.cells = p.outputs * l.n * l.count;
        p.lines = l.count;
        p.n = l.n;
        p.mapped = cot_has_axis(cot_op_get(w->desc->op)) ? 1u << COT_DX : 1u << COT_DA | 1u << COT_DB;
        p.kind = kind_of(&p, !cot_has_axis(cot_op_get(w->desc->op)));
    }
    return p;
}
