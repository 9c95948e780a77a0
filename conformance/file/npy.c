/* Reads .npy files whole, into memory of their own. */
#include "npy.h"
#include "npy_header.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- bytes ----------------------------------------------------------------------------------- */

static int cannot_read(char why[NPY_WHY_SIZE]) { return npy_wrong(why, "it cannot be read: %s", strerror(errno)); }

static size_t grown(size_t capacity, size_t most)
{
    enum { FIRST = 1 << 16 };
    size_t next = capacity ? capacity > SIZE_MAX / 2 ? SIZE_MAX : 2 * capacity : FIRST;
    return next < most ? next : most;
}

/* Reads `wanted` bytes into *data, fewer where the file ends. A file that promises more than it has costs no more
 * memory than what it has. */
static int read_bytes(FILE *file, size_t wanted, char **data, size_t *got, char why[NPY_WHY_SIZE])
{
    size_t capacity = 0, received = 1;
    for (*got = 0; *got < wanted && received; *got += received) {
        if (*got == capacity) {
            capacity = grown(capacity, wanted);
            char *larger = realloc(*data, capacity);
            if (!larger)
                return npy_wrong(why, "there is no memory for its %zu bytes", wanted);
            *data = larger;
        }
        received = fread(*data + *got, 1, capacity - *got, file);
    }
    return ferror(file) ? cannot_read(why) : 0;
}

/* ---- the header ------------------------------------------------------------------------------ */

/* Bytes of the header's text, from the fields after the magic: 2 bytes in version 1, else 4, little-endian. */
static int read_header_length(FILE *file, size_t *length, char why[NPY_WHY_SIZE])
{
    unsigned char start[NPY_MAGIC_SIZE + 4] = { 0 };
    size_t got = fread(start, 1, NPY_MAGIC_SIZE, file);
    if (ferror(file))
        return cannot_read(why);
    if (got < NPY_MAGIC_SIZE || memcmp(start, NPY_MAGIC, NPY_MAGIC_SIZE - 2))
        return npy_wrong(
            why, "it is not a .npy file: it does not start with \\x93NUMPY and a version (numpy.save writes them)");
    if (start[6] < 1 || start[6] > 3 || start[7])
        return npy_wrong(why, "its .npy version is %d.%d, expected 1.0, 2.0 or 3.0", start[6], start[7]);
    size_t field = start[6] == 1 ? 2 : 4;
    if (fread(start + NPY_MAGIC_SIZE, 1, field, file) < field)
        return npy_wrong(why, "it ends within its header: expected %zu bytes with the header's length", field);
    *length = 0;
    for (size_t i = field; i-- > 0;)
        *length = *length << 8 | start[NPY_MAGIC_SIZE + i];
    return 0;
}

static int read_header(FILE *file, npy_header *header, char why[NPY_WHY_SIZE])
{
    size_t length = 0, got = 0;
    char *text = NULL;
    if (read_header_length(file, &length, why))
        return -1;
    if (length > NPY_HEADER_MOST)
        return npy_wrong(why, "its header says that it has %zu bytes, expected at most %d", length, NPY_HEADER_MOST);
    int bad = read_bytes(file, length, &text, &got, why);
    if (!bad && got < length)
        bad = npy_wrong(why, "it ends within its header: %zu bytes of %zu are there", got, length);
    if (!bad)
        bad = npy_header_parse(text ? text : "", length, header, why);
    free(text);
    return bad;
}

/* ---- elements -------------------------------------------------------------------------------- */

static cot_element element_of(const char *descr)
{
    static const struct {
        const char *name;
        cot_element element;
    } known[] = { { "f2", COT_F16 }, { "f4", COT_F32 }, { "f8", COT_F64 }, { "u2", COT_BF16 }, { "V2", COT_BF16 } };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strchr(*known[i].name == 'V' ? "<>=|" : "<>=", *descr) && *descr && !strcmp(known[i].name, descr + 1))
            return known[i].element;
    return 0;
}

static int check_element(const npy_header *h, cot_element wanted, cot_element *element, char why[NPY_WHY_SIZE])
{
    *element = element_of(h->descr);
    if (h->descr[0] && h->descr[1] == 'O')
        return npy_wrong(why, "it holds Python objects, expected numbers: save it with .astype(\"f4\")");
    if (!*element)
        return npy_wrong(
            why, "it holds '%s', expected '<f2', '<f4' or '<f8' (numpy.astype), or '<u2' or '<V2' for the bits of bf16",
            h->descr);
    int bits = *element == COT_BF16 && h->descr[1] == 'u'; /* of bf16, or whole numbers: the file does not say */
    if (*element == wanted || (!wanted && !bits))
        return 0;
    if (!wanted)
        return npy_wrong(why, "it holds '%s': where these are the bits of bf16, say --dtype bf16", h->descr);
    if (wanted == COT_BF16)
        return npy_wrong(why, "it holds '%s', expected the bits of bf16 as '<u2' or '<V2'", h->descr);
    return npy_wrong(why, "it holds '%s', expected %s", h->descr, cot_element_name(wanted));
}

static void swap_bytes(char *data, size_t bytes, size_t size)
{
    for (char *cell = data; cell < data + bytes; cell += size)
        for (size_t i = 0; i < size / 2; i++) {
            char swapped = cell[i];
            cell[i] = cell[size - 1 - i];
            cell[size - 1 - i] = swapped;
        }
}

/* ---- the array ------------------------------------------------------------------------------- */

/* The strides hold the products of all extents, so these must fit even where an extent is 0. */
static int check_shape(const npy_header *h, size_t size, size_t *bytes, char why[NPY_WHY_SIZE])
{
    int64_t most = (int64_t)size;
    if (h->rank == 0)
        return npy_wrong(why, "it has no dimension (shape ()), expected 1 to %d: save it with .reshape(1)",
                         COT_MAX_RANK);
    *bytes = size;
    for (int d = 0; d < h->rank; d++) {
        if (__builtin_mul_overflow(most, h->shape[d] ? (int64_t)h->shape[d] : 1, &most) || (uint64_t)most > SIZE_MAX)
            return npy_wrong(why, "its shape makes more bytes than memory has addresses");
        *bytes *= (size_t)h->shape[d];
    }
    return 0;
}

static void set_view(cot_view *view, const npy_header *h, cot_element element, void *data)
{
    *view = cot_contiguous(element, h->rank, h->shape, data);
    int64_t next = 1;
    for (int d = 0; h->fortran && d < h->rank; d++) {
        view->strides[d] = next;
        next *= h->shape[d] ? h->shape[d] : 1;
    }
}

static int read_cells(FILE *file, size_t bytes, char **data, char why[NPY_WHY_SIZE])
{
    size_t got = 0;
    *data = malloc(1); /* an array without cells has an address too */
    if (!*data)
        return npy_wrong(why, "there is no memory");
    if (read_bytes(file, bytes, data, &got, why))
        return -1;
    if (got < bytes)
        return npy_wrong(why, "it ends too soon: its shape needs %zu bytes of cells, %zu are there", bytes, got);
    if (getc(file) != EOF)
        return npy_wrong(why, "it goes on after its last cell: its shape needs %zu bytes of cells, more are there",
                         bytes);
    return ferror(file) ? cannot_read(why) : 0;
}

static int read_array(FILE *file, cot_element wanted, cot_view *view, char why[NPY_WHY_SIZE])
{
    npy_header h;
    cot_element element;
    size_t bytes = 0;
    char *data = NULL;
    if (read_header(file, &h, why) || check_element(&h, wanted, &element, why))
        return -1;
    size_t size = cot_element_size(element);
    if (check_shape(&h, size, &bytes, why) || read_cells(file, bytes, &data, why)) {
        free(data);
        return -1;
    }
    if (*h.descr == (npy_big_endian_host() ? '<' : '>'))
        swap_bytes(data, bytes, size);
    set_view(view, &h, element, data);
    return 0;
}

int npy_read(const char *path, cot_element element, cot_view *view, char why[NPY_WHY_SIZE])
{
    *view = (cot_view){ 0 };
    FILE *file = fopen(path, "rb");
    if (!file)
        return cannot_read(why);
    int bad = read_array(file, element, view, why);
    fclose(file);
    return bad;
}
