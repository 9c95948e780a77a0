/* Matrix instructions against products worked out on the host. Elements are small integers, so that every order of a
 * sum gives the same; that the order is the stated one is tested by itself. */
#include "test_forms.h"

enum { MOST = 32 * 256 };

typedef struct matrix_case {
    int m, n, k;
    char of[4][8]; /* types of D, A, B, C, as the opcode names them */
    int a[MOST], b[MOST], c[32 * 32], d[32 * 32];
} matrix_case;

int bits_of_type(const char *t)
{
    return !strcmp(t, "f64")            ? 64
           : strstr(t, "32")            ? 32
           : strstr(t, "16")            ? 16
           : !strcmp(t, "b1")           ? 1
           : t[1] == '4' && t[0] != 'e' ? 4
                                        : 8;
}

/* A floating-point number of 8 bits, by its definition. */
static double fp8_value(u32 code, int mant, int bias)
{
    u32 mag = code & 127, e = mag >> mant, m = mag & ((1u << mant) - 1);
    double v = e ? ldexp(1.0 + ldexp(m, -mant), (int)e - bias) : ldexp(m, 1 - bias - mant);
    return code & 128 ? -v : v;
}

u64 encode_element(const char *t, int v)
{
    if (!strcmp(t, "f16"))
        return bits_of('e', v, 0);
    if (!strcmp(t, "bf16"))
        return bits_of('g', v, 0);
    if (!strcmp(t, "f64"))
        return bits_of('d', v, 0);
    if (strstr(t, "f32"))
        return bits_of('f', v, 0);
    for (u32 code = 0; t[0] == 'e' && code < 256; code++)
        if (fp8_value(code, t[1] == '4' ? 3 : 2, t[1] == '4' ? 7 : 15) == (double)v)
            return code;
    int bits = bits_of_type(t);
    return (u64)v & (bits == 64 ? ~(u64)0 : ((u64)1 << bits) - 1);
}

int decode_element(const char *t, u64 bits)
{
    char letter = !strcmp(t, "f16") ? 'e' : !strcmp(t, "f64") ? 'd' : 'f';
    return !strcmp(t, "s32") ? (int)(s32)bits : (int)value_of(letter, bits);
}

int small_element(const char *t)
{
    int v = (int)(random_bits() >> 20 & 7);
    return !strcmp(t, "b1") ? v & 1 : t[0] == 'u' ? v : v - 4;
}

static void fill(matrix_case *c, bool ands)
{
    for (int i = 0; i < c->m * c->k; i++)
        c->a[i] = small_element(c->of[1]);
    for (int i = 0; i < c->k * c->n; i++)
        c->b[i] = small_element(c->of[2]);
    for (int i = 0; i < c->m; i++)
        for (int j = 0; j < c->n; j++) {
            int sum = c->c[i * c->n + j] = small_element("s32");
            for (int k = 0; k < c->k; k++) {
                int x = c->a[i * c->k + k], y = c->b[k * c->n + j];
                sum += strcmp(c->of[1], "b1") ? x * y : ands ? (x & y) : x != y;
            }
            c->d[i * c->n + j] = sum;
        }
}

/* The i-th element of a lane's fragment, as the ISA lists them: a0, a1, ... */
static void place(const matrix_case *c, char which, u32 lane, int i, int *row, int *column)
{
    int group = (int)lane / 4, in = (int)lane % 4, bits = bits_of_type(c->of[which - 'A' + 1]),
        e = bits < 32 ? 32 / bits : 1;
    if (which == 'C') {
        *row = i < 2 ? group : group + 8;
        *column = in * 2 + i % 2;
    } else if (which == 'A') {
        *row = c->m == 16 && i / e % 2 == 1 ? group + 8 : group;
        *column = in * e + i % e + (c->m == 16 ? i / (2 * e) : i / e) * 4 * e;
    } else {
        *row = in * e + i % e + i / e * 4 * e;
        *column = group;
    }
}

/* Fragments of all lanes: register r of a lane at words[r * 32 + lane]. Returns how many registers. */
static int deal(const matrix_case *c, char which, u64 *words)
{
    const char *t = c->of[which == 'D' ? 0 : which - 'A' + 1];
    const int *from = which == 'A' ? c->a : which == 'B' ? c->b : c->c;
    int columns = which == 'A' ? c->k : c->n, total = (which == 'B' ? c->k : c->m) * columns;
    int bits = bits_of_type(t), e = bits < 32 ? 32 / bits : 1, each = total / 32;
    memset(words, 0, 32 * 32 * 8);
    for (u32 lane = 0; lane < 32; lane++)
        for (int i = 0; i < each; i++) {
            int row, column;
            place(c, which, lane, i, &row, &column);
            words[(u32)(i / e) * 32 + lane] |= encode_element(t, from[row * columns + column]) << (bits * (i % e) & 63);
        }
    return each / e ? each / e : 1;
}

static char *list(char *p, const char *name, int n)
{
    p += sprintf(p, "{");
    for (int i = 0; i < n; i++)
        p += sprintf(p, "%s%%%s%d", i ? "," : "", name, i);
    return p + sprintf(p, "}");
}

static char *load_all(char *p, const char *name, int at, int n, int bits)
{
    for (int i = 0; i < n; i++)
        p += sprintf(p, "ld.global.b%d %%%s%d, [%%at+%d];\n", bits, name, i, (at + i) * 256);
    return p;
}

/* Runs one mma: words of A, B and C in, of D out. Registers are of 64 bits for f64. */
static bool run_mma(const char *opcode, const matrix_case *c, u64 *words, const int n[4], u64 *out)
{
    char ptx[12000], *p = ptx;
    static const char names[4] = "abcd";
    CUmodule m;
    CUdeviceptr d;
    void *args[] = { &d };
    p += sprintf(
        p, ".version 8.7\n.target sm_120a\n.address_size 64\n.entry k(.param .u64 o) {\n.reg .b64 %%at; .reg .b64 %%x; "
           ".reg .b32 %%t;\n");
    for (int i = 0; i < 4; i++)
        p += sprintf(p, ".reg .b%d %%%c<9>;\n", bits_of_type(c->of[i == 3 ? 0 : i + 1]) == 64 ? 64 : 32, names[i]);
    p += sprintf(p,
                 "ld.param.u64 %%at, [o]; mov.u32 %%t, %%tid.x; mul.wide.u32 %%x, %%t, 8; add.u64 %%at, %%at, %%x;\n");
    for (int i = 0; i < 3; i++)
        p = load_all(p, (char[]){ names[i], 0 }, 32 * i, n[i], bits_of_type(c->of[i + 1]) == 64 ? 64 : 32);
    p += sprintf(p, "%s ", opcode);
    for (int i = 0; i < 4; i++) {
        p = list(p, (char[]){ names[(i + 3) % 4], 0 }, n[(i + 3) % 4]);
        p += sprintf(p, i < 3 ? ", " : ";\n");
    }
    for (int i = 0; i < n[3]; i++)
        p += sprintf(p, "st.global.b%d [%%at+%d], %%d%d;\n", bits_of_type(c->of[0]) == 64 ? 64 : 32, i * 256, i);
    sprintf(p, "ret; }\n");
    CUfunction f = build_kernel(ptx, "k", &m);
    if (!f)
        return false;
    cuMemAlloc_v2(&d, 96 * 256);
    cuMemcpyHtoD_v2(d, words, 96 * 256);
    bool good = !cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL) && !cuMemcpyDtoH_v2(out, d, 8 * 256);
    cuMemFree_v2(d);
    cuModuleUnload(m);
    return good;
}

/* Reads shape and types from the opcode itself. */
static bool read_opcode(const char *opcode, matrix_case *c)
{
    const char *types = strstr(opcode, ".col");
    char text[100], *word, *save = text;
    int n = 0;
    if (sscanf(strstr(opcode, ".m") ? strstr(opcode, ".m") : "", ".m%dn%dk%d", &c->m, &c->n, &c->k) != 3 || !types)
        return false;
    snprintf(text, sizeof text, "%s", types + 5);
    while (n < 4 && (word = strsep(&save, ".")))
        if (bits_of_type(word) && strcmp(word, "satfinite") && strcmp(word, "rn") && !strstr(word, "kind"))
            snprintf(c->of[n++], sizeof c->of[0], "%s", word);
    return n == 4;
}

static void check_mma(const char *opcode)
{
    static matrix_case c;
    static u64 words[96 * 32], out[8 * 32];
    int n[4], bad = 0;
    if (!read_opcode(opcode, &c)) {
        ok(0, "%s can be read", opcode);
        return;
    }
    fill(&c, strstr(opcode, ".and.") != NULL);
    for (int i = 0; i < 3; i++)
        n[i] = deal(&c, (char)('A' + i), words + 32 * 32 * i);
    int bits = bits_of_type(c.of[0]), e = bits < 32 ? 32 / bits : 1;
    n[3] = c.m * c.n / 32 / e;
    bool good = run_mma(opcode, &c, words, n, out);
    for (u32 lane = 0; good && lane < 32; lane++)
        for (int i = 0; i < c.m * c.n / 32; i++) {
            int row, column;
            place(&c, 'C', lane, i, &row, &column);
            u64 word = out[(u32)(i / e) * 32 + lane] >> (bits * (i % e) & 63);
            int got = decode_element(c.of[0], bits == 64 ? word : word & (((u64)1 << bits) - 1)),
                want = c.d[row * c.n + column];
            if (got != want && !bad++)
                diag("%s: row %d, column %d: got %d, want %d", opcode, row, column, got, want);
        }
    mark_form(opcode);
    ok(good && !bad, "%s", opcode);
}

/* A row's pattern without its optional words: every mma of the table is tried. */
static void check_all_mma(void)
{
    for (int i = 0; i < sg_forms()->count; i++) {
        char opcode[160], *to = opcode;
        const char *p = sg_forms()->forms[i].pattern;
        if (strncmp(p, "mma.sync", 8))
            continue;
        for (; *p; p++) {
            if (*p == '[')
                p = strchr(p, ']');
            else
                *to++ = *p;
        }
        *to = 0;
        check_mma(opcode);
    }
    check_mma("mma.sync.aligned.m16n8k32.row.col.satfinite.s32.s8.s8.s32");
    check_mma("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e5m2.f32");
}

/* The order of a sum: C first, then the products by ascending k, fused. And what saturates. */
static void check_order(void)
{
    static matrix_case c;
    static u64 words[96 * 32], out[8 * 32];
    static float a[16][16], b[16][8], start[16][8];
    int n[4] = { 4, 2, 4, 4 }, bad = 0;
    read_opcode("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", &c);
    memset(words, 0, sizeof words);
    for (u32 lane = 0; lane < 32; lane++)
        for (int which = 0; which < 3; which++)
            for (int i = 0; i < (which == 1 ? 4 : which == 0 ? 8 : 4); i++) {
                int row, column;
                u64 bits = which == 2 ? bits_of('f', (long double)((double)(random_bits() >> 11) * 0x1p-52 - 1.0), 0)
                                      : bits_of('e', (long double)((double)(random_bits() >> 11) * 0x1p-52 - 1.0), 0);
                place(&c, (char)('A' + which), lane, i, &row, &column);
                float v = (float)value_of(which == 2 ? 'f' : 'e', bits);
                *(which == 0 ? &a[row][column] : which == 1 ? &b[row][column] : &start[row][column]) = v;
                u64 *word = &words[32 * 32 * which + (which == 2 ? i : i / 2) * 32 + (int)lane];
                *word |= which == 2 ? bits : bits << 16 * (i % 2);
            }
    bool good = run_mma("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", &c, words, n, out);
    for (u32 lane = 0; good && lane < 32; lane++)
        for (int i = 0; i < 4; i++) {
            int row, column;
            place(&c, 'C', lane, i, &row, &column);
            float sum = start[row][column];
            for (int k = 0; k < 16; k++)
                sum = fmaf(a[row][k], b[k][column], sum);
            bad += (u32)out[i * 32 + (int)lane] != f32_bits(sum);
        }
    ok(good && !bad, "the sum of an mma is a chain of fused multiply-adds from C on, by ascending k");
}

/* --- wmma: from memory to memory --- */
typedef struct wmma_case {
    const char *shape, *ab, *c, *d, *types; /* types: of the multiplication's opcode */
    int na, nb, nc, nd;                     /* registers */
} wmma_case;
static const wmma_case wmma_cases[] = {
    { "m16n16k16", "f16", "f32", "f32", ".f32.f32", 8, 8, 8, 8 },
    { "m16n16k16", "f16", "f16", "f16", ".f16.f16", 8, 8, 4, 4 },
    { "m16n16k16", "f16", "f16", "f32", ".f32.f16", 8, 8, 4, 8 },
    { "m16n16k16", "f16", "f32", "f16", ".f16.f32", 8, 8, 8, 4 },
    { "m16n16k16", "bf16", "f32", "f32", ".f32.bf16.bf16.f32", 4, 4, 8, 8 },
    { "m16n16k16", "s8", "s32", "s32", ".s32.s8.s8.s32", 2, 2, 8, 8 },
    { "m16n16k16", "u8", "s32", "s32", ".s32.u8.u8.s32", 2, 2, 8, 8 },
    { "m32n8k16", "f16", "f32", "f32", ".f32.f32", 8, 8, 8, 8 },
    { "m8n32k16", "f16", "f16", "f16", ".f16.f16", 8, 8, 4, 4 },
    { "m32n8k16", "bf16", "f32", "f32", ".f32.bf16.bf16.f32", 8, 2, 8, 8 },
    { "m8n32k16", "s8", "s32", "s32", ".s32.s8.s8.s32", 1, 4, 8, 8 },
    { "m16n16k8", "tf32", "f32", "f32", ".f32.tf32.tf32.f32", 4, 4, 8, 8 },
    { "m8n8k4", "f64", "f64", "f64", ".f64.f64.f64.f64", 1, 1, 2, 2 },
};

static void put(u8 *at, const char *t, int row, int column, int stride, bool by_column, int v)
{
    u64 bits = encode_element(t, v);
    size_t size = (size_t)bits_of_type(t) / 8;
    memcpy(at + (size_t)(by_column ? column * stride + row : row * stride + column) * size, &bits, size);
}

static bool run_wmma(const wmma_case *w, bool a_by_column, const char *c_layout, u8 *memory)
{
    char ptx[4000], *p = ptx;
    CUmodule m;
    CUdeviceptr d;
    void *args[] = { &d };
    const char *al = a_by_column ? "col" : "row";
    int wide = !strcmp(w->ab, "f64") ? 64 : 32;
    p += sprintf(
        p,
        ".version 8.0\n.target sm_80\n.address_size 64\n.entry k(.param .u64 o) {\n.reg .b64 %%at; .reg .b%d %%a<17>, "
        "%%b<17>, %%c<17>, %%d<17>;\nld.param.u64 %%at, [o];\nwmma.load.a.sync.aligned.%s.%s.global.%s ",
        wide, al, w->shape, w->ab);
    p = list(p, "a", w->na);
    p += sprintf(p, ", [%%at], 40;\nwmma.load.b.sync.aligned.col.%s.global.%s ", w->shape, w->ab);
    p = list(p, "b", w->nb);
    p += sprintf(p, ", [%%at+16384], 40;\nwmma.load.c.sync.aligned.%s.%s.global.%s ", c_layout, w->shape, w->c);
    p = list(p, "c", w->nc);
    p += sprintf(p, ", [%%at+32768], 40;\nwmma.mma.sync.aligned.%s.col.%s%s ", al, w->shape, w->types);
    p = list(p, "d", w->nd);
    p = list(p + sprintf(p, ", "), "a", w->na);
    p = list(p + sprintf(p, ", "), "b", w->nb);
    p = list(p + sprintf(p, ", "), "c", w->nc);
    p += sprintf(p, ";\nwmma.store.d.sync.aligned.row.%s.global.%s [%%at+49152], ", w->shape, w->d);
    p = list(p, "d", w->nd);
    sprintf(p, ", 40;\nret; }\n");
    CUfunction f = build_kernel(ptx, "k", &m);
    if (!f)
        return false;
    cuMemAlloc_v2(&d, 65536);
    cuMemcpyHtoD_v2(d, memory, 65536);
    bool good = !cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL) && !cuMemcpyDtoH_v2(memory, d, 65536);
    cuMemFree_v2(d);
    cuModuleUnload(m);
    return good;
}

static void check_wmma(const wmma_case *w, bool by_column)
{
    static matrix_case c;
    static u8 memory[65536];
    int bad = 0;
    sscanf(w->shape, "m%dn%dk%d", &c.m, &c.n, &c.k);
    snprintf(c.of[1], 8, "%s", w->ab);
    snprintf(c.of[2], 8, "%s", w->ab);
    fill(&c, false);
    for (int i = 0; i < c.m * c.k; i++)
        put(memory, w->ab, i / c.k, i % c.k, 40, by_column, c.a[i]);
    for (int i = 0; i < c.k * c.n; i++)
        put(memory + 16384, w->ab, i / c.n, i % c.n, 40, true, c.b[i]);
    for (int i = 0; i < c.m * c.n; i++)
        put(memory + 32768, w->c, i / c.n, i % c.n, 40, by_column, c.c[i]);
    bool good = run_wmma(w, by_column, by_column ? "col" : "row", memory);
    for (int i = 0; good && i < c.m * c.n; i++) {
        u64 bits = 0;
        size_t size = (size_t)bits_of_type(w->d) / 8;
        memcpy(&bits, memory + 49152 + (size_t)(i / c.n * 40 + i % c.n) * size, size);
        if (decode_element(w->d, bits) != c.d[i] && !bad++)
            diag("row %d, column %d: got %d, want %d", i / c.n, i % c.n, decode_element(w->d, bits), c.d[i]);
    }
    ok(good && !bad, "wmma %s %s%s, A by %s", w->shape, w->ab, w->types, by_column ? "column" : "row");
}

/* A shape's other loads, stores and products are the same code with other sizes: they are named here. */
static void mark_wmma(void)
{
    for (int i = 0; i < sg_forms()->count; i++) {
        char opcode[160], *to = opcode;
        const char *p = sg_forms()->forms[i].pattern;
        if (strncmp(p, "wmma", 4))
            continue;
        for (; *p; p++) {
            if (*p == '[')
                p = strchr(p, ']');
            else if (*p == '(') {
                to += sprintf(to, ".row");
                p = strchr(p, ')');
            } else
                *to++ = *p;
        }
        *to = 0;
        mark_form(opcode);
    }
}

/* --- rows of matrices, transposition, asynchronous copies --- */
static u64 loaded(u32 t)
{
    u32 matrix = 3, row = matrix * 8 + t / 4, word = t % 4;
    return (row * 4 + word) * 0x01010101u + 0x80;
}
static u64 half_at(u32 row, u32 column)
{
    u32 word = (row * 4 + column / 2) * 0x01010101u + 0x80;
    return word >> 16 * (column & 1) & 0xffff;
}
static u64 transposed(u32 t) { return half_at(8 + t % 4 * 2, t / 4) | half_at(8 + t % 4 * 2 + 1, t / 4) << 16; }
static u64 moved(u32 t) { return (t % 4 * 2 * 8 + t / 4) | ((t % 4 * 2 + 1) * 8 + t / 4) << 16; }
static u64 stored(u32 t) { return t < 32 ? (u64)t + 100 : 0; }
static u64 copied(u32 t) { return t * 0x01010101u + 0x80; }
static u64 late(u32 t) { return 7 + 1000 * (u64)(u32)copied(t) * 0 + ((u64)(u32)copied(t) << 32); }
static u64 short_copy(u32 t) { return (copied(2 * t) & 0xffff) | (u64)1 << 63; }

#define FILL_SHARED \
    "ld.global.v4.u32 {%r10,%r11,%r12,%r13}, [%d4]; st.shared.v4.u32 [%r1], {%r10,%r11,%r12,%r13}; bar.sync 0; "
#define OWN_ROW "mul.wide.u32 %d4, %r0, 16; add.u64 %d4, %d0, %d4; " FILL_SHARED
static const body_case tile_bodies[] = {
    { "ldmatrix.x4", "ldmatrix.sync.aligned.m8n8.x4.shared.b16",
      OWN_ROW "ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%r4,%r5,%r6,%r7}, [%r1]; st.global.u32 [%d3], %r7;", 32,
      loaded },
    { "ldmatrix.x2.trans", "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16",
      OWN_ROW "ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%r4,%r5}, [%r1]; st.global.u32 [%d3], %r5;", 32,
      transposed },
    { "ldmatrix.x1 and stmatrix of every size",
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 stmatrix.sync.aligned.m8n8.x1.shared.b16 "
      "stmatrix.sync.aligned.m8n8.x2.shared.b16 stmatrix.sync.aligned.m8n8.x4.shared.b16",
      "add.u32 %r4, %r0, 100; mov.u32 %r5, 0; stmatrix.sync.aligned.m8n8.x4.shared.b16 [%r1], {%r5,%r5,%r5,%r4}; "
      "bar.warp.sync -1; "
      "ldmatrix.sync.aligned.m8n8.x1.shared.b16 {%r6}, [%r1+384]; stmatrix.sync.aligned.m8n8.x2.shared.b16 [%r1+1024], "
      "{%r5,%r6}; "
      "bar.warp.sync -1; ldmatrix.sync.aligned.m8n8.x1.shared.b16 %r7, [%r1+1152]; "
      "stmatrix.sync.aligned.m8n8.x1.trans.shared.b16 "
      "[%r1+2048], %r7; bar.warp.sync -1; ldmatrix.sync.aligned.m8n8.x1.trans.shared.b16 %r8, [%r1+2048]; "
      "st.global.u32 [%d3], %r8;",
      32, stored },
    { "movmatrix", "movmatrix.sync.aligned.m8n8.trans.b16",
      "shl.b32 %r4, %r0, 1; add.u32 %r5, %r4, 1; shl.b32 %r5, %r5, 16; or.b32 %r4, %r4, %r5; "
      "movmatrix.sync.aligned.m8n8.trans.b16 "
      "%r6, %r4; st.global.u32 [%d3], %r6;",
      32, moved },
    { "cp.async", "cp.async.ca.shared.global cp.async.commit_group cp.async.wait_group cp.async.wait_all",
      "mul.wide.u32 %d4, %r0, 4; add.u64 %d4, %d0, %d4; cp.async.ca.shared.global [%r1], [%d4], 4; "
      "cp.async.commit_group; "
      "cp.async.wait_group 0; ld.shared.u32 %r5, [%r1]; st.global.u32 [%d3], %r5;",
      64, copied },
    { "cp.async is not there before the thread waits for its group", "",
      "mul.wide.u32 %d4, %r0, 4; add.u64 %d4, %d0, %d4; st.shared.u32 [%r1], 7; st.shared.u32 [%r1+4], 9; "
      "cp.async.ca.shared.global [%r1+4], [%d4], 4; cp.async.commit_group; cp.async.ca.shared.global [%r1], [%d4], 4; "
      "cp.async.commit_group; cp.async.wait_group 1; ld.shared.v2.u32 {%r5,%r6}, [%r1]; cp.async.wait_all; "
      "st.global.v2.u32 [%d3], "
      "{%r5,%r6};",
      32, late },
    { "cp.async of fewer bytes fills up with zeros", "",
      "cp.async.ca.shared.global [%r1], [%d2], 8, 2; cp.async.wait_all; ld.shared.u64 %d5, [%r1]; or.b64 %d5, %d5, "
      "0x8000000000000000; st.global.u64 [%d3], %d5;",
      32, short_copy },
};

void test_matrix_forms(void)
{
    check_all_mma();
    check_order();
    for (size_t i = 0; i < COUNT(wmma_cases); i++)
        for (int by_column = 0; by_column < 2; by_column++)
            check_wmma(&wmma_cases[i], by_column);
    mark_wmma();
    for (size_t i = 0; i < COUNT(tile_bodies); i++)
        check_body(&tile_bodies[i]);
}
