/* The runtime of CUDA 12: structures as its public header lays them out, and calls in their old form. The numbers are
 * of CUDA 12.4's cuda_runtime_api.h on a 64-bit machine. */
#include "conformance/tap/tap.h"
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PROPERTIES = 1032, POINTER = 24, ROOM = 64, SUCCESS = 0, MANAGED = 3 };

static void *library;

static void *find(const char *name)
{
    void *f = dlsym(library, name);
    if (!f)
        BAIL_OUT("no %s", name);
    return f;
}

/* A function of the library by its name, as a pointer of the type that its result is given to. */
#define FIND(f, name) (*(void **)(&f) = find(name))

static int field(const unsigned char *p, size_t at)
{
    int value;
    memcpy(&value, p + at, sizeof value);
    return value;
}

static void test_properties(void)
{
    int (*properties)(void *, int), (*attribute)(int *, int, int), sms = 0, bus = 0, least = 0;
    unsigned char p[PROPERTIES + ROOM];
    FIND(properties, "cudaGetDeviceProperties_v2");
    FIND(attribute, "cudaDeviceGetAttribute");
    memset(p, 0x5a, sizeof p);
    ok(properties(p, 0) == SUCCESS && !strcmp((char *)p, "Cotangent software device"), "properties");
    attribute(&sms, 16, 0);
    attribute(&bus, 37, 0);
    attribute(&least, 106, 0);
    ok(field(p, 388) == sms, "multiprocessors");
    ok(field(p, 612) == bus, "width of the bus");
    ok(field(p, 652) == 1 && field(p, 688) == 1, "managed memory, cooperative launch");
    ok(field(p, 712) == least, "blocks of a multiprocessor");
    ok(p[PROPERTIES] == 0x5a && p[PROPERTIES + ROOM - 1] == 0x5a, "and not a byte behind");
}

static void test_calls(void)
{
    int (*managed)(void **, size_t, unsigned), (*pointer)(void *, const void *), (*version)(int *), (*release)(void *);
    int (*prefetch)(const void *, size_t, int, void *), number = 0;
    unsigned char a[POINTER + ROOM];
    void *p = NULL;
    FIND(managed, "cudaMallocManaged");
    FIND(pointer, "cudaPointerGetAttributes");
    FIND(prefetch, "cudaMemPrefetchAsync");
    FIND(version, "cudaRuntimeGetVersion");
    FIND(release, "cudaFree");
    ok(managed(&p, 256, 1) == SUCCESS, "managed memory");
    memset(a, 0x5a, sizeof a);
    ok(pointer(a, p) == SUCCESS && field(a, 0) == MANAGED && a[POINTER] == 0x5a, "attributes of a pointer");
    ok(prefetch(p, 256, 0, NULL) == SUCCESS && prefetch(p, 256, 7, NULL) != SUCCESS, "prefetch to a device by number");
    ok(version(&number) == SUCCESS && number == 12000, "version");
    ok(release(p) == SUCCESS, "freed");
}

int main(void)
{
    char path[4096];
    const char *builddir = getenv("builddir");
    plan(NO_PLAN);
    snprintf(path, sizeof path, "%s/softgpu/libcudart.so.12", builddir ? builddir : ".");
    library = dlopen(path, RTLD_NOW);
    if (!library)
        BAIL_OUT("%s", dlerror());
    test_properties();
    test_calls();
    return done_testing();
}
