/* Reads and writes the header of a .npy file, a Python dictionary as text. */
#include "npy_header.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

int npy_wrong(char why[NPY_WHY_SIZE], const char *format, ...)
{
    va_list list;
    va_start(list, format);
    vsnprintf(why, NPY_WHY_SIZE, format, list);
    va_end(list);
    return -1;
}

int npy_big_endian_host(void)
{
    const uint16_t one = 1;
    return !*(const unsigned char *)&one;
}

/* ---- parsing --------------------------------------------------------------------------------- */

/* What is left of the text. */
typedef struct cursor {
    const char *at, *end;
    char *why;
} cursor;

static void skip_space(cursor *c)
{
    while (c->at < c->end && strchr(" \t\r\n", *c->at) && *c->at)
        c->at++;
}

/* The next character that counts; 0 at the end. */
static char peek(cursor *c)
{
    skip_space(c);
    return c->at < c->end ? *c->at : 0;
}

static int take(cursor *c, char wanted)
{
    if (peek(c) != wanted || !wanted)
        return 0;
    c->at++;
    return 1;
}

/* A copy that may be printed: control characters would upset a terminal. Cut where it does not fit. */
static void copy_printable(char *to, size_t size, const char *from, const char *end)
{
    for (; from < end && size > 1; from++, size--)
        *to++ = *from >= ' ' && *from <= '~' ? *from : '?';
    *to = 0;
}

/* Says where the text stops making sense. */
static int unparsable(cursor *c, const char *expected)
{
    char near[24];
    copy_printable(near, sizeof near, c->at, c->end);
    return *near ? npy_wrong(c->why, "the header cannot be parsed: expected %s at \"%s\"", expected, near)
                 : npy_wrong(c->why, "the header cannot be parsed: expected %s at its end", expected);
}

/* A string in either kind of quotes; what is too long to be known is cut, and stays unknown. */
static int take_string(cursor *c, char *text, size_t size, const char *expected)
{
    char quote = peek(c);
    if (quote != '\'' && quote != '"')
        return unparsable(c, expected);
    const char *start = c->at + 1, *stop = memchr(start, quote, (size_t)(c->end - start));
    if (!stop)
        return unparsable(c, "a string that ends");
    copy_printable(text, size, start, stop);
    c->at = stop + 1;
    return 0;
}

static int take_word(cursor *c, const char *word)
{
    size_t length = strlen(word);
    skip_space(c);
    if ((size_t)(c->end - c->at) < length || memcmp(c->at, word, length))
        return 0;
    c->at += length;
    return 1;
}

static int take_descr(cursor *c, npy_header *h)
{
    if (peek(c) == '[')
        return npy_wrong(
            c->why,
            "it holds records (a structured dtype), expected plain numbers: save one field as an array of its own");
    return take_string(c, h->descr, sizeof h->descr, "the dtype as a string, as in '<f4',");
}

static int take_order(cursor *c, npy_header *h)
{
    h->fortran = take_word(c, "True");
    return h->fortran || take_word(c, "False") ? 0 : unparsable(c, "True or False for fortran_order");
}

static int take_extent(cursor *c, npy_header *h)
{
    long long extent = 0;
    if (peek(c) == '-')
        return npy_wrong(c->why, "the extent of dimension %d is negative", h->rank);
    if (peek(c) < '0' || peek(c) > '9')
        return unparsable(c, "an extent");
    if (h->rank == COT_MAX_RANK)
        return npy_wrong(c->why, "it has more than %d dimensions, expected 1 to %d: reshape it", COT_MAX_RANK,
                         COT_MAX_RANK);
    for (; c->at < c->end && *c->at >= '0' && *c->at <= '9'; c->at++)
        if ((extent = extent * 10 + (*c->at - '0')) > INT32_MAX)
            return npy_wrong(c->why, "the extent of dimension %d is above %d, which is the most there can be", h->rank,
                             INT32_MAX);
    h->shape[h->rank++] = (int32_t)extent;
    (void)(c->at < c->end && *c->at == 'L' && c->at++); /* Python 2 wrote 3L */
    return 0;
}

static int take_shape(cursor *c, npy_header *h)
{
    if (!take(c, '('))
        return unparsable(c, "the shape as a tuple, as in (5, 37),");
    while (!take(c, ')')) {
        if (take_extent(c, h))
            return -1;
        if (!take(c, ',') && (peek(c) != ')' || h->rank == 1)) /* (5) is a number, (5,) a tuple */
            return unparsable(c, h->rank == 1 ? "a comma after the extent" : "a comma or ) after an extent");
    }
    return 0;
}

static const struct {
    const char *key;
    int (*take)(cursor *c, npy_header *h);
} keys[] = { { "descr", take_descr }, { "fortran_order", take_order }, { "shape", take_shape } };
enum { KEYS = sizeof keys / sizeof *keys };

/* key: value. `seen` has a bit per key. */
static int take_pair(cursor *c, npy_header *h, unsigned *seen)
{
    char name[32];
    int k = 0;
    if (take_string(c, name, sizeof name, "a key in quotes"))
        return -1;
    while (k < KEYS && strcmp(keys[k].key, name))
        k++;
    if (k == KEYS || *seen >> k & 1)
        return npy_wrong(c->why, "the header has %s: expected 'descr', 'fortran_order' and 'shape', once each",
                         k < KEYS ? "a key twice" : "a key that .npy does not know");
    *seen |= 1u << k;
    return take(c, ':') ? keys[k].take(c, h) : unparsable(c, "a colon after a key");
}

int npy_header_parse(const char *text, size_t length, npy_header *header, char why[NPY_WHY_SIZE])
{
    cursor c = { text, text + length, why };
    unsigned seen = 0;
    memset(header, 0, sizeof *header);
    if (!take(&c, '{'))
        return unparsable(&c, "a dictionary that starts with {");
    while (!take(&c, '}')) {
        if (take_pair(&c, header, &seen))
            return -1;
        if (!take(&c, ',') && peek(&c) != '}')
            return unparsable(&c, "a comma or } after a value");
    }
    if (peek(&c) || c.at < c.end)
        return unparsable(&c, "nothing after the dictionary");
    for (int k = 0; k < KEYS; k++)
        if (!(seen >> k & 1))
            return npy_wrong(why, "the header has no '%s': expected 'descr', 'fortran_order' and 'shape'", keys[k].key);
    return 0;
}

/* ---- printing -------------------------------------------------------------------------------- */

const char *npy_shape_print(int rank, const int32_t *shape, char text[NPY_TEXT_SIZE])
{
    int used = snprintf(text, NPY_TEXT_SIZE, "(");
    for (int d = 0; d < rank; d++)
        used += snprintf(text + used, (size_t)(NPY_TEXT_SIZE - used), d ? ", %d" : "%d", shape[d]);
    snprintf(text + used, (size_t)(NPY_TEXT_SIZE - used), rank == 1 ? ",)" : ")");
    return text;
}

size_t npy_header_print(cot_element element, int rank, const int32_t *shape, char text[NPY_TEXT_SIZE])
{
    char shape_text[NPY_TEXT_SIZE], dictionary[NPY_TEXT_SIZE + 64];
    npy_shape_print(rank, shape, shape_text);
    size_t length = (size_t)snprintf(
        dictionary, sizeof dictionary, "{'descr': '%c%c%zu', 'fortran_order': False, 'shape': %s, }",
        npy_big_endian_host() ? '>' : '<', element == COT_BF16 ? 'u' : 'f', cot_element_size(element), shape_text);
    size_t total = (NPY_MAGIC_SIZE + 2 + length + 1 + NPY_ALIGNMENT - 1) / NPY_ALIGNMENT * NPY_ALIGNMENT;
    size_t padded = total - NPY_MAGIC_SIZE - 2;
    memset(text, ' ', total);
    memcpy(text, NPY_MAGIC "\x01", NPY_MAGIC_SIZE); /* with its 0: version 1.0 */
    text[NPY_MAGIC_SIZE] = (char)(padded & 255);
    text[NPY_MAGIC_SIZE + 1] = (char)(padded >> 8);
    memcpy(text + NPY_MAGIC_SIZE + 2, dictionary, length);
    text[total - 1] = '\n';
    return total;
}
