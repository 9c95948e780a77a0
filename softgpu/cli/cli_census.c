/* softgpu census: the opcodes that PTX files use, how often, and which of them are not modelled. */
#include "softgpu_cli.h"
#include "softgpu/decode/kernel.h"

typedef struct tally {
    char name[128];
    u64 n;
    bool modelled;
    int line;
    const char *file;
} tally;

static tally *all;
static size_t count, refused;

static void add(const char *opcode, const char *file, int line)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(all[i].name, opcode)) {
            all[i].n++;
            return;
        }
    tally *grown = realloc(all, (count + 1) * sizeof *grown);
    if (!grown)
        return;
    all = grown;
    all[count] = (tally){ .n = 1, .modelled = sg_match(sg_forms(), opcode).form != NULL, .line = line, .file = file };
    snprintf(all[count++].name, sizeof all->name, "%s", opcode);
}

static int by_count(const void *a, const void *b)
{
    const tally *x = a, *y = b;
    if (x->modelled != y->modelled)
        return x->modelled - y->modelled;
    return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->name, y->name);
}

static bool name_refusal(const char *file, const kernel *k)
{
    if (k->refused.line)
        printf("kernel %s is refused: %s:%d:%d: %s\n", k->f->name, file, k->refused.line, k->refused.col,
               k->refused.text);
    return k->refused.line != 0;
}

/* The driver has the last word: it knows the device, whose capability may be too low and whose memory too small. */
static bool loads(const char *name, const char *text)
{
    CUcontext c;
    CUmodule m = NULL;
    bool ready = !cuInit(0) && !cuCtxCreate_v2(&c, 0, 0), good = ready && !cuModuleLoadData(&m, text);
    if (!good)
        fprintf(stderr, "%s: %s\n", name, softgpuLastMessage());
    if (ready)
        cuCtxDestroy_v2(c);
    return good;
}

/* As loading does it: what is refused here is refused there, and nothing else. */
static bool census_file(const char *name)
{
    module m = { 0 };
    sg_error err = { 0 };
    jmp_buf escape;
    char *text = slurp(name);
    if (!text)
        return false;
    m.mem = m.scratch = (arena){ .limit = (size_t)1 << 30, .escape = &escape };
    kernel *kernels = NULL;
    int nkernels = 0;
    bool good =
        !setjmp(escape) && sg_parse(&m, text, strlen(text), &err) && sg_link(&m, sg_forms(), &kernels, &nkernels, &err);
    if (!good)
        fprintf(stderr, "%s:%d:%d: %s\n", name, err.line, err.col, err.line ? err.text : "out of memory");
    for (int i = 0; good && i < m.nfuncs; i++)
        for (int j = 0; j < m.funcs[i]->ncode; j++)
            add(m.funcs[i]->code[j].opcode, name, m.funcs[i]->code[j].line);
    for (int i = 0; good && i < nkernels; i++)
        refused += name_refusal(name, &kernels[i]);
    sg_arena_free(&m.mem);
    sg_arena_free(&m.scratch);
    good = good && loads(name, text);
    free(text);
    return good;
}

int cmd_census(int argc, char **argv)
{
    static const char usage[] = "usage: softgpu census FILE.ptx...\n"
                                "Lists the opcodes of PTX files, how often each occurs, those that are not modelled, "
                                "and the kernels that are refused.\n"
                                "Exits with 1 where a kernel is refused, with 2 where a file does not load.\n";
    bool good = argc > 0;
    u64 total = 0, missing = 0;
    if (argc && (!strcmp(argv[0], "--help") || !strcmp(argv[0], "-h")))
        return fputs(usage, stdout) < 0;
    if (!argc)
        fputs(usage, stderr);
    for (int i = 0; i < argc; i++)
        good = census_file(argv[i]) && good;
    if (count)
        qsort(all, count, sizeof *all, by_count);
    for (size_t i = 0; i < count; i++) {
        total += all[i].n;
        missing += all[i].modelled ? 0 : all[i].n;
        if (all[i].modelled)
            printf("%10llu  %s\n", (unsigned long long)all[i].n, all[i].name);
        else
            printf("%10llu  %s  NOT MODELLED, first at %s:%d\n", (unsigned long long)all[i].n, all[i].name, all[i].file,
                   all[i].line);
    }
    printf("%llu instructions, %zu forms, %llu instructions not modelled, %zu kernels refused\n",
           (unsigned long long)total, count, (unsigned long long)missing, refused);
    free(all);
    if (fflush(stdout)) {
        fprintf(stderr, "softgpu: cannot write to the standard output\n");
        return 2;
    }
    return !good ? 2 : refused ? 1 : 0;
}
