/* What wrong cells have in common. */
#include "conformance/tap/tap.h"
#include "pattern.h"

/* 4 lines of 10 cells, along the last dimension. */
static const cot_desc lines = { .op = COT_CUMSUM, .element = COT_F32, .rank = 2, .axis = 1, .shape = { 4, 10 } };

typedef int wrong(int line, int along);

static int nowhere(int line, int along) { return (void)line, (void)along, 0; }
static int once(int line, int along) { return line == 2 && along == 7; }
static int everywhere(int line, int along) { return (void)line, (void)along, 1; }
static int late(int line, int along) { return (void)line, along >= 6; }
static int early(int line, int along) { return (void)line, along <= 3; }
static int thirds(int line, int along) { return (void)line, along % 3 == 1; }
static int column(int line, int along) { return line != 1 && along == 5; }
static int one_line(int line, int along) { return line == 3 && (along == 2 || along == 3 || along == 7); }
static int last_lines(int line, int along) { return (void)along, line >= 2; }
static int other_lines(int line, int along) { return (void)along, line % 2 == 1; }
static int some_lines(int line, int along) { return line >= 1 && along % 7 != line && line < 4; }
static int anyhow(int line, int along) { return (line * 7 + along * 3) % 5 == 2; }

static const struct {
    const char *what;
    wrong *is_wrong;
    pattern want;
} patterns[] = {
    { "no cell", nowhere, { .kind = PATTERN_NONE } },
    { "one cell", once, { PATTERN_ONE, 1, 1, 40, 27, 27, 7, 7, 0, 2, 2, 0, 4, 10, { 0 }, 0 } },
    { "every cell", everywhere, { PATTERN_ALL, 1, 40, 40, 0, 39, 0, 9, 1, 0, 3, 1, 4, 10, { 0 }, 0 } },
    { "all from index 6 on", late, { PATTERN_FROM, 1, 16, 40, 6, 39, 6, 9, 1, 0, 3, 1, 4, 10, { 0 }, 0 } },
    { "all up to index 3", early, { PATTERN_UP_TO, 1, 16, 40, 0, 33, 0, 3, 1, 0, 3, 1, 4, 10, { 0 }, 0 } },
    { "every third", thirds, { PATTERN_EVERY, 1, 12, 40, 1, 37, 1, 7, 3, 0, 3, 1, 4, 10, { 0 }, 0 } },
    { "one index of several lines", column, { PATTERN_COLUMN, 1, 3, 40, 5, 35, 5, 5, 0, 0, 3, 1, 4, 10, { 0 }, 0 } },
    { "some of one line", one_line, { PATTERN_LINE, 1, 3, 40, 32, 37, 2, 7, 1, 3, 3, 0, 4, 10, { 0 }, 0 } },
    { "all lines from the third on",
      last_lines,
      { PATTERN_LINES, 1, 20, 40, 20, 39, 0, 9, 1, 2, 3, 1, 4, 10, { 0 }, 0 } },
    { "every second line", other_lines, { PATTERN_EVERY_LINE, 1, 20, 40, 10, 39, 0, 9, 1, 1, 3, 2, 4, 10, { 0 }, 0 } },
    { "many cells of some lines",
      some_lines,
      { PATTERN_WITHIN, 1, 25, 40, 10, 39, 0, 9, 1, 1, 3, 1, 4, 10, { 0 }, 0 } },
    { "nothing in common", anyhow, { PATTERN_OTHER, 1, 8, 40, 4, 37, 0, 9, 1, 0, 3, 1, 4, 10, { 0 }, 0 } },
};

/* What only other shapes show: every cell of one output; a range across lines; what is past a tile. */
static const struct {
    const char *what;
    cot_desc desc;
    pattern_kind kind;
    int64_t first, last;
    int holes; /* every third cell is right */
} shapes[] = {
    { "db alone", { .op = COT_MUL, .rank = 2, .shape = { 2, 3 } }, PATTERN_OUTPUT, 0, 5, 0 },
    { "a range across lines", { .op = COT_CUMSUM, .rank = 2, .axis = 1, .shape = { 4, 10 } }, PATTERN_RANGE, 7, 25, 0 },
    { "the end of all lines together",
      { .op = COT_CUMSUM, .rank = 2, .axis = 1, .shape = { 4, 10 } },
      PATTERN_RANGE,
      15,
      39,
      0 },
    { "some cells past the last tile",
      { .op = COT_CUMSUM, .rank = 1, .shape = { 1060 } },
      PATTERN_TAIL,
      1025,
      1059,
      1 },
    { "some cells past the last segment", { .op = COT_CUMSUM, .rank = 1, .shape = { 80 } }, PATTERN_TAIL, 64, 79, 1 },
    { "few cells there, by chance", { .op = COT_CUMSUM, .rank = 1, .shape = { 80 } }, PATTERN_OTHER, 64, 70, 1 },
    { "two cells, which have some distance", { .op = COT_CUMSUM, .rank = 1, .shape = { 3 } }, PATTERN_OTHER, 0, 2, 1 },
};

static void test_shapes(void)
{
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
        wrong_cells w = { .desc = &shapes[i].desc };
        for (int64_t k = shapes[i].first; k <= shapes[i].last; k++)
            if (!shapes[i].holes || (k - shapes[i].first) % 3 != 1)
                wrong_cells_add(&w, shapes[i].kind == PATTERN_OUTPUT ? COT_DB : COT_DX, k);
        pattern p = wrong_cells_pattern(&w);
        is(pattern_name(p.kind), pattern_name(shapes[i].kind), "%s", shapes[i].what);
    }
}

/* What the map of 64 boxes must say of a result's cells, looked at one by one. */
static void draw(char *text, int64_t cells, const char *is_wrong)
{
    int boxes = cells < PATTERN_BOXES ? (int)cells : PATTERN_BOXES;
    for (int b = 0; b < boxes; b++) {
        text[b] = '.';
        for (int64_t i = 0; i < cells; i++)
            if (i * boxes / cells == b && is_wrong[i])
                text[b] = '#';
    }
    text[boxes] = 0;
}

/* Columns, tails, and cells here and there, of one output and of two, in fewer cells than boxes and in more. */
static void test_maps(void)
{
    static const cot_desc of[] = {
        { .op = COT_CUMSUM, .rank = 2, .axis = 1, .shape = { 3, 7 } },
        { .op = COT_CUMSUM, .rank = 2, .axis = 0, .shape = { 37, 11 } },
        { .op = COT_MUL, .rank = 1, .shape = { 64 } },
        { .op = COT_MUL, .rank = 2, .shape = { 13, 17 } },
    };
    for (size_t k = 0; k < 3 * sizeof of / sizeof *of; k++) {
        const cot_desc *desc = &of[k / 3];
        int64_t cells = desc->shape[0] * (int64_t)(desc->rank > 1 ? desc->shape[1] : 1);
        int two = !cot_has_axis(cot_op_get(desc->op));
        char marks[2][407] = { { 0 } }, want[PATTERN_BOXES + 1], got[PATTERN_BOXES + 1];
        wrong_cells w = { .desc = desc };
        for (int64_t i = cells - 1; i >= 0; i--) {
            int bad = k % 3 == 0 ? i % 7 == 5 : k % 3 == 1 ? i >= cells - 9 : i * i % 19 == 4;
            if ((marks[two && i % 2][i] = (char)bad))
                wrong_cells_add(&w, two ? i % 2 ? COT_DB : COT_DA : COT_DX, i);
        }
        pattern p = wrong_cells_pattern(&w);
        for (int out = 0; out <= two; out++) {
            draw(want, cells, marks[out]);
            pattern_map(&p, two ? out ? COT_DB : COT_DA : COT_DX, got);
            is(got, want, "the map of %s", pattern_name(p.kind));
        }
        pattern_map(&p, two ? COT_DX : COT_DA, got);
        is(got, "", "and none of another output");
    }
}

static int same(const pattern *a, const pattern *b)
{
    return a->kind == b->kind && a->outputs == b->outputs && a->wrong == b->wrong && a->cells == b->cells
           && a->first == b->first && a->last == b->last && a->from == b->from && a->to == b->to && a->step == b->step
           && a->line == b->line && a->last_line == b->last_line && a->stride == b->stride && a->lines == b->lines
           && a->n == b->n;
}

static pattern walk(const cot_desc *desc, wrong *is_wrong, int axis, int backwards)
{
    wrong_cells w = { .desc = desc };
    for (int k = 0; k < 40; k++) {
        int i = backwards ? 39 - k : k, line = axis ? i / 10 : i % 4, along = axis ? i % 10 : i / 4;
        if (is_wrong(line, along))
            wrong_cells_add(&w, COT_DX, i);
    }
    return wrong_cells_pattern(&w);
}

int main(void)
{
    plan(NO_PLAN);
    for (size_t i = 0; i < sizeof patterns / sizeof *patterns; i++) {
        cot_desc turned = lines;
        turned.axis = 0, turned.shape[0] = 10, turned.shape[1] = 4;
        pattern there = walk(&lines, patterns[i].is_wrong, 1, 0), back = walk(&lines, patterns[i].is_wrong, 1, 1),
                other = walk(&turned, patterns[i].is_wrong, 0, 0);
        if (!ok(same(&there, &patterns[i].want), "%s: %s", patterns[i].what, pattern_name(patterns[i].want.kind)))
            diag("%s: wrong %lld of %lld, %lld to %lld, from %lld to %lld step %lld, line %lld",
                 pattern_name(there.kind), (long long)there.wrong, (long long)there.cells, (long long)there.first,
                 (long long)there.last, (long long)there.from, (long long)there.to, (long long)there.step,
                 (long long)there.line);
        ok(same(&back, &there), "in whatever order they come");
        ok(other.kind == there.kind && other.wrong == there.wrong && other.from == there.from,
           "and along another axis");
    }
    test_shapes();
    test_maps();
    ok(!pattern_name(PATTERNS), "there are no more");
    return done_testing();
}
