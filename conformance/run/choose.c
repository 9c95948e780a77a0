/* Chooses each op's battery, and prints conformance/case/battery.def: the cases of the quick range whose results catch
 * the most mutants, as a file of results is judged (levels E and B, nothing but the cells), taken one after the other
 * by what each adds to those before it.
 *
 * usage: choose [OP...] */
#include "conformance/case/battery.h"
#include "conformance/case/cases.h"
#include "conformance/case/problem.h"
#include "conformance/clause/scope.h"
#include "conformance/judge/judge_lines.h"
#include "conformance/judge/judge.h"
#include "conformance/mutant/mutant.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
    CHOSEN = 30,       /* cases of a battery */
    MOST_CELLS = 4300, /* of a case */
    POOL = 400,        /* cases that are chosen from */
    MUTANTS = 400,
    TYPES = COT_F64 - COT_F16 + 1,
    WANTED = 4, /* how often a mutant is caught before nothing more is asked of it */
    ENOUGH = 12 /* cases that are known to catch it, before no further one is judged */
};

/* ---- the pool -------------------------------------------------------------------------------- */

typedef struct candidate {
    test_case c; /* of any type */
    char rest[CASE_ID_SIZE];
    int64_t cells;
    unsigned char catches[MUTANTS]; /* by a bit for each type */
} candidate;

static struct {
    const cot_op_info *op;
    candidate at[POOL];
    int count;
} pool;

static int heeds_options(const test_case *c)
{
    const cot_op_info *op = cot_op_get(c->desc.op);
    return (!c->desc.reverse || cot_op_takes(op, COT_TAKES_REVERSE))
           && (!c->desc.correction || op->traits & COT_OP_CORRECTS)
           && (c->desc.param == 0 || cot_op_takes(op, COT_TAKES_PARAM));
}

/* What files cannot show, or what another case shows as well, is left out. */
static int is_plain(const test_case *c)
{
    static const cot_policies spec;
    return c->layout == LAYOUT_CONTIG && !c->alias && !c->bad[0].row && heeds_options(c)
           && !memcmp(&c->desc.policies, &spec, sizeof spec);
}

static int scale_of(const test_case *c)
{
    int n = cot_has_axis(cot_op_get(c->desc.op)) ? c->desc.shape[c->desc.axis]
                                                 : (int)cot_cell_count(c->desc.rank, c->desc.shape);
    return n > 1024 ? 4 : n > 32 ? 3 : n > 1 ? 2 : n;
}

/* One of a generator and a scale, in each direction and with each correction and weight. */
static int is_alike(const test_case *a, const test_case *b)
{
    return a->generator == b->generator && scale_of(a) == scale_of(b) && a->desc.reverse == b->desc.reverse
           && a->desc.correction == b->desc.correction && a->desc.param == b->desc.param;
}

static int take(void *self, const test_case *c)
{
    char id[CASE_ID_SIZE];
    (void)self;
    int64_t cells = cot_cell_count(c->desc.rank, c->desc.shape);
    if (!is_plain(c) || cells > MOST_CELLS || pool.count == POOL)
        return 0;
    for (int i = 0; i < pool.count; i++)
        if (is_alike(&pool.at[i].c, c))
            return 0;
    candidate *new = &pool.at[pool.count++];
    *new = (candidate){ .c = *c, .cells = cells };
    case_print(c, id);
    strcpy(new->rest, strchr(strchr(id, '/') + 1, '/') + 1);
    return 0;
}

/* ---- what each catches ----------------------------------------------------------------------- */

static void stop(const char *what)
{
    fprintf(stderr, "choose: %s\n", what);
    exit(1);
}

static int same_results(const trial *t, const trial *reference)
{
    for (int o = COT_DX; o < OPERANDS; o++)
        if (t->memory[o] && memcmp(t->memory[o], reference->memory[o], t->p->tensors[o].bytes) != 0)
            return 0;
    return 1;
}

static int is_caught(const trial *t, const trial *reference)
{
    verdict v = { 0 };
    trial seen = *t;
    seen.claim = (cot_guarantee){ 0 }; /* files claim nothing */
    if (same_results(t, reference))
        return 0;
    if (judge_lines(&seen, LEVEL_B, &v))
        stop("out of memory");
    return v.failed != 0;
}

static cot_backend *open_backend(const char *name)
{
    cot_backend *backend;
    cot_error error;
    if (!strcmp(name, "ref") ? cot_backend_open(name, NULL, &backend, &error)
                             : mutant_open(name, NULL, &backend, &error))
        stop(name);
    return backend;
}

static int times_caught(int m, unsigned type)
{
    int times = 0;
    for (int i = 0; i < pool.count; i++)
        times += pool.at[i].catches[m] >> type & 1;
    return times;
}

static void try_problem(candidate *of, const problem *p, const trial *reference, cot_backend *const mutants[MUTANTS])
{
    unsigned type = p->c.desc.element - COT_F16;
    for (int m = 0; m < MUTANTS; m++) {
        trial t;
        cot_error error;
        if (!mutants[m] || times_caught(m, type) >= ENOUGH)
            continue;
        if (!trial_run(&t, mutants[m], p, first_fill, &error) && is_caught(&t, reference))
            of->catches[m] |= (unsigned char)(1u << type);
        trial_free(&t);
    }
}

static void try_candidate(candidate *of, cot_element element, cot_backend *ref, cot_backend *const mutants[MUTANTS])
{
    problem p;
    trial reference;
    cot_error error;
    test_case c = of->c;
    c.desc.element = element;
    if (problem_make(&p, &c) || trial_run(&reference, ref, &p, first_fill, &error))
        stop("the reference does not do a case");
    try_problem(of, &p, &reference, mutants);
    trial_free(&reference);
    problem_free(&p);
}

/* Mutants of the op whose defect is in what it computes, every time. */
static int is_for(const mutant *m, const cot_op_info *op)
{
    return scope_names(m->ops, op) && !m->check && !m->promise && !m->alloc && !m->forward
           && strcmp(m->clause, "DETERMINISM") != 0;
}

static void try_all(void)
{
    cot_backend *ref = open_backend("ref"), *mutants[MUTANTS] = { 0 };
    for (int m = 0; mutant_at(m); m++)
        if (is_for(mutant_at(m), pool.op))
            mutants[m] = open_backend(mutant_at(m)->name);
    for (int i = 0; i < pool.count; i++)
        for (cot_element e = COT_F16; e <= COT_F64; e++)
            try_candidate(&pool.at[i], e, ref, mutants);
    for (int m = 0; m < MUTANTS; m++)
        cot_backend_close(mutants[m]);
    cot_backend_close(ref);
}

/* ---- the choice ------------------------------------------------------------------------------ */

typedef struct choice {
    const candidate *at[CHOSEN];
    int count;
    int times[MUTANTS][TYPES]; /* caught */
} choice;

/* A mutant that is not caught yet is worth more than any that are. */
static double gain(const choice *chosen, const candidate *c)
{
    double worth = 0;
    for (int m = 0; m < MUTANTS; m++)
        for (int e = 0; e < TYPES; e++)
            if (c->catches[m] >> e & 1 && chosen->times[m][e] < WANTED)
                worth += 1.0 / (double)(1 << (8 * chosen->times[m][e]));
    return worth;
}

static int was_chosen(const choice *chosen, const candidate *c)
{
    for (int i = 0; i < chosen->count; i++)
        if (chosen->at[i] == c)
            return 1;
    return 0;
}

/* NULL: none adds anything. Of equals the smallest. */
static const candidate *best(const choice *chosen)
{
    const candidate *found = NULL;
    double most = 0;
    for (int i = 0; i < pool.count; i++) {
        double worth = was_chosen(chosen, &pool.at[i]) ? 0 : gain(chosen, &pool.at[i]);
        if (worth > most || (found && worth == most && pool.at[i].cells < found->cells)) {
            most = worth;
            found = &pool.at[i];
        }
    }
    return found;
}

static void choose(choice *chosen)
{
    const candidate *next;
    while (chosen->count < CHOSEN && (next = best(chosen))) {
        chosen->at[chosen->count++] = next;
        for (int m = 0; m < MUTANTS; m++)
            for (int e = 0; e < TYPES; e++)
                chosen->times[m][e] += next->catches[m] >> e & 1;
    }
}

/* ---- the table ------------------------------------------------------------------------------- */

static void print_share(const choice *chosen)
{
    int mutants = 0;
    for (int m = 0; mutant_at(m); m++)
        mutants += scope_names(mutant_at(m)->ops, pool.op);
    printf("BATTERY(%s, %d", pool.op->name, mutants);
    for (int e = 0; e < TYPES; e++) {
        int shown = 0, caught = 0;
        for (int m = 0; m < MUTANTS; m++) {
            int any = 0;
            for (int i = 0; i < pool.count; i++)
                any |= pool.at[i].catches[m] >> e & 1;
            shown += any;
            caught += chosen->times[m][e] > 0;
        }
        printf(", %d, %d", caught, shown);
    }
    printf(")\n");
}

/* The type in which a mutant is looked at: the first of these that shows it. -1: none. */
static int type_that_shows(const choice *chosen, int m)
{
    static const cot_element order[] = { COT_F32, COT_F16, COT_BF16, COT_F64 };
    for (int i = 0; i < TYPES; i++)
        if (chosen->times[m][order[i] - COT_F16])
            return (int)order[i] - COT_F16;
    return -1;
}

static void print_case(const choice *chosen, int i, unsigned char known[MUTANTS])
{
    const char *blank = "";
    printf("CASE(%s, \"%s\", \"", pool.op->name, chosen->at[i]->rest);
    for (int m = 0; m < MUTANTS; m++) {
        int e = type_that_shows(chosen, m);
        if (e < 0 || known[m] || !(chosen->at[i]->catches[m] >> e & 1))
            continue;
        known[m] = 1;
        int suffix = e != COT_F32 - COT_F16;
        printf("%s%s%s%s", blank, mutant_at(m)->name, suffix ? "/" : "",
               suffix ? cot_element_name((cot_element)(e + COT_F16)) : "");
        blank = " ";
    }
    printf("\")\n");
}

static void choose_for(const cot_op_info *op)
{
    choice chosen = { 0 };
    unsigned char known[MUTANTS] = { 0 };
    pool.op = op;
    pool.count = 0;
    cases_visit(&(case_range){ .op_glob = op->name }, take, NULL);
    try_all();
    choose(&chosen);
    print_share(&chosen);
    for (int i = 0; i < chosen.count; i++)
        print_case(&chosen, i, known);
    fflush(stdout);
}

static int is_asked_for(const cot_op_info *op, int argc, char **argv)
{
    int found = argc == 1;
    for (int i = 1; i < argc; i++)
        found |= !strcmp(argv[i], op->name);
    return found;
}

int main(int argc, char **argv)
{
    const cot_op_info *op;
    if (judge_unusable())
        stop(judge_unusable());
    puts("/* The batteries (battery.h), as `make battery` chooses and writes them.\n *\n"
         " * BATTERY(op, its mutants, and for f16, bf16, f32 and f64: caught by the battery, shown by any case)\n"
         " * CASE(op, the id behind op and type, mutants that no case before it catches) */");
    for (size_t i = 0; (op = cot_op_at(i)); i++)
        if (is_asked_for(op, argc, argv))
            choose_for(op);
    judge_end();
    return 0;
}
