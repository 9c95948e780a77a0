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

/* A double to float, to odd: the lowest bit also says whether anything was lost. A float has more than two bits beyond
 * f16 and bf16, so rounding it once more, to nearest even, is as good as rounding the double once. */
static float to_odd(double value)
{
    float nearest = (float)value;
    double back = (double)nearest;
    uint32_t u = bits_f(nearest);
    if (back == value || value != value || (u & 1))
        return nearest;
    bool above = (back > value) == (value > 0); /* the nearest lies further from 0 than the value */
    return real_f(above ? u - 1 : u + 1);
}

double cot_cell_get(cot_element element, const void *cell)
{
    uint16_t half;
    float single;
    double value = 0;
    switch (element) {
    case COT_F16: memcpy(&half, cell, 2); return (double)f16_to_float(half);
    case COT_BF16: memcpy(&half, cell, 2); return (double)bf16_to_float(half);
    case COT_F32: memcpy(&single, cell, 4); return (double)single;
    case COT_F64: memcpy(&value, cell, 8); return value;
    }
    return value;
}

void cot_cell_set(cot_element element, void *cell, double value)
{
    uint16_t half;
    float single = (float)value;
    switch (element) {
    case COT_F16:
        half = f16_from_float(to_odd(value));
        memcpy(cell, &half, 2);
        break;
    case COT_BF16:
        half = bf16_from_float(to_odd(value));
        memcpy(cell, &half, 2);
        break;
    case COT_F32: memcpy(cell, &single, 4); break;
    case COT_F64: memcpy(cell, &value, 8); break;
    }
}
