/* softgpu run: one kernel, arrays in and out. */
#include "cli.h"
#include "softfloat.h"

enum { MAX_ARGS = 64 };

/* One kernel parameter: a buffer that goes in, comes out, or both; or a scalar. */
typedef struct param { bool is_buffer, comes_out; array a; const char *file; CUdeviceptr device; u64 scalar; } param;

typedef struct job {
    const char *ptx, *entry;
    unsigned grid[3], block[3], shared;
    param params[MAX_ARGS];
    int n;
} job;

static bool check(CUresult r, const char *what)
{
    const char *text = "?";
    if (!r) return true;
    cuGetErrorName(r, &text);
    fprintf(stderr, "softgpu: %s: %s: %s\n", what, text, softgpuLastMessage());
    return false;
}

static bool parse_dims(const char *text, unsigned d[3])
{
    d[0] = d[1] = d[2] = 1;
    return sscanf(text, "%u,%u,%u", &d[0], &d[1], &d[2]) >= 1;
}

static param *new_param(job *j) { return j->n < MAX_ARGS ? &j->params[j->n++] : NULL; }

static bool add_input(job *j, const char *name, bool comes_out)
{
    param *p = new_param(j);
    if (!p) return false;
    p->is_buffer = true;
    p->comes_out = comes_out;
    return npy_read(name, &p->a);
}

/* 4096xf32, 2x3xf16=out.npy */
static bool add_output(job *j, const char *text)
{
    param *p = new_param(j);
    const char *file = strchr(text, '=');
    char type[8] = "";
    size_t len = file ? (size_t)(file - text) : strlen(text), at = 0;
    if (!p) return false;
    p->is_buffer = p->comes_out = true;
    p->file = file ? file + 1 : NULL;
    p->a.count = 1;
    while (at < len && text[at] >= '0' && text[at] <= '9' && p->a.rank < 8) {
        char *end;
        size_t n = strtoull(text + at, &end, 10);
        p->a.shape[p->a.rank++] = n;
        p->a.count *= n;
        at = (size_t)(end - text) + (*end == 'x');
    }
    if (len - at >= sizeof type) return false;
    memcpy(type, text + at, len - at);
    if (!element_type(type, p->a.type, &p->a.size)) return false;
    p->a.data = calloc(p->a.count + 1, p->a.size);
    return p->a.data != NULL;
}

/* i32:7, f32:0.5, f16:1 */
static bool add_scalar(job *j, const char *text)
{
    param *p = new_param(j);
    char type[8] = "";
    const char *colon = strchr(text, ':');
    if (!p || !colon || colon - text > 7) return false;
    memcpy(type, text, (size_t)(colon - text));
    if (!element_type(type, p->a.type, &p->a.size)) return false;
    double d = strtod(colon + 1, NULL);
    if (!strcmp(type, "f64")) p->scalar = f64_bits(d);
    else if (!strcmp(type, "f32")) p->scalar = f32_bits((float)d);
    else if (!strcmp(type, "f16")) p->scalar = sf_convert(&FMT_F16, &FMT_F64, f64_bits(d), RND_NEAREST);
    else if (!strcmp(type, "bf16")) p->scalar = sf_convert(&FMT_BF16, &FMT_F64, f64_bits(d), RND_NEAREST);
    else p->scalar = (u64)strtoll(colon + 1, NULL, 0);
    return true;
}

static bool parse_flag(job *j, const char *flag, const char *value)
{
    if (!strcmp(flag, "--entry")) { j->entry = value; return true; }
    if (!strcmp(flag, "--grid")) return parse_dims(value, j->grid);
    if (!strcmp(flag, "--block")) return parse_dims(value, j->block);
    if (!strcmp(flag, "--shared")) { j->shared = (unsigned)strtoul(value, NULL, 0); return true; }
    if (!strcmp(flag, "--in")) return add_input(j, value, false);
    if (!strcmp(flag, "--inout")) return add_input(j, value, true);
    if (!strcmp(flag, "--out")) return add_output(j, value);
    if (!strcmp(flag, "--scalar")) return add_scalar(j, value);
    return false;
}

static bool upload(job *j, void **args)
{
    for (int i = 0; i < j->n; i++) {
        param *p = &j->params[i];
        size_t bytes = p->a.count * p->a.size;
        args[i] = p->is_buffer ? (void *)&p->device : &p->scalar;
        if (!p->is_buffer) continue;
        if (!check(cuMemAlloc_v2(&p->device, bytes ? bytes : 1), "allocation")) return false;
        bool goes_in = !p->comes_out || !p->file;
        if (goes_in && p->a.data && !check(cuMemcpyHtoD_v2(p->device, p->a.data, bytes), "copy")) return false;
    }
    return true;
}

static void print_array(int index, const array *a)
{
    printf("argument %d:", index);
    for (size_t i = 0; i < a->count && i < 16; i++) { putchar(' '); print_element(a, i); }
    printf(a->count > 16 ? " ...\n" : "\n");
}

static bool download(job *j)
{
    for (int i = 0; i < j->n; i++) {
        param *p = &j->params[i];
        if (!p->comes_out) continue;
        if (!check(cuMemcpyDtoH_v2(p->a.data, p->device, p->a.count * p->a.size), "copy")) return false;
        if (p->file) { if (!npy_write(p->file, &p->a)) return false; }
        else print_array(i, &p->a);
    }
    return true;
}

static bool execute(job *j)
{
    CUcontext ctx;
    CUmodule m;
    CUfunction f;
    void *args[MAX_ARGS];
    char *text = slurp(j->ptx);
    bool good = text && check(cuInit(0), "cuInit") && check(cuCtxCreate_v2(&ctx, 0, 0), "context") && check(cuModuleLoadData(&m, text), j->ptx)
        && check(cuModuleGetFunction(&f, m, j->entry), j->entry) && upload(j, args)
        && check(cuLaunchKernel(f, j->grid[0], j->grid[1], j->grid[2], j->block[0], j->block[1], j->block[2], j->shared, NULL, args, NULL), "launch")
        && check(cuCtxSynchronize(), "kernel") && download(j);
    for (int i = 0; i < j->n; i++) {
        if (j->params[i].device) cuMemFree_v2(j->params[i].device);
        free(j->params[i].a.data);
    }
    free(text);
    return good;
}

int cmd_run(options *o, int argc, char **argv)
{
    static job j = { .grid = { 1, 1, 1 }, .block = { 32, 1, 1 } };
    for (int i = 0; i < argc; i++) {
        if (take_option(o, argv[i])) continue;
        if (argv[i][0] != '-' && !j.ptx) j.ptx = argv[i];
        else if (i + 1 >= argc || !parse_flag(&j, argv[i], argv[i + 1])) { fprintf(stderr, "softgpu: cannot use %s\n", argv[i]); return 2; }
        else i++;
    }
    if (!j.ptx || !j.entry) { fprintf(stderr, "usage: softgpu run FILE.ptx --entry NAME [--grid X,Y,Z] [--block X,Y,Z] [--shared BYTES] [--in F.npy] [--inout F.npy] [--out 4096xf32[=F.npy]] [--scalar i32:7] ...\n"); return 2; }
    if (o->check) setenv("SOFTGPU_CHECK", o->check, 1);
    if (o->counters) setenv("SOFTGPU_COUNTERS", o->counters, 1);
    return execute(&j) ? 0 : 1;
}
