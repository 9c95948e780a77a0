/* An open device, as the host's files share it. */
#ifndef COT_CUDA_BACKEND_H
#define COT_CUDA_BACKEND_H

#include <pthread.h>

#include "driver.h"
#include "strategy.h"

/* A kernel file compiled for an element type, in the library. */
typedef struct cuda_image {
    const char *module;
    cot_element element;
    const char *ptx;    /* text */
    const char *fatbin; /* machine code for several GPUs, or NULL (--enable-cubins) */
} cuda_image;

extern const cuda_image cot_cuda_images[]; /* ends with a NULL module */

enum { CUDA_IMAGES = 64 };

typedef struct cuda_backend {
    cuda_driver driver;
    int device;
    int arch; /* compute capability times ten */
    int processors;
    void *context;
    char name[128];
    char directory[256]; /* of PTX files that stand in for the library's; "" */
    bool wide; /* 64-bit indices even where fewer bits do: for tests, which have no room for the problems that need them
                */
    pthread_mutex_t lock;       /* of what follows */
    void *modules[CUDA_IMAGES]; /* one for each image, loaded when first asked for */
} cuda_backend;

/* modules.c: with the context current. `call` is what failed. */
driver_result cot_cuda_function(cuda_backend *b, const char *module, cot_element element, const char *kernel,
                                void **function, const char **call);
void cot_cuda_unload(cuda_backend *b);

/* run.c */
cot_status cot_cuda_run(cuda_backend *b, void *stream, void *workspace, const cot_desc *desc, const cot_args *args,
                        cot_error *error);

#endif
