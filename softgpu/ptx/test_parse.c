/* Constant expressions, vectors of registers, and bodies that cannot be read. */
#include "conformance/tap/tap.h"
#undef fail
#include "ptx.h"

static module m;
static sg_error err;

/* The module with this body of its only kernel; the next one frees it. */
static const func *parse(const char *body)
{
    char text[4096];
    static jmp_buf escape;
    sg_arena_free(&m.mem);
    m = (module){ .mem = { .limit = 1 << 20, .escape = &escape } };
    err = (sg_error){ 0 };
    if (setjmp(escape))
        BAIL_OUT("no memory for %s", body);
    int n =
        snprintf(text, sizeof text, ".version 8.0\n.target sm_80\n.global .b32 a[4];\n.entry k()\n{\n%s\n}\n", body);
    sg_parse(&m, text, (size_t)n, &err);
    return m.nfuncs ? m.funcs[0] : NULL;
}

static const operand *last_operand(const func *f)
{
    return f && f->ncode && f->code[f->ncode - 1].nops ? &f->code[f->ncode - 1].ops[f->code[f->ncode - 1].nops - 1]
                                                       : NULL;
}

#define SAME(expression) \
    { \
#expression, (u64)(expression) \
    }
/* What C makes of the same text, where it reads it as PTX does. */
static const struct {
    const char *text;
    u64 value;
} values[] = {
    SAME(7),
    SAME(-1),
    SAME(~5),
    SAME(!3),
    SAME(!0),
    SAME(1 + 2 * 3),
    SAME((1 + 2) * 3),
    SAME(10 - 4 - 3),
    SAME(100 / 7 / 2),
    SAME(100 % 7),
    SAME(-100 / 7),
    SAME(-100 % 7),
    { "1 << 4 + 2", 1 << (4 + 2) },
    SAME(256 >> 2 << 1),
    SAME(-16 >> 2),
    { "1 < 2 == 1", (1 < 2) == 1 },
    SAME(3 >= 4 || 2 != 2),
    SAME(3 <= 3 && 2 > 1),
    { "6 & 3 ^ 5 | 8", ((6 & 3) ^ 5) | 8 },
    { "0x10 | 0b11", 0x13 },
    SAME(2 > 1 ? 5 : 7),
    SAME(2 < 1   ? 5
         : 3 < 1 ? 6
                 : 7),
    SAME((3 > 2 ? 5 : 7) + 0x10),
    SAME(- -4),
    SAME(+4),
    { "-1 < 1U ? 1 : 2", 2 },
    { "-1LL", 0 },
    { "(.s64)-1", (u64)-1 },
    { "(.u64)-1 / 2", 0x7fffffffffffffff },
    { "(.s64)-1 / 2", 0 },
    { "(.u64)-1 > 1", 1 },
    { "0x8000000000000000 >> 63", 1 },
    { "(.s64)0x8000000000000000 >> 63", (u64)-1 },
    { "(.s64)0x8000000000000000 / -1", 0x8000000000000000 },
    { "(.s64)0x8000000000000000 % -1", 0 },
    { "1 << 64", 0 },
    { "-1 >> 64", (u64)-1 },
    { "7%3", 1 },
    { "WARP_SZ * 2", 64 },
    { "(WARP_SZ)", 32 },
};

static void test_values(void)
{
    char body[200];
    for (size_t i = 0; i < COUNT(values); i++) {
        snprintf(body, sizeof body, ".reg .b64 %%d; mov.b64 %%d, %s;", values[i].text);
        const func *f = parse(body);
        const operand *o = last_operand(f);
        if (!strcmp(values[i].text, "-1LL"))
            ok(f && f->refused.line == 6, "%s is no PTX", values[i].text);
        else
            ok(o && !f->refused.line && o->kind == OP_IMM && o->imm_kind == IMM_INT && o->imm == values[i].value,
               "%s is %lld: %s", values[i].text, (long long)values[i].value, f ? f->refused.text : err.text);
    }
}

static void test_places(void)
{
    const operand *o = last_operand(parse(".reg .b64 %d; ld.global.u32 %d, [%d+(4*2)];"));
    ok(o && o->kind == OP_ADDR && o->imm == 8, "an expression in an address");
    o = last_operand(parse(".reg .b64 %d; ld.global.u32 %d, [%d-4+2];"));
    ok(o && o->imm == (u64)-2, "behind a minus");
    o = last_operand(parse(".reg .b64 %d; mov.u64 %d, a[1+1];"));
    ok(o && o->kind == OP_SYM && o->imm == 8, "in a subscript");
    parse(".global .b32 v[2*2] = { 1+1, -(3), ~0, 1 ? 8 : 9 };");
    ok(m.nvars == 2 && m.vars[1]->size == 16 && m.vars[1]->init[0] == 2 && m.vars[1]->init[4] == 0xfd
           && m.vars[1]->init[11] == 0xff && m.vars[1]->init[12] == 8,
       "in a size and in initialisers");
    o = last_operand(parse(".reg .f32 %f; mov.f32 %f, -0f3f800000;"));
    ok(o && o->imm_kind == IMM_F32 && o->imm == 0xbf800000, "a float keeps its minus");
}

static void test_errors(void)
{
    static const struct {
        const char *text, *says;
    } bad[] = {
        { "1 +", "expected a number" }, { "1 / 0", "division by zero" },    { "(1", "expected ')'" },
        { "1 ? 2", "expected ':'" },    { "(.f64)1", "expected a number" },
    };
    char body[2000];
    for (size_t i = 0; i < COUNT(bad); i++) {
        snprintf(body, sizeof body, ".reg .b64 %%d; mov.b64 %%d, %s;", bad[i].text);
        const func *f = parse(body);
        ok(f && strstr(f->refused.text, bad[i].says), "%s: %s", bad[i].text, f ? f->refused.text : "");
    }
    int n = snprintf(body, sizeof body, ".reg .b64 %%d; mov.b64 %%d, ");
    memset(body + n, '-', 1000);
    snprintf(body + n + 1000, sizeof body - (size_t)n - 1000, "1;");
    const func *f = parse(body);
    ok(f && strstr(f->refused.text, "nested deeper"), "a thousand signs are too many");
}

static void test_vectors(void)
{
    const func *f = parse(".reg .v4 .f32 %v; .reg .v2 .b64 %w<3>; ld.global.v4.f32 %v, [a]; mov.f32 %v.y, %v.w;");
    ok(f && !f->refused.line && f->ncode == 2 && f->code[0].ops[0].kind == OP_VEC && f->code[0].ops[0].n == 4,
       "a vector of registers stands for all of them");
    int first = f->code[0].ops[0].u.elem[0].reg;
    ok(f->code[1].ops[0].reg == first + 1 && f->code[1].ops[1].reg == first + 3, "with a letter for one");
    f = parse(".reg .v2 .b64 %w<3>; st.global.v2.b64 [a], %w2; mov.b64 %w1.r, %w2.g;");
    ok(f && !f->refused.line && f->regs[f->code[1].ops[1].reg].type->size == 8
           && f->code[1].ops[1].reg == f->code[0].ops[1].u.elem[1].reg
           && f->code[1].ops[0].reg != f->code[0].ops[1].u.elem[0].reg,
       "numbered ones are vectors too");
    ok(parse(".reg .v2 .b64 %w; mov.b64 %w.x, %w.z;")->refused.line == 6, "a pair has no third");
    ok(parse(".reg .v2 .b64 %w<2>; mov.b64 %w1.x, %w2.x;")->refused.line == 6, "nor two a third of their kind");
}

/* Reading goes on behind a body that cannot be read, and names of its blocks are forgotten. */
static void test_recovery(void)
{
    const func *f = parse("{ { .reg .b32 %x; foo %x ?; } }\n}\n.entry l()\n{ .reg .b32 %x; ret;");
    ok(f->refused.line == 6 && !f->ncode && m.nfuncs == 2 && m.funcs[1]->ncode == 1 && !err.line,
       "the next one is good");
    f = parse("foo \"}\" 9z // }\n/* } */ ;\n}\n.entry l()\n{ ret;");
    ok(f->refused.line == 6 && m.nfuncs == 2 && m.funcs[1]->ncode == 1,
       "brackets in texts and comments count for nothing");
    char deep[200];
    memset(deep, '{', 100);
    memset(deep + 100, '}', 100);
    deep[199] = 0;
    f = parse(deep);
    ok(strstr(f->refused.text, "nested deeper") || err.line, "blocks nested too deeply");
    f = parse("{ ? }\n}\n.entry 5()\n{ ret;");
    ok(f->refused.line == 6 && err.line == 8, "what is wrong between functions is still an error");
}

int main(void)
{
    plan(NO_PLAN);
    test_values();
    test_places();
    test_errors();
    test_vectors();
    test_recovery();
    sg_arena_free(&m.mem);
    return done_testing();
}
