// Constant, device and managed variables; printf; registered and page-locked memory.
#include "check.h"

__constant__ float weights[4];
__device__ int counter = 5;
__device__ double table[3] = { 1, 2, 3 };
__managed__ int shared_by_both = 7;
static __device__ int mine[2];

__global__ void use(float *out)
{
    out[threadIdx.x] = weights[threadIdx.x] * 2;
    atomicAdd(&counter, 1);
    if (!threadIdx.x) {
        table[1] = 20;
        mine[1] = 11;
        shared_by_both += 35;
        printf("from the device: %d %s %.2f\n", 42, "words", 1.5);
    }
}

__global__ void increment(int *x, int n)
{
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        x[i]++;
}

static void test_symbols()
{
    float w[4] = { 1, 2, 3, 4 }, back[4], *out;
    int n, pair[2];
    double t[3];
    size_t size;
    void *p;
    CALL(cudaMemcpyToSymbol(weights, w, sizeof w));
    CALL(cudaMalloc(&out, sizeof w));
    use<<<1, 4>>>(out);
    CALL(cudaMemcpy(back, out, sizeof back, cudaMemcpyDeviceToHost));
    EXPECT(back[0] == 2 && back[3] == 8);
    CALL(cudaMemcpyFromSymbol(&n, counter, sizeof n));
    EXPECT(n == 9);
    CALL(cudaMemcpyFromSymbol(t, table, sizeof t));
    EXPECT(t[0] == 1 && t[1] == 20 && t[2] == 3);
    CALL(cudaMemcpyFromSymbol(&pair[1], mine, 4, 4));
    EXPECT(pair[1] == 11);
    CALL(cudaGetSymbolSize(&size, table));
    CALL(cudaGetSymbolAddress(&p, table));
    EXPECT(size == 24 && p);
    CALL(cudaMemcpy(t, p, 8, cudaMemcpyDeviceToHost));
    EXPECT(t[0] == 1);
    FAILS(cudaMemcpyToSymbol(weights, w, 4, 16), cudaErrorInvalidValue);
    FAILS(cudaMemcpyToSymbol((const void *)&n, w, 4), cudaErrorInvalidSymbol);
    CALL(cudaDeviceSynchronize());
    EXPECT(shared_by_both == 42);
}

static void test_managed()
{
    int *x, *host, *mapped, own[100] = { 0 };
    cudaPointerAttributes a;
    CALL(cudaMallocManaged(&x, 100 * sizeof *x));
    for (int i = 0; i < 100; i++)
        x[i] = i;
    increment<<<1, 32>>>(x, 100);
    CALL(cudaDeviceSynchronize());
    for (int i = 0; i < 100; i++)
        EXPECT(x[i] == i + 1);
    CALL(cudaPointerGetAttributes(&a, x + 3));
    EXPECT(a.type == cudaMemoryTypeManaged && a.devicePointer == x + 3 && a.hostPointer == x + 3);
    CALL(cudaFree(x));

    CALL(cudaHostAlloc(&host, 100 * sizeof *host, cudaHostAllocMapped));
    CALL(cudaHostGetDevicePointer(&mapped, host, 0));
    host[99] = 1;
    increment<<<1, 32>>>(mapped, 100);
    CALL(cudaDeviceSynchronize());
    EXPECT(host[99] == 2);
    CALL(cudaPointerGetAttributes(&a, host));
    EXPECT(a.type == cudaMemoryTypeHost);
    CALL(cudaFreeHost(host));

    CALL(cudaHostRegister(own, sizeof own, cudaHostRegisterMapped));
    increment<<<1, 32>>>(own, 100);
    CALL(cudaDeviceSynchronize());
    EXPECT(own[0] == 1 && own[99] == 1);
    CALL(cudaHostUnregister(own));
    CALL(cudaPointerGetAttributes(&a, own));
    EXPECT(a.type == cudaMemoryTypeUnregistered);
}

int main()
{
    EXPECT(shared_by_both == 7);
    test_symbols();
    test_managed();
    return 0;
}
