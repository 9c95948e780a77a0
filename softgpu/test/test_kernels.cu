/* Kernels of the usual kinds, compiled by nvcc or clang and run on the device; test_kernels.c has the same computations
 * on the host. No CUDA header is needed. */
#ifdef __clang__
#define __global__ __attribute__((global))
#define __device__ __attribute__((device))
#define __shared__ __attribute__((shared))
#define __constant__ __attribute__((constant))
#define __noinline__ __attribute__((noinline))
#define TX (int)__nvvm_read_ptx_sreg_tid_x()
#define TY (int)__nvvm_read_ptx_sreg_tid_y()
#define BX (int)__nvvm_read_ptx_sreg_ctaid_x()
#define BY (int)__nvvm_read_ptx_sreg_ctaid_y()
#define NX (int)__nvvm_read_ptx_sreg_ntid_x()
#define GX (int)__nvvm_read_ptx_sreg_nctaid_x()
#define SYNC() __nvvm_bar_sync(0)
#define SHFL_DOWN(v, n) __nvvm_shfl_sync_down_f32(0xffffffffu, v, n, 31)
#define SHFL_UP(v, n) __nvvm_shfl_sync_up_f32(0xffffffffu, v, n, 0)
#define ATOMIC_ADD(p, v) __nvvm_atom_add_gen_i((int *)(p), v)
#define ATOMIC_MAX(p, v) __nvvm_atom_max_gen_i((int *)(p), v)
#define SQRT(x) __nvvm_sqrt_rn_d(x)
#else
#define TX (int)threadIdx.x
#define TY (int)threadIdx.y
#define BX (int)blockIdx.x
#define BY (int)blockIdx.y
#define NX (int)blockDim.x
#define GX (int)gridDim.x
#define SYNC() __syncthreads()
#define SHFL_DOWN(v, n) __shfl_down_sync(0xffffffffu, v, n)
#define SHFL_UP(v, n) __shfl_up_sync(0xffffffffu, v, n)
#define ATOMIC_ADD(p, v) atomicAdd(p, v)
#define ATOMIC_MAX(p, v) atomicMax(p, v)
#define SQRT(x) sqrt(x)
#endif
#define KERNEL extern "C" __global__ void

/* Sum of each block's 256 terms: shared memory, then shuffles. */
KERNEL reduce(const float *x, float *y, int n)
{
    __shared__ float part[8];
    int i = BX * 256 + TX;
    float v = i < n ? x[i] : 0.0f;
    for (int s = 16; s > 0; s >>= 1)
        v += SHFL_DOWN(v, s);
    if (TX % 32 == 0)
        part[TX / 32] = v;
    SYNC();
    if (TX == 0) {
        float sum = 0.0f;
        for (int w = 0; w < 8; w++)
            sum += part[w];
        y[BX] = sum;
    }
}

/* Inclusive scan of 128 terms a block, Hillis and Steele in shared memory with two buffers. */
KERNEL scan(const double *x, double *y, int n)
{
    __shared__ double buffer[2][128];
    int i = BX * 128 + TX, from = 0;
    buffer[0][TX] = i < n ? x[i] : 0.0;
    SYNC();
    for (int s = 1; s < 128; s *= 2, from ^= 1) {
        buffer[from ^ 1][TX] = buffer[from][TX] + (TX >= s ? buffer[from][TX - s] : 0.0);
        SYNC();
    }
    if (i < n)
        y[i] = buffer[from][TX];
}

/* Transpose by tiles of 16 x 16 with a padded row. */
KERNEL transpose(const int *x, int *y, int rows, int columns)
{
    __shared__ int tile[16][17];
    int r = BY * 16 + TY, c = BX * 16 + TX;
    if (r < rows && c < columns)
        tile[TY][TX] = x[r * columns + c];
    SYNC();
    r = BX * 16 + TY;
    c = BY * 16 + TX;
    if (r < columns && c < rows)
        y[r * rows + c] = tile[TX][TY];
}

KERNEL histogram(const unsigned char *x, int *bins, int *most, int n)
{
    __shared__ int local[256];
    for (int b = TX; b < 256; b += NX)
        local[b] = 0;
    SYNC();
    for (int i = BX * NX + TX; i < n; i += NX * GX)
        ATOMIC_ADD(&local[x[i]], 1);
    SYNC();
    for (int b = TX; b < 256; b += NX) {
        if (local[b])
            ATOMIC_ADD(&bins[b], local[b]);
        ATOMIC_MAX(most, local[b]);
    }
}

/* C = A B by tiles of 16 in dynamic shared memory. */
extern __shared__ float tiles[];
KERNEL matmul(const float *a, const float *b, float *c, int n)
{
    float *ta = tiles, *tb = tiles + 256, sum = 0.0f;
    int row = BY * 16 + TY, column = BX * 16 + TX;
    for (int t = 0; t < n; t += 16) {
        ta[TY * 16 + TX] = row < n && t + TX < n ? a[row * n + t + TX] : 0.0f;
        tb[TY * 16 + TX] = column < n && t + TY < n ? b[(t + TY) * n + column] : 0.0f;
        SYNC();
        for (int k = 0; k < 16; k++)
            sum += ta[TY * 16 + k] * tb[k * 16 + TX];
        SYNC();
    }
    if (row < n && column < n)
        c[row * n + column] = sum;
}

/* Calls, structures by value, tables, a switch. */
struct pair {
    double value;
    int count;
};
__constant__ int weights[4] = { 3, 1, 4, 1 };
__device__ float table[4] = { 0.5f, 1.5f, 2.5f, 3.5f };
__device__ __noinline__ pair step(pair p, double x)
{
    p.value = p.value * x + 1.0;
    p.count++;
    return p;
}

__device__ __noinline__ int choose(int kind, int x)
{
    switch (kind) {
    case 0: return x + 1;
    case 1: return x * x;
    case 2: return -x;
    case 3: return x / 3;
    case 4: return x % 7;
    default: return 0;
    }
}

KERNEL calls(const int *x, double *y, int n)
{
    int i = BX * NX + TX;
    if (i >= n)
        return;
    pair p = { 1.0, 0 };
    for (int k = 0; k < x[i] % 5; k++)
        p = step(p, 0.5 + k);
    y[i] = SQRT(p.value) + p.count + choose(x[i] % 6, x[i]) * (double)weights[i % 4] + (double)table[x[i] % 4];
}

/* An array in local memory, sorted by insertion: divergent loops. */
KERNEL sort8(const int *x, int *y, int n)
{
    int i = BX * NX + TX, v[8];
    if (i >= n)
        return;
    for (int k = 0; k < 8; k++)
        v[k] = x[(i * 8 + k * 5) % (n * 8)];
    for (int k = 1; k < 8; k++) {
        int item = v[k], j = k;
        while (j > 0 && v[j - 1] > item) {
            v[j] = v[j - 1];
            j--;
        }
        v[j] = item;
    }
    for (int k = 0; k < 8; k++)
        y[i * 8 + k] = v[(k * 3) % 8];
}

/* y (g - sum y g) along rows: softmax backward, one block a row. */
KERNEL softmax_backward(const float *y, const float *g, float *dx, int columns)
{
    __shared__ float part[8];
    float sum = 0.0f;
    const float *yr = y + (long long)BX * columns, *gr = g + (long long)BX * columns;
    for (int c = TX; c < columns; c += NX)
        sum += yr[c] * gr[c];
    for (int s = 16; s > 0; s >>= 1)
        sum += SHFL_DOWN(sum, s);
    if (TX % 32 == 0)
        part[TX / 32] = sum;
    SYNC();
    if (TX == 0) {
        float total = 0.0f;
        for (int w = 0; w < NX / 32; w++)
            total += part[w];
        part[0] = total;
    }
    SYNC();
    for (int c = TX; c < columns; c += NX)
        dx[(long long)BX * columns + c] = yr[c] * (gr[c] - part[0]);
}

/* Prefix sums within a warp, and 64-bit integer arithmetic. */
KERNEL collatz(const unsigned *x, unsigned long long *y, int n)
{
    int i = BX * NX + TX;
    if (i >= n)
        return;
    unsigned long long v = x[i] | 1u, peak = v;
    unsigned steps = 0;
    while (v != 1 && steps < 500) {
        v = v & 1 ? 3 * v + 1 : v / 2;
        peak = v > peak ? v : peak;
        steps++;
    }
    y[i] = peak * 1000u + steps;
}
