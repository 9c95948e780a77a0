/* softgpu run: one kernel, arrays in and out. */
#include "run_params.h"
#include "softgpu_cli.h"
#include <ctype.h>
#include <signal.h>

static const char usage[] = "usage: softgpu run FILE.ptx --entry NAME [--grid X,Y,Z] [--block X,Y,Z]\n"
                            "                   [--shared BYTES] parameters...\n\n"
                            "Parameters, in the order of the kernel's:\n"
                            "  --in F.npy               an array that the kernel reads\n"
                            "  --inout F.npy            ... and changes: printed afterwards\n"
                            "  --out 4096xf32[=F.npy]   an array of zeros, printed afterwards; with =F.npy\n"
                            "                           nobody has written it, and it goes to that file\n"
                            "  --scalar i32:7           a number: f16 bf16 f32 f64, i8 to i64, u8 to u64\n\n"
                            "Options of the device, such as --check and --counters: softgpu --help\n";

typedef struct job {
    const char *ptx, *entry;
    unsigned grid[3], block[3], shared;
    params given;
} job;

static bool check(CUresult r, const char *what)
{
    const char *name = "?", *means = softgpuLastMessage();
    if (!r)
        return true;
    cuGetErrorName(r, &name);
    if (!*means)
        cuGetErrorString(r, &means);
    fprintf(stderr, "softgpu: %s: %s: %s\n", what, name, means);
    return false;
}

static bool parse_number(const char *text, char **end, unsigned *value)
{
    unsigned long long n = isdigit((unsigned char)*text) ? strtoull(text, end, 10) : ~0ull;
    *value = (unsigned)n;
    return n <= 0xffffffffu;
}

/* X, X,Y or X,Y,Z */
static bool parse_dims(const char *text, unsigned d[3])
{
    char *end = NULL;
    d[0] = d[1] = d[2] = 1;
    for (int i = 0; i < 3; i++) {
        if (!parse_number(text, &end, &d[i]) || !d[i])
            return false;
        if (!*end)
            return true;
        if (*end != ',')
            return false;
        text = end + 1;
    }
    return false;
}

static bool take_entry(job *j, const char *value) { return (j->entry = value) != NULL; }
static bool take_in(job *j, const char *value) { return add_in(&j->given, value); }
static bool take_inout(job *j, const char *value) { return add_inout(&j->given, value); }
static bool take_out(job *j, const char *value) { return add_out(&j->given, value); }
static bool take_scalar(job *j, const char *value) { return add_scalar(&j->given, value); }

static bool refuse(const char *flag, const char *value)
{
    fprintf(stderr, "softgpu: cannot use %s %s\n", flag, value);
    return false;
}

static bool take_grid(job *j, const char *value) { return parse_dims(value, j->grid) || refuse("--grid", value); }
static bool take_block(job *j, const char *value) { return parse_dims(value, j->block) || refuse("--block", value); }
static bool take_shared(job *j, const char *value)
{
    char *end = NULL;
    return (parse_number(value, &end, &j->shared) && !*end) || refuse("--shared", value);
}

static const struct {
    const char *name;
    bool (*take)(job *j, const char *value);
} flags[] = {
    { "--entry", take_entry }, { "--grid", take_grid },   { "--block", take_block }, { "--shared", take_shared },
    { "--in", take_in },       { "--inout", take_inout }, { "--out", take_out },     { "--scalar", take_scalar },
};

static bool take_flag(job *j, const char *flag, const char *value)
{
    for (size_t i = 0; i < COUNT(flags); i++) {
        if (strcmp(flags[i].name, flag))
            continue;
        if (value)
            return flags[i].take(j, value);
        fprintf(stderr, "softgpu: %s needs a value\n", flag);
        return false;
    }
    fprintf(stderr, "softgpu: no such option: %s; softgpu run --help lists them\n", flag);
    return false;
}

static bool upload(params *given, void **args)
{
    for (int i = 0; i < given->n; i++) {
        param *p = &given->list[i];
        size_t bytes = p->a.count * p->a.size;
        args[i] = p->is_buffer ? (void *)&p->device : &p->scalar;
        if (!p->is_buffer)
            continue;
        if (!check(cuMemAlloc_v2(&p->device, bytes ? bytes : 1), "allocation"))
            return false;
        if (p->goes_in && bytes && !check(cuMemcpyHtoD_v2(p->device, p->a.data, bytes), "copy"))
            return false;
    }
    return true;
}

static void print_array(int index, const array *a)
{
    printf("argument %d:", index);
    for (size_t i = 0; i < a->count && i < 16; i++) {
        putchar(' ');
        print_element(a, i);
    }
    printf(a->count > 16 ? " ...\n" : "\n");
}

static bool download(params *given)
{
    for (int i = 0; i < given->n; i++) {
        param *p = &given->list[i];
        size_t bytes = p->a.count * p->a.size;
        if (!p->comes_out)
            continue;
        if (bytes && !check(cuMemcpyDtoH_v2(p->a.data, p->device, bytes), "copy"))
            return false;
        if (p->file) {
            if (!npy_write(p->file, &p->a))
                return false;
        } else
            print_array(i, &p->a);
    }
    if (fflush(stdout) == 0 && !ferror(stdout))
        return true;
    fprintf(stderr, "softgpu: cannot write to the standard output\n");
    return false;
}

/* A context that a fault spoilt frees nothing: what it leaves behind is not the kernel's leak. */
static void release(params *given, bool good)
{
    if (!good)
        softgpuSetChecks(softgpuGetChecks() & ~(uint32_t)SOFTGPU_LEAKCHECK);
    for (int i = 0; i < given->n; i++) {
        if (given->list[i].device)
            cuMemFree_v2(given->list[i].device);
        free(given->list[i].a.data);
    }
}

static bool execute(job *j)
{
    CUcontext ctx;
    CUmodule m;
    CUfunction f;
    void *args[MAX_ARGS];
    char *text = slurp(j->ptx);
    bool good = text && explain_entry(j->ptx, text, j->entry, &j->given) && check(cuInit(0), "cuInit")
                && check(cuCtxCreate_v2(&ctx, 0, 0), "context") && check(cuModuleLoadData(&m, text), j->ptx)
                && check(cuModuleGetFunction(&f, m, j->entry), j->entry) && upload(&j->given, args)
                && check(cuLaunchKernel(f, j->grid[0], j->grid[1], j->grid[2], j->block[0], j->block[1], j->block[2],
                                        j->shared, NULL, args, NULL),
                         "launch")
                && check(cuCtxSynchronize(), "kernel") && download(&j->given);
    release(&j->given, good);
    free(text);
    return good;
}

static bool parse(job *j, options *o, int argc, char **argv)
{
    for (int i = 0; i < argc; i++) {
        enum taken taken = take_option(o, argv[i]);
        if (taken == TAKEN_WRONG)
            return false;
        if (taken == TAKEN)
            continue;
        if (argv[i][0] != '-' && !j->ptx)
            j->ptx = argv[i];
        else if (take_flag(j, argv[i], i + 1 < argc ? argv[i + 1] : NULL))
            i++;
        else
            return false;
    }
    if (j->ptx && j->entry)
        return true;
    fputs(usage, stderr);
    return false;
}

int cmd_run(options *o, int argc, char **argv)
{
    static job j = { .grid = { 1, 1, 1 }, .block = { 32, 1, 1 } };
    for (int i = 0; i < argc; i++)
        if (!strcmp(argv[i], "--help") || !strcmp(argv[i], "-h")) {
            fputs(usage, stdout);
            return 0;
        }
    signal(SIGXFSZ, SIG_IGN); /* a file that may not grow is one that cannot be written */
    if (!parse(&j, o, argc, argv))
        return 2;
    return pass_options(o) && execute(&j) ? 0 : 1;
}
