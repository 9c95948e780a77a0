/* Functions by name and version. */
#include "api.h"

#define API(base, version, symbol) CUresult symbol(void);
#include "unmodelled.def"
#undef API
#define API(base, version, symbol) { #base, version, #symbol, (void (*)(void))symbol },
static const struct {
    const char *base;
    int version;
    const char *symbol;
    void (*f)(void);
} functions[] = {
#include "api.def"
#include "unmodelled.def"
};
#undef API

CUDAAPI CUresult cuGetProcAddress_v2(const char *name, void **out, int version, uint64_t flags, int *status)
{
    int best = -1, known = 0;
    (void)flags;
    if (!name || !out)
        return CUDA_ERROR_INVALID_VALUE;
    for (size_t i = 0; i < COUNT(functions); i++) {
        if (!strcmp(functions[i].symbol, name) && strcmp(functions[i].base, name))
            best = (int)i;
        if (strcmp(functions[i].base, name))
            continue;
        known = 1;
        if (functions[i].version <= version && (best < 0 || functions[i].version >= functions[best].version))
            best = (int)i;
    }
    *out = NULL;
    if (best >= 0)
        memcpy(out, &functions[best].f, sizeof *out);
    if (status)
        *status = best >= 0 ? 0 : known ? 2 : 1;
    return best >= 0 ? CUDA_SUCCESS : CUDA_ERROR_NOT_FOUND;
}

CUDAAPI CUresult cuGetProcAddress(const char *name, void **out, int version, uint64_t flags)
{
    return cuGetProcAddress_v2(name, out, version, flags, NULL);
}

/* Private tables of the vendor's own libraries: none. */
CUDAAPI CUresult cuGetExportTable(const void **table, const CUuuid *id)
{
    (void)id;
    if (table)
        *table = NULL;
    return CUDA_ERROR_NOT_FOUND;
}
