/* Bulk copies and boxes of tensors, against what the host works out of the same numbers. */
#include "test_forms.h"

static u64 copied(u32 t) { return t * 0x01010101u + 0x80; }
static u64 stored(u32 t) { return t < 16 ? (u64)t * 3 + 1 : 0; }

static u64 neighbours(u32 t) { return copied(t ^ 32); }

#define BEGIN "setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared::cta.b64 [sh+8184], 1; bar.sync 0; "
#define WAIT(label) label ": mbarrier.try_wait.parity.shared::cta.b64 %p2, [sh+8184], 0; @!%p2 bra " label "; "
static const body_case bulk_bodies[] = {
    { "cp.async.bulk to shared memory", "cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes",
      BEGIN "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [sh+8184], 256; mov.u32 %r4, sh; mov.u32 %r5, 256; "
            "@%p1 cp.async.bulk.shared::cta.global.mbarrier::complete_tx::bytes [%r4], [%d0], %r5, [sh+8184]; " WAIT(
                "W") "shl.b32 %r6, %r0, 2; add.u32 %r6, %r6, %r4; ld.shared.u32 %r5, [%r6]; st.global.u32 [%d3], %r5;",
      64, copied },
    { "an mbarrier waits for all bytes of its copies", "",
      BEGIN "@%p1 mbarrier.arrive.expect_tx.shared::cta.b64 _, [sh+8184], 256; mov.u32 %r4, sh; "
            "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4], [%d0], 128, [sh+8184]; "
            "@%p1 mbarrier.test_wait.parity.shared::cta.b64 %p3, [sh+8184], 0; @%p3 trap; "
            "@%p1 cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%r4+128], [%d0+128], 128, "
            "[sh+8184]; " WAIT(
                "W") "shl.b32 %r6, %r0, 2; add.u32 %r6, %r6, %r4; ld.shared.u32 %r5, [%r6]; st.global.u32 [%d3], %r5;",
      64, copied },
    { "cp.async.mbarrier.arrive: an mbarrier that tracks copies",
      "cp.async.mbarrier.arrive.noinc.shared.b64 cp.async.mbarrier.arrive.shared.b64",
      "setp.eq.u32 %p1, %r0, 0; @%p1 mbarrier.init.shared.b64 [sh+8184], 64; bar.sync 0; shl.b32 %r4, %r0, 2; "
      "mov.u32 %r5, sh; add.u32 %r6, %r5, %r4; mul.wide.u32 %d4, %r0, 4; add.u64 %d4, %d0, %d4; "
      "cp.async.ca.shared.global [%r6], [%d4], 4; cp.async.mbarrier.arrive.shared.b64 [sh+8184]; "
      "cp.async.mbarrier.arrive.noinc.shared.b64 [sh+8184]; " WAIT(
          "W") "xor.b32 %r4, %r4, 128; add.u32 %r6, %r5, %r4; ld.shared.u32 %r5, [%r6]; st.global.u32 [%d3], %r5;",
      64, neighbours },
    { "cp.async.bulk to global memory",
      "cp.async.bulk.global.shared::cta.bulk_group cp.async.bulk.commit_group cp.async.bulk.wait_group",
      "mad.lo.u32 %r4, %r0, 3, 1; mov.u32 %r5, 0; shl.b32 %r6, %r0, 3; mov.u32 %r7, sh; add.u32 %r6, %r6, %r7; "
      "st.shared.v2.u32 [%r6], {%r4,%r5}; fence.proxy.async.shared::cta; bar.sync 0; setp.eq.u32 %p1, %r0, 0; "
      "@%p1 cp.async.bulk.global.shared::cta.bulk_group [%d1], [%r7], 128; @%p1 cp.async.bulk.commit_group; "
      "@%p1 cp.async.bulk.wait_group.read 0; @%p1 cp.async.bulk.wait_group 0;",
      32, stored },
};

/* --- boxes --- */
enum { SIDE = 24, ELEMENTS = SIDE * SIDE * 4, BOX_BYTES = 8192 };

typedef struct box_case {
    const char *name;
    int rank, swizzle, fill;
    int extents[3], box[3], steps[3], at[3];
    bool by_device; /* the map is made in the kernel */
} box_case;
static const box_case boxes[] = {
    { "a line", 1, 0, 0, { 100, 1, 1 }, { 64, 1, 1 }, { 1, 1, 1 }, { 8, 0, 0 }, false },
    { "a line that begins before the tensor", 1, 0, 0, { 100, 1, 1 }, { 64, 1, 1 }, { 1, 1, 1 }, { -5, 0, 0 }, false },
    { "rows of 32 bytes, swizzled", 2, 1, 0, { 24, 20, 1 }, { 16, 20, 1 }, { 1, 1, 1 }, { 3, 2, 0 }, false },
    { "rows of 64 bytes, swizzled", 2, 2, 0, { 48, 20, 1 }, { 32, 16, 1 }, { 1, 1, 1 }, { 20, 9, 0 }, false },
    { "rows of 128 bytes, swizzled", 2, 3, 0, { 64, 16, 1 }, { 64, 16, 1 }, { 1, 1, 1 }, { 0, -3, 0 }, false },
    { "NaN outside", 2, 0, 1, { 40, 12, 1 }, { 32, 8, 1 }, { 1, 1, 1 }, { 19, 8, 0 }, false },
    { "three dimensions", 3, 0, 0, { 16, 10, 6 }, { 8, 4, 3 }, { 1, 1, 1 }, { 5, 8, 1 }, false },
    { "every second row", 2, 0, 0, { 24, 20, 1 }, { 16, 12, 1 }, { 1, 2, 1 }, { 0, 3, 0 }, false },
    { "a map that the kernel makes", 2, 3, 0, { 64, 16, 1 }, { 64, 8, 1 }, { 1, 1, 1 }, { 8, 10, 0 }, true },
};

/* Of element i of the box: its row, counted through all but the first dimension, and the tensor's cell or -1. */
static int cell_of(const box_case *c, int i, int *row, int *column)
{
    int coordinate[3], rest = i / c->box[0];
    *column = i % c->box[0];
    *row = rest;
    coordinate[0] = c->at[0] + *column;
    for (int d = 1; d < 3; d++) {
        int n = (c->box[d] + c->steps[d] - 1) / c->steps[d];
        coordinate[d] = c->at[d] + rest % n * c->steps[d];
        rest /= n;
    }
    for (int d = 0; d < c->rank; d++)
        if (coordinate[d] < 0 || coordinate[d] >= c->extents[d])
            return -1;
    return (coordinate[2] * c->extents[1] + coordinate[1]) * c->extents[0] + coordinate[0];
}

/* The 16-byte pieces of rows of 32, 64 or 128 bytes are permuted by the row. */
static int half_at(const box_case *c, int row, int column)
{
    int width = c->box[0] * 2, piece = column / 8;
    if (c->swizzle)
        piece ^= row % 8 * width / 128;
    return (row * width + piece * 16) / 2 + column % 8;
}

static int count_of(const box_case *c)
{
    int n = c->box[0];
    for (int d = 1; d < 3; d++)
        n *= (c->box[d] + c->steps[d] - 1) / c->steps[d];
    return n;
}

#define REPLACE(field, type, ...) "tensormap.replace.tile." field ".shared::cta.b1024." type " [mp], " __VA_ARGS__ ";\n"
static char *make_map(char *p, const box_case *c)
{
    return p
           + sprintf(p,
                     REPLACE("global_address", "b64", "%%tensor") REPLACE("rank", "b32", "1")
                         REPLACE("global_dim", "b32", "0, %d") REPLACE("global_dim", "b32", "1, %d")
                             REPLACE("global_stride", "b64", "0, %d") REPLACE("box_dim", "b32", "0, %d")
                                 REPLACE("box_dim", "b32", "1, %d") REPLACE("element_stride", "b32", "0, 1")
                                     REPLACE("element_stride", "b32", "1, 1") REPLACE("elemtype", "b32", "6")
                                         REPLACE("interleave_layout", "b32", "0") REPLACE("swizzle_mode", "b32", "%d")
                                             REPLACE("fill_mode", "b32", "%d"),
                     c->extents[0], c->extents[1], 2 * c->extents[0], c->box[0], c->box[1], c->swizzle, c->fill);
}

/* One thread loads the box, all copy what is in shared memory to the results, and one stores the box to another tensor.
 */
static void write_kernel(const box_case *c, char *p)
{
    int n = count_of(c) * 2;
    char at[64];
    sprintf(at, c->rank == 1 ? "{%d}" : c->rank == 2 ? "{%d, %d}" : "{%d, %d, %d}", c->at[0], c->at[1], c->at[2]);
    p += sprintf(
        p,
        ".version 8.7\n.target sm_90\n.address_size 64\n.entry k(.param .align 64 .b8 map[128], .param .align 64 "
        ".b8 map2[128], .param .u64 results, .param .u64 t, .param .u64 space) {\n.shared .align 1024 .b8 sm[%d];\n"
        ".shared .align 128 .b8 mp[128]; .shared .align 8 .b64 bar; .reg .pred %%p, %%q; .reg .b64 %%m, %%m2, %%o, "
        "%%x, %%tensor; .reg .b32 %%t, %%i, %%v, %%w;\nmov.u32 %%t, %%tid.x; setp.eq.u32 %%p, %%t, 0;\n"
        "mov.u64 %%m, map; cvta.param.u64 %%m, %%m; mov.u64 %%m2, map2; cvta.param.u64 %%m2, %%m2;\n"
        "ld.param.u64 %%o, [results]; ld.param.u64 %%tensor, [t];\n@%%p mbarrier.init.shared.b64 [bar], 1;\n"
        "shl.b32 %%i, %%t, 2; mov.u32 %%w, mp; add.u32 %%w, %%w, %%i; st.shared.u32 [%%w], 0; bar.sync 0;\n",
        BOX_BYTES);
    if (c->by_device) {
        p = make_map(p, c);
        p += sprintf(
            p, "bar.sync 0; ld.param.u64 %%m, [space];\n"
               "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned [%%m], [mp], "
               "128;\nfence.proxy.tensormap::generic.acquire.gpu [%%m], 128;\n");
    }
    sprintf(
        p,
        "@%%p cp.async.bulk.prefetch.tensor.%dd.L2.global [%%m, %s];\n"
        "@%%p mbarrier.arrive.expect_tx.shared.b64 _, [bar], %d;\n"
        "@%%p cp.async.bulk.tensor.%dd.shared::cta.global.tile.mbarrier::complete_tx::bytes [sm], [%%m, %s], [bar];\n"
        "W: mbarrier.try_wait.parity.shared.b64 %%q, [bar], 0; @!%%q bra W;\n"
        "L: cvt.u64.u32 %%x, %%i; add.u64 %%x, %%x, %%o; mov.u32 %%w, sm; add.u32 %%w, %%w, %%i;\n"
        "ld.shared.u32 %%v, [%%w]; st.global.u32 [%%x], %%v; add.u32 %%i, %%i, 128; setp.lt.u32 %%q, %%i, %d; "
        "@%%q bra L;\n@%%p cp.async.bulk.tensor.%dd.global.shared::cta.bulk_group [%%m2, %s], [sm];\n"
        "@%%p cp.async.bulk.commit_group; @%%p cp.async.bulk.wait_group 0;\nret; }\n",
        c->rank, at, n, c->rank, at, n, c->rank, at);
}

static int encode(const box_case *c, CUtensorMap *map, CUdeviceptr tensor)
{
    uint64_t extents[3],
        strides[3] = { 2 * (uint64_t)c->extents[0], 2 * (uint64_t)c->extents[0] * (uint64_t)c->extents[1] };
    uint32_t box[3], steps[3];
    for (int d = 0; d < 3; d++) {
        extents[d] = (uint64_t)c->extents[d];
        box[d] = (uint32_t)c->box[d];
        steps[d] = (uint32_t)c->steps[d];
    }
    return (int)cuTensorMapEncodeTiled(map, 6, (unsigned)c->rank, (void *)(uintptr_t)tensor, extents, strides, box,
                                       steps, 0, c->swizzle, 0, c->fill);
}

/* Element i of the tensor is i + 1. */
static bool run_box(const box_case *c, u16 *results, u16 *again)
{
    static char ptx[8000];
    u16 tensor[ELEMENTS];
    CUmodule m;
    CUdeviceptr d[4];
    CUtensorMap maps[2];
    void *args[] = { &maps[0], &maps[1], &d[2], &d[0], &d[3] };
    write_kernel(c, ptx);
    CUfunction f = build_kernel(ptx, "k", &m);
    if (!f)
        return false;
    for (int i = 0; i < ELEMENTS; i++)
        tensor[i] = (u16)(i + 1);
    for (int i = 0; i < 4; i++) {
        cuMemAlloc_v2(&d[i], BOX_BYTES);
        cuMemsetD8_v2(d[i], 0, BOX_BYTES);
    }
    cuMemcpyHtoD_v2(d[0], tensor, sizeof tensor);
    bool good = !encode(c, &maps[0], d[0]) && !encode(c, &maps[1], d[1])
                && !cuLaunchKernel(f, 1, 1, 1, 32, 1, 1, 0, NULL, args, NULL) && !cuCtxSynchronize();
    cuMemcpyDtoH_v2(results, d[2], BOX_BYTES);
    cuMemcpyDtoH_v2(again, d[1], BOX_BYTES);
    for (int i = 0; i < 4; i++)
        cuMemFree_v2(d[i]);
    cuModuleUnload(m);
    return good;
}

static void check_box(const box_case *c)
{
    static u16 results[BOX_BYTES / 2], again[BOX_BYTES / 2];
    static bool seen[BOX_BYTES / 2];
    int bad = 0, row, column;
    memset(seen, 0, sizeof seen);
    bool good = run_box(c, results, again);
    for (int i = 0; good && i < count_of(c); i++) {
        int cell = cell_of(c, i, &row, &column), want = cell < 0 ? (c->fill ? 0x7fff : 0) : cell + 1;
        int got = results[half_at(c, row, column)];
        if (got != want && !bad++)
            diag("element %d of the box: got %d, want %d", i, got, want);
        if (cell >= 0)
            seen[cell] = true;
    }
    for (int i = 0; good && i < BOX_BYTES / 2; i++)
        if (again[i] != (seen[i] ? i + 1 : 0) && !bad++)
            diag("element %d of the tensor that was stored to: got %d", i, again[i]);
    ok(good && !bad, "a tensor's box: %s", c->name);
}

static void check_refusals(void)
{
    CUtensorMap map;
    uint64_t extents[2] = { 64, 8 }, strides[1] = { 128 };
    uint32_t box[2] = { 64, 8 }, steps[2] = { 1, 1 };
    void *at = (void *)(uintptr_t)0x1000;
    ok(!cuTensorMapEncodeTiled(&map, 6, 2, at, extents, strides, box, steps, 0, 3, 0, 0), "a map can be made");
    ok(!cuTensorMapReplaceAddress(&map, at) && cuTensorMapReplaceAddress(&map, (u8 *)at + 8), "its address replaced");
    ok(cuTensorMapEncodeTiled(&map, 6, 2, at, extents, strides, box, steps, 0, 2, 0, 0), "rows wider than the swizzle");
    ok(cuTensorMapEncodeTiled(&map, 6, 6, at, extents, strides, box, steps, 0, 0, 0, 0), "six dimensions");
    strides[0] = 120;
    ok(cuTensorMapEncodeTiled(&map, 6, 2, at, extents, strides, box, steps, 0, 0, 0, 0), "a stride of no 16 bytes");
    strides[0] = 128;
    box[1] = 257;
    ok(cuTensorMapEncodeTiled(&map, 6, 2, at, extents, strides, box, steps, 0, 0, 0, 0), "a box of 257 rows");
    box[1] = 8;
    ok(cuTensorMapEncodeTiled(&map, 6, 2, at, extents, strides, box, steps, 1, 0, 0, 0), "an interleaved layout");
}

void test_bulk_forms(void)
{
    static const char *const forms[] = {
        "cp.async.bulk.prefetch.L2.global",
        "cp.async.bulk.prefetch.tensor.2d.L2.global",
        "cp.async.bulk.tensor.2d.shared::cta.global.mbarrier::complete_tx::bytes",
        "cp.async.bulk.tensor.2d.global.shared::cta.bulk_group",
        "tensormap.cp_fenceproxy.global.shared::cta.tensormap::generic.release.gpu.sync.aligned",
        "fence.proxy.tensormap::generic.acquire.gpu",
    };
    static const char *const fields[] = { "global_address.b1024.b64", "global_stride.b1024.b64",
                                          "global_dim.b1024.b32",     "element_stride.b1024.b32",
                                          "box_dim.b1024.b32",        "rank.b1024.b32",
                                          "elemtype.b1024.b32",       "swizzle_mode.b1024.b32",
                                          "fill_mode.b1024.b32",      "interleave_layout.b1024.b32" };
    for (size_t i = 0; i < COUNT(bulk_bodies); i++)
        check_body(&bulk_bodies[i]);
    for (size_t i = 0; i < COUNT(boxes); i++)
        check_box(&boxes[i]);
    check_refusals();
    for (size_t i = 0; i < COUNT(forms); i++)
        mark_form(forms[i]);
    for (size_t i = 0; i < COUNT(fields); i++) {
        char opcode[80];
        snprintf(opcode, sizeof opcode, "tensormap.replace.tile.%s", fields[i]);
        mark_form(opcode);
    }
}
