// Launches, copies, templates and overloads, dynamic shared memory, atomics.
#include "check.h"
#include <vector>

template <class T> __global__ void add(const T *a, const T *b, T *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        c[i] = a[i] + b[i];
}

__global__ void twice(int *x) { x[threadIdx.x] *= 2; }
__global__ void twice(double *x) { x[threadIdx.x] *= 2; }

__global__ void reverse(const int *in, int *out)
{
    extern __shared__ int line[];
    line[threadIdx.x] = in[threadIdx.x];
    __syncthreads();
    out[threadIdx.x] = line[blockDim.x - 1 - threadIdx.x];
}

__global__ void histogram(const unsigned char *bytes, int n, unsigned *counts)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&counts[bytes[i] % 8], 1u);
}

struct Pair {
    float a;
    double b;
};
__global__ void by_value(Pair p, float *out) { *out = p.a + float(p.b); }

template <class T> void test_add(int n)
{
    std::vector<T> a(n), b(n), c(n);
    for (int i = 0; i < n; i++)
        a[i] = T(i), b[i] = T(3 * i + 1);
    T *da, *db, *dc;
    size_t size = n * sizeof(T);
    CALL(cudaMalloc(&da, size));
    CALL(cudaMalloc(&db, size));
    CALL(cudaMalloc(&dc, size));
    CALL(cudaMemcpy(da, a.data(), size, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(db, b.data(), size, cudaMemcpyDefault));
    add<<<(n + 127) / 128, 128>>>(da, db, dc, n);
    CALL(cudaGetLastError());
    CALL(cudaMemcpy(c.data(), dc, size, cudaMemcpyDeviceToHost));
    for (int i = 0; i < n; i++)
        EXPECT(c[i] == T(4 * i + 1));
    CALL(cudaFree(da));
    CALL(cudaFree(db));
    CALL(cudaFree(dc));
}

int main()
{
    test_add<float>(1000);
    test_add<int>(77);
    test_add<double>(129);
    int x[4] = { 1, 2, 3, 4 }, y[4], *dx, *dy;
    double z[4] = { 1.5, 2.5, 3.5, 4.5 }, *dz;
    CALL(cudaMalloc(&dx, sizeof x));
    CALL(cudaMalloc(&dy, sizeof y));
    CALL(cudaMalloc(&dz, sizeof z));
    CALL(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
    CALL(cudaMemcpy(dz, z, sizeof z, cudaMemcpyHostToDevice));
    twice<<<1, 4>>>(dx);
    twice<<<1, 4>>>(dz);
    reverse<<<1, 4, sizeof x>>>(dx, dy);
    CALL(cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost));
    CALL(cudaMemcpy(z, dz, sizeof z, cudaMemcpyDeviceToHost));
    EXPECT(y[0] == 8 && y[3] == 2 && z[3] == 9);

    unsigned char bytes[1000], *db;
    unsigned counts[8], *dc;
    for (int i = 0; i < 1000; i++)
        bytes[i] = (unsigned char)i;
    CALL(cudaMalloc(&db, sizeof bytes));
    CALL(cudaMalloc(&dc, sizeof counts));
    CALL(cudaMemset(dc, 0, sizeof counts));
    CALL(cudaMemcpy(db, bytes, sizeof bytes, cudaMemcpyHostToDevice));
    histogram<<<3, 64>>>(db, 1000, dc);
    CALL(cudaMemcpy(counts, dc, sizeof counts, cudaMemcpyDeviceToHost));
    for (int i = 0; i < 8; i++)
        EXPECT(counts[i] == 125);

    float out, *dout;
    CALL(cudaMalloc(&dout, 4));
    by_value<<<1, 1>>>(Pair{ 1.5f, 2.25 }, dout);
    CALL(cudaMemcpy(&out, dout, 4, cudaMemcpyDeviceToHost));
    EXPECT(out == 3.75f);
    return 0;
}
