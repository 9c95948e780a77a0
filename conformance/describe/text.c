/* Numbers as text, and text in lines. */
#include "describe.h"

#include <inttypes.h>
#include <math.h>
#include <string.h>

uint64_t number_bits(cot_element element, double number)
{
    // clang-format off
    union { uint64_t u8; uint32_t u4; uint16_t u2; unsigned char bytes[8]; } cell = { 0 };
    // clang-format on
    size_t size = cot_element_size(element);
    cot_cell_set(element, cell.bytes, number);
    return size == 8 ? cell.u8 : size == 4 ? cell.u4 : cell.u2;
}

number_text describe_number(cot_element element, double number)
{
    static const int digits[] = { [COT_F16] = 5, [COT_BF16] = 4, [COT_F32] = 9, [COT_F64] = 17 };
    unsigned char cell[8] = { 0 };
    number_text t;
    cot_cell_set(element, cell, number);
    int exact = isnan(number) || cot_cell_get(element, cell) == number;
    snprintf(t.bits, sizeof t.bits, "%0*" PRIx64, 2 * (int)cot_element_size(element), number_bits(element, number));
    number = isnan(number) ? (double)NAN : number;
    snprintf(t.decimal, sizeof t.decimal, "%.*g", exact ? digits[element] : 17, number);
    snprintf(t.full, sizeof t.full, "%.17g", number);
    snprintf(t.hex, sizeof t.hex, "%a", number);
    return t;
}

number_text describe_want(cot_element element, double number)
{
    number_text t = describe_number(element, number);
    if (isnan(number)) {
        snprintf(t.decimal, sizeof t.decimal, "nan (any)");
        snprintf(t.full, sizeof t.full, "nan (any)");
        snprintf(t.bits, sizeof t.bits, "any");
    }
    return t;
}

void print_wrapped(FILE *to, const char *words, int column, int width, const char *indent)
{
    int at = column, begins = 1; /* a line begins: no space before the word */
    for (words += strspn(words, " "); *words; words += strspn(words, " ")) {
        int length = (int)strcspn(words, " ");
        if (!begins && at + 1 + length > width) {
            fprintf(to, "\n%s", indent);
            at = (int)strlen(indent);
        } else if (!begins) {
            putc(' ', to);
            at++;
        }
        begins = 0;
        at += fprintf(to, "%.*s", length, words);
        words += length;
    }
    putc('\n', to);
}

/* Up to the next option, " --name" outside of quotes. */
static int option_length(const char *command)
{
    int quoted = 0, at = 0;
    for (; command[at] && (!at || quoted || strncmp(command + at, " --", 3)); at++)
        quoted ^= command[at] == '\'';
    return at;
}

void print_command(FILE *to, const char *command, int column, int width)
{
    for (int at = column, length; *command; command += length) {
        length = option_length(command);
        int last = !command[length], indented = at > column || *command == ' ';
        if (indented && at + length + (last ? 0 : 2) > width) {
            fprintf(to, " \\\n   ");
            at = 3;
        }
        at += fprintf(to, "%.*s", length, command);
    }
    putc('\n', to);
}
