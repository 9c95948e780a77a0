/* Case ids, and the digest of their results on the native build: what the page has to show. Some of the suite's for
 * each op and element type, or those that the arguments name. */
#include "conformance/case/cases.h"
#include "conformance/case/digest.h"
#include "conformance/judge/trial.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_CELLS = 3000, EACH = 24 };

static uint64_t digest_of(const trial *t)
{
    uint64_t digest = DIGEST_OF_NOTHING;
    for (int o = COT_Y; o < OPERANDS; o++) {
        if (!t->p->tensors[o].memory || (o != COT_Y && !cot_is_output((cot_operand)o)))
            continue;
        cot_view view = o == COT_Y ? t->p->tensors[o].view : trial_view(t, (cot_operand)o);
        for (int64_t i = 0, count = cell_count(&view); i < count; i++)
            digest = digest_cell(digest, cell_value(&view, i));
    }
    return digest;
}

static int print_case(cot_backend *backend, const test_case *c)
{
    problem p;
    trial t = { .p = NULL };
    cot_error error;
    char id[CASE_ID_SIZE];
    if (problem_make(&p, c))
        return 1;
    cot_status status = trial_run(&t, backend, &p, first_fill, &error);
    case_print(c, id);
    if (!status)
        printf("%s %016llx\n", id, (unsigned long long)digest_of(&t));
    trial_free(&t);
    problem_free(&p);
    return status != COT_OK;
}

/* Spread evenly over the suite's cases of an op and type, the large ones left out. */
typedef struct pick {
    cot_backend *backend;
    int64_t seen, step;
    int failed;
} pick;

static int shown(const test_case *c)
{
    int64_t cells = cot_cell_count(c->desc.rank, c->desc.shape);
    return cells > 0 && cells <= MOST_CELLS && !c->bad[0].row;
}

static int count_case(void *self, const test_case *c)
{
    ((pick *)self)->seen += shown(c);
    return 0;
}

static int take_case(void *self, const test_case *c)
{
    pick *p = self;
    if (shown(c) && p->seen++ % p->step == 0)
        p->failed |= print_case(p->backend, c);
    return 0;
}

static void print_some(cot_backend *backend, const cot_op_info *op, cot_element element, int *failed)
{
    case_range range = { .op_glob = op->name, .elements = 1u << element };
    pick p = { backend, 0, 1, 0 };
    cases_visit(&range, count_case, &p);
    p.step = p.seen / EACH > 1 ? p.seen / EACH | 1 : 1; /* odd: layouts and generators come in even numbers */
    p.seen = 0;
    cases_visit(&range, take_case, &p);
    *failed |= p.failed;
}

int main(int argc, char **argv)
{
    cot_backend *backend;
    cot_error error;
    int failed = 0;
    if (cot_backend_open("ref", "threads=1", &backend, &error))
        return fprintf(stderr, "%s\n", error.message), 1;
    for (int i = 1; i < argc; i++) {
        test_case c;
        char why[CASE_ID_SIZE];
        if (case_parse(argv[i], &c, why))
            return fprintf(stderr, "%s: %s\n", argv[i], why), 1;
        failed |= print_case(backend, &c);
    }
    for (size_t i = 0; argc < 2 && cot_op_at(i); i++)
        for (int e = COT_F16; e <= COT_F64; e++)
            print_some(backend, cot_op_at(i), (cot_element)e, &failed);
    cot_backend_close(backend);
    return failed;
}
