/* Shapes: every kind that a range owes an op and type is met by its cases, extents and ranks vary, and nothing is too
 * large. */
#include "case_draw.h"
#include "cases.h"
#include "shape.h"
#include "conformance/tap/tap.h"

#include <stdlib.h>
#include <string.h>

enum { OPS = 64, TYPES = COT_F64 + 1, MOST_EXTENT = 1 << 17 };

typedef struct census {
    unsigned char *met; /* [op][element][kind] */
    unsigned char ranks[OPS][TYPES][COT_MAX_RANK + 1];
    unsigned char extents[OPS][MOST_EXTENT + 1]; /* along the axis */
    unsigned char inner[OPS];                    /* met at 4,096 */
    int64_t cells, cases, most;
} census;

static int64_t place_of(const cot_desc *d) { return ((int64_t)d->op * TYPES + (int64_t)d->element) * shape_kinds(); }

static int count(void *self, const test_case *c)
{
    census *all = self;
    const cot_desc *d = &c->desc;
    int64_t cells = cot_cell_count(d->rank, d->shape);
    shape_kind shape = shape_of(d);
    if (c->bad[0].row || !cells)
        return 0;
    for (int k = 0; k < shape_kinds(); k++)
        all->met[place_of(d) + k] |= (unsigned char)shape_kind_is(k, &shape);
    all->ranks[d->op][d->element][d->rank] = 1;
    int32_t n = d->shape[cot_has_axis(cot_op_get(d->op)) ? d->axis : d->rank - 1];
    if (n <= MOST_EXTENT)
        all->extents[d->op][n] = 1;
    all->inner[d->op] |= d->shape[d->rank - 1] == 4096 && d->axis < d->rank - 1;
    all->cells += cells;
    all->cases++;
    all->most = cells > all->most ? cells : all->most;
    return 0;
}

static int owed_and_not_met(const census *all, const cot_op_info *op, cot_element element, int full, int *owed)
{
    int missing = 0;
    for (int k = 0; k < shape_kinds(); k++) {
        char name[SHAPE_NAME_SIZE];
        if (!shape_is_owed(k, op, element, full))
            continue;
        ++*owed;
        shape_name(k, name);
        if (!all->met[place_of(&(cot_desc){ .op = op->op, .element = element }) + k] && !missing++)
            diag("%s %s: %s", op->name, cot_element_name(element), name);
    }
    return missing;
}

/* Returns how many cells there are. */
static int64_t test_range(int full, uint64_t seed)
{
    static census all;
    const cot_op_info *op;
    int missing = 0, owed = 0, ranks = 0, fewest = MOST_EXTENT, inner = 1;
    all = (census){ .met = calloc((size_t)OPS * TYPES, (size_t)shape_kinds()) };
    cases_visit(&(case_range){ .full = full, .seed = seed }, count, &all);
    for (size_t o = 0; (op = cot_op_at(o)); o++) {
        int extents = 0;
        for (int e = COT_F16; e <= COT_F64; e++) {
            missing += owed_and_not_met(&all, op, (cot_element)e, full, &owed);
            for (int r = 1; r <= COT_MAX_RANK; r++)
                ranks += !all.ranks[op->op][e][r];
        }
        for (int n = 1; n <= MOST_EXTENT; n++)
            extents += all.extents[op->op][n];
        fewest = extents < fewest ? extents : fewest;
        inner &= all.inner[op->op];
    }
    ok(owed > 5000 && !missing, "%s: %d kinds of shapes are owed, %d of them not met", full ? "full" : "quick", owed,
       missing);
    ok(!ranks && inner, "every rank in every op and type, and rows of 4,096 lines");
    cmp_ok(fewest, ">", 150, "%d different extents in the op that has the fewest", fewest);
    cmp_ok(all.most, "<=", 64 * 70000, "the largest case has %lld cells", (long long)all.most);
    cmp_ok(all.cells, "<", full ? 1500000000 : 150000000, "%lld cells in %lld cases", (long long)all.cells,
           (long long)all.cases);
    free(all.met);
    return all.cells;
}

/* The named extents beside 1, 65, 1,000 and 70,000 lines: how many of what fits into 2^22 cells doc/suite.md says that
 * the full range owes. A line alone is also owed as an extent in its place. */
static void test_pairs(void)
{
    static const int64_t lines[LINES_CLASSES] = { 1, 0, 65, 1000, 70000 };
    const cot_op_info *op;
    int all = 0, owed = 0;
    for (size_t o = 0; (op = cot_op_at(o)); o++)
        for (int k = 0; k < shape_kinds() && cot_has_axis(op); k++) {
            shape_kind kind = shape_kind_at(k);
            if (kind.extent == SHAPE_ANY || kind.lines == SHAPE_ANY || kind.extent % 2 == 0 || !lines[kind.lines])
                continue;
            int alone = kind.extent * AXIS_PLACES + (int)kind.place;
            for (int e = COT_F16; e <= COT_F64 && shape_extents[kind.extent / 2] * lines[kind.lines] <= 1 << 22; e++) {
                all++;
                owed += shape_is_owed(k, op, (cot_element)e, 1)
                        || (lines[kind.lines] == 1 && shape_is_owed(alone, op, (cot_element)e, 1));
            }
        }
    cmp_ok(all, "==", 5760, "%d combinations of extent, lines, place, type and op have up to 2^22 cells", all);
    cmp_ok(owed, "==", 4080, "and %d of them are owed", owed);
}

static void test_kinds(void)
{
    char name[SHAPE_NAME_SIZE];
    cot_desc d = { COT_SIZED(cot_desc),        .op = COT_MAX, .element = COT_F32, .rank = 3,
                   .shape = { 10, 768, 7000 }, .axis = 1 };
    shape_kind shape = shape_of(&d);
    int of = 0;
    for (int k = 0; k < shape_kinds(); k++)
        if (shape_kind_is(k, &shape)) {
            shape_name(k, name);
            of++;
        }
    cmp_ok(of, "==", 3, "a shape is of three kinds");
    is(name, "extent 768 65536 lines or more middle", "the last says all of it");
    d.axis = 2;
    ok(shape_of(&d).extent == 18 && shape_of(&d).lines == 3 && shape_of(&d).place == AXIS_LAST, "a gap, and its lines");
    d.op = COT_MUL;
    ok(shape_of(&d).extent == EXTENT_CLASSES - 1 && shape_of(&d).place == AXIS_LAST, "all cells of an elementwise op");
}

static void test_sizes(void)
{
    chance luck = chance_of(&(cot_desc){ .op = COT_MAX, .element = COT_F32 }, 1, 2, 3);
    int below = 0, outside = 0;
    for (int i = 0; i < 4096; i++) {
        int64_t n = chance_size(&luck, 3, 3 << 16);
        outside += n < 3 || n > 3 << 16;
        below += n < 512;
    }
    ok(!outside && below > 1500 && below < 2100, "log-uniform: %d of 4,096 below the middle binade, %d outside", below,
       outside);
    for (int i = 0; i < 4096; i++) {
        cot_desc d = { COT_SIZED(cot_desc), .op = COT_MAX, .element = COT_F32 };
        int64_t lines = chance_size(&luck, 1, 1 << 16);
        axis_place place = (axis_place)(i % AXIS_PLACES);
        draw_place(&luck, &d, 5, lines, place);
        outside += cot_cell_count(d.rank, d.shape) != 5 * lines || d.shape[d.axis] != 5 || d.rank > COT_MAX_RANK
                   || shape_of(&d).place != place;
    }
    cmp_ok(outside, "==", 0, "an axis is put where it is to be, beside as many lines as there are to be");
}

int main(void)
{
    plan(NO_PLAN);
    test_kinds();
    test_pairs();
    test_sizes();
    ok(test_range(0, 0) != test_range(0, 77), "another seed draws other shapes");
    test_range(1, 0);
    return done_testing();
}
