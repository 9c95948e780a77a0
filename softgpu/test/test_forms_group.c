/* wgmma against products worked out on the host, in every type, layout of shared memory and place of A. */
#include "test_forms.h"

enum { B_AT = 16384, SHARED = 49152, ROWS = 64, MOST_N = 256, MOST_K = 256 };

/* Where a matrix is: in registers, or in shared memory in rows of `width` bytes that are swizzled together (16: not).
 */
typedef struct placing {
    bool registers, transposed;
    int width, slab; /* slab: 32 bytes further along the rows */
} placing;

typedef struct group_case {
    int n, k;
    char of[3][8]; /* D, A, B */
    placing a, b;
    int sign_a, sign_b;
    bool accumulates;
} group_case;

static int left[ROWS][MOST_K], right[MOST_N][MOST_K], start[ROWS][MOST_N];

/* The 16-byte pieces of a row are permuted by the row: by r in rows of 128 bytes, r / 2 in 64, r / 4 in 32. */
static int permuted_piece(int piece, int row, int width) { return piece ^ (row % 8 * width / 128); }

/* The byte where element k of a row of A, or of a column of B, begins. */
static int byte_of(const placing *p, int line, int k, int bits)
{
    int w = p->width, byte = p->transposed ? line % (w / 2) * 2 : k * bits / 8 + 32 * p->slab, row, block;
    if (p->transposed) { /* lines side by side, a row for every k */
        row = k % 8;
        block = w == 16 ? line / 8 * 256 + k / 8 * 128 : line / (w / 2) * 16 * w + k / 8 * 8 * w;
    } else if (w == 16) { /* 8 rows of 16 bytes one behind the other */
        return line / 8 * 256 + byte / 16 * 128 + line % 8 * 16 + byte % 16;
    } else {
        row = line % 8;
        block = line / 8 * 8 * w;
    }
    int piece = w == 16 ? 0 : permuted_piece(byte / 16, row, w);
    return block + row * w + piece * 16 + byte % 16;
}

static u64 descriptor(const placing *p, u64 address)
{
    u64 w = (u64)p->width, leading = w == 16 ? 128 : p->transposed ? 16 * w : 16, stride = w == 16 ? 256 : 8 * w;
    u64 mode = w == 128 ? 1 : w == 64 ? 2 : w == 32 ? 3 : 0;
    return (address + 32 * (u64)p->slab) >> 4 | (leading >> 4) << 16 | (stride >> 4) << 32 | mode << 62;
}

static void put_bits(u8 *at, int k, int bits, u64 v)
{
    if (bits < 8)
        *at = (u8)(*at | v << (k * bits % 8));
    else
        memcpy(at, &v, (size_t)bits / 8);
}

static void fill_case(const group_case *c, u8 *memory)
{
    int bits = bits_of_type(c->of[1]);
    memset(memory, 0, SHARED);
    for (int i = 0; i < ROWS; i++)
        for (int k = 0; k < c->k; k++) {
            left[i][k] = small_element(c->of[1]);
            if (!c->a.registers)
                put_bits(memory + byte_of(&c->a, i, k, bits), k, bits, encode_element(c->of[1], left[i][k]));
        }
    for (int j = 0; j < c->n; j++)
        for (int k = 0; k < c->k; k++) {
            right[j][k] = small_element(c->of[2]);
            put_bits(memory + B_AT + byte_of(&c->b, j, k, bits), k, bits, encode_element(c->of[2], right[j][k]));
        }
    for (int i = 0; i < ROWS; i++)
        for (int j = 0; j < c->n; j++)
            start[i][j] = small_element("s32");
}

/* Element i of a thread's part of D, as the ISA draws it. */
static void place_of_d(int thread, int i, int *row, int *column)
{
    *row = thread / 32 * 16 + thread % 32 / 4 + (i % 4 >= 2 ? 8 : 0);
    *column = i / 4 * 8 + thread % 4 * 2 + i % 2;
}

/* Element i of a thread's part of A, four registers of 32 bits. */
static void place_of_a(int thread, int i, int each, int *row, int *k)
{
    *row = thread / 32 * 16 + thread % 32 / 4 + (i / each % 2 ? 8 : 0);
    *k = thread % 4 * each + i % each + (i / each >= 2 ? 4 * each : 0);
}

static void deal_registers(const group_case *c, u32 *d, u32 *a)
{
    int halves = !strcmp(c->of[0], "f16"), bits = bits_of_type(c->of[1]), each = 32 / bits, row, column;
    memset(d, 0, sizeof(u32) * 128 * 128);
    memset(a, 0, sizeof(u32) * 4 * 128);
    for (int t = 0; t < 128; t++) {
        for (int i = 0; i < c->n / 2; i++) {
            place_of_d(t, i, &row, &column);
            u32 v = (u32)encode_element(c->of[0], start[row][column]);
            d[(halves ? i / 2 : i) * 128 + t] |= halves && i % 2 ? v << 16 : v;
        }
        for (int i = 0; i < 4 * each; i++) {
            place_of_a(t, i, each, &row, &column);
            u64 v = encode_element(c->of[1], left[row][column]);
            a[i / each * 128 + t] |= (u32)v << (i % each * bits % 32);
        }
    }
}

static char *name_all(char *p, const char *name, int n)
{
    p += sprintf(p, "{");
    for (int i = 0; i < n; i++)
        p += sprintf(p, "%s%%%s%d", i ? "," : "", name, i);
    return p + sprintf(p, "}");
}

/* 128 threads fill shared memory, load D and A, multiply, and leave D where it was. */
static void write_kernel(const char *opcode, const group_case *c, int nd, char *p)
{
    bool real = strcmp(c->of[0], "s32") != 0, moves = real && bits_of_type(c->of[1]) == 16;
    p += sprintf(
        p,
        ".version 8.0\n.target sm_90a\n.address_size 64\n.entry k(.param .u64 o) {\n.shared .align 1024 .b8 sm[%d];\n"
        ".reg .b64 %%at, %%x, %%from; .reg .b32 %%t, %%i, %%w<4>, %%d<128>, %%a<4>; .reg .pred %%p, %%q;\n"
        "ld.param.u64 %%at, [o]; mov.u32 %%t, %%tid.x; shl.b32 %%i, %%t, 4;\n"
        "L: cvt.u64.u32 %%from, %%i; add.u64 %%from, %%from, %%at; ld.global.v4.b32 {%%w0,%%w1,%%w2,%%w3}, [%%from];\n"
        "mov.u32 %%w3, %%w3; st.shared.v4.b32 [%%i], {%%w0,%%w1,%%w2,%%w3}; add.u32 %%i, %%i, 2048;\n"
        "setp.lt.u32 %%p, %%i, %d; @%%p bra L;\nfence.proxy.async; bar.sync 0;\nmul.wide.u32 %%x, %%t, 4; "
        "add.u64 %%x, %%x, %%at;\n",
        SHARED, SHARED);
    for (int i = 0; i < nd; i++)
        p += sprintf(p, "ld.global.b32 %%d%d, [%%x+%d];\n", i, SHARED + 512 * i);
    for (int i = 0; i < 4; i++)
        p += sprintf(p, "ld.global.b32 %%a%d, [%%x+%d];\n", i, SHARED + 65536 + 512 * i);
    p +=
        sprintf(p, "setp.%s.u32 %%q, %%t, 4096;\nwgmma.fence.sync.aligned;\n%s ", c->accumulates ? "lt" : "gt", opcode);
    p = name_all(p, "d", nd);
    p += sprintf(p, ", ");
    if (c->a.registers)
        p = name_all(p, "a", 4);
    else
        p += sprintf(p, "0x%llx", (unsigned long long)descriptor(&c->a, 0));
    p += sprintf(p, ", 0x%llx, %%q", (unsigned long long)descriptor(&c->b, B_AT));
    if (real)
        p += sprintf(p, ", %d, %d", c->sign_a, c->sign_b);
    if (moves && !c->a.registers)
        p += sprintf(p, ", %d", c->a.transposed);
    if (moves)
        p += sprintf(p, ", %d", c->b.transposed);
    p += sprintf(p, ";\nwgmma.commit_group.sync.aligned; wgmma.wait_group.sync.aligned 0;\n");
    for (int i = 0; i < nd; i++)
        p += sprintf(p, "st.global.b32 [%%x+%d], %%d%d;\n", SHARED + 512 * i, i);
    sprintf(p, "ret; }\n");
}

static bool run_case(const char *ptx, u8 *memory, size_t size)
{
    CUmodule m;
    CUdeviceptr d;
    void *args[] = { &d };
    CUfunction f = build_kernel(ptx, "k", &m);
    if (!f)
        return false;
    cuMemAlloc_v2(&d, size);
    cuMemcpyHtoD_v2(d, memory, size);
    bool good = !cuLaunchKernel(f, 1, 1, 1, 128, 1, 1, 0, NULL, args, NULL) && !cuMemcpyDtoH_v2(memory, d, size);
    cuMemFree_v2(d);
    cuModuleUnload(m);
    return good;
}

static int product(const group_case *c, int row, int column)
{
    int sum = c->accumulates ? start[row][column] : 0;
    for (int k = 0; k < c->k; k++)
        sum += c->sign_a * c->sign_b * left[row][k] * right[column][k];
    return sum;
}

static void check_group(const char *opcode, const group_case *c, const char *what)
{
    static u8 memory[SHARED + 65536 + 2048];
    static char ptx[40000];
    int halves = !strcmp(c->of[0], "f16"), nd = halves ? c->n / 4 : c->n / 2, bad = 0, row, column;
    u32 *d = (u32 *)(void *)(memory + SHARED), *a = (u32 *)(void *)(memory + SHARED + 65536);
    fill_case(c, memory);
    deal_registers(c, d, a);
    write_kernel(opcode, c, nd, ptx);
    bool good = run_case(ptx, memory, sizeof memory);
    for (int t = 0; good && t < 128; t++)
        for (int i = 0; i < c->n / 2; i++) {
            place_of_d(t, i, &row, &column);
            u32 v = d[(halves ? i / 2 : i) * 128 + t] >> (halves ? 16 * (i % 2) : 0);
            int got = decode_element(c->of[0], halves ? v & 0xffff : v), want = product(c, row, column);
            if (got != want && !bad++)
                diag("row %d, column %d: got %d, want %d", row, column, got, want);
        }
    ok(good && !bad, "%s, %s", opcode, what);
}

/* The types of a row of the table, and the opcode for a number of columns. */
static void name_opcode(const char *pattern, int n, group_case *c, char *opcode)
{
    const char *types = strchr(pattern, ']') + 1;
    sscanf(types, ".%7[^.].%7[^.].%7[^.]", c->of[0], c->of[1], c->of[2]);
    c->n = n;
    c->k = 256 / bits_of_type(c->of[1]);
    sprintf(opcode, "wgmma.mma_async.sync.aligned.m64n%dk%d%s", n, c->k, types);
}

static const placing BY_K = { .width = 128, .slab = 1 };

static void check_types(void)
{
    static const int sizes[] = { 8, 24, 64, 256 };
    char opcode[160];
    for (int i = 0, at = 0; i < sg_forms()->count; i++) {
        const char *pattern = sg_forms()->forms[i].pattern;
        group_case c = { .a = BY_K, .b = BY_K, .sign_a = 1, .sign_b = 1, .accumulates = true };
        if (strncmp(pattern, "wgmma.mma", 9))
            continue;
        name_opcode(pattern, sizes[at++ % 4], &c, opcode);
        check_group(opcode, &c, "both in shared memory");
        c.a.registers = true;
        check_group(opcode, &c, "A in registers");
        mark_form(opcode);
    }
}

static void check_layouts(void)
{
    char opcode[160], what[80];
    for (int width = 16; width <= 128; width *= 2)
        for (int moved = 0; moved < 4; moved++) {
            group_case c = { .a = { .width = width, .transposed = moved & 1 },
                             .b = { .width = width, .transposed = moved >> 1 },
                             .sign_a = moved & 1 ? -1 : 1,
                             .sign_b = 1,
                             .accumulates = moved != 2 };
            name_opcode("[].f32.bf16.bf16", 96, &c, opcode);
            sprintf(what, "rows of %d bytes%s%s", width, c.a.transposed ? ", A transposed" : "",
                    c.b.transposed ? ", B transposed" : "");
            check_group(opcode, &c, what);
        }
}

static const char refused[] = ".version 8.0\n.target sm_90a\n.address_size 64\n.entry k() {\n.reg .f32 %f<8>;\n"
                              ".reg .b64 %d; mov.u64 %d, 0; wgmma.mma_async.sync.aligned.m64n16k8.f32.f16.f16 "
                              "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, %d, %d, 1, 1, 1, 0, 0; ret; }\n";

void test_group_forms(void)
{
    CUmodule m;
    check_types();
    check_layouts();
    CUfunction f;
    ok(!cuModuleLoadData(&m, refused) && cuModuleGetFunction(&f, m, "k")
           && strstr(softgpuLastMessage(), "k must be 16"),
       "wgmma with a k of another type");
    cuModuleUnload(m);
    mark_form("wgmma.fence.sync.aligned");
    mark_form("wgmma.commit_group.sync.aligned");
    mark_form("wgmma.wait_group.sync.aligned");
}
