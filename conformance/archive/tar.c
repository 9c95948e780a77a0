/* The ustar format: a header of 512 bytes before each file, two empty ones at the end. */
#include "tar.h"

#include <string.h>

enum { RECORD = 512, NAME = 0, MODE = 100, SIZE = 124, TIME = 136, SUM = 148, TYPE = 156, MAGIC = 257, PREFIX = 345 };

int tar_name_is_sound(const char *name)
{
    static const char letters[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-.";
    size_t length = strlen(name);
    if (!length || length >= TAR_NAME)
        return 0;
    for (const char *word = name;; word++) {
        size_t letter_count = strspn(word, letters);
        if (!letter_count || *word == '.')
            return 0;
        word += letter_count;
        if (*word != '/')
            return !*word;
    }
}

/* The sum of the header's bytes, its own field being blanks. */
static unsigned header_sum(const char *header)
{
    unsigned sum = 0;
    for (int i = 0; i < RECORD; i++)
        sum += i >= SUM && i < SUM + 8 ? ' ' : (unsigned char)header[i];
    return sum;
}

/* ---- writing --------------------------------------------------------------------------------- */

int tar_add(FILE *to, const char *name, const char *data, size_t size)
{
    char header[RECORD] = { 0 };
    static const char nothing[RECORD];
    if (!tar_name_is_sound(name) || size >= (size_t)1 << 33)
        return -1;
    snprintf(header + NAME, TAR_NAME, "%s", name);
    memcpy(header + MODE, "0000644\0000000000\0000000000", 24);
    snprintf(header + SIZE, 12, "%011llo", (unsigned long long)size);
    memcpy(header + TIME, "00000000000", 11);
    header[TYPE] = '0';
    memcpy(header + MAGIC, "ustar\00000", 8);
    snprintf(header + SUM, 8, "%06o", header_sum(header));
    header[SUM + 7] = ' ';
    size_t rest = (RECORD - size % RECORD) % RECORD;
    return fwrite(header, 1, RECORD, to) == RECORD && fwrite(data, 1, size, to) == size
                   && fwrite(nothing, 1, rest, to) == rest
               ? 0
               : -1;
}

int tar_end(FILE *to)
{
    static const char nothing[2 * RECORD];
    return fwrite(nothing, 1, sizeof nothing, to) == sizeof nothing ? 0 : -1;
}

/* ---- reading --------------------------------------------------------------------------------- */

static int is_empty(const char *record)
{
    for (int i = 0; i < RECORD; i++)
        if (record[i])
            return 0;
    return 1;
}

/* Digits, then a blank or a zero byte; -1 where it is something else. */
static long long octal(const char *field, int width)
{
    long long value = 0;
    int i = 0;
    for (; i < width && field[i] >= '0' && field[i] <= '7'; i++)
        value = value * 8 + (field[i] - '0');
    return i && i < width && (!field[i] || field[i] == ' ') ? value : -1;
}

static const char *refuse(const char *header)
{
    if (memcmp(header + MAGIC, "ustar\00000", 8))
        return "it is no archive in the ustar format";
    if (octal(header + SUM, 8) != (long long)header_sum(header))
        return "a header is damaged";
    if (header[TYPE] != '0')
        return "it holds a link, a directory or a device";
    if (header[PREFIX] || !memchr(header + NAME, 0, TAR_NAME) || !tar_name_is_sound(header + NAME))
        return "it holds a name that could lead elsewhere";
    return octal(header + SIZE, 12) < 0 ? "a size is damaged" : NULL;
}

const char *tar_read(const char *bytes, size_t size, tar_visit *visit, void *self)
{
    size_t at = 0;
    while (size - at >= RECORD && !is_empty(bytes + at)) {
        const char *header = bytes + at, *wrong = refuse(header);
        if (wrong)
            return wrong;
        size_t length = (size_t)octal(header + SIZE, 12), whole = (length + RECORD - 1) / RECORD * RECORD;
        at += RECORD;
        if (whole > size - at)
            return "it ends within a file";
        if (visit(self, header + NAME, bytes + at, length))
            return "a file is there twice, or there are too many";
        at += whole;
    }
    if (size - at != (size_t)2 * RECORD || !is_empty(bytes + at) || !is_empty(bytes + at + RECORD))
        return "it has no end, or something is behind it";
    return NULL;
}
