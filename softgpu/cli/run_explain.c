/* softgpu run: what a module's kernels are called and take, where a command line names or gives something else. */
#include "run_params.h"
#include "softgpu/ptx/ptx.h"

static const func *find_entry(const module *m, const char *name)
{
    for (int i = 0; i < m->nfuncs; i++)
        if (m->funcs[i]->is_entry && !strcmp(m->funcs[i]->name, name))
            return m->funcs[i];
    return NULL;
}

static void list_params(const func *f)
{
    fprintf(stderr, "softgpu: %s takes %d parameter%s%s", f->name, f->nparams, f->nparams == 1 ? "" : "s",
            f->nparams ? ":" : "");
    for (int i = 0; i < f->nparams; i++)
        fprintf(stderr, "%s %s (%llu bytes)", i ? "," : "", f->params[i]->name, (unsigned long long)f->params[i]->size);
    fputc('\n', stderr);
}

static void list_entries(const module *m, const char *ptx_name, const char *entry)
{
    int n = 0;
    fprintf(stderr, "softgpu: no kernel '%s' in %s, which has", entry, ptx_name);
    for (int i = 0; i < m->nfuncs; i++)
        if (m->funcs[i]->is_entry)
            fprintf(stderr, "%s %s", n++ ? "," : "", m->funcs[i]->name);
    fprintf(stderr, n ? "\n" : " none\n");
}

static bool fits(const func *f, int i, const param *p)
{
    u64 has = p->is_buffer ? sizeof p->device : p->a.size;
    if (f->params[i]->size == has)
        return true;
    fprintf(stderr, "softgpu: parameter %d of %s, %s, has %llu bytes; %s '%s' has %llu\n", i, f->name,
            f->params[i]->name, (unsigned long long)f->params[i]->size, p->is_buffer ? "the address of" : "the scalar",
            p->text, (unsigned long long)has);
    return false;
}

static bool explain(const module *m, const char *ptx_name, const char *entry, const params *given)
{
    const func *f = find_entry(m, entry);
    if (!f) {
        list_entries(m, ptx_name, entry);
        return false;
    }
    bool good = f->nparams == given->n;
    if (!good)
        fprintf(stderr, "softgpu: %d parameter%s given\n", given->n, given->n == 1 ? " is" : "s are");
    for (int i = 0; good && i < given->n; i++)
        good = fits(f, i, &given->list[i]);
    if (!good)
        list_params(f);
    return good;
}

/* A text that does not parse is left to the loader, which says why. */
bool explain_entry(const char *ptx_name, const char *ptx, const char *entry, const params *given)
{
    module m = { 0 };
    sg_error err = { 0 };
    jmp_buf escape;
    volatile bool good = true;
    m.mem = m.scratch = (arena){ .limit = (size_t)1 << 30, .escape = &escape };
    if (!setjmp(escape) && sg_parse(&m, ptx, strlen(ptx), &err))
        good = explain(&m, ptx_name, entry, given);
    sg_arena_free(&m.mem);
    return good;
}
