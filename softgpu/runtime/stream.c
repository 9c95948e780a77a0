/* Streams, events and captures. */
#include "runtime.h"

API cudaError_t cudaStreamCreate(CUstream *s) { return DO(cuStreamCreate(s, 0)); }
API cudaError_t cudaStreamCreateWithFlags(CUstream *s, unsigned flags) { return DO(cuStreamCreate(s, flags)); }
API cudaError_t cudaStreamCreateWithPriority(CUstream *s, unsigned flags, int priority)
{
    return DO(cuStreamCreateWithPriority(s, flags, priority));
}
API cudaError_t cudaStreamDestroy(CUstream s) { return DO(cuStreamDestroy_v2(s)); }
API cudaError_t cudaStreamSynchronize(CUstream s) { return DO(cuStreamSynchronize(s)); }
API cudaError_t cudaStreamQuery(CUstream s) { return DO(cuStreamQuery(s)); }
API cudaError_t cudaStreamGetFlags(CUstream s, unsigned *flags) { return DO(cuStreamGetFlags(s, flags)); }
API cudaError_t cudaStreamGetPriority(CUstream s, int *priority) { return DO(cuStreamGetPriority(s, priority)); }
API cudaError_t cudaStreamWaitEvent(CUstream s, CUevent e, unsigned flags)
{
    return DO(cuStreamWaitEvent(s, e, flags));
}
API cudaError_t cudaLaunchHostFunc(CUstream s, CUhostFn f, void *data) { return DO(cuLaunchHostFunc(s, f, data)); }
API cudaError_t cudaStreamAddCallback(CUstream s, CUstreamCallback f, void *data, unsigned flags)
{
    return DO(cuStreamAddCallback(s, f, data, flags));
}
API cudaError_t cudaCtxResetPersistingL2Cache(void) { return DO(CUDA_SUCCESS); }

API cudaError_t cudaStreamGetDevice(CUstream s, int *device)
{
    cudaError_t r = device ? cudaStreamQuery(s) : finish(cudaErrorInvalidValue);
    if (!r)
        *device = 0;
    return r;
}

API cudaError_t cudaStreamGetId(CUstream s, unsigned long long *id)
{
    cudaError_t r = id ? cudaStreamQuery(s) : finish(cudaErrorInvalidValue);
    if (!r)
        *id = (unsigned long long)(uintptr_t)s;
    return r;
}

API cudaError_t cudaStreamBeginCapture(CUstream s, int mode) { return DO(cuStreamBeginCapture_v2(s, mode)); }
API cudaError_t cudaStreamEndCapture(CUstream s, CUgraph *g) { return DO(cuStreamEndCapture(s, g)); }
API cudaError_t cudaStreamIsCapturing(CUstream s, int *status) { return DO(cuStreamIsCapturing(s, status)); }
API cudaError_t cudaThreadExchangeStreamCaptureMode(int *mode) { return DO(cuThreadExchangeStreamCaptureMode(mode)); }

API cudaError_t cudaStreamGetCaptureInfo(CUstream s, int *status, unsigned long long *id, CUgraph *g,
                                         const CUgraphNode **deps, const CUgraphEdgeData **data, size_t *n)
{
    uint64_t number = 0;
    CUresult r = ready();
    if (!r)
        r = cuStreamGetCaptureInfo_v3(s, status, &number, g, deps, data, n);
    if (!r && id)
        *id = number;
    return finish(r);
}

API cudaError_t cudaEventCreate(CUevent *e) { return DO(cuEventCreate(e, 0)); }
API cudaError_t cudaEventCreateWithFlags(CUevent *e, unsigned flags) { return DO(cuEventCreate(e, flags)); }
API cudaError_t cudaEventDestroy(CUevent e) { return DO(cuEventDestroy_v2(e)); }
API cudaError_t cudaEventRecord(CUevent e, CUstream s) { return DO(cuEventRecord(e, s)); }
API cudaError_t cudaEventRecordWithFlags(CUevent e, CUstream s, unsigned flags)
{
    return DO(cuEventRecordWithFlags(e, s, flags));
}
API cudaError_t cudaEventQuery(CUevent e) { return DO(cuEventQuery(e)); }
API cudaError_t cudaEventSynchronize(CUevent e) { return DO(cuEventSynchronize(e)); }
API cudaError_t cudaEventElapsedTime(float *ms, CUevent start, CUevent end)
{
    return DO(cuEventElapsedTime_v2(ms, start, end));
}
