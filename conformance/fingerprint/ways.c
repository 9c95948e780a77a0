/* Runs telling cases on a backend, and on the reference under every combination of the policies that an op heeds. */
#include "ways.h"
#include "asked.h"
#include "conformance/case/device_run.h"
#include "conformance/case/generate.h"
#include "conformance/case/problem.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Numbers that policies are about. Extents of 1 and corrections beyond n are among the cases. */
static const char *const telling[] = { "ties",    "tiesall", "nan",     "nanfirst", "nanall", "inf",
                                       "zeroone", "zerotwo", "zeroall", "zeros",    "pairs",  "integers" };

enum { TELLING = sizeof telling / sizeof *telling, CELLS = 48, CASES = 2 * TELLING };

static test_case case_at(const cot_op_info *op, cot_element element, int i)
{
    test_case c = { .desc = { COT_SIZED(cot_desc), .op = op->op, .element = element, .rank = 2, .shape = { 6, 8 },
                              .axis = cot_has_axis(op) },
                    .generator = generator_find(telling[i % TELLING]),
                    .seed = (uint64_t)i + 1 };
    c.desc.param = cot_op_takes(op, COT_TAKES_PARAM) ? 0.3 : 0;
    c.desc.reverse = op->family == COT_SCAN && i % 4 == 3;
    if (i >= TELLING && op->traits & COT_OP_CORRECTS)
        c.desc.correction = 7 + i % 3;
    return c;
}

/* ---- runs ------------------------------------------------------------------------------------ */

/* What came out of one case: both outputs, one behind the other. */
typedef struct result {
    double cell[2 * CELLS];
    int count;
} result;

static cot_status run_case(cot_backend *backend, const problem *p, const cot_policies *policies, result *r,
                           cot_error *error)
{
    cot_view view[OPERANDS] = { 0 };
    cot_desc desc = p->c.desc;
    cot_status status = COT_OK;
    desc.policies = *policies;
    r->count = 0;
    for (int o = COT_DY; o < OPERANDS; o++)
        view[o] = p->tensors[o].view;
    for (int o = COT_DX; o < OPERANDS; o++)
        if (p->tensors[o].memory && operand_make(&desc, (cot_operand)o, &view[o]))
            status = COT_INTERNAL;
    if (!status)
        status = device_execute(backend, &desc, view, error);
    for (int o = COT_DX; o < OPERANDS; o++) {
        for (int64_t i = 0; p->tensors[o].memory && !status && i < cell_count(&view[o]); i++)
            r->cell[r->count++] = cell_value(&view[o], i);
        if (p->tensors[o].memory)
            free(view[o].data);
    }
    return status;
}

/* Roundings are no ways: they are the bounds' affair. */
static int is_alike(double a, double b)
{
    if (isnan(a) || isnan(b) || isinf(a) || isinf(b) || a == 0 || b == 0)
        return isnan(a) ? isnan(b) : a == b && signbit(a) == signbit(b);
    return fabs(a - b) <= 0.02 * fmax(fabs(a), fabs(b));
}

static int64_t difference(const result *a, const result *b)
{
    int64_t cells = 0;
    for (int i = 0; i < a->count; i++)
        cells += !is_alike(a->cell[i], b->cell[i]);
    return cells;
}

/* ---- combinations ---------------------------------------------------------------------------- */

/* The cases, and what the backend made of them. */
typedef struct trials {
    problem p[CASES];
    result got[CASES];
    int count;
} trials;

/* Cells that differ from the reference under some policies; -1: it failed. */
static int64_t differ_under(const trials *t, cot_backend *reference, const cot_policies *policies)
{
    int64_t cells = 0;
    for (int i = 0; i < t->count; i++) {
        result want;
        cot_error error;
        if (run_case(reference, &t->p[i], policies, &want, &error))
            return -1;
        cells += difference(&t->got[i], &want);
    }
    return cells;
}

static int values_of(const cot_policy_info *policy)
{
    int count = 0;
    while (policy->values[count])
        count++;
    return count;
}

/* The combination's values, for the policies that the op heeds. 0: there is no such combination any more. */
static int combine(const cot_op_info *op, int number, cot_policies *policies)
{
    const cot_policy_info *policy;
    *policies = (cot_policies){ 0 };
    for (size_t i = 0; (policy = cot_policy_at(i)); i++)
        if (op->policies >> i & 1) {
            ((uint8_t *)policies)[policy->offset] = (uint8_t)(number % values_of(policy));
            number /= values_of(policy);
        }
    return number == 0;
}

static void note(const cot_op_info *op, const cot_policies *policies, int64_t cells, ways *w)
{
    const cot_policy_info *policy;
    if (w->least < 0 || cells < w->least) {
        w->least = cells;
        w->best = *policies;
        w->either = 0;
    }
    for (size_t i = 0; (policy = cot_policy_at(i)) && cells == w->least; i++)
        if (op->policies >> i & 1
            && ((const uint8_t *)policies)[policy->offset] != ((const uint8_t *)&w->best)[policy->offset])
            w->either |= 1u << i;
}

static cot_status compare(const trials *t, cot_backend *reference, const cot_op_info *op, ways *w)
{
    cot_policies policies;
    w->least = -1;
    for (int number = 0; combine(op, number, &policies); number++) {
        int64_t cells = differ_under(t, reference, &policies);
        if (cells < 0)
            return COT_INTERNAL;
        note(op, &policies, cells, w);
    }
    for (int c = 0; c < WAYS_CONVENTIONS; c++) {
        cot_convention_policies((cot_convention)c, &policies);
        if ((w->differ[c] = differ_under(t, reference, &policies)) < 0)
            return COT_INTERNAL;
    }
    return COT_OK;
}

cot_status ways_find(cot_backend *backend, cot_backend *reference, const cot_op_info *op, cot_element element, ways *w,
                     cot_error *error)
{
    trials *t = calloc(1, sizeof *t);
    cot_desc asked = case_at(op, element, 0).desc;
    *error = (cot_error){ .code = COT_INTERNAL, .message = "out of memory" };
    cot_status status = t ? asked_under(backend, &asked, error) : COT_INTERNAL;
    *w = (ways){ .asked = asked_convention(&asked) };
    for (int i = 0; i < CASES && !status; i++) {
        test_case c = case_at(op, element, i);
        *error = (cot_error){ .code = COT_INTERNAL, .message = "out of memory" };
        status = problem_make(&t->p[i], &c) ? COT_INTERNAL : COT_OK;
        t->count++;
        if (!status)
            status = run_case(backend, &t->p[i], &asked.policies, &t->got[i], error);
        w->cells += t->got[i].count;
    }
    if (!status)
        status = compare(t, reference, op, w);
    for (int i = 0; t && i < t->count; i++)
        problem_free(&t->p[i]);
    free(t);
    return status;
}

void ways_print(const cot_op_info *op, const ways *w, char *text, size_t size)
{
    const cot_policy_info *policy;
    size_t used = 0;
    *text = 0;
    for (size_t i = 0; (policy = cot_policy_at(i)) && used < size; i++)
        if (op->policies >> i & 1)
            used += (size_t)snprintf(text + used, size - used, "%s%s=%s", used ? " " : "", policy->name,
                                     w->either >> i & 1 ? "?"
                                                        : policy->values[((const uint8_t *)&w->best)[policy->offset]]);
}
