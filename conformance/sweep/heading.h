/* The first line of a file of finished blocks: "cotangent-sweep 1", and words "key=value", in which a blank is %20. */
#ifndef COT_HEADING_H
#define COT_HEADING_H

#include <stddef.h>

enum { HEADING_SIZE = 1024 };

typedef struct heading_pair {
    char key[24], value[HEADING_SIZE];
} heading_pair;

/* The next pair behind `at`, which begins as the heading; NULL where there is none. */
const char *heading_next(const char *at, heading_pair *pair);

/* A value; 0, or -1 where there is none. */
int heading_word(const char *heading, const char *key, char *value, size_t size);

/* Adds a word. 0, or -1 where there is no room: the heading is as before. */
int heading_add(char heading[HEADING_SIZE], const char *key, const char *value);

/* Gives a word that is there another value; 0, or -1 as above. */
int heading_set(char heading[HEADING_SIZE], const char *key, const char *value);

int heading_claims_bits(const char *heading);

/* Not 0: they are of two sweeps, the words at *left and *right being the first that part them. Bits that are claimed
 * are the same on every device, so that their devices may differ. */
int heading_differs(const char *one, const char *other, const char **left, const char **right);

#endif
