/* Text that grows, and JSON in it. */
#ifndef COT_PAGE_TEXT_H
#define COT_PAGE_TEXT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

typedef struct text {
    char *data;
    size_t used, room;
} text;

void text_clear(text *t);
void text_add(text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* "key":"value", with a comma where one is due. A NULL value is null. */
void json_string(text *t, const char *key, const char *value);
void json_integer(text *t, const char *key, int64_t value);
void json_number(text *t, const char *key, double value); /* as a string, so that nan and inf can be said */
void json_bits(text *t, const char *key, uint64_t bits, size_t bytes);
void json_open(text *t, const char *key, char bracket); /* key NULL: an element of an array */
void json_close(text *t, char bracket);

#ifdef __cplusplus
}
#endif

#endif
