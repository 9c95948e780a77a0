/* The checkers: small buggy kernels that must be reported at the marked line, and correct twins that must not be. */
#include "../conformance/tap.h"
#undef fail
#include "api_proto.h"
#include "base.h"
#include "softgpu.h"

typedef struct check_case {
    const char *name;
    u32 check;              /* that must report, 0 for a correct twin */
    unsigned grid[3], block[3];
    const char *body;       /* the faulty statement is on the line marked BUG; OTHER marks a race's other party */
} check_case;

#define T1 "mov.u32 %r0, %tid.x; shl.b32 %r1, %r0, 2; mov.u32 %r2, sh; add.u32 %r2, %r2, %r1; cvt.u64.u32 %d4, %r1; add.u64 %d2, %d0, %d4; add.u64 %d3, %d1, %d4;\n"
#define SH_SIZE "1024"
/* in has 1024 words that are written, out has 1024 that are not. */
static const check_case cases[] = {
    /* memcheck */
    { "load beyond the end", SOFTGPU_MEMCHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "ld.global.u32 %r5, [%d2+4092]; // BUG\nst.global.u32 [%d3], %r5;\n" },
    { "load up to the end", 0, { 1, 1, 1 }, { 32, 1, 1 }, T1 "ld.global.u32 %r5, [%d2+3968];\nst.global.u32 [%d3], %r5;\n" },
    { "store before the start", SOFTGPU_MEMCHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "st.global.u32 [%d3+-4], %r0; // BUG\n" },
    { "misaligned load", SOFTGPU_MEMCHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "ld.global.u32 %r5, [%d2+2]; // BUG\nst.global.u32 [%d3], %r5;\n" },
    { "misaligned vector", SOFTGPU_MEMCHECK, { 1, 1, 1 }, { 1, 1, 1 }, T1 "ld.global.v2.u32 {%r5,%r6}, [%d2+4]; // BUG\nst.global.u32 [%d3], %r5;\n" },
    { "aligned vector", 0, { 1, 1, 1 }, { 1, 1, 1 }, T1 "ld.global.v2.u32 {%r5,%r6}, [%d2+8];\nst.global.u32 [%d3], %r5;\n" },
    { "null pointer", SOFTGPU_MEMCHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "mov.u64 %d5, 0;\nld.global.u32 %r5, [%d5+16]; // BUG\nst.global.u32 [%d3], %r5;\n" },
    { "shared out of bounds", SOFTGPU_MEMCHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "st.shared.u32 [%r2+" SH_SIZE "], %r0; // BUG\n" },
    { "shared within bounds", 0, { 1, 1, 1 }, { 32, 1, 1 }, T1 "st.shared.u32 [%r2+896], %r0;\n" },
    { "local out of bounds", SOFTGPU_MEMCHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "mov.u64 %d5, loc;\nst.local.u32 [%d5+4096], %r0; // BUG\n" },
    { "one lane of many is wrong", SOFTGPU_MEMCHECK, { 1, 1, 1 }, { 64, 1, 1 }, T1 "setp.eq.u32 %p1, %r0, 37;\n@%p1 mov.u64 %d2, 12345678;\nld.global.u32 %r5, [%d2]; // BUG\nst.global.u32 [%d3], %r5;\n" },
    { "write to constant memory", SOFTGPU_MEMCHECK, { 1, 1, 1 }, { 1, 1, 1 }, T1 "mov.u64 %d5, cst;\nst.u32 [%d5], %r0; // BUG\n" },
    /* initcheck */
    { "branch on unwritten global memory", SOFTGPU_INITCHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "ld.global.u32 %r5, [%d3];\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra SKIP; // BUG\nst.global.u32 [%d3], %r0;\nSKIP:\n" },
    { "branch on written global memory", 0, { 1, 1, 1 }, { 32, 1, 1 }, T1 "ld.global.u32 %r5, [%d2];\nsetp.eq.u32 %p1, %r5, 0;\n@%p1 bra SKIP;\nst.global.u32 [%d3], %r0;\nSKIP:\n" },
    { "address from unwritten shared memory", SOFTGPU_INITCHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "ld.shared.u32 %r5, [%r2];\nand.b32 %r5, %r5, 60;\ncvt.u64.u32 %d5, %r5;\nadd.u64 %d5, %d0, %d5;\nld.global.u32 %r6, [%d5]; // BUG\nst.global.u32 [%d3], %r6;\n" },
    { "address from written shared memory", 0, { 1, 1, 1 }, { 32, 1, 1 }, T1 "st.shared.u32 [%r2], %r0;\nld.shared.u32 %r5, [%r2];\nand.b32 %r5, %r5, 60;\ncvt.u64.u32 %d5, %r5;\nadd.u64 %d5, %d0, %d5;\nld.global.u32 %r6, [%d5];\nst.global.u32 [%d3], %r6;\n" },
    { "store of an unwritten local value", SOFTGPU_INITCHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "mov.u64 %d5, loc;\nld.local.u32 %r5, [%d5+8];\nadd.u32 %r5, %r5, 1;\nst.global.u32 [%d3], %r5; // BUG\n" },
    { "store of a register that one path leaves out", SOFTGPU_INITCHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "setp.gt.u32 %p1, %r0, 7;\n@%p1 bra SKIP;\nmov.u32 %r7, 5;\nSKIP:\nst.global.u32 [%d3], %r7; // BUG\n" },
    { "store of a register that every path writes", 0, { 1, 1, 1 }, { 32, 1, 1 }, T1 "setp.gt.u32 %p1, %r0, 7;\nmov.u32 %r7, 6;\n@%p1 bra SKIP;\nmov.u32 %r7, 5;\nSKIP:\nst.global.u32 [%d3], %r7;\n" },
    { "unwritten bits that are masked away", 0, { 1, 1, 1 }, { 32, 1, 1 }, T1 "st.shared.u16 [%r2], 5;\nld.shared.u32 %r5, [%r2];\nand.b32 %r5, %r5, 0xffff;\nsetp.eq.u32 %p1, %r5, 5;\n@%p1 bra SKIP;\ntrap;\nSKIP:\nst.global.u32 [%d3], 1;\n" },
    { "the written half of a word, widened", 0, { 1, 1, 1 }, { 32, 1, 1 }, T1 "st.shared.u16 [%r2], 5;\nld.shared.u32 %r5, [%r2];\ncvt.u64.u32 %d5, %r5;\nand.b64 %d5, %d5, 0xfc;\nadd.u64 %d5, %d0, %d5;\nld.global.u32 %r6, [%d5];\nst.global.u32 [%d3], %r6;\n" },
    { "a negated predicate that is defined", 0, { 1, 1, 1 }, { 32, 1, 1 }, T1 "setp.gt.u32 %p1, %r0, 7;\nselp.u32 %r7, 1, 2, !%p1;\nst.global.u32 [%d3], %r7;\n" },
    { "a shuffle of values that nobody wrote", SOFTGPU_INITCHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "ld.shared.u32 %r5, [%r2];\nshfl.sync.down.b32 %r6, %r5, 1, 31, -1;\nst.global.u32 [%d3], %r6; // BUG\n" },
    { "padding that is only copied", 0, { 1, 1, 1 }, { 32, 1, 1 }, T1 "st.shared.u8 [%r2], 5;\nld.shared.u32 %r5, [%r2];\nst.global.u32 [%d3], %r5;\n" },
    /* racecheck */
    { "neighbour in shared memory without a barrier", SOFTGPU_RACECHECK, { 1, 1, 1 }, { 64, 1, 1 }, T1 "st.shared.u32 [%r2], %r0; // OTHER\nxor.b32 %r5, %r1, 128;\nmov.u32 %r6, sh;\nadd.u32 %r5, %r5, %r6;\nld.shared.u32 %r7, [%r5]; // BUG\nst.global.u32 [%d3], %r7;\n" },
    { "neighbour in shared memory with a barrier", 0, { 1, 1, 1 }, { 64, 1, 1 }, T1 "st.shared.u32 [%r2], %r0;\nxor.b32 %r5, %r1, 128;\nmov.u32 %r6, sh;\nadd.u32 %r5, %r5, %r6;\nbar.sync 0;\nld.shared.u32 %r7, [%r5];\nst.global.u32 [%d3], %r7;\n" },
    { "lane in shared memory without a warp barrier", SOFTGPU_RACECHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "st.shared.u32 [%r2], %r0; // OTHER\nxor.b32 %r5, %r1, 4;\nmov.u32 %r6, sh;\nadd.u32 %r5, %r5, %r6;\nld.shared.u32 %r7, [%r5]; // BUG\nst.global.u32 [%d3], %r7;\n" },
    { "lane in shared memory with a warp barrier", 0, { 1, 1, 1 }, { 32, 1, 1 }, T1 "st.shared.u32 [%r2], %r0;\nxor.b32 %r5, %r1, 4;\nmov.u32 %r6, sh;\nadd.u32 %r5, %r5, %r6;\nbar.warp.sync -1;\nld.shared.u32 %r7, [%r5];\nst.global.u32 [%d3], %r7;\n" },
    { "a generic load from shared and from global memory", 0, { 1, 1, 1 }, { 32, 1, 1 }, T1 "st.shared.u32 [%r2], %r0;\nmov.u64 %d5, sh;\ncvta.shared.u64 %d5, %d5;\nadd.u64 %d5, %d5, %d4;\nsetp.lt.u32 %p1, %r0, 7;\nselp.b64 %d5, %d2, %d5, %p1;\nld.u32 %r5, [%d5];\nst.global.u32 [%d3], %r5;\n" },
    { "a write after a warp's reads, with a warp barrier", 0, { 1, 1, 1 }, { 32, 1, 1 }, T1 "st.shared.u32 [%r2], %r0;\nbar.warp.sync -1;\nld.shared.u32 %r7, [sh+8];\nbar.warp.sync -1;\nadd.u32 %r7, %r7, %r0;\nst.shared.u32 [%r2], %r7;\n" },
    { "a write after a warp's reads, without one", SOFTGPU_RACECHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "st.shared.u32 [%r2], %r0;\nbar.warp.sync -1;\nld.shared.u32 %r7, [sh+8]; // OTHER\nadd.u32 %r7, %r7, %r0;\nst.shared.u32 [%r2], %r7; // BUG\n" },
    { "a write after two warps' reads, with a warp barrier", SOFTGPU_RACECHECK, { 1, 1, 1 }, { 64, 1, 1 }, T1 "st.shared.u32 [%r2], %r0;\nbar.sync 0;\nld.shared.u32 %r7, [sh+136]; // OTHER\nbar.warp.sync -1;\nadd.u32 %r7, %r7, %r0;\nst.shared.u32 [%r2], %r7; // BUG\n" },
    { "write after a neighbour's read", SOFTGPU_RACECHECK, { 1, 1, 1 }, { 64, 1, 1 }, T1 "st.shared.u32 [%r2], %r0;\nbar.sync 0;\nxor.b32 %r5, %r1, 128;\nmov.u32 %r6, sh;\nadd.u32 %r5, %r5, %r6;\nld.shared.u32 %r7, [%r5]; // OTHER\nadd.u32 %r7, %r7, 1;\nst.shared.u32 [%r2], %r7; // BUG\n" },
    { "two threads write different values", SOFTGPU_RACECHECK, { 1, 1, 1 }, { 64, 1, 1 }, T1 "st.global.u32 [%d1], %r0; // BUG\n" },
    { "two threads write the same value", 0, { 1, 1, 1 }, { 64, 1, 1 }, T1 "st.global.u32 [%d1], 1;\nst.global.u32 [%d1], 1;\n" },
    { "blocks write the same word", SOFTGPU_RACECHECK, { 2, 1, 1 }, { 1, 1, 1 }, T1 "mov.u32 %r5, %ctaid.x;\nst.global.u32 [%d1], %r5; // BUG\n" },
    { "blocks (1,0) and (0,1) write the same word", SOFTGPU_RACECHECK, { 2, 2, 1 }, { 1, 1, 1 }, T1 "mov.u32 %r5, %ctaid.x;\nmov.u32 %r6, %ctaid.y;\nsetp.eq.u32 %p1, %r5, %r6;\n@%p1 bra SKIP;\nst.global.u32 [%d1], %r5; // BUG\nSKIP:\n" },
    { "blocks of a 3-D grid write their own words", 0, { 2, 2, 2 }, { 2, 2, 2 }, "mov.u32 %r3, %ctaid.x; mov.u32 %r4, %ctaid.y; mov.u32 %r5, %ctaid.z; mov.u32 %r6, %tid.x; mov.u32 %r7, %tid.y; mov.u32 %r8, %tid.z;\nmad.lo.u32 %r3, %r4, 2, %r3;\nmad.lo.u32 %r3, %r5, 4, %r3;\nmad.lo.u32 %r6, %r7, 2, %r6;\nmad.lo.u32 %r6, %r8, 4, %r6;\nmad.lo.u32 %r3, %r3, 8, %r6;\nmul.wide.u32 %d4, %r3, 4;\nadd.u64 %d4, %d1, %d4;\nst.global.u32 [%d4], %r3;\n" },
    { "blocks of a 3-D grid share a word", SOFTGPU_RACECHECK, { 1, 2, 2 }, { 1, 1, 1 }, "mov.u32 %r3, %ctaid.y; mov.u32 %r4, %ctaid.z;\nmad.lo.u32 %r3, %r4, 2, %r3;\nadd.u32 %r3, %r3, 3;\nst.global.u32 [%d1], %r3; // BUG\n" },
    { "atomics on one word", 0, { 4, 1, 1 }, { 64, 1, 1 }, T1 "atom.global.add.u32 %r5, [%d0], 1;\n" },
    { "an atomic and a plain load", SOFTGPU_RACECHECK, { 1, 1, 1 }, { 64, 1, 1 }, T1 "atom.global.add.u32 %r5, [%d0], 1; // OTHER\nld.global.u32 %r6, [%d0]; // BUG\nst.global.u32 [%d3], %r6;\n" },
    { "bytes of one word by different threads", 0, { 1, 1, 1 }, { 64, 1, 1 }, "mov.u32 %r0, %tid.x; cvt.u64.u32 %d4, %r0; add.u64 %d4, %d1, %d4;\nst.global.u8 [%d4], %r0;\n" },
    { "a byte of a word that another thread reads", SOFTGPU_RACECHECK, { 1, 1, 1 }, { 64, 1, 1 }, "mov.u32 %r0, %tid.x; cvt.u64.u32 %d4, %r0; add.u64 %d4, %d1, %d4;\nst.global.u8 [%d4], %r0; // OTHER\nxor.b32 %r0, %r0, 32;\ncvt.u64.u32 %d4, %r0; add.u64 %d4, %d1, %d4;\nld.global.u8 %r5, [%d4]; // BUG\nst.shared.u8 [sh], %r5;\n" },
    { "the last block reads what the others wrote, by fence and atomic", 0, { 4, 1, 1 }, { 32, 1, 1 },
      T1 "mov.u32 %r3, %ctaid.x;\nmul.wide.u32 %d5, %r3, 4;\nadd.u64 %d5, %d1, %d5;\nsetp.ne.u32 %p1, %r0, 0;\n@%p1 bra END;\nst.global.u32 [%d5], %r3;\nmembar.gl;\natom.global.add.u32 %r5, [%d0], 1;\nsetp.ne.u32 %p1, %r5, 131;\n@%p1 bra END;\nld.global.u32 %r6, [%d1+4];\nst.shared.u32 [sh], %r6;\nEND:\n" },
    { "a block reads what another wrote", SOFTGPU_RACECHECK, { 2, 1, 1 }, { 1, 1, 1 }, T1 "mov.u32 %r3, %ctaid.x;\nmul.wide.u32 %d5, %r3, 4;\nadd.u64 %d5, %d1, %d5;\nst.global.u32 [%d5], %r3; // OTHER\nld.global.u32 %r6, [%d1]; // BUG\nst.shared.u32 [sh], %r6;\n" },
    /* synccheck */
    { "barrier in a divergent branch", SOFTGPU_SYNCCHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "setp.lt.u32 %p1, %r0, 5;\n@%p1 bra SKIP;\nbar.sync 0; // BUG\nSKIP:\nst.global.u32 [%d3], %r0;\n" },
    { "barrier in a branch that all threads take", 0, { 1, 1, 1 }, { 64, 1, 1 }, T1 "setp.gt.u32 %p1, %r0, 500;\n@%p1 bra SKIP;\nbar.sync 0;\nSKIP:\nst.global.u32 [%d3], %r0;\n" },
    { "barrier after some threads returned", 0, { 1, 1, 1 }, { 64, 1, 1 }, T1 "setp.gt.u32 %p1, %r0, 40;\n@%p1 ret;\nbar.sync 0;\nst.global.u32 [%d3], %r0;\n" },
    { "a long loop while other lanes have nothing left to do", 0, { 1, 1, 1 }, { 32, 1, 1 }, T1 "setp.gt.u32 %p1, %r0, 4;\n@%p1 bra END;\nmov.u32 %r5, 0;\nLOOP:\nadd.u32 %r5, %r5, 1;\nsetp.lt.u32 %p1, %r5, 5000;\n@%p1 bra LOOP;\nst.global.u32 [%d3], %r5;\nEND:\n" },
    { "shuffle from a lane that is elsewhere", SOFTGPU_SYNCCHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "setp.lt.u32 %p1, %r0, 16;\nmov.u32 %r6, 3;\n@%p1 bra SKIP;\nshfl.sync.bfly.b32 %r6, %r0, 16, 0x1f, -1; // BUG\nSKIP:\nst.shared.u32 [%r2], %r6;\n" },
    { "shuffle among the lanes that are there", 0, { 1, 1, 1 }, { 32, 1, 1 }, T1 "setp.lt.u32 %p1, %r0, 16;\nmov.u32 %r6, 3;\n@%p1 bra SKIP;\nshfl.sync.bfly.b32 %r6, %r0, 8, 0x1f, 0xffff0000;\nSKIP:\nst.shared.u32 [%r2], %r6;\n" },
    { "shuffle on both sides of a branch", 0, { 1, 1, 1 }, { 32, 1, 1 }, T1 "setp.lt.u32 %p1, %r0, 16;\n@%p1 bra ELSE;\nshfl.sync.bfly.b32 %r6, %r0, 1, 0x1f, 0xffff0000;\nbra END;\nELSE:\nshfl.sync.bfly.b32 %r6, %r0, 1, 0x1f, 0xffff;\nEND:\nst.shared.u32 [%r2], %r6;\n" },
    { "a lane that the mask does not name", SOFTGPU_SYNCCHECK, { 1, 1, 1 }, { 32, 1, 1 }, T1 "vote.sync.ballot.b32 %r6, %p1, 0xff; // BUG\nst.shared.u32 [%r2], %r6;\n" },
    { "a barrier for threads that never come", SOFTGPU_SYNCCHECK, { 1, 1, 1 }, { 64, 1, 1 }, T1 "setp.lt.u32 %p1, %r0, 32;\n@%p1 bra ONE;\nbar.sync 2; // BUG\nbra END;\nONE:\nbar.sync 3;\nEND:\nst.global.u32 [%d3], %r0;\n" },
};

static int marked_line(const char *ptx, const char *mark)
{
    int line = 1;
    const char *at = strstr(ptx, mark);
    for (const char *p = ptx; at && p < at; p++) line += *p == '\n';
    return at ? line : 0;
}

static void write_kernel(char *ptx, size_t size, const char *body)
{
    snprintf(ptx, size, ".version 8.5\n.target sm_90\n.address_size 64\n.const .align 4 .b32 cst[2] = { 1, 2 };\n.visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
        ".reg .pred %%p<8>; .reg .b32 %%r<16>; .reg .b64 %%d<16>; .shared .align 16 .b8 sh[" SH_SIZE "]; .local .align 16 .b8 loc[64];\n"
        "ld.param.u64 %%d0, [p0]; ld.param.u64 %%d1, [p1];\n%s\nret;\n}\n", body);
}

static void describe_reports(void)
{
    softgpuReport r;
    for (size_t i = 0; !softgpuGetReport(i, &r); i++) diag("%s", r.text);
}

/* Does a report of this check name the marked line, and the other line where one is marked? */
static bool reported(u32 check, int line, int other)
{
    softgpuReport r;
    bool found = false;
    for (size_t i = 0; !softgpuGetReport(i, &r); i++)
        found |= r.check == check && r.line == line && (!other || r.other_line == other) && !strcmp(r.kernel, "k");
    return found;
}

static void run_case(const check_case *c, u32 checks)
{
    CUcontext ctx;
    CUmodule m;
    CUfunction f = NULL;
    CUdeviceptr in, out;
    char ptx[6000];
    static u32 data[1024];
    void *args[] = { &in, &out };
    write_kernel(ptx, sizeof ptx, c->body);
    softgpuSetChecks(checks);
    softgpuClearReports();
    cuCtxCreate_v2(&ctx, 0, 0);
    for (u32 i = 0; i < 1024; i++) data[i] = 128 + i;
    cuMemAlloc_v2(&in, sizeof data);
    cuMemAlloc_v2(&out, sizeof data);
    cuMemcpyHtoD_v2(in, data, sizeof data);
    if (cuModuleLoadData(&m, ptx) || cuModuleGetFunction(&f, m, "k")) diag("%s", softgpuLastMessage());
    if (f) cuLaunchKernel(f, c->grid[0], c->grid[1], c->grid[2], c->block[0], c->block[1], c->block[2], 0, NULL, args, NULL);
    CUresult r = cuCtxSynchronize();
    int line = marked_line(ptx, "// BUG"), other = marked_line(ptx, "// OTHER");
    bool good = f && (c->check & checks ? reported(c->check, line, other) : softgpuReportCount() == 0);
    if (!c->check) good = good && !r;
    if (!good) { describe_reports(); diag("bug at line %d, other at %d", line, other); }
    ok(good, "%s: %s", c->name, c->check & checks ? "reported at its line" : c->check ? "silent when that check is off" : "no report");
    cuMemFree_v2(in);
    cuMemFree_v2(out);
    cuCtxDestroy_v2(ctx);
}

static void test_lint(void)
{
    static const char *const bodies[] = { "mul.f32 %f1, %f2, %f3;\nadd.f32 %f4, %f1, %f2;\n", "mul.rn.f32 %f1, %f2, %f3;\nadd.rn.f32 %f4, %f1, %f2;\n" };
    char ptx[500];
    CUcontext ctx;
    CUmodule m;
    cuCtxCreate_v2(&ctx, 0, 0);
    softgpuSetChecks(SOFTGPU_LINT);
    for (int i = 0; i < 2; i++) {
        softgpuReport r = { 0 };
        softgpuClearReports();
        snprintf(ptx, sizeof ptx, ".version 8.5\n.target sm_90\n.address_size 64\n.entry k()\n{ .reg .f32 %%f<5>;\n%sret;\n}\n", bodies[i]);
        cuModuleLoadData(&m, ptx);
        softgpuGetReport(0, &r);
        ok(softgpuReportCount() == (i ? 0 : 1) && r.line == (i ? 0 : 6), i ? "lint: .rn forms are not reported" : "lint: an unqualified mul feeds an add");
    }
    cuCtxDestroy_v2(ctx);
}

static void test_leaks_and_frees(void)
{
    CUcontext ctx;
    CUdeviceptr a, b;
    u32 word[4];
    softgpuSetChecks(SOFTGPU_ALL_CHECKS);
    softgpuClearReports();
    cuCtxCreate_v2(&ctx, 0, 0);
    cuMemAlloc_v2(&a, 100);
    cuMemAlloc_v2(&b, 100);
    ok(cuMemcpyDtoH_v2(word, b, 16) == CUDA_SUCCESS && softgpuReportCount() == 1, "a copy of unwritten memory to the host is reported");
    cuMemFree_v2(b);
    ok(cuMemFree_v2(b) == CUDA_ERROR_INVALID_VALUE && softgpuReportCount() == 2, "a second free is an error and is reported");
    cuCtxDestroy_v2(ctx);
    softgpuReport r = { 0 };
    softgpuGetReport(2, &r);
    ok(r.check == SOFTGPU_LEAKCHECK && r.address == a, "a leak is reported with its address");
    softgpuSetChecks(0);
    softgpuClearReports();
}

int main(void)
{
    plan(NO_PLAN);
    cuInit(0);
    for (size_t i = 0; i < COUNT(cases); i++) run_case(&cases[i], SOFTGPU_ALL_CHECKS);
    for (size_t i = 0; i < COUNT(cases); i++)
        if (cases[i].check != 0 && cases[i].check != SOFTGPU_MEMCHECK) run_case(&cases[i], SOFTGPU_MEMCHECK);
    test_lint();
    test_leaks_and_frees();
    return done_testing();
}
