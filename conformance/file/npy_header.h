/* The header of a .npy file: a Python dictionary with descr, fortran_order and shape, as text. */
#ifndef COT_NPY_HEADER_H
#define COT_NPY_HEADER_H

#include "core/cotangent.h"
#include "npy.h"

enum {
    NPY_MAGIC_SIZE = 8,      /* "\x93NUMPY", major, minor */
    NPY_HEADER_MOST = 65536, /* bytes of text; what NumPy writes for numbers has some 120 */
    NPY_ALIGNMENT = 64,      /* of the data in the file */
    NPY_TEXT_SIZE = 256      /* of the shape and the dtype as text: eight extents fit */
};

#define NPY_MAGIC "\x93NUMPY"

typedef struct npy_header {
    char descr[16]; /* "<f4" */
    int fortran;
    int rank;
    int32_t shape[COT_MAX_RANK];
} npy_header;

/* 0, or -1 with what is wrong in `why`. The text need not end in 0. */
int npy_header_parse(const char *text, size_t length, npy_header *header, char why[NPY_WHY_SIZE]);

/* The whole start of a file, version 1.0, magic and padding included; its length. */
size_t npy_header_print(cot_element element, int rank, const int32_t *shape, char text[NPY_TEXT_SIZE]);

/* "(5, 37)", as NumPy prints it. */
const char *npy_shape_print(int rank, const int32_t *shape, char text[NPY_TEXT_SIZE]);

int npy_big_endian_host(void);

__attribute__((format(printf, 2, 3))) int npy_wrong(char why[NPY_WHY_SIZE], const char *format, ...);

#endif
