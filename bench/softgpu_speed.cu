/* The kernels of the speed comparison, statement for statement those of softgpu_peer.c. No CUDA header is needed. */
#ifdef __clang__
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define TX (int)__nvvm_read_ptx_sreg_tid_x()
#define BX (int)__nvvm_read_ptx_sreg_ctaid_x()
#define NX (int)__nvvm_read_ptx_sreg_ntid_x()
#define SYNC() __nvvm_bar_sync(0)
#else
#define TX (int)threadIdx.x
#define BX (int)blockIdx.x
#define NX (int)blockDim.x
#define SYNC() __syncthreads()
#endif

extern "C" __global__ void softmax_backward(const float *y, const float *g, float *dx, int columns)
{
    __shared__ float part[128];
    int t = TX, n = NX;
    long long row = (long long)BX * columns;
    float sum = 0.0f;
    for (int c = t; c < columns; c += n)
        sum += y[row + c] * g[row + c];
    part[t] = sum;
    SYNC();
    for (int s = n / 2; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        SYNC();
    }
    float total = part[0];
    for (int c = t; c < columns; c += n)
        dx[row + c] = y[row + c] * (g[row + c] - total);
}

extern "C" __global__ void reduce(const float *x, float *out, int n)
{
    __shared__ float part[256];
    int t = TX, i = BX * NX + TX;
    part[t] = i < n ? x[i] : 0.0f;
    SYNC();
    for (int s = 128; s > 0; s >>= 1) {
        if (t < s)
            part[t] += part[t + s];
        SYNC();
    }
    if (t == 0)
        out[BX] = part[0];
}
