/* Truth under the policies of a framework against what that framework returned (conformance/truth/oracle_vectors.tsv,
 * which says where its rows come from). */
#include "test_truth.h"

#include <stdio.h>
#include <stdlib.h>

static sample s;

enum { COLUMNS = 13 };

typedef struct vector {
    const char *
        column[COLUMNS]; /* op, case, convention, element, correction, reverse, param, x or a, b, dy, y, dx or da, db */
    double want[2][LONGEST];
} vector;

static vector v;

static int split(char *line)
{
    int count = 0;
    for (char *at = line; at && count < COLUMNS; count++) {
        v.column[count] = at;
        at = strpbrk(at, "\t\n");
        if (at)
            *at++ = 0;
    }
    return count == COLUMNS;
}

/* Numbers as C99 writes them, with spaces between; "-" is none. */
static int64_t numbers(const char *text, double *to)
{
    int64_t count = 0;
    char *end;
    if (!strcmp(text, "-"))
        return 0;
    for (; count < LONGEST; count++, text = end) {
        to[count] = strtod(text, &end);
        if (end == text)
            break;
    }
    return count;
}

static int read_vector(char *line)
{
    if (!split(line) || !cot_op_find(v.column[0]))
        return 0;
    cot_op op = cot_op_find(v.column[0])->op;
    start_sample(&s, op, cot_element_find(v.column[3]), numbers(v.column[7], s.x));
    memcpy(s.a, s.x, sizeof s.a);
    s.desc.correction = atoi(v.column[4]), s.desc.reverse = atoi(v.column[5]), s.desc.param = strtod(v.column[6], NULL);
    numbers(v.column[8], s.b), numbers(v.column[9], s.dy), numbers(v.column[10], s.y);
    numbers(v.column[12], v.want[1]);
    cot_convention convention = !strcmp(v.column[2], "torch") ? COT_CONVENTION_TORCH
                                : !strcmp(v.column[2], "jax") ? COT_CONVENTION_JAX
                                                              : COT_CONVENTION_SPEC;
    return s.n && numbers(v.column[11], v.want[0]) == s.n && !cot_convention_policies(convention, &s.desc.policies);
}

/* Frameworks evaluate in other orders: the class must agree, and a number within some roundings. Where an intermediate
 * of the spec's order overflows, another order may do better. */
static int agrees(const truth_cell *cell, double got)
{
    if (!(cell->holds & (TRUTH_EDGE | TRUTH_BOUND)))
        return 1;
    if (isnan(got) || isnan(cell->literal))
        return isnan(got) && isnan(cell->literal);
    if (isinf(got) || isinf(cell->literal))
        return got == cell->literal;
    return truth_score(cell, s.desc.element, got, &(truth_bound){ 16, 16, 0 }) <= 1;
}

static int compare(const truth_cell *cells, const double *want)
{
    for (int64_t i = 0; i < s.n; i++)
        if (!agrees(&cells[i], want[i])) {
            diag("cell %d: truth %.17g (exact %.17g), %s %.17g", (int)i, cells[i].literal, truth_nearest(&cells[i]),
                 v.column[2], want[i]);
            return 0;
        }
    return 1;
}

int main(int argc, char **argv)
{
    static char line[1 << 16];
    char path[4096];
    const char *source = getenv("srcdir");
    snprintf(path, sizeof path, "%s/conformance/truth/oracle_vectors.tsv", source ? source : ".");
    FILE *file = fopen(argc > 1 ? argv[1] : path, "r");
    plan(NO_PLAN);
    if (!file)
        BAIL_OUT("cannot read %s", path);
    while (fgets(line, sizeof line, file)) {
        if (*line == '#')
            continue;
        if (!read_vector(line)) {
            fail("a row that cannot be read: %s", line);
            continue;
        }
        run_gradient(&s);
        int good = compare(s.first, v.want[0]) && (cot_has_axis(cot_op_get(s.desc.op)) || compare(s.second, v.want[1]));
        ok(good, "%s %s under the policies of %s", v.column[0], v.column[1], v.column[2]);
    }
    fclose(file);
    truth_end();
    return done_testing();
}
