/* What a port's process may use: the environment says it, for every command alike. */
#ifndef COT_LIMITS_H
#define COT_LIMITS_H

#include <stddef.h>

enum { LIMITS_WHY = 320 };

typedef struct limits {
    long long memory, cpu, files; /* bytes of address space, seconds of one process, open files; 0: not limited */
} limits;

/* "memory=2G,cpu=60,files=64", any of them; NULL or "" limits nothing. 0, or -1 and what is wrong. */
int limits_read(const char *text, limits *l, char why[LIMITS_WHY]);

/* For this process, and those that it starts. 0, or -1 and errno. Between fork and exec nothing else may be called. */
int limits_apply(const limits *l);

/* The variable that has them. */
#define LIMITS_VARIABLE "COTANGENT_LIMITS"

#endif
