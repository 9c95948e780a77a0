/* Element types: names, sizes, and single cells to and from double. */
#include "core/math/half.h"
#include "internal.h"

#include <string.h>

static const struct {
    const char *name;
    size_t size;
} elements[] = {
    [COT_F16] = { "f16", 2 }, [COT_BF16] = { "bf16", 2 }, [COT_F32] = { "f32", 4 }, [COT_F64] = { "f64", 8 }
};

static bool known(cot_element element) { return element >= COT_F16 && element <= COT_F64; }

const char *cot_element_name(cot_element element) { return known(element) ? elements[element].name : NULL; }

size_t cot_element_size(cot_element element) { return known(element) ? elements[element].size : 0; }

cot_element cot_element_find(const char *name)
{
    for (int e = COT_F16; e <= COT_F64; e++)
        if (!strcmp(elements[e].name, name))
            return (cot_element)e;
    return (cot_element)0;
}

/* Cells change their type by integer operations alone: no rounding mode or flush setting of a caller changes a bit. */

/* The magnitude of a finite double that is below 2^128, in units of the last place that its float has, and below them
 * whatever is lost: `shift` bits. A subnormal float has a coarser unit for its size. */
static uint64_t scaled(uint64_t magnitude, int *shift)
{
    int exponent = (int)(magnitude >> 52) - 896; /* of the float: 1 to 254 where it is normal */
    *shift = 29;
    if (exponent > 0)
        return magnitude - ((uint64_t)896 << 52);
    *shift = 30 - exponent < 63 ? 30 - exponent : 63;
    return magnitude ? (magnitude & 0xfffffffffffffu) | (uint64_t)1 << 52 : 0;
}

/* The float next to a double: to nearest even; or to odd, where the lowest bit also says whether anything was lost. A
 * float has more than two bits beyond f16 and bf16, so rounding what is odd once more, to nearest even, is as good as
 * rounding the double once. */
static float narrowed(double value, bool to_odd)
{
    uint64_t u = bits_d(value), magnitude = u & 0x7fffffffffffffffu;
    uint32_t sign = (uint32_t)(u >> 32) & 0x80000000u;
    int shift;
    if (magnitude > 0x7ff0000000000000u)
        return real_f(sign | 0x7fc00000u | (uint32_t)(magnitude >> 29 & 0x3fffffu));
    if (magnitude >= 0x47f0000000000000u) /* 2^128 */
        return real_f(sign | (to_odd && magnitude < 0x7ff0000000000000u ? 0x7f7fffffu : 0x7f800000u));
    uint64_t v = scaled(magnitude, &shift), low = (v >> shift) & 1, lost = v & (((uint64_t)1 << shift) - 1);
    if (to_odd)
        return real_f(sign | (uint32_t)(v >> shift) | (lost != 0));
    return real_f(sign | (uint32_t)((v + ((uint64_t)1 << (shift - 1)) - 1 + low) >> shift));
}

static double widened(float value)
{
    uint32_t u = bits_f(value), magnitude = u & 0x7fffffffu;
    uint64_t sign = (uint64_t)(u & 0x80000000u) << 32;
    if (magnitude > 0x7f800000u)
        return real_d(sign | 0x7ff8000000000000u | (uint64_t)(magnitude & 0x3fffffu) << 29);
    if (magnitude == 0x7f800000u)
        return real_d(sign | 0x7ff0000000000000u);
    if (magnitude >= 0x800000u || !magnitude)
        return real_d(sign | (magnitude ? ((uint64_t)magnitude << 29) + ((uint64_t)896 << 52) : 0));
    uint64_t up = (uint64_t)__builtin_clz(magnitude) - 8; /* to the place of a normal float's leading bit */
    return real_d(sign | (((uint64_t)magnitude << (29 + up)) + ((uint64_t)(896 - up) << 52)));
}

double cot_cell_get(cot_element element, const void *cell)
{
    uint16_t half;
    float single;
    double value = 0;
    switch (element) {
    case COT_F16: memcpy(&half, cell, 2); return widened(f16_to_float(half));
    case COT_BF16: memcpy(&half, cell, 2); return widened(bf16_to_float(half));
    case COT_F32: memcpy(&single, cell, 4); return widened(single);
    case COT_F64: memcpy(&value, cell, 8); return value;
    }
    return value;
}

void cot_cell_set(cot_element element, void *cell, double value)
{
    uint16_t half;
    float single;
    switch (element) {
    case COT_F16:
        half = f16_from_float(narrowed(value, true));
        memcpy(cell, &half, 2);
        break;
    case COT_BF16:
        half = bf16_from_float(narrowed(value, true));
        memcpy(cell, &half, 2);
        break;
    case COT_F32:
        single = narrowed(value, false);
        memcpy(cell, &single, 4);
        break;
    case COT_F64: memcpy(cell, &value, 8); break;
    }
}
