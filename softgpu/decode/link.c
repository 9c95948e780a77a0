/* Linking: for every entry the functions it reaches, where their local and shared variables lie, and the decoded whole.
 */
#include "kernel.h"
#include "softgpu/base/mem.h"

enum { MAX_FUNCS = 4096, MAX_LOCAL = 512 << 10 };

typedef struct linker {
    module *m;
    kernel *k;
    const form_table *forms;
    sg_error *err;
    bool cyclic; /* some function may call itself, or is called through a register */
} linker;

static void link_error(linker *l, const pins *at, const char *what, const char *name)
{
    if (l->err->line)
        return;
    l->err->line = at->line;
    l->err->col = at->col;
    snprintf(l->err->text, sizeof l->err->text, "%s '%s'", what, name);
}

/* call (ret), name, (args): operands in any of the shapes that PTX allows. */
static bool shape_call(linker *l, pins *p)
{
    int at = 0;
    if (p->callee || p->target >= 0)
        return true;
    if (p->nops && p->ops[0].kind == OP_VEC) {
        p->rets = p->ops[0].u.elem;
        p->nrets = p->ops[0].n;
        at = 1;
    }
    bool direct = at < p->nops && p->ops[at].kind == OP_FUNC;
    if (at >= p->nops || (!direct && p->ops[at].kind != OP_REG)) {
        link_error(l, p, "a call of no function,", p->opcode);
        return false;
    }
    if (direct)
        p->callee = p->ops[at++].u.func;
    else
        p->target = p->ops[at++].reg;
    if (at < p->nops && p->ops[at].kind == OP_VEC) {
        p->args = p->ops[at].u.elem;
        p->nargs = p->ops[at].n;
        at++;
    }
    at += at < p->nops && p->ops[at].kind == OP_LABEL && p->ops[at].u.label->is_table;
    if (at < p->nops) {
        link_error(l, p, "unexpected operands of", p->opcode);
        return false;
    }
    if (direct && !p->callee->has_body && builtin_function(p->callee->name) < 0) {
        link_error(l, p, "no definition of function", p->callee->name);
        return false;
    }
    return true;
}

static bool is_call(const pins *p) { return !strcmp(p->opcode, "call") || !strcmp(p->opcode, "call.uni"); }

/* The i-th function that a call may go to; NULL behind the last. */
static func *next_callee(const linker *l, const pins *p, int *i)
{
    if (p->target < 0)
        return (*i)++ == 0 && p->callee->has_body ? p->callee : NULL;
    while (*i < l->m->nfuncs) {
        func *f = l->m->funcs[(*i)++];
        if (f->address_taken && f->has_body && !f->is_entry)
            return f;
    }
    return NULL;
}

/* Depth first; mark 1 is on the path, 2 is done. Functions are listed callees first, as far as there is no cycle. */
static bool collect(linker *l, func *f, int depth)
{
    f->mark = 1;
    if (f->refused.line) {
        *l->err = f->refused;
        return false;
    }
    if (depth > 256) {
        link_error(l, &(pins){ .line = f->line, .col = 1 }, "calls nested too deeply in", f->name);
        return false;
    }
    for (int i = 0; i < f->ncode; i++) {
        pins *p = &f->code[i];
        l->k->uses_stack |= !strncmp(p->opcode, "alloca", 6);
        if (!is_call(p))
            continue;
        if (!shape_call(l, p))
            return false;
        int at = 0;
        for (func *to; (to = next_callee(l, p, &at));) {
            l->cyclic |= to->mark == 1 || p->target >= 0;
            if (to->mark == 0 && !collect(l, to, depth + 1))
                return false;
        }
    }
    f->mark = 2;
    l->k->funcs = sg_grow(&l->m->mem, l->k->funcs, (size_t)l->k->nfuncs, sizeof *l->k->funcs);
    l->k->funcs[l->k->nfuncs++] = (kfunc){ .src = f };
    return true;
}

/* Does a walk over the calls from f come back to `to`? Marks are 3 for what was seen. */
static bool reaches(const linker *l, func *f, const func *to)
{
    f->mark = 3;
    for (int i = 0; i < f->ncode; i++) {
        int at = 0;
        if (!is_call(&f->code[i]))
            continue;
        for (func *next; (next = next_callee(l, &f->code[i], &at));)
            if (next == to || (next->mark != 3 && reaches(l, next, to)))
                return true;
    }
    return false;
}

static bool takes_stack(const func *f)
{
    for (int i = 0; i < f->ncode; i++)
        if (!strncmp(f->code[i].opcode, "alloca", 6))
            return true;
    return false;
}

/* Functions that may be active more than once, or that take memory of the stack, have their local memory there. */
static void find_stack_functions(linker *l)
{
    kernel *k = l->k;
    if (l->cyclic && k->nfuncs > 1024)
        link_error(l, &(pins){ .line = k->f->line, .col = 1 }, "recursion among more than 1024 functions in",
                   k->f->name);
    for (int i = 0; i < k->nfuncs; i++) {
        func *f = k->funcs[i].src;
        for (int j = 0; j < k->nfuncs; j++)
            k->funcs[j].src->mark = 2;
        k->funcs[i].on_stack = !f->is_entry && ((l->cyclic && reaches(l, f, f)) || (k->uses_stack && takes_stack(f)));
    }
    for (int i = 0; i < k->nfuncs; i++)
        k->uses_stack |= k->funcs[i].on_stack;
}

static kfunc *find(kernel *k, const func *f)
{
    for (int i = 0; i < k->nfuncs; i++)
        if (k->funcs[i].src == f)
            return &k->funcs[i];
    return NULL;
}

static u64 place_var(var *v, u64 at)
{
    v->address = round_up(at, v->align ? v->align : 1);
    return v->address + v->size;
}

/* Local and shared variables of a function go behind those of its callers, so that no two live frames overlap. */
static void place_vars(kfunc *kf)
{
    func *f = kf->src;
    u64 local = kf->on_stack ? 0 : round_up(kf->local_base, 16), shared = kf->shared_base;
    for (int i = 0; i < f->nvars; i++) {
        if (f->vars[i]->space == SP_SHARED) {
            if (!f->vars[i]->is_extern)
                shared = place_var(f->vars[i], shared);
        } else
            local = place_var(f->vars[i], local);
    }
    for (int i = 0; !f->is_entry && i < f->nparams; i++)
        local = place_var(f->params[i], local);
    for (int i = 0; i < f->nrets; i++)
        local = place_var(f->rets[i], local);
    kf->local_size = (u32)(local < MAX_LOCAL + 1 ? local : MAX_LOCAL + 1);
    kf->shared_size = (u32)(shared < 0x7fffffff ? shared : 0x7fffffff);
}

static void push_base(kfunc *callee, const kfunc *caller)
{
    if (callee->local_base < caller->local_size && !caller->on_stack)
        callee->local_base = caller->local_size;
    if (callee->shared_base < caller->shared_size)
        callee->shared_base = caller->shared_size;
}

/* Where calls may come back, every function has a place of its own. */
static void push_bases(linker *l, kfunc *kf)
{
    if (l->cyclic) {
        for (kfunc *other = l->k->funcs; other < kf; other++) {
            push_base(other, kf);
            if (kf->on_stack && other->local_base < kf->local_base)
                other->local_base = kf->local_base;
        }
        return;
    }
    for (int i = 0; i < kf->src->ncode; i++)
        if (is_call(&kf->src->code[i]) && kf->src->code[i].callee && kf->src->code[i].callee->has_body)
            push_base(find(l->k, kf->src->code[i].callee), kf);
}

static bool uses_var(const kernel *k, const var *v)
{
    for (int i = 0; i < k->nfuncs; i++)
        for (int j = 0; j < k->funcs[i].src->ncode; j++) {
            const pins *p = &k->funcs[i].src->code[j];
            for (int o = 0; o < p->nops; o++)
                if ((p->ops[o].kind == OP_SYM || (p->ops[o].kind == OP_ADDR && p->ops[o].reg < 0))
                    && p->ops[o].u.var == v)
                    return true;
        }
    return false;
}

/* Shared variables of the module that this kernel names come first, the dynamic ones last. */
static u32 place_module_shared(linker *l)
{
    u64 at = 0;
    for (int i = 0; i < l->m->nvars; i++) {
        var *v = l->m->vars[i];
        if (v->space == SP_SHARED && !v->is_extern && uses_var(l->k, v))
            at = place_var(v, at);
    }
    return (u32)(at < 0x7fffffff ? at : 0x7fffffff);
}

static void place_dynamic(linker *l, var **vars, int n)
{
    kernel *k = l->k;
    for (int i = 0; i < n; i++)
        if (vars[i]->space == SP_SHARED && vars[i]->is_extern && vars[i]->align > k->dynamic_align)
            k->dynamic_align = vars[i]->align;
    u64 start = round_up(k->shared_size, k->dynamic_align ? k->dynamic_align : 1);
    for (int i = 0; i < n; i++)
        if (vars[i]->space == SP_SHARED && vars[i]->is_extern)
            vars[i]->address = start;
}

static void place_params(linker *l)
{
    u64 at = 0;
    for (int i = 0; i < l->k->f->nparams; i++)
        at = place_var(l->k->f->params[i], at);
    l->k->param_size = (u32)(at < 65536 ? at : 65536);
}

static bool layout(linker *l)
{
    kernel *k = l->k;
    kfunc *entry = &k->funcs[k->nfuncs - 1];
    entry->shared_base = place_module_shared(l);
    for (int i = k->nfuncs - 1; i >= 0; i--) { /* callers before callees */
        place_vars(&k->funcs[i]);
        push_bases(l, &k->funcs[i]);
        if (k->funcs[i].local_size > k->local_size && !k->funcs[i].on_stack)
            k->local_size = k->funcs[i].local_size;
        if (k->funcs[i].shared_size > k->shared_size)
            k->shared_size = k->funcs[i].shared_size;
    }
    place_params(l);
    place_dynamic(l, l->m->vars, l->m->nvars);
    for (int i = 0; i < k->nfuncs; i++)
        place_dynamic(l, k->funcs[i].src->vars, k->funcs[i].src->nvars);
    pins at = { .line = k->f->line, .col = 1 };
    bool too_large = k->local_size > MAX_LOCAL;
    for (int i = 0; i < k->nfuncs; i++)
        too_large |= k->funcs[i].local_size > MAX_LOCAL;
    if (too_large)
        link_error(l, &at, "more than 512 KiB of local memory per thread in", k->f->name);
    if (k->shared_size > 227 << 10)
        link_error(l, &at, "more than 227 KiB of shared memory in", k->f->name);
    if (k->param_size > 32764)
        link_error(l, &at, "more than 32764 bytes of parameters in", k->f->name);
    return l->err->line == 0;
}

static bool decode_one(linker *l, kfunc *kf)
{
    decoder d = { .m = l->m, .k = l->k, .kf = kf, .f = kf->src, .forms = l->forms, .err = l->err };
    bool good = match_statements(&d);
    if (good)
        build_flow(&d);
    good = good && assign_slots(&d) && decode_function(&d);
    sg_arena_free(&l->m->scratch);
    return good;
}

/* Frames do not overlap, not even those of functions that never run together: each holds its constants, filled once. */
static void place_frames(kernel *k)
{
    for (int i = k->nfuncs - 1; i >= 0; i--) {
        k->funcs[i].frame = k->regs_size;
        k->regs_size += k->funcs[i].frame_size;
    }
}

/* Is the outcome of this atomic, as seen by anybody, dependent on the order of threads? */
static bool order_matters(const ins *i)
{
    enum atom_op op = i->arg & 255;
    u32 of = i->arg >> 8;
    if ((i->kind != K_ATOM && i->kind != K_RED) || i->space == SP_SHARED)
        return false;
    bool rounds = of >= AT_F32 && of <= AT_BF16X2;
    return i->kind == K_ATOM || rounds || op >= AT_INC;
}

static void summarise(kernel *k)
{
    u32 most = 0;
    for (u32 i = 0; i < k->ncode; i++)
        k->in_order |= order_matters(&k->code[i]) || k->code[i].kind == K_BUILTIN;
    for (int i = 0; i < k->nfuncs; i++) {
        u32 regs = k->funcs[i].live32 + 2 * k->funcs[i].live64 + 8;
        if (regs > most)
            most = regs;
    }
    k->num_regs = (int)(most > 255 ? 255 : most);
}

/* A kernel that cannot be linked keeps the reason; others of its module are not concerned. */
static void link_kernel(linker *l, func *f)
{
    for (int i = 0; i < l->m->nfuncs; i++)
        l->m->funcs[i]->mark = 0;
    l->k->m = l->m;
    l->k->f = f;
    if (f->has_cluster && f->cluster[0] * f->cluster[1] * f->cluster[2] > 1)
        link_error(l, &(pins){ .line = f->line, .col = 1 }, "clusters of several blocks are not modelled:", f->name);
    if (l->err->line || !collect(l, f, 0))
        return;
    find_stack_functions(l);
    if (!layout(l))
        return;
    for (int i = 0; i < l->k->nfuncs; i++)
        if (!decode_one(l, &l->k->funcs[i]))
            return;
    place_frames(l->k);
    summarise(l->k);
}

static bool check_constants(const module *m, sg_error *err)
{
    u64 size = 0;
    for (int i = 0; i < m->nvars; i++) {
        const var *v = m->vars[i];
        if (v->space != SP_CONST || v->is_extern || (size += v->size) <= 64 << 10)
            continue;
        *err = (sg_error){ .line = v->line, .col = 1 };
        snprintf(err->text, sizeof err->text, "more than 64 KiB of constants at '%.100s'", v->name);
        return false;
    }
    return true;
}

bool sg_link(module *m, const form_table *forms, kernel **kernels, int *nkernels, sg_error *err)
{
    *kernels = NULL;
    *nkernels = 0;
    if (!check_constants(m, err))
        return false;
    for (int i = 0; i < m->nfuncs; i++) {
        if (!m->funcs[i]->is_entry || !m->funcs[i]->has_body)
            continue;
        *kernels = sg_grow(&m->mem, *kernels, (size_t)*nkernels, sizeof **kernels);
        kernel *k = &(*kernels)[(*nkernels)++];
        linker l = { m, k, forms, &k->refused, false };
        link_kernel(&l, m->funcs[i]);
    }
    return true;
}
