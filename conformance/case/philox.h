/* Philox 4x32-10 (Salmon, Moraes, Dror and Shaw, SC11): a block cipher on a counter. The i-th number of a stream does
 * not need the one before it, so every place that makes inputs makes the same ones. */
#ifndef COT_PHILOX_H
#define COT_PHILOX_H

#include <stdint.h>

typedef struct philox {
    uint32_t word[4];
} philox;

static inline philox philox_at(uint64_t key, uint64_t stream, uint64_t index)
{
    philox c = { { (uint32_t)index, (uint32_t)(index >> 32), (uint32_t)stream, (uint32_t)(stream >> 32) } };
    uint32_t k0 = (uint32_t)key, k1 = (uint32_t)(key >> 32);
    for (int round = 0; round < 10; round++) {
        uint64_t a = (uint64_t)0xD2511F53u * c.word[0], b = (uint64_t)0xCD9E8D57u * c.word[2];
        c = (philox){ { (uint32_t)(b >> 32) ^ c.word[1] ^ k0, (uint32_t)b, (uint32_t)(a >> 32) ^ c.word[3] ^ k1,
                        (uint32_t)a } };
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
    return c;
}

#endif
