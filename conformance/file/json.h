/* One JSON object in a line of text: its members as they are written, without memory of their own. */
#ifndef COT_JSON_H
#define COT_JSON_H

#include <stddef.h>
#include <stdint.h>

enum { JSON_MEMBERS = 64 };

typedef struct json_text {
    const char *start; /* of a value: with its quotes or brackets; NULL: there is none */
    size_t length;
} json_text;

typedef struct json_object {
    int count;
    json_text key[JSON_MEMBERS]; /* without quotes */
    json_text value[JSON_MEMBERS];
    size_t end; /* where the closing brace stands */
} json_object;

/* 0; or -1 where the line is not one object, or holds more than JSON_MEMBERS of them or an object within it. */
int json_read(const char *line, json_object *object);

json_text json_find(const json_object *object, const char *key);

/* Each is 0, or -1 where the value is not that. */
int json_string(json_text value, char *text, size_t size); /* without escapes */
int json_integer(json_text value, long long least, long long most, long long *number);
int json_flag(json_text value, int *flag);      /* true and false */
int json_real(json_text value, double *number); /* a number, or one in quotes: 0x1.8p+1, nan, -inf */

/* Elements of an array of numbers, -1 where it is none. `to` is NULL to count them, else it has room for `most`. */
int64_t json_reals(json_text value, double *to, int64_t most);

#endif
