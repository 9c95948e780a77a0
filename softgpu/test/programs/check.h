// What every program here shares: a check that ends it, and one that expects an error.
#pragma once
#include <cstdio>
#include <cstdlib>

#define EXPECT(condition) \
    if (!(condition)) \
    printf("%s:%d: %s\n", __FILE__, __LINE__, #condition), exit(1)
#define CALL(call) call_of(call, #call, __LINE__, cudaSuccess)
#define FAILS(call, error) call_of(call, #call, __LINE__, error)

inline void call_of(cudaError_t got, const char *text, int line, cudaError_t want)
{
    if (got == want)
        return;
    printf("line %d: %s gives %s, not %s\n", line, text, cudaGetErrorName(got), cudaGetErrorName(want));
    exit(1);
}
