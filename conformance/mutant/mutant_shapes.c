/* Faults that hang on a shape: where a grid, a block, a tile, a vector or an index ends. Elsewhere the mutant is the
 * reference, bit for bit. */
#include "mutant_defects.h"

#include <math.h>

enum { GARBAGE = 12345, ROWS = 32, BLOCK = 256 };

typedef struct geometry {
    int64_t n, inner, outer, lines, cells, bytes; /* n: extent along the axis, the last where the op has none */
    int rank, axis;
} geometry;

static geometry geometry_of(const cot_desc *d)
{
    line_shape l = lines_of(d);
    geometry g = { .n = l.n, .inner = l.inner, .lines = l.count, .rank = d->rank, .axis = l.axis };
    g.outer = cot_cell_count(l.axis, d->shape);
    g.cells = g.lines * g.n;
    g.bytes = g.cells * (int64_t)cot_element_size(d->element);
    return g;
}

/* ---- where ----------------------------------------------------------------------------------- */

// clang-format off
#define SHAPED(name, condition) \
    int name(const mutant *m, const cot_desc *d) { \
        geometry g = geometry_of(d); \
        return (void)m, g.cells > 0 && (condition); \
    }

SHAPED(has_lines, g.lines > m->with)
SHAPED(has_inner, g.inner >= m->with)
SHAPED(has_extent, g.n == m->with)
SHAPED(has_more_cells, g.cells > m->with)
SHAPED(has_long_line, g.n > m->with)
SHAPED(far_lines, g.n > FAR && cot_uses_spec_policies(d->op, &d->policies))
SHAPED(has_bytes, g.bytes > m->with)
SHAPED(extents_512_to_1000, g.n >= 512 && g.n <= 1000)
SHAPED(extents_2101_to_4095, (g.n >= 2101 && g.n <= 4095 && g.n != 3073) || g.n == 2049)
SHAPED(whole_tiles, g.n % TILE == 0 && g.n >= TILE * m->with)
SHAPED(last_axis_of_64, g.n == 64 && g.axis == g.rank - 1)
SHAPED(rank_2_of_cells, g.rank >= 2 && g.cells > m->with)
SHAPED(rank_2_of_long_lines, g.rank >= 2 && g.n > m->with)
SHAPED(rank_3_tile_and_33, g.rank == 3 && g.n % TILE == 33)
SHAPED(rank_5_of_long_lines, g.rank >= 5 && g.n > TILE)
SHAPED(rank_5_of_cells, g.rank >= 5 && g.cells > TILE)
SHAPED(between_dimensions, g.outer > 1 && g.inner > 1 && g.n >= 512)
SHAPED(cut_transpose, g.inner > ROWS && g.inner % ROWS != 0 && g.n > ROWS)
SHAPED(whole_transpose, g.inner % ROWS == 0)
SHAPED(cut_rows, g.n % m->with != 0 && g.n > 64)
SHAPED(cut_long_rows, g.n % m->with != 0 && g.n >= 1000)
SHAPED(shifted_rows, g.n % m->with != 0 && g.n >= 64 && g.lines > 1)
SHAPED(a_lane_more, g.n % LANES == 1 && g.n > LANES)
SHAPED(cut_block, g.lines > BLOCK && g.lines % BLOCK != 0)
SHAPED(cut_total, g.cells % m->with != 0 && g.cells > 1000)
SHAPED(cells_4098_to_2_20, g.cells >= 4098 && g.cells <= 1 << 20)
// clang-format on

/* ---- what ------------------------------------------------------------------------------------ */

static int64_t index_of(const mutant_call *c, const mutant_spot *s)
{
    return s->line / c->inner * c->inner * c->n + s->i * c->inner + s->line % c->inner;
}

static double spoilt(const mutant_spot *s, int wrong) { return wrong ? GARBAGE : s->reference; }

/* The number's neighbour in its type; for zero and what is not finite, something else. */
static double unit_off(const mutant_call *c, double right)
{
    static const double unit[] = { [COT_F16] = 0x1p-10, [COT_BF16] = 0x1p-7, [COT_F32] = 0x1p-23, [COT_F64] = 0x1p-52 };
    double off = right * (1 + unit[c->desc.element]);
    return isfinite(right) && call_store(c, off) != right ? off : 1;
}

static int is_last(const mutant_call *c, const mutant_spot *s) { return s->i == c->n - 1; }

double everything_spoilt(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return spoilt(s, 1);
}

double everything_zero(const mutant_call *c, const mutant_spot *s)
{
    (void)c, (void)s;
    return 0;
}

double late_lines_spoilt(const mutant_call *c, const mutant_spot *s) { return spoilt(s, s->line >= c->m->with); }

double late_cells_spoilt(const mutant_call *c, const mutant_spot *s) { return spoilt(s, index_of(c, s) >= c->m->with); }

double late_in_line_spoilt(const mutant_call *c, const mutant_spot *s) { return spoilt(s, s->i > c->m->with); }

double last_cell_spoilt(const mutant_call *c, const mutant_spot *s) { return spoilt(s, is_last(c, s)); }

double last_cell_off(const mutant_call *c, const mutant_spot *s)
{
    return is_last(c, s) ? unit_off(c, s->reference) : s->reference;
}

double very_last_cell_off(const mutant_call *c, const mutant_spot *s)
{
    return is_last(c, s) && s->line == c->lines - 1 ? unit_off(c, s->reference) : s->reference;
}

/* What is past the last whole vector of `with`. */
double row_tail_spoilt(const mutant_call *c, const mutant_spot *s)
{
    return spoilt(s, s->i >= c->n - c->n % c->m->with);
}

double tile_tail_spoilt(const mutant_call *c, const mutant_spot *s) { return spoilt(s, s->i >= c->n - c->n % TILE); }

double shifted_rows_spoilt(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return spoilt(s, s->line > 0 && s->i == 0);
}

double cut_block_spoilt(const mutant_call *c, const mutant_spot *s)
{
    return spoilt(s, s->line >= c->lines / BLOCK * BLOCK);
}

double second_rows_spoilt(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return spoilt(s, s->line >= ROWS && s->line < 2 * ROWS);
}

double first_line_spoilt(const mutant_call *c, const mutant_spot *s)
{
    (void)c;
    return spoilt(s, s->line == 0);
}

double last_line_spoilt(const mutant_call *c, const mutant_spot *s)
{
    return spoilt(s, s->line == c->lines - 1 && is_last(c, s));
}

double cut_columns_spoilt(const mutant_call *c, const mutant_spot *s)
{
    return spoilt(s, s->line % c->inner >= c->inner / ROWS * ROWS);
}

double last_column_spoilt(const mutant_call *c, const mutant_spot *s)
{
    return spoilt(s, s->line % c->inner == c->inner - 1 && is_last(c, s));
}

/* A line's number, or an offset in bytes, whose upper bits are lost: what is there is written instead. */
double line_number_wraps(const mutant_call *c, const mutant_spot *s)
{
    return s->line >= c->m->with ? *call_at(c, s->out, s->line % c->m->with, s->i) : s->reference;
}

double offset_wraps(const mutant_call *c, const mutant_spot *s)
{
    int64_t most = c->m->with / (int64_t)cot_element_size(c->desc.element);
    return c->cells[s->out][index_of(c, s) % most];
}
