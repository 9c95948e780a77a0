/* softgpu census: the opcodes that PTX files use, how often, and which of them are not modelled. */
#include "cli.h"
#include "form.h"
#include "ptx.h"

typedef struct tally { char name[128]; u64 n; bool modelled; int line; const char *file; } tally;

static tally *all;
static size_t count;

static void add(const char *opcode, const char *file, int line)
{
    for (size_t i = 0; i < count; i++)
        if (!strcmp(all[i].name, opcode)) { all[i].n++; return; }
    tally *grown = realloc(all, (count + 1) * sizeof *grown);
    if (!grown) return;
    all = grown;
    all[count] = (tally){ .n = 1, .modelled = sg_match(sg_forms(), opcode).form != NULL, .line = line, .file = file };
    snprintf(all[count++].name, sizeof all->name, "%s", opcode);
}

static int by_count(const void *a, const void *b)
{
    const tally *x = a, *y = b;
    if (x->modelled != y->modelled) return x->modelled - y->modelled;
    return x->n != y->n ? (x->n < y->n ? 1 : -1) : strcmp(x->name, y->name);
}

static bool census_file(const char *name)
{
    module m = { 0 };
    sg_error err = { 0 };
    jmp_buf escape;
    char *text = slurp(name);
    if (!text) return false;
    m.mem = m.scratch = (arena){ .limit = (size_t)1 << 30, .escape = &escape };
    bool good = !setjmp(escape) && sg_parse(&m, text, strlen(text), &err);
    if (!good) fprintf(stderr, "%s:%d:%d: %s\n", name, err.line, err.col, err.line ? err.text : "out of memory");
    for (int i = 0; good && i < m.nfuncs; i++)
        for (int j = 0; j < m.funcs[i]->ncode; j++) add(m.funcs[i]->code[j].opcode, name, m.funcs[i]->code[j].line);
    sg_arena_free(&m.mem);
    free(text);
    return good;
}

int cmd_census(int argc, char **argv)
{
    bool good = argc > 0;
    u64 total = 0, missing = 0;
    if (!argc) fprintf(stderr, "usage: softgpu census FILE.ptx...\n");
    for (int i = 0; i < argc; i++) good = census_file(argv[i]) && good;
    if (count) qsort(all, count, sizeof *all, by_count);
    for (size_t i = 0; i < count; i++) {
        total += all[i].n;
        missing += all[i].modelled ? 0 : all[i].n;
        if (all[i].modelled) printf("%10llu  %s\n", (unsigned long long)all[i].n, all[i].name);
        else printf("%10llu  %s  NOT MODELLED, first at %s:%d\n", (unsigned long long)all[i].n, all[i].name, all[i].file, all[i].line);
    }
    printf("%llu instructions, %zu forms, %llu instructions not modelled\n", (unsigned long long)total, count, (unsigned long long)missing);
    free(all);
    return !good ? 2 : missing ? 1 : 0;
}
