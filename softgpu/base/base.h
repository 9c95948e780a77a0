/* Types, errors and the arena that every part of the software device shares. */
#ifndef SG_BASE_H
#define SG_BASE_H

#include <setjmp.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef uint8_t u8;
typedef uint16_t u16;
typedef uint32_t u32;
typedef uint64_t u64;
typedef int8_t s8;
typedef int16_t s16;
typedef int32_t s32;
typedef int64_t s64;
__extension__ typedef unsigned __int128 u128;
__extension__ typedef __int128 s128;

enum { WARP = 32 };

#define EXPORT __attribute__((visibility("default"))) /* a function of softgpu.h */
#define COUNT(array) (sizeof(array) / sizeof((array)[0]))
#define PRINTF_LIKE(f, a) __attribute__((format(printf, f, a)))

/* The first error of a load: where, and what. line 0 means none. */
typedef struct sg_error {
    int line, col;
    bool too_new; /* PTX of a version beyond what is known */
    char text[256];
} sg_error;

/* Everything a module owns lives in one arena, released as a whole. A request that cannot be met jumps to `escape`,
 * so that a loader needs no check after each allocation. */
typedef struct arena {
    struct arena_block *blocks;
    size_t used, limit;
    jmp_buf *escape;
} arena;

void *sg_alloc(arena *a, size_t size); /* zeroed, 16-byte aligned */
char *sg_strndup(arena *a, const char *s, size_t n);
void sg_arena_free(arena *a);

/* Grows an array in the arena: returns items with capacity for one more than n. */
void *sg_grow(arena *a, void *items, size_t n, size_t item_size);

static inline u64 round_up(u64 n, u64 to) { return (n + to - 1) / to * to; }
static inline u32 f32_bits(float f)
{
    u32 b;
    memcpy(&b, &f, sizeof b);
    return b;
}
static inline float bits_f32(u32 b)
{
    float f;
    memcpy(&f, &b, sizeof f);
    return f;
}
static inline u64 f64_bits(double d)
{
    u64 b;
    memcpy(&b, &d, sizeof b);
    return b;
}
static inline double bits_f64(u64 b)
{
    double d;
    memcpy(&d, &b, sizeof d);
    return d;
}

#endif
