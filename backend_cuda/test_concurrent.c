/* Threads that share a plan, and threads that open and close backends of their own meanwhile: on the reference and on
 * the software device. conformance/house/races builds this with ThreadSanitizer. */
#include "test_device.h"
#include "test_trial.h"

#include <pthread.h>

enum { THREADS = 4, TURNS = 6, CELLS = 9 * 70 };

static const cot_desc desc = { COT_SIZED(cot_desc), .op = COT_SOFTMAX,  .element = COT_F32,
                               .rank = 2,           .shape = { 9, 70 }, .axis = 1 };

typedef struct shared {
    cot_backend *backend;
    cot_plan *plan;
    float dy[CELLS], y[CELLS], expected[CELLS];
} shared;

/* Memory that the backend's kernels reach, for dy, y, dx and what the plan needs. */
typedef struct mine {
    void *memory[4];
    cot_view dy, y, dx;
    cot_args args;
} mine;

static bool prepare(const shared *s, mine *m)
{
    size_t bytes[4] = { sizeof s->dy, sizeof s->y, sizeof s->dy, cot_workspace_size(s->plan) };
    bool bad = false;
    for (int i = 0; i < 4; i++)
        bad |= bytes[i] && cot_alloc(s->backend, bytes[i], &m->memory[i], NULL);
    if (bad || cot_copy_in(s->backend, m->memory[0], s->dy, sizeof s->dy, NULL)
        || cot_copy_in(s->backend, m->memory[1], s->y, sizeof s->y, NULL))
        return false;
    m->dy = cot_contiguous(COT_F32, 2, desc.shape, m->memory[0]);
    m->y = cot_contiguous(COT_F32, 2, desc.shape, m->memory[1]);
    m->dx = cot_contiguous(COT_F32, 2, desc.shape, m->memory[2]);
    m->args = (cot_args){ COT_SIZED(cot_args), .dy = &m->dy, .y = &m->y, .dx = &m->dx };
    return true;
}

static bool compute(const shared *s, const mine *m, float got[CELLS])
{
    return !cot_run(s->plan, NULL, m->memory[3], cot_workspace_size(s->plan), &m->args, NULL)
           && !cot_synchronize(s->backend, NULL, NULL)
           && !cot_copy_out(s->backend, got, m->memory[2], sizeof s->expected, NULL);
}

static void release(const shared *s, mine *m)
{
    for (int i = 0; i < 4; i++)
        if (m->memory[i])
            cot_free(s->backend, m->memory[i]);
}

typedef struct job {
    pthread_t thread;
    void *what;
    int good;
} job;

static void *run_plan(void *self)
{
    job *j = self;
    const shared *s = j->what;
    mine m = { .memory = { NULL } };
    float got[CELLS];
    bool ready = prepare(s, &m);
    for (int i = 0; ready && i < TURNS; i++)
        j->good += compute(s, &m, got) && !memcmp(got, s->expected, sizeof got);
    release(s, &m);
    return NULL;
}

/* How many turns were right, of THREADS * TURNS. */
static int together(void *(*work)(void *), void *what)
{
    job jobs[THREADS];
    int good = 0;
    for (int i = 0; i < THREADS; i++) {
        jobs[i] = (job){ .what = what };
        pthread_create(&jobs[i].thread, NULL, work, &jobs[i]);
    }
    for (int i = 0; i < THREADS; i++) {
        pthread_join(jobs[i].thread, NULL);
        good += jobs[i].good;
    }
    return good;
}

static void test_plan(const char *name, const char *options)
{
    static shared s;
    mine m = { .memory = { NULL } };
    ok(!cot_backend_open(name, options, &s.backend, NULL) && !cot_select(s.backend, &desc, NULL, &s.plan, NULL),
       "%s: a plan", name);
    for (int i = 0; i < CELLS; i++) {
        s.dy[i] = (float)(i % 17) - 8;
        s.y[i] = (float)(1 + i % 5) / 32;
    }
    ok(prepare(&s, &m) && compute(&s, &m, s.expected) && s.expected[1] != 0, "its result");
    release(&s, &m);
    cmp_ok(together(run_plan, &s), "==", THREADS * TURNS, "%s: %d threads have it from one plan", name, THREADS);
    cot_plan_free(s.plan);
    cot_backend_close(s.backend);
}

typedef struct opened {
    const char *name, *options;
    trial t;
    char *expected[COT_DB + 1];
} opened;

static void *open_and_close(void *self)
{
    job *j = self;
    const opened *o = j->what;
    for (int i = 0; i < TURNS; i++) {
        cot_backend *backend = NULL;
        char *got[COT_DB + 1] = { NULL };
        if (!cot_backend_open(o->name, o->options, &backend, NULL) && !trial_run(&o->t, backend, NULL, got, NULL)) {
            j->good += !trial_differences(&o->t, o->expected, got);
            results_free(got);
        }
        cot_backend_close(backend);
    }
    return NULL;
}

static void test_opened(const char *name, const char *options)
{
    opened o = { .name = name, .options = options, .t = { .desc = desc } };
    cot_backend *ref = NULL;
    ok(trial_make(&o.t) && !cot_backend_open("ref", NULL, &ref, NULL) && !trial_run(&o.t, ref, NULL, o.expected, NULL),
       "a problem and its result");
    cmp_ok(together(open_and_close, &o), "==", THREADS * TURNS, "%s: %d threads open and close their own", name,
           THREADS);
    cot_backend_close(ref);
    results_free(o.expected);
    trial_free(&o.t);
}

int main(void)
{
    plan(NO_PLAN);
    name_device();
    test_plan("ref", NULL);
    test_opened("ref", NULL);
    test_plan("cuda", "device=soft");
    test_opened("cuda", "device=soft");
    return done_testing();
}
