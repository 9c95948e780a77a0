// What goes wrong: launches that no device takes, refusals by name, a bad address that stays, and a reset.
#include "check.h"

__global__ void store(int *x, int at) { x[at] = 1; }

int main()
{
    int *x, y = 0;
    cudaArray_t array;
    cudaChannelFormatDesc desc = cudaCreateChannelDesc<float>();
    CALL(cudaMalloc(&x, 256));
    store<<<1, 2048>>>(x, 0);
    EXPECT(cudaPeekAtLastError() == cudaErrorInvalidConfiguration
           && cudaGetLastError() == cudaErrorInvalidConfiguration);
    store<<<0, 1>>>(x, 0);
    EXPECT(cudaGetLastError() == cudaErrorInvalidConfiguration && cudaGetLastError() == cudaSuccess);
    FAILS(cudaLaunchKernel((const void *)&y, dim3(1), dim3(1), nullptr, 0, 0), cudaErrorInvalidDeviceFunction);
    FAILS(cudaMemcpy(x, &y, 1000, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaMemcpy(&y, x, 4, (cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    FAILS(cudaMemcpy(x, &y, 4, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    FAILS(cudaMallocArray(&array, &desc, 8, 8), cudaErrorNotSupported);
    FAILS(cudaMalloc((void **)&array, (size_t)1 << 60), cudaErrorMemoryAllocation);
    FAILS(cudaFree((void *)16), cudaErrorInvalidValue);
    FAILS(cudaGetLastError(), cudaErrorInvalidValue);
    CALL(cudaMemcpy(x, &y, 4, cudaMemcpyHostToDevice));

    store<<<1, 1>>>(x, 1000); /* outside: the next calls fail, whatever they are */
    CALL(cudaGetLastError());
    FAILS(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    FAILS(cudaMalloc(&x, 4), cudaErrorIllegalAddress);
    FAILS(cudaGetLastError(), cudaErrorIllegalAddress);
    CALL(cudaDeviceReset());
    CALL(cudaMalloc(&x, 256));
    store<<<1, 1>>>(x, 3);
    CALL(cudaMemcpy(&y, x + 3, 4, cudaMemcpyDeviceToHost));
    EXPECT(y == 1);

    int *host; /* memory that is shared with the host is confined as the device's is */
    CALL(cudaMallocManaged(&host, 256));
    store<<<1, 1>>>(host, 64);
    FAILS(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    return 0;
}
