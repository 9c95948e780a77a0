#include "judge_cell.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

int same_number(double a, double b)
{
    return isnan(a) || isnan(b) ? isnan(a) && isnan(b) : a == b && signbit(a) == signbit(b);
}

cell_verdict judge_cell(const truth_cell *want, cot_element element, double got, double k, level upto, int exact)
{
    cell_verdict v = { .ruling = NOT_RULED };
    int same = same_number(got, want->literal);
    if (want->holds & TRUTH_EDGE) {
        v.ruling = BY_EDGE;
        v.wrong = !same;
        v.at = LEVEL_E;
        return v;
    }
    if (upto >= LEVEL_B && want->holds & TRUTH_BOUND) {
        v.ratio = truth_score(want, element, got, k);
        v.ulps = truth_ulps(want, element, got);
        v.ruling = BY_BOUND;
        v.wrong = !(v.ratio <= 1);
        v.at = LEVEL_B;
    }
    level bits = exact ? LEVEL_B : LEVEL_X;
    if (!v.wrong && upto >= bits && want->holds & TRUTH_BITS) {
        v.ruling = BY_BITS;
        v.wrong = !same;
        v.at = bits;
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

int describe_pair(char *text, size_t size, cot_element element, double got, double want)
{
    char left[96], right[96];
    print_number(left, sizeof left, element, "got", got);
    print_number(right, sizeof right, element, "want", want);
    return snprintf(text, size, "%s, %s", left, right);
}
