/* Kernels by name. A module is loaded when the first of its kernels is first used, once, whatever the thread. */
#include "backend.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FILE_NOT_FOUND = 301, NOT_FOUND = 500 }; /* CUDA's numbers */

static int find_image(const char *module, cot_element element)
{
    for (int i = 0; i < CUDA_IMAGES && cot_cuda_images[i].module; i++)
        if (cot_cuda_images[i].element == element && !strcmp(cot_cuda_images[i].module, module))
            return i;
    return -1;
}

static char *read_text(const char *path)
{
    FILE *file = fopen(path, "rb");
    if (!file)
        return NULL;
    char *text = NULL;
    long size = fseek(file, 0, SEEK_END) ? -1 : ftell(file);
    if (size >= 0 && (text = malloc((size_t)size + 1))) {
        rewind(file);
        text[fread(text, 1, (size_t)size, file)] = 0;
    }
    fclose(file);
    return text;
}

static driver_result load_file(cuda_backend *b, const cuda_image *image, void **module)
{
    char path[512];
    snprintf(path, sizeof path, "%s/%s_%s.ptx", b->directory, image->module, cot_element_name(image->element));
    char *text = read_text(path);
    driver_result result = text ? b->driver.module_load(module, text) : FILE_NOT_FOUND;
    free(text);
    return result;
}

/* Machine code where there is some for this GPU; else the driver compiles the PTX. */
static driver_result load(cuda_backend *b, const cuda_image *image, void **module)
{
    if (*b->directory)
        return load_file(b, image, module);
    if (image->fatbin && !b->driver.software && !b->driver.module_load(module, image->fatbin))
        return 0;
    return b->driver.module_load(module, image->ptx);
}

static driver_result find_module(cuda_backend *b, const char *name, cot_element element, void **module)
{
    int i = find_image(name, element);
    if (i < 0)
        return NOT_FOUND;
    pthread_mutex_lock(&b->lock);
    driver_result result = b->modules[i] ? 0 : load(b, &cot_cuda_images[i], &b->modules[i]);
    if (result)
        b->modules[i] = NULL;
    *module = b->modules[i];
    pthread_mutex_unlock(&b->lock);
    return result;
}

driver_result cot_cuda_function(cuda_backend *b, const char *module, cot_element element, const char *kernel,
                                void **function, const char **call)
{
    void *loaded;
    *call = "cuModuleLoadData";
    driver_result result = find_module(b, module, element, &loaded);
    if (result)
        return result;
    *call = "cuModuleGetFunction";
    return b->driver.module_function(function, loaded, kernel);
}

void cot_cuda_unload(cuda_backend *b)
{
    for (int i = 0; i < CUDA_IMAGES; i++)
        if (b->modules[i])
            b->driver.module_unload(b->modules[i]);
}
