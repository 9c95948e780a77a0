/* Allocation between two pages that may not be touched. */
#include "fence.h"

#include <stdlib.h>

#ifdef __EMSCRIPTEN__ /* has no pages */

void *fence_alloc(size_t bytes) { return aligned_alloc(64, (bytes + 64) / 64 * 64); }

void fence_free(void *memory, size_t bytes)
{
    (void)bytes;
    free(memory);
}

#else

#include <sys/mman.h>
#include <unistd.h>

enum { ALIGNMENT = 16 };

static size_t page(void) { return (size_t)sysconf(_SC_PAGESIZE); }

/* The pages that are used, between the two that are not. */
static size_t used_pages(size_t bytes) { return (bytes + page() - 1) / page() * page(); }

static size_t rounded(size_t bytes) { return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT; }

void *fence_alloc(size_t bytes)
{
    size_t used = used_pages(rounded(bytes));
    char *all = mmap(NULL, used + 2 * page(), PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (all == MAP_FAILED)
        return NULL;
    if (used && mprotect(all + page(), used, PROT_READ | PROT_WRITE)) {
        munmap(all, used + 2 * page());
        return NULL;
    }
    return all + page() + used
           - rounded(bytes); /* ends at the fence: kernels stray past the end more often than before it */
}

void fence_free(void *memory, size_t bytes)
{
    size_t used = used_pages(rounded(bytes));
    if (memory)
        munmap((char *)memory + rounded(bytes) - used - page(), used + 2 * page());
}

#endif
