/* NumPy's .npy files, as far as plain arrays need them. */
#include "cli.h"
#include "fp.h"

static const struct { const char *name, *descr; size_t size; } types[] = {
    { "f16", "<f2", 2 }, { "bf16", "<V2", 2 }, { "f32", "<f4", 4 }, { "f64", "<f8", 8 }, { "i8", "|i1", 1 }, { "u8", "|u1", 1 },
    { "i16", "<i2", 2 }, { "u16", "<u2", 2 }, { "i32", "<i4", 4 }, { "u32", "<u4", 4 }, { "i64", "<i8", 8 }, { "u64", "<u8", 8 },
};

bool element_type(const char *name, char descr[8], size_t *size)
{
    for (size_t i = 0; i < COUNT(types); i++) {
        if (strcmp(types[i].name, name)) continue;
        snprintf(descr, 8, "%s", types[i].descr);
        *size = types[i].size;
        return true;
    }
    return false;
}

static bool known_descr(array *a)
{
    for (size_t i = 0; i < COUNT(types); i++)
        if (!strcmp(types[i].descr, a->type)) { a->size = types[i].size; return true; }
    return false;
}

/* {'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), } */
static bool parse_header(char *text, array *a)
{
    char *descr = strstr(text, "'descr'"), *shape = strstr(text, "'shape'");
    if (!descr || !shape || strstr(text, "'fortran_order': True")) return false;
    if (sscanf(descr, "'descr': '%7[^']'", a->type) != 1 || !known_descr(a)) return false;
    a->rank = 0;
    a->count = 1;
    for (char *p = strchr(shape, '('); p && *p && *p != ')' && a->rank < 8; p++) {
        char *end;
        unsigned long long n = strtoull(p + 1, &end, 10);
        if (end == p + 1) break;
        a->shape[a->rank++] = (size_t)n;
        a->count *= (size_t)n;
        p = end - (*end == ')');
        if (*end == ')') break;
    }
    return true;
}

bool npy_read(const char *name, array *a)
{
    u8 head[10];
    char text[4096] = "";
    FILE *f = fopen(name, "rb");
    bool good = f && fread(head, 1, 10, f) == 10 && !memcmp(head, "\x93NUMPY\x01", 7);
    size_t len = good ? head[8] + 256u * head[9] : 0;
    good = good && len < sizeof text && fread(text, 1, len, f) == len && parse_header(text, a);
    a->data = good ? malloc(a->count * a->size + 1) : NULL;
    good = a->data && fread(a->data, a->size, a->count, f) == a->count;
    if (f) fclose(f);
    if (!good) fprintf(stderr, "softgpu: cannot read %s as a .npy array\n", name);
    return good;
}

bool npy_write(const char *name, const array *a)
{
    char shape[200] = "", text[400];
    for (int i = 0; i < a->rank; i++) snprintf(shape + strlen(shape), sizeof shape - strlen(shape), "%zu,", a->shape[i]);
    int n = snprintf(text, sizeof text, "{'descr': '%s', 'fortran_order': False, 'shape': (%s), }", a->type, shape);
    int padded = (n + 1 + 10 + 63) / 64 * 64 - 10;
    u8 head[10] = { 0x93, 'N', 'U', 'M', 'P', 'Y', 1, 0, (u8)padded, (u8)(padded >> 8) };
    FILE *f = fopen(name, "wb");
    if (!f) { fprintf(stderr, "softgpu: cannot write %s\n", name); return false; }
    fwrite(head, 1, 10, f);
    fprintf(f, "%-*s\n", padded - 1, text);
    bool good = fwrite(a->data, a->size, a->count, f) == a->count;
    return fclose(f) == 0 && good;
}

void print_element(const array *a, size_t i)
{
    u64 bits = 0;
    memcpy(&bits, a->data + i * a->size, a->size);
    s64 value = (s64)(bits << (64 - 8 * a->size)) >> (64 - 8 * a->size);
    switch (a->type[1]) {
    case 'f': printf("%.9g", a->size == 8 ? bits_f64(bits) : a->size == 4 ? (double)bits_f32((u32)bits) : (double)h2f((u32)bits)); break;
    case 'V': printf("%.9g", (double)g2f((u32)bits)); break;
    case 'i': printf("%lld", (long long)value); break;
    default: printf("%llu", (unsigned long long)bits);
    }
}
