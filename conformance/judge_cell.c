#include "judge_cell.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static int same_number(double a, double b) /* any NaN is any NaN; zeros have signs */
{
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : a == b && signbit(a) == signbit(b);
}

cell_verdict judge_cell(const truth_cell *want, cot_element element, double got, promise promised)
{
    cell_verdict v = { .ruling = NOT_RULED };
    int same = same_number(got, want->literal);
    if (want->holds & TRUTH_EDGE) {
        v.ruling = BY_EDGE;
        v.wrong = !same;
        return v;
    }
    if (want->holds & TRUTH_BOUND) {
        v.ratio = truth_score(want, element, got, promised.roundings);
        v.ulps = truth_ulps(want, element, got);
        v.ruling = BY_BOUND;
        v.wrong = !(v.ratio <= 1);
    }
    if (!v.wrong && promised.bits && want->holds & TRUTH_BITS) {
        v.ruling = BY_BITS;
        v.wrong = !same;
    }
    return v;
}

static uint64_t bits_of(cot_element element, double number)
{
    union { uint64_t u8; uint32_t u4; uint16_t u2; unsigned char bytes[8]; } cell = { 0 };
    cot_cell_set(element, cell.bytes, number);
    size_t size = cot_element_size(element);
    return size == 8 ? cell.u8 : size == 4 ? cell.u4 : cell.u2;
}

static int print_number(char *text, size_t size, cot_element element, const char *what, double number)
{
    int digits = 2 * (int)cot_element_size(element);
    return snprintf(text, size, "%s %.17g (%a, bits %0*" PRIx64 ")", what, number, number, digits, bits_of(element, number));
}

int describe_cell(char *text, size_t size, const cot_desc *desc, const truth_cell *want, double got, cell_verdict v)
{
    char left[96], right[96];
    double wanted = v.ruling == BY_BOUND ? real_to(want->exact) : want->literal;
    print_number(left, sizeof left, desc->element, "got", got);
    print_number(right, sizeof right, desc->element, "want", wanted);
    if (v.ruling != BY_BOUND)
        return snprintf(text, size, "%s, %s, clause %s", left, right, truth_clause(desc->op));
    return snprintf(text, size, "%s, %s, error/bound %.3g, clause %s within BOUND", left, right, v.ratio, truth_clause(desc->op));
}
