/* Mutants that are wrong for a handful of pairs of f16 or bf16 only, as a table with a wrong entry or a shortcut with a
 * wrong condition is. A sweep over all pairs finds every one; the suite's quick range, which tries special numbers,
 * finds those of the smallest and the largest numbers and of a small exponent, and passes the tables by. */
#include "mutant_call.h"

#include <math.h>

static int is_narrow(const mutant_call *c) { return cot_element_size(c->desc.element) == 2; }

static unsigned bits_of(const mutant_call *c, double value)
{
    uint16_t cell;
    cot_cell_set(c->desc.element, &cell, value);
    return cell;
}

/* The result's neighbour, away from zero. */
static double off_by_one(const mutant_call *c, double result)
{
    uint16_t cell;
    cot_cell_set(c->desc.element, &cell, result);
    cell++;
    return cot_cell_get(c->desc.element, &cell);
}

/* One entry of a table of products is wrong, that of two mantissas: a pair in each sign and size of a alone. */
static double product_entry(const mutant_call *c, const mutant_spot *s)
{
    int hit = is_narrow(c) && (bits_of(c, s->a) & 0x7fff) == 0x3555 && (bits_of(c, s->b) & 0x7fff) == 0x2b1f;
    return hit ? off_by_one(c, s->reference) : s->reference;
}

/* A division whose table lacks an entry, for one divisor: the quotient is off where the dividend needs it. */
static double quotient_entry(const mutant_call *c, const mutant_spot *s)
{
    int hit = is_narrow(c) && s->out == COT_DB && bits_of(c, s->b) == 0x4a97 && (bits_of(c, s->a) & 0x7fff) == 0x3bff;
    return hit ? off_by_one(c, s->reference) : s->reference;
}

/* A tie is looked for by the difference, which flushes to zero next to the smallest numbers. */
static double near_tie(const mutant_call *c, const mutant_spot *s)
{
    int hit =
        is_narrow(c) && s->a != s->b && fabs(s->a) != fabs(s->b) && bits_of(c, s->a) <= 2 && bits_of(c, s->b) <= 2;
    return hit ? s->g / 2 : s->reference;
}

/* A cube by two products, which the roundings of only one base show. */
static double cube_shortcut(const mutant_call *c, const mutant_spot *s)
{
    int hit =
        is_narrow(c) && s->out == COT_DA && s->b == 4 && (bits_of(c, s->a) == 0x3c2b || bits_of(c, s->a) == 0x3f81);
    return hit ? off_by_one(c, s->reference) : s->reference;
}

/* The largest number taken for an infinity in one of two comparisons. */
static double largest_is_infinite(const mutant_call *c, const mutant_spot *s)
{
    unsigned largest = c->desc.element == COT_F16 ? 0x7bff : 0x7f7f;
    int hit = is_narrow(c) && (bits_of(c, s->a) & 0x7fff) == largest && (bits_of(c, s->b) & 0x7fff) == largest;
    return hit && s->out == COT_DB ? 0 : s->reference;
}

/* Quotients near 1 by a table, which is wrong for two neighbours. */
static double ratio_of_neighbours(const mutant_call *c, const mutant_spot *s)
{
    int hit = is_narrow(c) && (bits_of(c, s->x) & 0x7fff) == 0x3c7f && (bits_of(c, s->y) & 0x7fff) == 0x3c80;
    return hit ? off_by_one(c, s->reference) : s->reference;
}

/* A line of two whose sum comes from a table, with one wrong entry. */
static double sum_entry(const mutant_call *c, const mutant_spot *s)
{
    int hit = is_narrow(c) && c->n == 2 && (bits_of(c, s->y) & 0x7fff) == 0x3955
              && (bits_of(c, call_get(c, COT_Y, s->line, 1 - s->i)) & 0x7fff) == 0x3555;
    return hit ? off_by_one(c, s->reference) : s->reference;
}

static const mutant rare[] = {
    { "rare_product", "MUL", "mul", "", "is off in one entry of a table", .cell = product_entry },
    { "rare_quotient", "DIV", "div", "", "is off for one divisor", .cell = quotient_entry },
    { "rare_tie", "MAXIMUM-TIE", "maximum, minimum", "", "ties the smallest numbers", .cell = near_tie },
    { "rare_power", "POW", "pow", "", "has a shortcut that two bases show", .cell = cube_shortcut },
    { "rare_hypot", "HYPOT", "hypot", "", "takes the largest number for an infinity", .cell = largest_is_infinite },
    { "rare_ratio", "PROD", "prod", "", "is off for two neighbours", .cell = ratio_of_neighbours },
    { "rare_sum", "SOFTMAX", "softmax", "", "is off for one line of two", .cell = sum_entry },
};

const mutant *rare_at(int index)
{
    return index >= 0 && index < (int)(sizeof rare / sizeof *rare) ? &rare[index] : NULL;
}
