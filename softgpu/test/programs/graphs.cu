// Graphs: made by hand, and captured from two streams.
#include "check.h"

__global__ void add(int *x, int by) { x[threadIdx.x] += by; }
__global__ void times(int *x, int by) { x[threadIdx.x] *= by; }

static int told;
static void tell(void *p) { told = *(int *)p; }

static cudaMemsetParams ones(int *x)
{
    cudaMemsetParams m = {};
    m.dst = x;
    m.elementSize = 4;
    m.value = 1;
    m.width = 4;
    m.height = 1;
    m.pitch = 16;
    return m;
}

static void by_hand(int *x)
{
    cudaGraph_t g;
    cudaGraphNode_t zero, plus, mul, back, host;
    cudaGraphExec_t e;
    int three = 3, five = 5, six = 6, out[4] = { 0 };
    void *plus_args[] = { &x, &three }, *mul_args[] = { &x, &five }, *other[] = { &x, &six };
    CALL(cudaGraphCreate(&g, 0));
    cudaMemsetParams m = ones(x);
    CALL(cudaGraphAddMemsetNode(&zero, g, nullptr, 0, &m));
    cudaKernelNodeParams k = {};
    k.func = (void *)times;
    k.gridDim = dim3(1);
    k.blockDim = dim3(4);
    k.kernelParams = mul_args;
    CALL(cudaGraphAddKernelNode(&mul, g, nullptr, 0, &k));
    k.func = (void *)add;
    k.kernelParams = plus_args;
    CALL(cudaGraphAddKernelNode(&plus, g, &zero, 1, &k));
    CALL(cudaGraphAddDependencies(g, &plus, &mul, nullptr, 1));
    CALL(cudaGraphAddMemcpyNode1D(&back, g, &mul, 1, out, x, sizeof out, cudaMemcpyDeviceToHost));
    cudaHostNodeParams h = { tell, out };
    CALL(cudaGraphAddHostNode(&host, g, &back, 1, &h));
    CALL(cudaGraphInstantiate(&e, g, 0));
    CALL(cudaGraphLaunch(e, 0));
    CALL(cudaDeviceSynchronize());
    EXPECT(out[0] == 20 && out[3] == 20 && told == 20); /* (1 + 3) * 5 */
    k.kernelParams = other;
    CALL(cudaGraphExecKernelNodeSetParams(e, plus, &k));
    CALL(cudaGraphLaunch(e, 0));
    EXPECT(out[0] == 35);
    size_t n = 0;
    CALL(cudaGraphGetNodes(g, nullptr, &n));
    EXPECT(n == 5);
    CALL(cudaGraphExecDestroy(e));
    CALL(cudaGraphAddDependencies(g, &host, &zero, nullptr, 1));
    FAILS(cudaGraphInstantiate(&e, g, 0), cudaErrorInvalidValue); /* a circle */
    CALL(cudaGraphDestroy(g));
}

// Work of a second stream that the first one does not wait for.
static void unjoined(int *x, cudaStream_t s, cudaStream_t t, cudaEvent_t fork)
{
    cudaGraph_t g;
    CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    add<<<1, 8, 0, s>>>(x, 1);
    CALL(cudaEventRecord(fork, s));
    CALL(cudaStreamWaitEvent(t, fork, 0));
    add<<<1, 8, 0, t>>>(x, 1);
    FAILS(cudaStreamEndCapture(s, &g), cudaErrorStreamCaptureUnjoined);
    CALL(cudaStreamDestroy(s));
    CALL(cudaStreamDestroy(t));
}

static void captured(int *x)
{
    cudaStream_t s, t;
    cudaEvent_t fork, join;
    cudaGraph_t g;
    cudaGraphExec_t e;
    cudaStreamCaptureStatus status;
    int out[8] = { 0 };
    CALL(cudaStreamCreate(&s));
    CALL(cudaStreamCreate(&t));
    CALL(cudaEventCreateWithFlags(&fork, cudaEventDisableTiming));
    CALL(cudaEventCreateWithFlags(&join, cudaEventDisableTiming));
    CALL(cudaMemset(x, 0, 32));
    CALL(cudaStreamBeginCapture(s, cudaStreamCaptureModeGlobal));
    CALL(cudaStreamIsCapturing(s, &status));
    EXPECT(status == cudaStreamCaptureStatusActive);
    add<<<1, 8, 0, s>>>(x, 1);
    CALL(cudaEventRecord(fork, s));
    CALL(cudaStreamWaitEvent(t, fork, 0));
    add<<<1, 4, 0, t>>>(x + 4, 10);
    times<<<1, 4, 0, s>>>(x, 2);
    FAILS(cudaStreamSynchronize(s), cudaErrorStreamCaptureUnsupported);
    CALL(cudaEventRecord(join, t));
    CALL(cudaStreamWaitEvent(s, join, 0));
    CALL(cudaMemcpyAsync(out, x, sizeof out, cudaMemcpyDeviceToHost, s));
    CALL(cudaStreamEndCapture(s, &g));
    CALL(cudaStreamIsCapturing(t, &status));
    EXPECT(out[0] == 0 && status == cudaStreamCaptureStatusNone); /* nothing has run */
    CALL(cudaGraphInstantiate(&e, g, 0));
    for (int i = 0; i < 3; i++)
        CALL(cudaGraphLaunch(e, s));
    CALL(cudaStreamSynchronize(s));
    EXPECT(out[0] == 14 && out[4] == 33);
    CALL(cudaGraphExecDestroy(e));
    CALL(cudaGraphDestroy(g));
    unjoined(x, s, t, fork);
}

int main()
{
    int *x;
    CALL(cudaMalloc(&x, 64));
    by_hand(x);
    captured(x);
    CALL(cudaGetLastError() == cudaErrorStreamCaptureUnjoined ? cudaSuccess : cudaErrorUnknown);
    return 0;
}
