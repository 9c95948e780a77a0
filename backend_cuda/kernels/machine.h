/* The machine as kernels see it: indices, barriers, shuffles and votes, for nvcc and for clang without a toolkit. No
 * CUDA header is included. */
#ifndef COT_CUDA_MACHINE_H
#define COT_CUDA_MACHINE_H

#include "launch.h"
#include "core/math/real.h"

#ifdef __clang__
#define GLOBAL __attribute__((global))
#define SHARED __attribute__((shared))
#define BOUNDS(...) __attribute__((launch_bounds(__VA_ARGS__))) /* threads of a block, blocks of a processor */
COT_FN uint32_t thread_index(void) { return (uint32_t)__nvvm_read_ptx_sreg_tid_x(); }
COT_FN uint32_t block_index(void) { return (uint32_t)__nvvm_read_ptx_sreg_ctaid_x(); }
COT_FN uint32_t block_count(void) { return (uint32_t)__nvvm_read_ptx_sreg_nctaid_x(); }
COT_FN void block_barrier(void) { __nvvm_bar_sync(0); }
#else
#define GLOBAL __global__
#define SHARED __shared__
#define BOUNDS(...) __launch_bounds__(__VA_ARGS__)
COT_FN uint32_t thread_index(void) { return threadIdx.x; }
COT_FN uint32_t block_index(void) { return blockIdx.x; }
COT_FN uint32_t block_count(void) { return gridDim.x; }
COT_FN void block_barrier(void) { __syncthreads(); }
#endif

/* A loop of constant length whose arrays stay in registers. */
#define UNROLLED _Pragma("unroll")

/* A barrier of the warp: every lane takes part. PTX text serves both compilers. */
COT_FN void warp_barrier(void) { asm volatile("bar.warp.sync 0xffffffff;" ::: "memory"); }

COT_FN uint32_t shuffle_down_u(uint32_t v, uint32_t lanes)
{
    uint32_t got;
    asm volatile("shfl.sync.down.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(got) : "r"(v), "r"(lanes));
    return got;
}

COT_FN uint32_t shuffle_from_u(uint32_t v, uint32_t lane)
{
    uint32_t got;
    asm volatile("shfl.sync.idx.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(got) : "r"(v), "r"(lane));
    return got;
}

COT_FN uint32_t shuffle_xor_u(uint32_t v, uint32_t mask)
{
    uint32_t got;
    asm volatile("shfl.sync.bfly.b32 %0, %1, %2, 31, 0xffffffff;" : "=r"(got) : "r"(v), "r"(mask));
    return got;
}

/* A barrier of the block: is v true for any of its threads? */
COT_FN bool any_in_block(bool v)
{
    uint32_t got;
    asm volatile("{ .reg .pred p, q; setp.ne.u32 p, %1, 0; bar.red.or.pred q, 0, p; selp.u32 %0, 1, 0, q; }"
                 : "=r"(got)
                 : "r"((uint32_t)v)
                 : "memory");
    return got;
}

/* Which bit of v, not 0, is the lowest that is set. */
COT_FN uint32_t lowest_bit(uint32_t v)
{
    uint32_t count;
    asm("{ .reg .b32 r; brev.b32 r, %1; clz.b32 %0, r; }" : "=r"(count) : "r"(v));
    return count;
}

/* A bit for each lane. */
COT_FN uint32_t vote(bool v)
{
    uint32_t got;
    asm volatile("{ .reg .pred p; setp.ne.u32 p, %1, 0; vote.sync.ballot.b32 %0, p, 0xffffffff; }"
                 : "=r"(got)
                 : "r"((uint32_t)v));
    return got;
}

COT_FN float shuffle_xor_f(float v, uint32_t mask) { return real_f(shuffle_xor_u(bits_f(v), mask)); }
COT_FN float shuffle_down_f(float v, uint32_t lanes) { return real_f(shuffle_down_u(bits_f(v), lanes)); }
COT_FN float shuffle_from_f(float v, uint32_t lane) { return real_f(shuffle_from_u(bits_f(v), lane)); }

COT_FN double shuffle_down_d(double v, uint32_t lanes)
{
    uint64_t u = bits_d(v);
    uint32_t low = shuffle_down_u((uint32_t)u, lanes), high = shuffle_down_u((uint32_t)(u >> 32), lanes);
    return real_d((uint64_t)high << 32 | low);
}

COT_FN double shuffle_xor_d(double v, uint32_t mask)
{
    uint64_t u = bits_d(v);
    uint32_t low = shuffle_xor_u((uint32_t)u, mask), high = shuffle_xor_u((uint32_t)(u >> 32), mask);
    return real_d((uint64_t)high << 32 | low);
}

COT_FN double shuffle_from_d(double v, uint32_t lane)
{
    uint64_t u = bits_d(v);
    uint32_t low = shuffle_from_u((uint32_t)u, lane), high = shuffle_from_u((uint32_t)(u >> 32), lane);
    return real_d((uint64_t)high << 32 | low);
}

#endif
