/* Runs the kernels of test_kernels.cu from each PTX file that is given, and compares with the host. Also with every
 * check on: these kernels are correct. */
#include "conformance/tap/tap.h"
#undef fail
#include "softgpu/api/api_proto.h"
#include "softgpu/base/base.h"
#include "softgpu/softgpu.h"
#include <math.h>

static CUmodule loaded;
static u64 seed = 12345;

static u32 next(void)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (u32)(seed >> 33);
}

static CUdeviceptr upload(const void *data, size_t size)
{
    CUdeviceptr d = 0;
    cuMemAlloc_v2(&d, size);
    if (data)
        cuMemcpyHtoD_v2(d, data, size);
    else
        cuMemsetD8_v2(d, 0, size);
    return d;
}

static void download(void *data, CUdeviceptr d, size_t size) { cuMemcpyDtoH_v2(data, d, size); }

static bool go(const char *name, unsigned gx, unsigned gy, unsigned bx, unsigned by, unsigned shared, void **args)
{
    CUfunction f;
    if (cuModuleGetFunction(&f, loaded, name)) {
        diag("no kernel %s", name);
        return false;
    }
    bool good = !cuLaunchKernel(f, gx, gy, 1, bx, by, 1, shared, NULL, args, NULL) && !cuCtxSynchronize();
    if (!good)
        diag("%s", softgpuLastMessage());
    return good;
}

static float lane_fold(const float *v)
{
    float t[32];
    memcpy(t, v, sizeof t);
    for (int s = 16; s > 0; s >>= 1)
        for (int l = 0; l < 32; l++)
            t[l] = l + s < 32 ? t[l] + t[l + s] : t[l] + t[l];
    return t[0];
}

static bool test_reduce(void)
{
    enum { N = 1000, BLOCKS = 4 };
    static float x[BLOCKS * 256];
    float got[BLOCKS], want[BLOCKS];
    int n = N;
    for (int i = 0; i < BLOCKS * 256; i++)
        x[i] = i < N ? (float)(next() % 1000) * 0.37f : 0.0f;
    CUdeviceptr dx = upload(x, N * 4), dy = upload(NULL, sizeof got);
    void *args[] = { &dx, &dy, &n };
    bool good = go("reduce", BLOCKS, 1, 256, 1, 0, args);
    download(got, dy, sizeof got);
    for (int b = 0; b < BLOCKS; b++) {
        want[b] = 0.0f;
        for (int w = 0; w < 8; w++)
            want[b] += lane_fold(x + b * 256 + w * 32);
    }
    cuMemFree_v2(dx);
    cuMemFree_v2(dy);
    return good && !memcmp(got, want, sizeof got);
}

static bool test_scan(void)
{
    enum { N = 300 };
    double x[384] = { 0 }, got[N];
    int n = N, bad = 0;
    for (int i = 0; i < N; i++)
        x[i] = (double)(next() % 1000); /* integers: exact in any order */
    CUdeviceptr dx = upload(x, N * 8), dy = upload(NULL, N * 8);
    void *args[] = { &dx, &dy, &n };
    bool good = go("scan", 3, 1, 128, 1, 0, args);
    download(got, dy, sizeof got);
    double sum = 0.0;
    for (int i = 0; i < N; i++) {
        sum = i % 128 ? sum + x[i] : x[i];
        bad += got[i] != sum;
    }
    cuMemFree_v2(dx);
    cuMemFree_v2(dy);
    return good && !bad;
}

static bool test_transpose(void)
{
    enum { R = 45, C = 70 };
    static int x[R * C], got[R * C];
    int rows = R, columns = C, bad = 0;
    for (int i = 0; i < R * C; i++)
        x[i] = (int)next();
    CUdeviceptr dx = upload(x, sizeof x), dy = upload(NULL, sizeof x);
    void *args[] = { &dx, &dy, &rows, &columns };
    bool good = go("transpose", (C + 15) / 16, (R + 15) / 16, 16, 16, 0, args);
    download(got, dy, sizeof got);
    for (int r = 0; r < R; r++)
        for (int c = 0; c < C; c++)
            bad += got[c * R + r] != x[r * C + c];
    cuMemFree_v2(dx);
    cuMemFree_v2(dy);
    return good && !bad;
}

static bool test_histogram(void)
{
    enum { N = 5000, GRID = 6 };
    static u8 x[N];
    int got[256], want[256] = { 0 }, n = N, most = 0;
    for (int i = 0; i < N; i++) {
        x[i] = (u8)(next() % 200);
        want[x[i]]++;
    }
    CUdeviceptr dx = upload(x, N), db = upload(NULL, sizeof got), dm = upload(NULL, 4);
    void *args[] = { &dx, &db, &dm, &n };
    bool good = go("histogram", GRID, 1, 96, 1, 0, args);
    download(got, db, sizeof got);
    download(&most, dm, 4);
    cuMemFree_v2(dx);
    cuMemFree_v2(db);
    cuMemFree_v2(dm);
    return good && !memcmp(got, want, sizeof got) && most > 0;
}

static bool test_matmul(void)
{
    enum { N = 40 };
    static float a[N * N], b[N * N], got[N * N], want[N * N];
    int n = N;
    for (int i = 0; i < N * N; i++) {
        a[i] = (float)(next() % 100) * 0.1f;
        b[i] = (float)(next() % 100) * 0.1f;
    }
    CUdeviceptr da = upload(a, sizeof a), db = upload(b, sizeof b), dc = upload(NULL, sizeof a);
    void *args[] = { &da, &db, &dc, &n };
    bool good = go("matmul", 3, 3, 16, 16, 2048, args);
    download(got, dc, sizeof got);
    for (int r = 0; r < N; r++)
        for (int c = 0; c < N; c++) {
            float sum = 0.0f;
            for (int k = 0; k < 48; k++)
                sum += k < N ? a[r * N + k] * b[k * N + c] : 0.0f;
            want[r * N + c] = sum;
        }
    cuMemFree_v2(da);
    cuMemFree_v2(db);
    cuMemFree_v2(dc);
    return good && !memcmp(got, want, sizeof got);
}

static int choose(int kind, int x)
{
    switch (kind) {
    case 0: return x + 1;
    case 1: return x * x;
    case 2: return -x;
    case 3: return x / 3;
    case 4: return x % 7;
    default: return 0;
    }
}

static bool test_calls(void)
{
    enum { N = 200 };
    static const int weights[] = { 3, 1, 4, 1 };
    static const float table[] = { 0.5f, 1.5f, 2.5f, 3.5f };
    int x[N], n = N, bad = 0;
    double got[N];
    for (int i = 0; i < N; i++)
        x[i] = (int)(next() % 1000);
    CUdeviceptr dx = upload(x, sizeof x), dy = upload(NULL, sizeof got);
    void *args[] = { &dx, &dy, &n };
    bool good = go("calls", 2, 1, 128, 1, 0, args);
    download(got, dy, sizeof got);
    for (int i = 0; i < N; i++) {
        double value = 1.0;
        int count = 0;
        for (int k = 0; k < x[i] % 5; k++) {
            value = value * (0.5 + k) + 1.0;
            count++;
        }
        double want = sqrt(value) + count + choose(x[i] % 6, x[i]) * (double)weights[i % 4] + (double)table[x[i] % 4];
        bad += got[i] != want;
    }
    cuMemFree_v2(dx);
    cuMemFree_v2(dy);
    return good && !bad;
}

static int by_value(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static bool test_sort(void)
{
    enum { N = 100 };
    static int x[N * 8], got[N * 8];
    int n = N, bad = 0;
    for (int i = 0; i < N * 8; i++)
        x[i] = (int)(next() % 50) - 25;
    CUdeviceptr dx = upload(x, sizeof x), dy = upload(NULL, sizeof x);
    void *args[] = { &dx, &dy, &n };
    bool good = go("sort8", 4, 1, 32, 1, 0, args);
    download(got, dy, sizeof got);
    for (int i = 0; i < N; i++) {
        int v[8];
        for (int k = 0; k < 8; k++)
            v[k] = x[(i * 8 + k * 5) % (N * 8)];
        qsort(v, 8, sizeof *v, by_value);
        for (int k = 0; k < 8; k++)
            bad += got[i * 8 + k] != v[k * 3 % 8];
    }
    cuMemFree_v2(dx);
    cuMemFree_v2(dy);
    return good && !bad;
}

static float row_sum(const float *y, const float *g, int columns, int threads)
{
    float lanes[256] = { 0 }, total = 0.0f;
    for (int t = 0; t < threads; t++)
        for (int c = t; c < columns; c += threads)
            lanes[t] += y[c] * g[c];
    for (int w = 0; w < threads / 32; w++)
        total += lane_fold(lanes + 32 * w);
    return total;
}

static bool test_softmax(void)
{
    enum { ROWS = 7, COLUMNS = 333, THREADS = 128 };
    static float y[ROWS * COLUMNS], g[ROWS * COLUMNS], got[ROWS * COLUMNS], want[ROWS * COLUMNS];
    int columns = COLUMNS;
    for (int i = 0; i < ROWS * COLUMNS; i++) {
        y[i] = (float)(next() % 1000) * 0.001f;
        g[i] = (float)(next() % 1000) * 0.01f - 5.0f;
    }
    CUdeviceptr dy = upload(y, sizeof y), dg = upload(g, sizeof g), dx = upload(NULL, sizeof y);
    void *args[] = { &dy, &dg, &dx, &columns };
    bool good = go("softmax_backward", ROWS, 1, THREADS, 1, 0, args);
    download(got, dx, sizeof got);
    for (int r = 0; r < ROWS; r++) {
        float sum = row_sum(y + r * COLUMNS, g + r * COLUMNS, COLUMNS, THREADS);
        for (int c = 0; c < COLUMNS; c++)
            want[r * COLUMNS + c] = y[r * COLUMNS + c] * (g[r * COLUMNS + c] - sum);
    }
    cuMemFree_v2(dy);
    cuMemFree_v2(dg);
    cuMemFree_v2(dx);
    return good && !memcmp(got, want, sizeof got);
}

static bool test_collatz(void)
{
    enum { N = 100 };
    u32 x[N];
    u64 got[N];
    int n = N, bad = 0;
    for (int i = 0; i < N; i++)
        x[i] = next() % 100000;
    CUdeviceptr dx = upload(x, sizeof x), dy = upload(NULL, sizeof got);
    void *args[] = { &dx, &dy, &n };
    bool good = go("collatz", 2, 1, 64, 1, 0, args);
    download(got, dy, sizeof got);
    for (int i = 0; i < N; i++) {
        u64 v = x[i] | 1u, peak = v;
        u32 steps = 0;
        for (; v != 1 && steps < 500; steps++) {
            v = v & 1 ? 3 * v + 1 : v / 2;
            peak = v > peak ? v : peak;
        }
        bad += got[i] != peak * 1000u + steps;
    }
    cuMemFree_v2(dx);
    cuMemFree_v2(dy);
    return good && !bad;
}

static char *slurp(const char *name)
{
    FILE *f = fopen(name, "rb");
    char *text = calloc(1, 1 << 22);
    if (f && text)
        text[fread(text, 1, (1 << 22) - 1, f)] = 0;
    if (f)
        fclose(f);
    return text;
}

static const struct {
    const char *name;
    bool (*run)(void);
} tests[] = {
    { "reduce", test_reduce },       { "scan", test_scan },
    { "transpose", test_transpose }, { "histogram", test_histogram },
    { "matmul", test_matmul },       { "calls", test_calls },
    { "sort8", test_sort },          { "softmax_backward", test_softmax },
    { "collatz", test_collatz },
};

/* As is, with all checks on, and with blocks and warps in another order: the same bits, and nothing to report. */
static void test_file(const char *file)
{
    const char *base = strrchr(file, '/');
    char *text = slurp(file);
    base = base ? base + 1 : file;
    CUresult r = cuModuleLoadData(&loaded, text);
    ok(!r, "%s loads", base);
    if (r)
        diag("%s", softgpuLastMessage());
    for (size_t i = 0; !r && i < COUNT(tests); i++) {
        softgpuSetChecks(0);
        ok(tests[i].run(), "%s: %s", base, tests[i].name);
        softgpuSetSeed(7 + i);
        ok(tests[i].run(), "%s: %s, permuted", base, tests[i].name);
        softgpuSetSeed(0);
        softgpuClearReports();
        softgpuSetChecks(SOFTGPU_ALL_CHECKS | SOFTGPU_COUNTERS);
        bool good = tests[i].run() && !softgpuReportCount();
        ok(good, "%s: %s, checked", base, tests[i].name);
        softgpuReport report;
        if (!good && !softgpuGetReport(0, &report))
            diag("%s", report.text);
    }
    if (!r)
        cuModuleUnload(loaded);
    free(text);
}

int main(int argc, char **argv)
{
    CUcontext c;
    plan(NO_PLAN);
    cuInit(0);
    softgpuSetBudget(1 << 22); /* a kernel that hangs fails at once */
    cuCtxCreate_v2(&c, 0, 0);
    for (int i = 1; i < argc; i++)
        test_file(argv[i]);
    cuCtxDestroy_v2(c);
    return done_testing();
}
