/* A digest of results: all NaN count as one, everything else by its bits. FNV-1a, of cells as doubles. */
#ifndef COT_DIGEST_H
#define COT_DIGEST_H

#include <stdint.h>
#include <string.h>

#define DIGEST_OF_NOTHING 0xcbf29ce484222325u

static inline uint64_t cell_bits(double cell)
{
    uint64_t bits = 0x7ff8000000000000u;
    if (cell == cell)
        memcpy(&bits, &cell, sizeof bits);
    return bits;
}

static inline uint64_t digest_cell(uint64_t digest, double cell)
{
    for (int i = 0; i < 8; i++)
        digest = (digest ^ (cell_bits(cell) >> 8 * i & 0xff)) * 0x100000001b3u;
    return digest;
}

#endif
