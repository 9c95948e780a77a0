/* A witness of the order in which blocks run: a seed that changes nothing would prove nothing of the kernels that were
 * run with it. */
#ifndef COT_TEST_CUDA_SEED_H
#define COT_TEST_CUDA_SEED_H

#include "test_device.h"

enum { WITNESS_BLOCKS = 16 };

/* Every block draws a number. */
static const char witness_ptx[] = ".version 6.3\n.target sm_75\n.address_size 64\n"
                                  ".visible .entry witness(.param .u64 out) {\n"
                                  "  .reg .u32 %r<3>; .reg .u64 %d<4>;\n"
                                  "  ld.param.u64 %d0, [out];\n"
                                  "  atom.global.add.u32 %r0, [%d0], 1;\n"
                                  "  mov.u32 %r1, %ctaid.x;\n"
                                  "  mul.wide.u32 %d1, %r1, 4;\n"
                                  "  add.u64 %d2, %d0, %d1;\n"
                                  "  st.global.u32 [%d2+4], %r0;\n"
                                  "  ret;\n}\n";

typedef struct witness_driver {
    int (*retain)(void **, int), (*set)(void *), (*release)(int), (*load)(void **, const void *), (*unload)(void *);
    int (*find)(void **, void *, const char *), (*alloc)(uint64_t *, size_t), (*free)(uint64_t);
    int (*fill)(uint64_t, unsigned char, size_t), (*fetch)(void *, uint64_t, size_t);
    int (*launch)(void *, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, unsigned, void *, void **,
                  void **);
    void (*threads)(int);
} witness_driver;

static inline bool find_witness_driver(witness_driver *w)
{
    void *library = dlopen("libcuda.so.1", RTLD_NOW | RTLD_NOLOAD);
    const struct {
        const char *name;
        void *slot;
    } list[] = {
        { "cuDevicePrimaryCtxRetain", &w->retain },
        { "cuCtxSetCurrent", &w->set },
        { "cuDevicePrimaryCtxRelease_v2", &w->release },
        { "cuModuleLoadData", &w->load },
        { "cuModuleUnload", &w->unload },
        { "cuModuleGetFunction", &w->find },
        { "cuMemAlloc_v2", &w->alloc },
        { "cuMemFree_v2", &w->free },
        { "cuMemsetD8_v2", &w->fill },
        { "cuMemcpyDtoH_v2", &w->fetch },
        { "cuLaunchKernel", &w->launch },
        { "softgpuSetThreads", &w->threads },
    };
    for (size_t i = 0; i < sizeof list / sizeof *list; i++)
        if (!find_symbol(library, list[i].name, list[i].slot))
            return false;
    return true;
}

/* The numbers that blocks draw under a seed, on one thread of the host. */
static inline bool draw_order(const device_functions *d, const witness_driver *w, void *kernel, uint64_t seed,
                              uint32_t order[WITNESS_BLOCKS + 1])
{
    const size_t bytes = (WITNESS_BLOCKS + 1) * sizeof *order;
    uint64_t memory;
    void *parameters[] = { &memory };
    d->set_seed(seed);
    bool drawn = !w->alloc(&memory, bytes) && !w->fill(memory, 0, bytes)
                 && !w->launch(kernel, WITNESS_BLOCKS, 1, 1, 1, 1, 1, 0, NULL, parameters, NULL)
                 && !w->fetch(order, memory, bytes);
    w->free(memory);
    return drawn;
}

static inline bool seed_permutes(const device_functions *d, const witness_driver *w)
{
    void *context, *module, *kernel;
    uint32_t natural[WITNESS_BLOCKS + 1], one[WITNESS_BLOCKS + 1], two[WITNESS_BLOCKS + 1];
    if (w->retain(&context, 0) || w->set(context) || w->load(&module, witness_ptx)
        || w->find(&kernel, module, "witness"))
        return false;
    w->threads(1);
    bool drawn =
        draw_order(d, w, kernel, 0, natural) && draw_order(d, w, kernel, 1, one) && draw_order(d, w, kernel, 2, two);
    w->threads(0);
    w->unload(module);
    w->set(NULL);
    w->release(0);
    for (uint32_t i = 0; i < WITNESS_BLOCKS; i++)
        drawn = drawn && natural[i + 1] == i;
    return drawn && memcmp(natural, one, sizeof one) != 0 && memcmp(one, two, sizeof two) != 0;
}

static inline void test_seed(const device_functions *d)
{
    witness_driver w;
    ok(find_witness_driver(&w) && seed_permutes(d, &w), "a seed permutes the order of blocks, another one otherwise");
    cmp_ok((long long)take_reports(d), "==", 0, "and the witness of it is clean");
    d->reset_counters();
    d->set_seed(0);
}

#endif
