/* Contraction lint: a mul and an add without a rounding may become one fused operation, whose result differs. */
#include "checkers.h"
#include "findings.h"

static bool is_open(const char *opcode, const char *op)
{
    size_t n = strlen(op);
    if (strncmp(opcode, op, n) || opcode[n] != '.')
        return false;
    const char *mods = opcode + n;
    bool is_float = strstr(mods, ".f32") || strstr(mods, ".f64") || strstr(mods, ".f16") || strstr(mods, ".bf16");
    return is_float && !strstr(mods, ".rn") && !strstr(mods, ".rz") && !strstr(mods, ".rm") && !strstr(mods, ".rp");
}

static bool reads(const pins *p, int reg)
{
    for (int i = 1; i < p->nops; i++)
        if (p->ops[i].kind == OP_REG && p->ops[i].reg == reg)
            return true;
    return false;
}

/* Later statements of the function, up to where the register is written again. */
static void lint_mul(const func *f, int at)
{
    int reg = f->code[at].nops ? f->code[at].ops[0].reg : -1;
    for (int i = at + 1; reg >= 0 && i < f->ncode; i++) {
        const pins *p = &f->code[i];
        bool adds = is_open(p->opcode, "add") || is_open(p->opcode, "sub");
        if (adds && reads(p, reg))
            report_module(SOFTGPU_LINT, f->name, f->code[at].line,
                          "%s at PTX line %d of %s feeds %s at line %d: without .rn they may be fused",
                          f->code[at].opcode, f->code[at].line, f->name, p->opcode, p->line);
        if (p->nops && p->ops[0].kind == OP_REG && p->ops[0].reg == reg)
            return;
    }
}

static void lint_module(const module *m)
{
    for (int i = 0; i < m->nfuncs; i++)
        for (int j = 0; j < m->funcs[i]->ncode; j++)
            if (is_open(m->funcs[i]->code[j].opcode, "mul"))
                lint_mul(m->funcs[i], j);
}

const observer lint = { .loaded = lint_module };
