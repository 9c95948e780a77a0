/* Arrays in NumPy's file format, in C order. */
#ifndef SG_ARRAY_FILE_H
#define SG_ARRAY_FILE_H

#include "softgpu/base/base.h"

enum { ARRAY_RANK = 8 };

typedef struct array {
    char type[8];
    size_t size, count, shape[ARRAY_RANK]; /* size: bytes of an element */
    int rank;
    u8 *data;
} array;

bool npy_read(const char *name, array *a);        /* false with a message that says why */
bool npy_write(const char *name, const array *a); /* false with a message */
bool array_extend(array *a, u64 n); /* one more axis; false where the array would be too large. count begins as 1 */
bool element_type(const char *name, char descr[8], size_t *size); /* f32, i32, u8, ... */
void print_element(const array *a, size_t i);

#endif
