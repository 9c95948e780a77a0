/* A process that is lost fails its case; the backend is blamed only where it was being called. */
#include "conformance/tap/tap.h"
#include "pool.h"

#include <string.h>
#include <sys/resource.h>

static void test_reasons(void)
{
    verdict v;
    lost_verdict(&v, PHASE_BACKEND, 0, 11, 60);
    ok(v.failed && v.reason == REASON_DIED && v.count == 11, "a process that dies in a call of the backend");
    ok(reason_at(v.reason)->fault == FAULT_OF_BACKEND && !*v.clause, "is the backend's fault, and breaks no clause");
    lost_verdict(&v, PHASE_JUDGE, 0, 11, 60);
    ok(v.failed && v.reason == REASON_JUDGE_DIED && v.count == 11, "one that dies in the judge");
    is(v.clause, "", "is nobody's but the suite's");
    lost_verdict(&v, PHASE_BACKEND, 1, 0, 5);
    ok(v.reason == REASON_LATE && v.seconds == 5 && !*v.clause, "a backend that is late: no status was wrong");
    lost_verdict(&v, PHASE_JUDGE, 1, 0, 5);
    ok(v.reason == REASON_JUDGE_LATE && v.seconds == 5 && !*v.clause, "a judge that is late");
    lost_verdict(&v, PHASE_BACKEND, 0, 3 << 8, 5);
    ok(v.reason == REASON_EXITED && v.count == 3, "a backend that exits");
    lost_verdict(&v, PHASE_JUDGE, 0, 3 << 8, 5);
    ok(v.reason == REASON_JUDGE_EXITED && v.count == 3, "a judge that exits");
}

static void keep(void *self, const result *r) { *(result *)self = *r; }

/* A case whose truth takes long, and whose gradient takes no time. */
static void lose(result *r)
{
    char why[CASE_ID_SIZE];
    test_case c;
    pool_settings settings = { .brief = { .backend = "ref", .level = LEVEL_B, .threads = 1 }, .jobs = 1 };
    settings.brief.patience = 120;
    if (case_parse("pow/f64/6x40000/-/contig/exponents/1", &c, why))
        BAIL_OUT("%s", why);
    pool *p = pool_open(&settings, why);
    if (!p)
        BAIL_OUT("%s", why);
    pool_deliver_to(p, keep, r);
    pool_judge(p, &c);
    pool_drain(p);
    pool_close(p);
}

static void test_lost_judge(void)
{
    result r = { 0 };
    struct rlimit limit;
    getrlimit(RLIMIT_CPU, &limit);
    limit.rlim_cur = 1;
    setrlimit(RLIMIT_CPU, &limit); /* for the worker: this process uses much less */
    lose(&r);
    ok(r.lost == LOST_DIED && r.v.reason == REASON_JUDGE_DIED && r.v.count == SIGXCPU,
       "a judge that dies is not the backend's fault: %s", r.v.reason ? reason_at(r.v.reason)->name : "no reason");
}

int main(void)
{
    plan(NO_PLAN);
    test_reasons();
    if (!judge_unusable())
        test_lost_judge();
    return done_testing();
}
