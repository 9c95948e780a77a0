/* The checkers and counters. Every file of softgpu/test/kernels is a kernel, a launch, and what must be reported of it;
 * correct twins expect nothing. The comments at its top are:
 *     // What it shows, in a sentence.
 *     // launch: grid X,Y,Z block X,Y,Z
 *     // report: CHECK at MARK[, other at MARK]      for each error; MARK ends the line of the statement as a comment
 *     // warning: ..., // note: ...                  the same for what is less severe
 *     // count: NAME VALUE                           a row of softgpuCountersTable
 * `in` has 1024 words, 128 and up; `out` has 1024 that nobody wrote. The reports must be these and no others. */
#include "conformance/tap/tap.h"
#undef fail
#include "softgpu/api/api_proto.h"
#include "softgpu/base/base.h"
#include "softgpu/softgpu.h"
#include <dirent.h>
#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

enum { MOST_REPORTS = 8, MOST_COUNTS = 24, WORDS = 1024 };

typedef struct expected_report {
    u32 check;
    int line, other, severity;
} expected_report;

typedef struct expected_count {
    char name[80];
    u64 value;
} expected_count;

typedef struct triple {
    char *ptx;
    char what[160];
    unsigned grid[3], block[3];
    expected_report reports[MOST_REPORTS];
    expected_count counts[MOST_COUNTS];
    size_t nreports, ncounts;
    bool good;
} triple;

static char *read_text(const char *directory, const char *name)
{
    char path[4096];
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *f = fopen(path, "rb");
    char *text = calloc(1, 1 << 16);
    if (f && text)
        text[fread(text, 1, (1 << 16) - 1, f)] = 0;
    if (f)
        fclose(f);
    return text;
}

/* The line that ends with the mark as a comment; 0 without one, -1 where several do. */
static int marked_line(const char *ptx, const char *mark)
{
    char end[40];
    int line = 1, found = 0;
    size_t n = (size_t)snprintf(end, sizeof end, "// %s\n", mark);
    for (const char *p = ptx; *p; p++) {
        if (!strncmp(p, end, n))
            found = found ? -1 : line;
        line += *p == '\n';
    }
    return found;
}

static bool read_finding(triple *t, const char *text, int severity)
{
    char check[20], mark[20], other[20];
    expected_report *r = &t->reports[t->nreports];
    int n = sscanf(text, "%19s at %19[A-Z], other at %19[A-Z]", check, mark, other);
    if (n < 2 || ++t->nreports > MOST_REPORTS)
        return false;
    *r = (expected_report){ softgpuParseChecks(check), marked_line(t->ptx, mark), 0, severity };
    if (n == 3)
        r->other = marked_line(t->ptx, other);
    return r->check != ~0u && r->line > 0 && (n == 2 || r->other > 0);
}

static bool read_report(triple *t, const char *text) { return read_finding(t, text, SOFTGPU_ERROR); }
static bool read_warning(triple *t, const char *text) { return read_finding(t, text, SOFTGPU_WARNING); }
static bool read_note(triple *t, const char *text) { return read_finding(t, text, SOFTGPU_NOTE); }

static bool read_count(triple *t, const char *text)
{
    unsigned long long value;
    expected_count *c = &t->counts[t->ncounts];
    if (sscanf(text, "%79s %llu", c->name, &value) != 2 || ++t->ncounts > MOST_COUNTS)
        return false;
    c->value = value;
    return true;
}

static bool read_launch(triple *t, const char *text)
{
    return sscanf(text, "grid %u,%u,%u block %u,%u,%u", &t->grid[0], &t->grid[1], &t->grid[2], &t->block[0],
                  &t->block[1], &t->block[2])
           == 6;
}

static const struct {
    const char *key;
    bool (*read)(triple *t, const char *text);
} keys[] = { { "// launch: ", read_launch },
             { "// report: ", read_report },
             { "// warning: ", read_warning },
             { "// note: ", read_note },
             { "// count: ", read_count } };

static bool read_comment(triple *t, const char *line)
{
    for (size_t i = 0; i < COUNT(keys); i++)
        if (!strncmp(line, keys[i].key, strlen(keys[i].key)))
            return keys[i].read(t, line + strlen(keys[i].key));
    return false;
}

static triple read_triple(const char *directory, const char *name)
{
    triple t = { .ptx = read_text(directory, name) };
    const char *line = t.ptx;
    t.good = line && sscanf(line, "// %159[^\n]", t.what) == 1;
    for (line = strchr(line, '\n'); t.good && line && !strncmp(line + 1, "// ", 3); line = strchr(line + 1, '\n'))
        t.good = read_comment(&t, line + 1);
    t.good = t.good && t.block[0];
    return t;
}

static bool is_expected(const triple *t, u32 checks, const softgpuReport *r)
{
    for (size_t i = 0; i < t->nreports; i++) {
        const expected_report *e = &t->reports[i];
        bool same = (r->line == e->line && r->other_line == e->other)
                    || (e->other && r->line == e->other && r->other_line == e->line);
        if (e->check & checks && r->check == e->check && r->severity == e->severity && same)
            return !strcmp(r->kernel, "k");
    }
    return false;
}

/* Are the reports those that are expected of these checks, each once and no others? */
static bool reports_match(const triple *t, u32 checks)
{
    softgpuReport r;
    size_t expected = 0, unexpected = 0;
    for (size_t i = 0; i < t->nreports; i++)
        expected += (t->reports[i].check & checks) != 0;
    for (size_t i = 0; !softgpuGetReport(i, &r); i++) {
        if (is_expected(t, checks, &r))
            continue;
        unexpected++;
        diag("not expected: %s", r.text);
    }
    if (softgpuReportCount() != expected)
        diag("%zu reports, expected are %zu", softgpuReportCount(), expected);
    return !unexpected && softgpuReportCount() == expected;
}

static bool counts_match(const triple *t)
{
    char table[8000];
    bool good = softgpuCountersTable(table, sizeof table) < sizeof table;
    for (size_t i = 0; i < t->ncounts; i++) {
        const char *name = t->counts[i].name, *row = strstr(table, name);
        while (row && !((row == table || row[-1] == '\n') && row[strlen(name)] == ' '))
            row = strstr(row + 1, name);
        u64 value = row ? strtoull(row + strlen(name), NULL, 10) : ~(u64)0;
        if (value == t->counts[i].value)
            continue;
        diag("%s is %llu", name, (unsigned long long)value);
        good = false;
    }
    return good;
}

/* The launch's own result. */
static CUresult launch(const triple *t)
{
    CUcontext ctx;
    CUmodule m;
    CUfunction f = NULL;
    CUdeviceptr in, out;
    u32 data[WORDS];
    void *args[] = { &in, &out };
    for (u32 i = 0; i < WORDS; i++)
        data[i] = 128 + i;
    cuCtxCreate_v2(&ctx, 0, 0);
    cuMemAlloc_v2(&in, sizeof data);
    cuMemAlloc_v2(&out, sizeof data);
    cuMemcpyHtoD_v2(in, data, sizeof data);
    CUresult r = cuModuleLoadData(&m, t->ptx);
    if (r || (r = cuModuleGetFunction(&f, m, "k")))
        diag("%s", softgpuLastMessage());
    else {
        cuLaunchKernel(f, t->grid[0], t->grid[1], t->grid[2], t->block[0], t->block[1], t->block[2], 0, NULL, args,
                       NULL);
        r = cuCtxSynchronize();
    }
    cuMemFree_v2(in);
    cuMemFree_v2(out);
    cuCtxDestroy_v2(ctx);
    return r;
}

static bool run(const triple *t, u32 checks, CUresult *r)
{
    softgpuSetChecks(checks | SOFTGPU_COUNTERS);
    softgpuClearReports();
    softgpuResetCounters();
    *r = launch(t);
    return reports_match(t, checks);
}

static void test_triple(const char *directory, const char *name)
{
    triple t = read_triple(directory, name);
    CUresult r = CUDA_SUCCESS;
    u32 reporting = 0;
    ok(t.good, "%s can be read", name);
    for (size_t i = 0; i < t.nreports; i++)
        reporting |= t.reports[i].check;
    u32 extra = strncmp(name, "fpcheck", 7) ? 0 : SOFTGPU_FPCHECK; /* which is not one of all */
    bool good = t.good && run(&t, (SOFTGPU_ALL_CHECKS & ~(u32)SOFTGPU_LEAKCHECK) | extra, &r);
    ok(good, "%s: %s", t.what, reporting ? "reported where it must be" : "no report");
    if (reporting & SOFTGPU_MEMCHECK)
        ok(r == CUDA_ERROR_ILLEGAL_ADDRESS || r == CUDA_ERROR_MISALIGNED_ADDRESS, "%s: the launch fails", t.what);
    ok(t.good && counts_match(&t), "%s: the counts", t.what);
    if (!reporting)
        ok(t.good && !r, "%s: it runs to its end", t.what);
    else
        ok(t.good && run(&t, SOFTGPU_ALL_CHECKS & ~reporting & ~(u32)SOFTGPU_LEAKCHECK, &r),
           "%s: silent when that check is off", t.what);
    free(t.ptx);
}

static int is_kernel(const struct dirent *d)
{
    const char *dot = strrchr(d->d_name, '.');
    return dot && !strcmp(dot, ".ptx");
}

static void test_triples(void)
{
    char directory[3000];
    struct dirent **names = NULL;
    const char *top = getenv("srcdir");
    snprintf(directory, sizeof directory, "%s/softgpu/test/kernels", top ? top : ".");
    int n = scandir(directory, &names, is_kernel, alphasort);
    ok(n > 50, "%d kernels in %s", n, directory);
    for (int i = 0; i < n; i++) {
        test_triple(directory, names[i]->d_name);
        free(names[i]);
    }
    free(names);
}

static void test_leaks_and_frees(void)
{
    CUcontext ctx;
    CUdeviceptr a, b;
    u32 word[4];
    softgpuSetChecks(SOFTGPU_ALL_CHECKS);
    softgpuClearReports();
    cuCtxCreate_v2(&ctx, 0, 0);
    cuMemAlloc_v2(&a, 100);
    cuMemAlloc_v2(&b, 100);
    ok(cuMemcpyDtoH_v2(word, b, 16) == CUDA_SUCCESS && softgpuReportCount() == 1,
       "a copy of unwritten memory to the host is reported");
    cuMemFree_v2(b);
    ok(cuMemFree_v2(b) == CUDA_ERROR_INVALID_VALUE && softgpuReportCount() == 2,
       "a second free is an error and is reported");
    cuCtxDestroy_v2(ctx);
    softgpuReport r = { 0 };
    softgpuGetReport(2, &r);
    ok(r.check == SOFTGPU_LEAKCHECK && r.address == a && softgpuReportCount() == 3,
       "a leak is reported with its address");
    softgpuSetChecks(0);
    softgpuClearReports();
}

/* What the host writes and copies is known to initcheck byte by byte. */
static void test_host_writes(void)
{
    CUcontext ctx;
    CUdeviceptr a, b;
    u8 bytes[64] = { 0 };
    softgpuSetChecks(SOFTGPU_ALL_CHECKS);
    softgpuClearReports();
    cuCtxCreate_v2(&ctx, 0, 0);
    cuMemAlloc_v2(&a, 64);
    cuMemAlloc_v2(&b, 64);
    cuMemsetD8_v2(a, 1, 20);
    cuMemcpyHtoD_v2(a + 20, bytes, 21);
    cuMemcpyDtoD_v2(b, a, 64);
    ok(!cuMemcpyDtoH_v2(bytes, a, 41) && !cuMemcpyDtoH_v2(bytes, b, 41) && !softgpuReportCount(),
       "bytes that a fill, a copy and a copy of both wrote are not reported");
    softgpuReport r = { 0 };
    ok(!cuMemcpyDtoH_v2(bytes, b, 42) && softgpuReportCount() == 1 && !softgpuGetReport(0, &r) && r.address == b + 41,
       "the byte behind them is");
    cuMemFree_v2(a);
    cuMemFree_v2(b);
    cuCtxDestroy_v2(ctx);
    softgpuSetChecks(0);
    softgpuClearReports();
}

static rlim_t address_space(void)
{
    unsigned long pages = 0;
    FILE *f = fopen("/proc/self/statm", "r");
    if (f && fscanf(f, "%lu", &pages) != 1)
        pages = 0;
    if (f)
        fclose(f);
    return (rlim_t)pages * (rlim_t)sysconf(_SC_PAGESIZE);
}

/* Room for an allocation of 1 GiB, and none for the 128 MiB that watch it. */
static void test_unwatched(void)
{
    CUcontext ctx;
    CUdeviceptr large, small;
    softgpuReport r = { .text = "" };
    struct rlimit old, tight;
    u8 bytes[8];
    softgpuSetChecks(SOFTGPU_INITCHECK);
    cuCtxCreate_v2(&ctx, 0, 0);
    getrlimit(RLIMIT_AS, &old);
    tight = (struct rlimit){ address_space() + (1 << 30) + (64 << 20), old.rlim_max };
    setrlimit(RLIMIT_AS, &tight);
    ok(!cuMemAlloc_v2(&large, 1 << 30), "an allocation fits, and its shadow does not");
    setrlimit(RLIMIT_AS, &old);
    ok(softgpuReportCount() == 1 && !softgpuGetReport(0, &r) && r.address == large && strstr(r.text, "is not watched"),
       "initcheck says that nobody watches it");
    ok(!cuMemAlloc_v2(&small, 8) && !cuMemcpyDtoD_v2(small, large, 8) && !cuMemcpyDtoD_v2(large, small, 8)
           && !cuMemcpyDtoH_v2(bytes, large, 8) && !cuMemcpyDtoH_v2(bytes, small, 8) && softgpuReportCount() == 1,
       "and nothing that is copied from there or to there is reported");
    cuMemFree_v2(large);
    cuMemFree_v2(small);
    cuCtxDestroy_v2(ctx);
    softgpuSetChecks(0);
    softgpuClearReports();
}

/* Functions of softgpu.h may be called at any time and from any thread: one launches, one resets, two read. */
static triple threads_case;

static void *launch_often(void *unused)
{
    for (int i = 0; i < 60; i++)
        launch(&threads_case);
    return unused;
}

static void *reset_often(void *unused)
{
    for (int i = 0; i < 3000; i++) {
        softgpuResetCounters();
        softgpuClearReports();
    }
    return unused;
}

static void *read_often(void *wrong)
{
    const char *name;
    softgpuCounters c;
    for (int i = 0; i < 20000; i++) {
        if (!softgpuGetLaunch(softgpuLaunchCount() / 2, &name, &c) && (strcmp(name, "k") || c.launches != 1))
            *(bool *)wrong = true;
        if (softgpuReportCount() > 4096 || !(softgpuGetChecks() & SOFTGPU_COUNTERS))
            *(bool *)wrong = true;
    }
    return NULL;
}

static void test_threads(void)
{
    char directory[3000];
    const char *top = getenv("srcdir");
    void *(*const work[])(void *) = { launch_often, reset_often, read_often, read_often };
    bool wrong[COUNT(work)] = { false };
    pthread_t threads[COUNT(work)];
    snprintf(directory, sizeof directory, "%s/softgpu/test/kernels", top ? top : ".");
    threads_case = read_triple(directory, "racecheck_an_atomic_and_a_plain_load.ptx");
    softgpuSetChecks(SOFTGPU_RACECHECK | SOFTGPU_COUNTERS);
    ok(threads_case.good, "a kernel for threads");
    for (size_t i = 0; i < COUNT(work); i++)
        pthread_create(&threads[i], NULL, work[i], &wrong[i]);
    for (size_t i = 0; i < COUNT(work); i++)
        pthread_join(threads[i], NULL);
    ok(!wrong[2] && !wrong[3], "threads read counters and reports while others launch and reset");
    free(threads_case.ptx);
    softgpuSetChecks(0);
    softgpuClearReports();
}

int main(void)
{
    plan(NO_PLAN);
    cuInit(0);
    softgpuSetBudget(1 << 20); /* a kernel that hangs fails at once */
    test_triples();
    test_leaks_and_frees();
    test_host_writes();
    const char *sanitized = getenv("SANITIZE");
    skip(sanitized && *sanitized, 3, "a sanitizer has an address space of its own");
    test_unwatched();
    end_skip;
    test_threads();
    return done_testing();
}
