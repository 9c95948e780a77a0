/* One kernel, its output's digest and its counters, as text: a native build and a WebAssembly build must print the
 * same. The kernel uses what hosts differ in: fma, roundings, NaN, conversions, atomics, shuffles. */
#include "softgpu/api/api_proto.h"
#include "softgpu/base/base.h"
#include "softgpu/softgpu.h"

static const char ptx[] =
    ".version 8.0\n.target sm_80\n.address_size 64\n"
    ".visible .entry mix(.param .u64 out)\n{\n"
    ".reg .pred %p<4>; .reg .b16 %h<4>; .reg .b32 %r<16>; .reg .f32 %f<12>; .reg .f64 %d<8>; .reg .b64 %rd<4>; .shared "
    ".align 4 .b32 sum;\n"
    "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmad.lo.u32 %r3, %r2, 128, %r1;\n"
    "setp.ne.u32 %p1, %r1, 0;\n@%p1 bra A;\nst.shared.u32 [sum], 0;\nA:\nbar.sync 0;\n"
    "cvt.rn.f32.u32 %f1, %r3;\nsub.rn.f32 %f2, %f1, 0f42C80000;\nfma.rn.f32 %f3, %f1, %f2, 0f3DCCCCCD;\nfma.rm.f32 "
    "%f4, %f3, %f2, %f1;\ndiv.rn.f32 %f5, %f4, %f2;\nsqrt.rn.f32 %f6, %f2;\n"
    "ex2.approx.f32 %f7, %f2;\nsin.approx.f32 %f8, %f1;\nadd.f32 %f9, %f5, %f6;\ncvt.f64.f32 %d1, %f9;\nfma.rn.f64 "
    "%d2, %d1, %d1, 0d3FB999999999999A;\ndiv.rn.f64 %d3, %d2, 0d4008000000000000;\n"
    "cvt.rn.f16.f32 %h1, %f8;\ncvt.f32.f16 %f10, %h1;\nadd.rn.f32 %f10, %f10, %f7;\nmov.b32 %r5, "
    "%f10;\nshfl.sync.bfly.b32 %r6, %r5, 5, 31, -1;\n"
    "cvt.rzi.s32.f32 %r7, %f3;\natom.shared.add.u32 %r8, [sum], %r7;\nbar.sync 0;\nld.shared.u32 %r9, [sum];\nxor.b32 "
    "%r6, %r6, %r9;\n"
    "mul.wide.u32 %rd2, %r3, 16;\nadd.u64 %rd2, %rd1, %rd2;\nst.global.f64 [%rd2], %d3;\nst.global.u32 [%rd2+8], "
    "%r6;\nst.global.u32 [%rd2+12], %r8;\nret;\n}\n";

int main(void)
{
    enum { N = 512 };
    static u8 data[N * 16];
    static char json[8000];
    CUcontext c;
    CUmodule m;
    CUfunction f;
    CUdeviceptr d;
    u64 digest = 14695981039346656037u;
    void *args[] = { &d };
    softgpuSetChecks(SOFTGPU_ALL_CHECKS | SOFTGPU_COUNTERS);
    if (cuInit(0) || cuCtxCreate_v2(&c, 0, 0) || cuModuleLoadData(&m, ptx) || cuModuleGetFunction(&f, m, "mix")
        || cuMemAlloc_v2(&d, sizeof data) || cuLaunchKernel(f, N / 128, 1, 1, 128, 1, 1, 0, NULL, args, NULL)
        || cuMemcpyDtoH_v2(data, d, sizeof data)) {
        printf("failed: %s\n", softgpuLastMessage());
        return 1;
    }
    for (size_t i = 0; i < sizeof data; i++)
        digest = (digest ^ data[i]) * 1099511628211u;
    softgpuCountersJson(json, sizeof json);
    printf("digest %016llx\nreports %zu\n%s", (unsigned long long)digest, softgpuReportCount(), json);
    return 0;
}
