/* Every instruction form against independently computed values. */
#include "test_forms.h"
#include <fenv.h>

static u8 *tested;
static u64 seed = 88172645463325252u;
static CUdeviceptr buffers[5];

u64 random_bits(void)
{
    seed ^= seed << 13;
    seed ^= seed >> 7;
    seed ^= seed << 17;
    return seed * 0x9e3779b97f4a7c15u;
}

/* Half of the values are ordinary, half are the edges of their type. */
static u64 random_float(int mant, int exp)
{
    u64 r = random_bits() >> 8, frac = ((u64)1 << mant) - 1, top = ((u64)1 << exp) - 1, bias = top / 2,
        sign = (r & 1) << (mant + exp);
    u64 m = random_bits() & frac;
    if (r & 16)
        m &= ~(frac >> 3);
    switch (r >> 1 & 7) {
    case 0: return sign | m;                                             /* subnormal */
    case 1: return sign | (r & 32 ? 0 : top << mant | (r & 64 ? m : 0)); /* zero, infinity, NaN */
    case 2: return sign | (1 + (r >> 8) % 3) << mant | m;
    case 3: return sign | (top - 1 - (r >> 8) % 3) << mant | m;
    case 4: return sign | bias << mant | (m & 7);
    default: return sign | (bias - 4 + (r >> 8) % 9) << mant | m;
    }
}

static u64 random_int(int bits)
{
    u64 r = random_bits() >> 7, v = random_bits(), mask = bits == 64 ? ~(u64)0 : ((u64)1 << bits) - 1;
    switch (r & 7) {
    case 0: return (r >> 3) % 4;
    case 1: return mask - (r >> 3) % 4;
    case 2: return ((u64)1 << (bits - 1)) - 2 + (r >> 3) % 4;
    case 3: return (r >> 3) % 70;
    default: return v & mask;
    }
}

u64 random_value(char t)
{
    switch (t) {
    case 'b': return random_int(8);
    case 'h': return random_int(16);
    case 'w': return random_int(32);
    case 'l': return random_int(64);
    case 'e': return random_float(10, 5);
    case 'g': return random_float(7, 8);
    case 'f': return random_float(23, 8);
    case 'd': return random_float(52, 11);
    case 'x': return random_float(10, 5) | random_float(10, 5) << 16;
    case 'y': return random_float(7, 8) | random_float(7, 8) << 16;
    default: return random_bits() >> 13 & 1;
    }
}

u64 nan_of(char t) { return t == 'f' ? 0x7fffffff : t == 'd' ? 0xfff8000000000000u : 0x7fff; }

static void layout(char t, int *mant, int *exp)
{
    *mant = t == 'f' ? 23 : t == 'd' ? 52 : t == 'e' ? 10 : 7;
    *exp = t == 'd' ? 11 : t == 'e' ? 5 : 8;
}

double value_of(char t, u64 bits)
{
    int mant, exp;
    layout(t, &mant, &exp);
    int e = (int)(bits >> mant) & ((1 << exp) - 1), bias = (1 << (exp - 1)) - 1;
    double m = (double)(bits & (((u64)1 << mant) - 1)), sign = bits >> (mant + exp) & 1 ? -1.0 : 1.0;
    if (e == (1 << exp) - 1)
        return m != 0.0 ? (double)NAN : sign * (double)INFINITY;
    return sign * ldexp(e ? m + ldexp(1.0, mant) : m, (e ? e : 1) - bias - mant);
}

static long double round_integer(long double v, int rounding)
{
    static const int modes[] = { FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD };
    fesetround(modes[rounding]);
    volatile long double in = v, r = rintl(in);
    fesetround(FE_TONEAREST);
    return r;
}

u64 bits_of(char t, long double x, int rounding)
{
    int mant, exp, e;
    layout(t, &mant, &exp);
    u64 sign = (u64)(signbit(x) != 0) << (mant + exp), inf = (((u64)1 << exp) - 1) << mant;
    int bias = (1 << (exp - 1)) - 1;
    if (x != x)
        return nan_of(t);
    if (isinf(x))
        return sign | inf;
    if (x == 0.0L)
        return sign;
    frexpl(x, &e);
    int lsb = (e - 1 < 1 - bias ? 1 - bias : e - 1) - mant;
    long double q = fabsl(round_integer(ldexpl(x, -lsb), rounding));
    if (q == 0.0L)
        return sign;
    frexpl(ldexpl(q, lsb), &e);
    if (e - 1 > bias)
        return sign | (inf - (rounding == 1 || rounding == (sign ? 3 : 2)));
    u64 m = (u64)ldexpl(ldexpl(q, lsb), -((e - 1 < 1 - bias ? 1 - bias : e - 1) - mant));
    return sign | (m + ((u64)(e - 1 < 1 - bias ? 0 : e - 1 + bias - 1) << mant));
}

bool open_device(void)
{
    CUcontext c;
    bool good = !cuInit(0) && !cuCtxCreate_v2(&c, 0, 0);
    for (int i = 0; good && i < 5; i++)
        good = !cuMemAlloc_v2(&buffers[i], VALUES * 8);
    tested = calloc((size_t)sg_forms()->count, 1);
    return good && tested;
}

CUfunction build_kernel(const char *ptx, const char *name, CUmodule *m)
{
    CUfunction f = NULL;
    if (cuModuleLoadData(m, ptx) || cuModuleGetFunction(&f, *m, name))
        diag("%s", softgpuLastMessage());
    return f;
}

void mark_form(const char *opcode)
{
    match m = sg_match(sg_forms(), opcode);
    if (m.form)
        tested[m.form - sg_forms()->forms] = 1;
}

int forms_untested(void)
{
    int n = 0;
    for (int i = 0; i < sg_forms()->count; i++) {
        const char *p = sg_forms()->forms[i].pattern;
        if (tested[i] || p[0] == ' ')
            continue;
        diag("no test for %s", p);
        n++;
    }
    return n;
}

static const char *reg_of(char t, int i)
{
    static char text[8][8];
    static int next;
    char *s = text[next++ % 8];
    snprintf(s, 8, t == 'p' ? "%%p%d" : strchr("bhegs", t) ? "%%h%d" : strchr("ld", t) ? "%%d%d" : "%%r%d", i + 4);
    return s;
}

static void load_operand(char *out, char t, int i)
{
    int size = strchr("bheg", t) ? 16 : strchr("ld", t) ? 64 : 32;
    if (t == 'p')
        sprintf(out, "ld.global.b32 %%r%d, [%%d%d]; and.b32 %%r%d, %%r%d, 1; setp.ne.u32 %s, %%r%d, 0;\n", i + 4,
                i + 20, i + 4, i + 4, reg_of('p', i), i + 4);
    else
        sprintf(out, "ld.global.b%d %s, [%%d%d];\n", size, reg_of(t, i), i + 20);
}

static void store_result(char *out, char t)
{
    int size = strchr("bheg", t) ? 16 : strchr("ld", t) ? 64 : 32;
    if (t == 'p')
        sprintf(out, "selp.u32 %%r12, 1, 0, %s;\nst.global.u32 [%%d24], %%r12;\n", reg_of('p', 3));
    else
        sprintf(out, "st.global.b%d [%%d24], %s;\n", size, reg_of(t, 7));
}

static const char *strip(const char *sig, char types[8])
{
    int n = 0;
    for (const char *s = strchr(sig, '=') + 1; *s; s++)
        if (*s != '?')
            types[n++] = *s;
    types[n] = 0;
    return types;
}

static void write_ptx(char *ptx, const char *opcode, const char *sig, const char *types)
{
    char *p = ptx;
    int n = (int)strlen(types);
    p += sprintf(p, ".version 8.5\n.target sm_90\n.address_size 64\n.visible .entry k(.param .u64 p0, .param .u64 p1, "
                    ".param .u64 p2, .param .u64 p3, .param .u64 p4)\n{\n"
                    ".reg .pred %%p<9>; .reg .b16 %%h<16>; .reg .b32 %%r<16>; .reg .b64 %%d<32>;\n"
                    "mov.u32 %%r0, %%tid.x; mul.wide.u32 %%d0, %%r0, 8;\n");
    for (int i = 0; i < 5; i++)
        p += sprintf(p, "ld.param.u64 %%d%d, [p%d]; add.u64 %%d%d, %%d%d, %%d0;\n", 20 + i, i, 20 + i, 20 + i);
    for (int i = 0; i < n; i++) {
        load_operand(p, types[i], i);
        p += strlen(p);
    }
    p += sprintf(p, "%s %s", opcode, reg_of(sig[0], sig[0] == 'p' ? 3 : 7));
    for (int i = 0; i < n; i++)
        p += sprintf(p, ", %s", reg_of(types[i], i));
    p += sprintf(p, ";\n");
    store_result(p, sig[0]);
    strcat(p, "ret;\n}\n");
}

static u64 mask_of(char t)
{
    return strchr("bheg", t) ? 0xffff : strchr("ld", t) ? ~(u64)0 : t == 'p' ? 1 : 0xffffffff;
}

/* Fills the inputs and runs the kernel; NULL where it does not load. */
static u64 *run_form(const char *opcode, const char *sig, u64 in[4][VALUES])
{
    static u64 out[VALUES];
    char ptx[4096], types[8];
    void *args[5];
    CUmodule m;
    write_ptx(ptx, opcode, sig, strip(sig, types));
    CUfunction f = build_kernel(ptx, "k", &m);
    if (!f)
        return NULL;
    for (int i = 0; i < 4; i++)
        cuMemcpyHtoD_v2(buffers[i], in[i], VALUES * 8);
    for (int i = 0; i < 5; i++)
        args[i] = &buffers[i];
    cuMemsetD8_v2(buffers[4], 0, VALUES * 8);
    if (cuLaunchKernel(f, 1, 1, 1, VALUES, 1, 1, 0, NULL, args, NULL) || cuCtxSynchronize())
        diag("%s", softgpuLastMessage());
    cuMemcpyDtoH_v2(out, buffers[4], VALUES * 8);
    cuModuleUnload(m);
    mark_form(opcode);
    return out;
}

static void fill_inputs(u64 in[4][VALUES], const char *types)
{
    for (int i = 0; i < 4; i++)
        for (int j = 0; j < VALUES; j++)
            in[i][j] = i < (int)strlen(types) ? random_value(types[i]) : 0;
    for (int j = 0; j < VALUES / 8; j++)
        in[1][j * 8] = strlen(types) > 1 && types[0] == types[1] ? in[0][j * 8] : in[1][j * 8];
}

void check_form(const char *opcode, const char *sig, reference *ref, const void *data)
{
    static u64 in[4][VALUES];
    char types[8];
    int bad = 0;
    fill_inputs(in, strip(sig, types));
    u64 *out = run_form(opcode, sig, in), mask = mask_of(sig[0]);
    if (!out) {
        ok(0, "%s", opcode);
        return;
    }
    for (int j = 0; j < VALUES; j++) {
        operands o = { in[0][j], in[1][j], in[2][j], in[3][j] };
        u64 want = ref(o, data) & mask, got = out[j] & mask;
        if (want == got || bad++)
            continue;
        diag("%s: a %llx b %llx c %llx e %llx: got %llx, want %llx", opcode, (unsigned long long)o.a,
             (unsigned long long)o.b, (unsigned long long)o.c, (unsigned long long)o.e, (unsigned long long)got,
             (unsigned long long)want);
    }
    ok(bad == 0, "%s", opcode);
}

void check_near(const char *opcode, const char *sig, double (*f)(double), double ulps, double absolute, double low,
                double high)
{
    static u64 in[4][VALUES];
    char t = sig[2] == 'x'   ? 'e'
             : sig[2] == 'y' ? 'g'
                             : sig[2],
         real_sig[4] = { t == sig[2] ? sig[0] : 'w', '=', t == sig[2] ? t : 'w', 0 };
    double worst = 0.0;
    int mant, exp;
    layout(t, &mant, &exp);
    for (int j = 0; j < VALUES; j++)
        in[0][j] = bits_of(t, (long double)(low + (high - low) * (double)(random_bits() >> 11) * 0x1p-53), 0)
                   * (t == sig[2] ? 1 : 0x10001);
    u64 *out = run_form(opcode, real_sig, in);
    for (int j = 0; out && j < VALUES; j++) {
        u64 half = t == sig[2] ? ~(u64)0 : 0xffff;
        double x = value_of(t, in[0][j] & half), want = f(x), got = value_of(t, out[j] & half),
               unit = ldexp(1.0, ilogb(want) - mant);
        double err = fabs(got - want) <= absolute ? 0.0 : fabs(got - want) / unit;
        if (err > worst)
            worst = err;
    }
    ok(out && worst <= ulps, "%s: %.3f ULP, bound %g", opcode, worst, ulps);
}

int main(void)
{
    plan(NO_PLAN);
    if (!open_device())
        BAIL_OUT("no device: %s", softgpuLastMessage());
    softgpuSetBudget(1 << 20); /* a kernel that hangs fails at once */
    test_integer_forms();
    test_float_forms();
    test_half_forms();
    test_compare_forms();
    test_convert_forms();
    test_approximate_forms();
    test_memory_forms();
    test_atomic_forms();
    test_warp_forms();
    test_matrix_forms();
    test_group_forms();
    test_bulk_forms();
    test_more_forms();
    test_video_forms();
    cmp_ok(forms_untested(), "==", 0, "every form of the table has a test");
    free(tested);
    return done_testing();
}
