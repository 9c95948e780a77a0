/* NumPy's .npy files, as far as plain arrays need them. A header is believed only as far as the file has the bytes that
 * it promises: nothing is allocated for what is not there. */
#include "array_file.h"
#include "softgpu/base/draft.h"
#include "softgpu/base/fp.h"
#include <ctype.h>

static const struct {
    const char *name, *descr;
    size_t size;
} types[] = {
    { "f16", "<f2", 2 }, { "bf16", "<V2", 2 }, { "f32", "<f4", 4 }, { "f64", "<f8", 8 },
    { "i8", "|i1", 1 },  { "u8", "|u1", 1 },   { "i16", "<i2", 2 }, { "u16", "<u2", 2 },
    { "i32", "<i4", 4 }, { "u32", "<u4", 4 },  { "i64", "<i8", 8 }, { "u64", "<u8", 8 },
};

bool element_type(const char *name, char descr[8], size_t *size)
{
    for (size_t i = 0; i < COUNT(types); i++) {
        if (strcmp(types[i].name, name))
            continue;
        snprintf(descr, 8, "%s", types[i].descr);
        *size = types[i].size;
        return true;
    }
    return false;
}

bool array_extend(array *a, u64 n)
{
    size_t count;
    if (a->rank == ARRAY_RANK || n > SIZE_MAX || __builtin_mul_overflow(a->count, (size_t)n, &count))
        return false;
    if (count > (size_t)PTRDIFF_MAX / 16) /* an element has at most 8 bytes */
        return false;
    a->shape[a->rank++] = (size_t)n;
    a->count = count;
    return true;
}

/* --- the header: a Python dictionary with three known keys, in any order and with any blanks --- */
typedef struct reader {
    const char *at;
    const char *problem;
} reader;

static bool expect(reader *r, char c)
{
    while (isspace((unsigned char)*r->at))
        r->at++;
    if (*r->at != c)
        return false;
    r->at++;
    return true;
}

static bool read_quoted(reader *r, char *out, size_t size)
{
    char quote = expect(r, '\'') ? '\'' : expect(r, '"') ? '"' : 0;
    size_t n = 0;
    while (quote && *r->at && *r->at != quote && n + 1 < size)
        out[n++] = *r->at++;
    out[n] = 0;
    return quote && *r->at++ == quote;
}

static bool complain(reader *r, const char *problem)
{
    r->problem = problem;
    return false;
}

static bool read_descr(reader *r, array *a)
{
    if (!read_quoted(r, a->type, sizeof a->type))
        return complain(r, "its type is not a plain one");
    if (!strcmp(a->type, "|V2"))
        a->type[0] = '<';
    for (size_t i = 0; i < COUNT(types); i++)
        if (!strcmp(types[i].descr, a->type)) {
            a->size = types[i].size;
            return true;
        }
    return complain(r, a->type[0] == '>' ? "it is big-endian" : "its type is not one of f16 bf16 f32 f64 i8 to u64");
}

static bool read_word(reader *r, const char *word)
{
    size_t n = strlen(word);
    while (isspace((unsigned char)*r->at))
        r->at++;
    if (strncmp(r->at, word, n) || isalnum((unsigned char)r->at[n]))
        return false;
    r->at += n;
    return true;
}

static bool read_shape(reader *r, array *a)
{
    bool good = expect(r, '(');
    a->count = 1;
    while (good && !expect(r, ')')) {
        u64 n = 0;
        if (!isdigit((unsigned char)*r->at))
            return complain(r, "its shape is no tuple of numbers");
        for (; isdigit((unsigned char)*r->at); r->at++)
            if (__builtin_mul_overflow(n, (u64)10, &n) || __builtin_add_overflow(n, (u64)(*r->at - '0'), &n))
                return complain(r, "its shape has no such size");
        if (!array_extend(a, n))
            return complain(r, "its shape is larger than memory, or of more than 8 axes");
        if (!expect(r, ',') && *r->at != ')')
            return complain(r, "its shape is no tuple of numbers");
    }
    return good || complain(r, "its shape is no tuple of numbers");
}

enum { HAS_DESCR = 1, HAS_ORDER = 2, HAS_SHAPE = 4 };

static bool read_item(reader *r, array *a, int *has, bool *fortran)
{
    char key[20];
    if (!read_quoted(r, key, sizeof key) || !expect(r, ':'))
        return complain(r, "its header is no dictionary");
    if (!strcmp(key, "descr")) {
        *has |= HAS_DESCR;
        return read_descr(r, a);
    }
    if (!strcmp(key, "shape")) {
        *has |= HAS_SHAPE;
        return read_shape(r, a);
    }
    *has |= HAS_ORDER;
    *fortran = read_word(r, "True");
    return !strcmp(key, "fortran_order") && (*fortran || read_word(r, "False")) ? true
                                                                                : complain(r, "its header is unknown");
}

static bool parse_header(const char *text, array *a, const char **problem)
{
    reader r = { text, "its header is no dictionary" };
    int has = 0;
    bool fortran = false, good = expect(&r, '{');
    while (good && !expect(&r, '}')) {
        good = read_item(&r, a, &has, &fortran);
        if (good && !expect(&r, ','))
            good = expect(&r, '}') || complain(&r, "its header is no dictionary");
        if (good && r.at[-1] == '}')
            break;
    }
    *problem = r.problem;
    if (good && has != (HAS_DESCR | HAS_ORDER | HAS_SHAPE)) {
        *problem = "its header lacks descr, fortran_order or shape";
        return false;
    }
    if (good && fortran && a->rank > 1) {
        *problem = "it is in Fortran order: save it with numpy.ascontiguousarray";
        return false;
    }
    return good;
}

static char *read_header(FILE *f, const char **problem)
{
    u8 head[12];
    *problem = "it is no .npy file";
    if (fread(head, 1, 10, f) != 10 || memcmp(head, "\x93NUMPY", 6) || head[6] < 1 || head[6] > 3)
        return NULL;
    size_t len = head[8] + 256u * head[9];
    if (head[6] > 1) {
        if (fread(head + 10, 1, 2, f) != 2)
            return NULL;
        len += ((size_t)head[10] << 16) + ((size_t)head[11] << 24);
    }
    *problem = "its header is too long or cut off";
    char *text = len < 65536 ? calloc(1, len + 1) : NULL;
    if (text && fread(text, 1, len, f) == len)
        return text;
    free(text);
    return NULL;
}

/* Piece by piece, so that a header that promises much and a file that holds little cost little. */
static bool read_cells(FILE *f, array *a)
{
    size_t bytes = a->count * a->size, got = 0, room = 1 << 20;
    while (got < bytes || !a->data) {
        u8 *more = realloc(a->data, (room < bytes ? room : bytes) + 1);
        if (!more)
            return false;
        a->data = more;
        size_t want = (room < bytes ? room : bytes) - got, n = fread(a->data + got, 1, want, f);
        got += n;
        if (n < want)
            return false;
        room *= 2;
    }
    return true;
}

bool npy_read(const char *name, array *a)
{
    const char *problem = "it cannot be opened";
    FILE *f = fopen(name, "rb");
    char *text = f ? read_header(f, &problem) : NULL;
    bool good = text && parse_header(text, a, &problem);
    if (good && !(good = read_cells(f, a)))
        problem = "it does not hold the bytes that its header promises";
    if (f)
        fclose(f);
    free(text);
    if (!good)
        fprintf(stderr, "softgpu: cannot read %s: %s\n", name, problem);
    return good;
}

bool npy_write(const char *name, const array *a)
{
    char shape[240] = "", text[400];
    for (int i = 0; i < a->rank; i++)
        snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%zu,", a->shape[i]);
    int n = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", a->type, shape);
    int padded = (n + 1 + 10 + 63) / 64 * 64 - 10;
    u8 head[10] = { 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (u8)padded, (u8)(padded >> 8) };
    draft d;
    FILE *f = draft_begin(&d, name);
    bool good = f && fwrite(head, 1, 10, f) == 10 && fprintf(f, "%-*s\n", padded - 1, text) == padded
                && fwrite(a->data, a->size, a->count, f) == a->count;
    good = draft_end(&d, good);
    if (!good)
        fprintf(stderr, "softgpu: cannot write %s\n", name);
    return good;
}

void print_element(const array *a, size_t i)
{
    u64 bits = 0;
    memcpy(&bits, a->data + i * a->size, a->size);
    s64 value = (s64)(bits << (64 - 8 * a->size)) >> (64 - 8 * a->size);
    switch (a->type[1]) {
    case 'f':
        printf("%.9g", a->size == 8   ? bits_f64(bits)
                       : a->size == 4 ? (double)bits_f32((u32)bits)
                                      : (double)h2f((u32)bits));
        break;
    case 'V': printf("%.9g", (double)g2f((u32)bits)); break;
    case 'i': printf("%lld", (long long)value); break;
    default: printf("%llu", (unsigned long long)bits);
    }
}
