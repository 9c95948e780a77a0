// What the fatbin fixtures were made of: nvcc -fatbin -arch=compute_75 --compress-mode=none|speed|size.
__constant__ float weights[8];
__device__ unsigned counter;

template <class T> __global__ void scale(T *x, T by, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = x[i] * by + T(weights[i % 8]);
    atomicAdd(&counter, 1u);
}
template __global__ void scale(float *, float, int);
template __global__ void scale(double *, double, int);
template __global__ void scale(int *, int, int);

__global__ void block_sum(const float *in, float *out, int n)
{
    __shared__ float part[256];
    float s = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        s += sinf(in[i]);
    part[threadIdx.x] = s;
    for (int half = blockDim.x / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
    }
    if (!threadIdx.x)
        *out = part[0];
}
