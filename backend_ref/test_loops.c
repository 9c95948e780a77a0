/* The loops against the spec's own words: a small evaluation of the formulas and of the orders of sums, written from
 * the clauses, on shapes that take every walk (short and long lines, columns, transposed and packed scans), with proof
 * that it was taken. */
#include "conformance/case/problem.h"
#include "conformance/tap/tap.h"
#include "test_witness.h"

enum { LONGEST = 70000 };

/* ---- the spec, in the type that it computes in ----------------------------------------------- */

#define REAL float
#define X(name) name##_f
#include "test_orders.inc"
#undef REAL
#undef X
#define REAL double
#define X(name) name##_d
#include "test_orders.inc"
#undef REAL
#undef X

/* ---- lines of a case ------------------------------------------------------------------------- */

typedef struct geometry {
    int64_t n, inner, lines;
} geometry;

static geometry geometry_of(const cot_desc *desc)
{
    int axis = cot_has_axis(cot_op_get(desc->op)) ? desc->axis : desc->rank - 1;
    int64_t inner = cot_cell_count(desc->rank - axis - 1, desc->shape + axis + 1);
    return (geometry){ desc->shape[axis], inner, cot_cell_count(axis, desc->shape) * inner };
}

static int64_t first_cell(const geometry *g, int64_t line)
{
    return line / g->inner * g->inner * g->n + line % g->inner;
}

static void read_line(const problem *p, cot_operand operand, const geometry *g, int64_t line, double *cells)
{
    const cot_view *view = &p->tensors[operand].view;
    int one = cell_count(view) == g->lines; /* a reduction's dy */
    for (int64_t i = 0; i < g->n && p->tensors[operand].memory; i++)
        cells[i] = one && g->n > 1 ? cell_value(view, line) : cell_value(view, first_cell(g, line) + i * g->inner);
}

static int64_t wrong_cells(const problem *p, cot_operand out, const geometry *g, int64_t line, const double *want)
{
    int64_t wrong = 0;
    for (int64_t i = 0; i < g->n && p->tensors[out].memory; i++) {
        double got = cell_value(&p->tensors[out].view, first_cell(g, line) + i * g->inner);
        wrong += memcmp(&got, &want[i], sizeof got) != 0;
    }
    return wrong;
}

static int64_t judge_lines(const problem *p)
{
    static spec_line l;
    geometry g = geometry_of(&p->c.desc);
    int64_t wrong = 0;
    l.n = g.n, l.reverse = p->c.desc.reverse;
    for (int64_t i = 0; i < g.lines; i++) {
        read_line(p, COT_DY, &g, i, l.dy);
        read_line(p, COT_Y, &g, i, l.y);
        read_line(p, COT_A, &g, i, l.a);
        read_line(p, COT_B, &g, i, l.b);
        p->c.desc.element == COT_F64 ? evaluate_d(&l, p->c.desc.op) : evaluate_f(&l, p->c.desc.op);
        wrong += wrong_cells(p, p->tensors[COT_DX].memory ? COT_DX : COT_DA, &g, i, l.first)
                 + wrong_cells(p, COT_DB, &g, i, l.second);
    }
    return g.lines ? wrong : -1;
}

/* ---- walks ----------------------------------------------------------------------------------- */

typedef enum walk { SHORT, LONG, COLUMNS, TRANSPOSED, PACKED } walk;

static walk walk_of(const ref_problem *p)
{
    if (p->packed)
        return PACKED;
    if (p->columns)
        return p->transposed ? TRANSPOSED : COLUMNS;
    return p->lines.n > 1024 ? LONG : SHORT;
}

static const struct {
    const char *id;
    walk walk;
} cases[] = {
    { "mul/f32/33/-/contig/uniform/1", SHORT },
    { "mul/f64/5x37/-/sliced/uniform/2", SHORT },
    { "mul/f32/70000/-/contig/uniform/3", LONG },
    { "sum/f32/5x37/1/contig/uniform/1", SHORT },
    { "sum/f64/70x64/0/contig/uniform/2", COLUMNS },
    { "softmax/f32/5x1/1/contig/uniform/1", SHORT },
    { "softmax/f32/5x31/1/contig/uniform/1", SHORT },
    { "softmax/f64/7x33/1/sliced/uniform/2", SHORT },
    { "softmax/f32/3x1024/1/contig/wide/3", SHORT },
    { "softmax/f32/2x33000/1/contig/wide/4", LONG },
    { "softmax/f64/65537/0/contig/cancel/5", LONG },
    { "softmax/f32/300x70/0/contig/wide/6", COLUMNS },
    { "softmax/f64/3x70x40/1/offset/wide/7", COLUMNS },
    { "softmax/f32/70x300/1/transposed/wide/8", COLUMNS },
    { "cumsum/f32/3x33/1/contig/wide/1", SHORT },
    { "cumsum/f64/2x2100/1/contig/wide/2,rev=1", LONG },
    { "cumsum/f32/33000/0/contig/cancel/3", LONG },
    { "cumsum/f32/1100x40/0/contig/wide/4", COLUMNS },
    { "cumsum/f64/70x64/0/contig/wide/5,rev=1", COLUMNS },
    { "cumsum/f32/40x37/1/contig/wide/6", TRANSPOSED },
    { "cumsum/f32/64x64/1/contig/wide/7,rev=1", PACKED },
    { "cumsum/f64/40x32/1/contig/wide/8", PACKED },
};
static const char *const options[] = { "threads=1", "threads=3", "threads=2,isa=baseline,stream=0" };

static void test_case_with(const char *id, walk expected, const char *option)
{
    static witness w;
    cot_backend *backend = NULL;
    cot_plan *plan = NULL;
    test_case c;
    problem p;
    char why[CASE_ID_SIZE];
    if (case_parse(id, &c, why) || problem_make(&p, &c) || cot_backend_open("ref", option, &backend, NULL)
        || cot_select(backend, &c.desc, NULL, &plan, NULL))
        BAIL_OUT("%s cannot be made", id);
    witness_watch(&w, backend);
    cot_status status = cot_run(plan, NULL, NULL, 0, &p.args, NULL);
    cmp_ok(status ? -2 : judge_lines(&p), "==", 0, "%s, %s: the spec's bits in every cell", id, option);
    cmp_ok(walk_of(&w.last), "==", expected, "by the walk that it is there for");
    cot_plan_free(plan);
    cot_backend_close(backend);
    problem_free(&p);
}

int main(void)
{
    plan(NO_PLAN);
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        for (size_t o = 0; o < sizeof options / sizeof *options; o++)
            test_case_with(cases[i].id, cases[i].walk, options[o]);
    return done_testing();
}
