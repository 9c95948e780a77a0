// A cooperative launch: blocks that wait for each other, and one that is too large.
#include "check.h"
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
namespace cg = cooperative_groups;

// Each step every thread takes what the thread before it, which may be of another block, had.
__global__ void rotate(int *a, int *b, int n, int steps)
{
    cg::grid_group grid = cg::this_grid();
    int i = (int)grid.thread_rank();
    for (int s = 0; s < steps; s++) {
        if (i < n)
            b[i] = a[(i + n - 1) % n];
        grid.sync();
        if (i < n)
            a[i] = b[i];
        grid.sync();
    }
}

__global__ void tiles(const int *in, int *out)
{
    cg::thread_block_tile<8> tile = cg::tiled_partition<8>(cg::this_thread_block());
    int sum = cg::reduce(tile, in[threadIdx.x], cg::plus<int>());
    if (!tile.thread_rank())
        out[threadIdx.x / 8] = sum;
}

int main()
{
    const int blocks = 5, threads = 64, steps = 3;
    int n = blocks * threads - 7, count = steps, host[blocks * threads], *a, *b, can;
    CALL(cudaDeviceGetAttribute(&can, cudaDevAttrCooperativeLaunch, 0));
    EXPECT(can == 1);
    CALL(cudaMalloc(&a, sizeof host));
    CALL(cudaMalloc(&b, sizeof host));
    for (int i = 0; i < n; i++)
        host[i] = i;
    CALL(cudaMemcpy(a, host, n * sizeof(int), cudaMemcpyHostToDevice));
    void *args[] = { &a, &b, &n, &count };
    CALL(cudaLaunchCooperativeKernel((const void *)rotate, dim3(blocks), dim3(threads), args, 0, 0));
    CALL(cudaMemcpy(host, a, n * sizeof(int), cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(host[i] == (i + n - steps) % n);
    FAILS(cudaLaunchCooperativeKernel((const void *)rotate, dim3(100000), dim3(64), args, 0, 0),
          cudaErrorCooperativeLaunchTooLarge);
    for (int i = 0; i < 64; i++)
        host[i] = i;
    CALL(cudaMemcpy(a, host, 64 * sizeof(int), cudaMemcpyHostToDevice));
    tiles<<<1, 64>>>(a, b);
    CALL(cudaMemcpy(host, b, 8 * sizeof(int), cudaMemcpyDeviceToHost));
    EXPECT(host[0] == 28 && host[7] == 476);
    CALL(cudaFree(a));
    CALL(cudaFree(b));
    return 0;
}
