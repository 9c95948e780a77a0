/* softgpu run: --in, --inout, --out and --scalar. */
#include "run_params.h"
#include "softgpu/base/softfloat.h"
#include <ctype.h>
#include <errno.h>

static bool refuse(const char *text, const char *why)
{
    fprintf(stderr, "softgpu: cannot use '%s': %s\n", text, why);
    return false;
}

static param *new_param(params *p, const char *text)
{
    if (p->n == MAX_ARGS) {
        refuse(text, "a kernel takes at most 64 parameters here");
        return NULL;
    }
    p->list[p->n].text = text;
    return &p->list[p->n++];
}

static bool add_file(params *list, const char *name, bool comes_out)
{
    param *p = new_param(list, name);
    if (!p)
        return false;
    p->is_buffer = p->goes_in = true;
    p->comes_out = comes_out;
    return npy_read(name, &p->a);
}

bool add_in(params *p, const char *text) { return add_file(p, text, false); }
bool add_inout(params *p, const char *text) { return add_file(p, text, true); }

static bool take_type(param *p, const char *text, size_t len)
{
    char type[8] = "";
    if (len < sizeof type)
        memcpy(type, text, len);
    return element_type(type, p->a.type, &p->a.size)
           || refuse(p->text, "the type is none of f16 bf16 f32 f64 i8 i16 i32 i64 u8 u16 u32 u64");
}

/* 4096xf32, 2x3xf16=out.npy */
bool add_out(params *list, const char *text)
{
    param *p = new_param(list, text);
    if (!p)
        return false;
    const char *file = strchr(text, '='), *at = text, *end = file ? file : text + strlen(text);
    p->is_buffer = p->comes_out = true;
    p->file = file ? file + 1 : NULL;
    p->goes_in = !file; /* what is printed whole must have been written whole */
    p->a.count = 1;
    while (at < end && isdigit((unsigned char)*at)) {
        char *after;
        errno = 0;
        u64 n = strtoull(at, &after, 10);
        if (errno || !array_extend(&p->a, n))
            return refuse(text, "no memory holds an array of that shape");
        if (*after != 'x')
            return refuse(text, "a shape is written as 2x3xf32");
        at = after + 1;
    }
    if (!take_type(p, at, (size_t)(end - at)))
        return false;
    p->a.data = calloc(p->a.count + 1, p->a.size);
    return p->a.data || refuse(text, "the host has no memory for it");
}

static bool parse_float(param *p, const char *value)
{
    char *end;
    double d = strtod(value, &end);
    if (end == value || *end)
        return refuse(p->text, "the value is no number");
    if (p->a.size == 8)
        p->scalar = f64_bits(d);
    else if (p->a.size == 4)
        p->scalar = f32_bits((float)d);
    else
        p->scalar = sf_convert(p->a.type[1] == 'f' ? &FMT_F16 : &FMT_BF16, &FMT_F64, f64_bits(d), RND_NEAREST);
    return true;
}

static bool parse_integer(param *p, const char *value)
{
    char *end;
    bool is_signed = p->a.type[1] == 'i', negative = *value == '-';
    unsigned bits = 8 * (unsigned)p->a.size;
    errno = 0;
    p->scalar = negative ? (u64)strtoll(value, &end, 0) : strtoull(value, &end, 0);
    if (end == value || *end)
        return refuse(p->text, "the value is no integer");
    u64 most = is_signed ? ~(u64)0 >> (65 - bits) : ~(u64)0 >> (64 - bits);
    bool fits = negative ? is_signed && (s64)p->scalar >= -(s64)most - 1 : p->scalar <= most;
    return (!errno && fits) || refuse(p->text, "the value does not fit the type");
}

/* i32:7, f32:0.5, f16:1 */
bool add_scalar(params *list, const char *text)
{
    param *p = new_param(list, text);
    const char *colon = strchr(text, ':');
    if (!p)
        return false;
    if (!colon)
        return refuse(text, "a scalar is written as i32:7");
    if (!take_type(p, text, (size_t)(colon - text)))
        return false;
    bool is_float = p->a.type[1] == 'f' || p->a.type[1] == 'V';
    return is_float ? parse_float(p, colon + 1) : parse_integer(p, colon + 1);
}
