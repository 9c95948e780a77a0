/* What the families of truth share: a line at work. */
typedef struct work {
    const truth_line *line;
    const cot_desc *desc;
    int64_t n;
    const real_format *compute;
    value *first, *second; /* the results: dx or y; da and db. `first` holds the terms of a sum before them */
    value *terms, *others; /* scratch, n cells each, as far as the op's row says that it takes them */
    unsigned char *marks;  /* n bytes */
} work;

typedef void work_fn(work *w);

/* One cell of an elementwise op: what it reads, and da and db. */
typedef struct operands {
    const work *w;
    const cot_policies *policies;
    value g, a, b;
} operands;

typedef struct pair {
    value a, b;
} pair;

typedef pair pair_fn(const operands *o);
typedef value join_fn(value a, value b);

/* What truth knows of an op. An op's gradient goes over a line or, where no cell needs another, over one cell; so does
 * its forward operation. */
typedef struct truth_op {
    const char *clause; /* that defines the gradient */
    work_fn *gradient, *forward;
    pair_fn *cell_gradient;
    join_fn *cell_forward;
    int scratch; /* arrays beside the results: 1 is `terms`, 2 `others` as well */
} truth_op;

#define TRUTH_OF_LINES(name, clause_, gradient_, forward_, scratch_) \
    static const truth_op name##_truth = { clause_, gradient_, forward_, .scratch = scratch_ };
#define TRUTH_OF_CELLS(name, clause_, gradient_, forward_) \
    static const truth_op name##_truth = { .clause = clause_, .cell_gradient = gradient_, .cell_forward = forward_ };

static value given(const work *w, double operand) { return v_given(w->compute, operand); }

static double to_compute(const real_format *compute, double number)
{
    return compute == &compute_double ? number : truth_round(COT_F32, number);
}

/* ARITH-COUNT: a count enters as an operand of the compute type. Counts are far below 2^53: one rounding. */
static value given_count(const work *w, int64_t count) { return given(w, to_compute(w->compute, (double)count)); }
