// Streams, events, host functions, 2-D and 3-D copies, pools, occupancy, attributes, versions, peers.
#include "check.h"
#include <cstring>

__global__ void fill(int *x, int value, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = value;
}
__global__ void __launch_bounds__(256) rows(float *x, size_t pitch)
{
    ((float *)((char *)x + blockIdx.x * pitch))[threadIdx.x] *= 2;
}
__global__ void big(int *x)
{
    extern __shared__ int line[];
    line[threadIdx.x] = 1;
    x[threadIdx.x] = line[threadIdx.x];
}

static void count(void *p) { ++*(int *)p; }

static void test_streams()
{
    int *x, host[64], calls = 0;
    float ms = -1;
    cudaStream_t s, t;
    cudaEvent_t start, end;
    CALL(cudaStreamCreate(&s));
    CALL(cudaStreamCreateWithFlags(&t, cudaStreamNonBlocking));
    CALL(cudaEventCreate(&start));
    CALL(cudaEventCreate(&end));
    CALL(cudaMallocAsync(&x, sizeof host, s));
    CALL(cudaEventRecord(start, s));
    fill<<<2, 32, 0, s>>>(x, 9, 64);
    CALL(cudaEventRecord(end, s));
    CALL(cudaStreamWaitEvent(t, end, 0));
    CALL(cudaMemcpyAsync(host, x, sizeof host, cudaMemcpyDeviceToHost, t));
    CALL(cudaLaunchHostFunc(t, count, &calls));
    CALL(cudaStreamSynchronize(t));
    CALL(cudaEventElapsedTime(&ms, start, end));
    EXPECT(host[0] == 9 && host[63] == 9 && calls == 1 && ms >= 0);
    CALL(cudaStreamQuery(s));
    CALL(cudaFreeAsync(x, s));
    CALL(cudaStreamDestroy(s));
    FAILS(cudaStreamSynchronize(s), cudaErrorInvalidResourceHandle);
    CALL(cudaStreamDestroy(t));
    CALL(cudaEventDestroy(start));
    FAILS(cudaEventSynchronize(start), cudaErrorInvalidResourceHandle);
    EXPECT(cudaGetLastError() == cudaErrorInvalidResourceHandle && cudaGetLastError() == cudaSuccess);
}

static void test_boxes()
{
    float a[5][7], b[5][7], *d;
    size_t pitch;
    for (int i = 0; i < 35; i++)
        a[i / 7][i % 7] = (float)i;
    CALL(cudaMallocPitch(&d, &pitch, sizeof a[0], 5));
    EXPECT(pitch >= sizeof a[0] && pitch % 32 == 0);
    CALL(cudaMemcpy2D(d, pitch, a, sizeof a[0], sizeof a[0], 5, cudaMemcpyHostToDevice));
    rows<<<5, 7>>>(d, pitch);
    CALL(cudaMemcpy2D(b, sizeof b[0], d, pitch, sizeof b[0], 5, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 35; i++)
        EXPECT(b[i / 7][i % 7] == 2 * i);
    CALL(cudaMemset2D(d, pitch, 0, 8, 5));
    CALL(cudaMemcpy2D(b, sizeof b[0], d, pitch, sizeof b[0], 5, cudaMemcpyDeviceToHost));
    EXPECT(b[4][1] == 0 && b[4][2] == 60);
    FAILS(cudaMemcpy2D(d, 4, a, sizeof a[0], sizeof a[0], 5, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);

    char from[4][3][5], to[4][3][5];
    cudaPitchedPtr p;
    cudaExtent e = make_cudaExtent(5, 3, 4);
    for (int i = 0; i < 60; i++)
        ((char *)from)[i] = (char)i;
    CALL(cudaMalloc3D(&p, e));
    cudaMemcpy3DParms m = {};
    m.srcPtr = make_cudaPitchedPtr(from, 5, 5, 3);
    m.dstPtr = p;
    m.extent = e;
    m.kind = cudaMemcpyHostToDevice;
    CALL(cudaMemcpy3D(&m));
    m.srcPtr = p;
    m.dstPtr = make_cudaPitchedPtr(to, 5, 5, 3);
    m.kind = cudaMemcpyDeviceToHost;
    CALL(cudaMemcpy3D(&m));
    EXPECT(!memcmp(from, to, sizeof from));
}

static void test_device()
{
    cudaDeviceProp p;
    cudaFuncAttributes a;
    int n, value, block, grid, version, peer, *x;
    size_t left, total;
    CALL(cudaGetDeviceCount(&n));
    CALL(cudaGetDeviceProperties(&p, 0));
    CALL(cudaDeviceGetAttribute(&value, cudaDevAttrMultiProcessorCount, 0));
    EXPECT(n == 1 && p.multiProcessorCount == value && p.warpSize == 32 && p.maxThreadsPerBlock == 1024);
    EXPECT(p.maxThreadsDim[2] == 64 && p.maxGridSize[1] == 65535 && p.totalGlobalMem > 0 && p.major >= 7);
    EXPECT(p.managedMemory == 1 && p.cooperativeLaunch == 1 && p.unifiedAddressing == 1 && p.memoryPoolsSupported == 1);
    EXPECT(p.maxThreadsPerMultiProcessor >= 1024 && p.sharedMemPerBlockOptin >= 48 << 10 && p.regsPerBlock == 65536);
    CALL(cudaMemGetInfo(&left, &total));
    EXPECT(left <= total && total == p.totalGlobalMem);
    CALL(cudaRuntimeGetVersion(&version));
    EXPECT(version >= 13000);
    FAILS(cudaSetDevice(1), cudaErrorInvalidDevice);
    FAILS(cudaDeviceCanAccessPeer(&peer, 0, 1), cudaErrorInvalidDevice);
    CALL(cudaFuncGetAttributes(&a, (const void *)rows));
    EXPECT(a.maxThreadsPerBlock == 256 && a.numRegs > 0);
    CALL(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&n, fill, 128, 0));
    EXPECT(n >= 1 && n * 128 <= p.maxThreadsPerMultiProcessor);
    CALL(cudaOccupancyMaxPotentialBlockSize(&grid, &block, fill, 0, 0));
    EXPECT(block >= 32 && grid >= p.multiProcessorCount);
    CALL(cudaMalloc(&x, 128));
    big<<<1, 32, 60 << 10>>>(x);
    EXPECT(cudaGetLastError() == cudaErrorInvalidValue);
    CALL(cudaFuncSetAttribute(big, cudaFuncAttributeMaxDynamicSharedMemorySize, 60 << 10));
    big<<<1, 32, 60 << 10>>>(x);
    CALL(cudaDeviceSynchronize());
    EXPECT(!strcmp(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress"));
    EXPECT(!strcmp(cudaGetErrorString(cudaErrorMemoryAllocation), "out of memory"));
}

int main()
{
    test_streams();
    test_boxes();
    test_device();
    return 0;
}
