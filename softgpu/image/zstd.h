/* Parts of the Zstandard decoder (RFC 8878). */
#ifndef SG_ZSTD_H
#define SG_ZSTD_H

#include "image.h"

/* --- bit streams that are read backwards (fse.c). `left` falls below 0 where more was read than there is: the missing
 * bits are zeros --- */
typedef struct bits {
    const u8 *p;
    size_t n;
    s64 left;
} bits;
bool bits_start(bits *b, const u8 *p, size_t n);
u32 bits_read(bits *b, u32 n); /* n <= 32 */
static inline u32 high_bit(u32 v) { return 31 - (u32)__builtin_clz(v); }

/* --- finite state entropy (fse.c) --- */
enum { FSE_MOST_LOG = 9, FSE_MOST_SYMBOLS = 64 };
typedef struct fse_table {
    struct {
        u16 base;
        u8 symbol, bits;
    } rows[1 << FSE_MOST_LOG];
    u32 log;
    bool valid;
} fse_table;
bool fse_build(fse_table *t, const s16 *counts, u32 symbols, u32 log);
size_t fse_read(fse_table *t, const u8 *p, size_t n, u32 most_log); /* bytes of the description, 0 where it is wrong */
void fse_single(fse_table *t, u8 symbol);

/* --- Huffman codes (huffman.c) --- */
enum { HUFFMAN_MOST_BITS = 11 };
typedef struct huffman_table {
    struct {
        u8 symbol, bits;
    } rows[1 << HUFFMAN_MOST_BITS];
    u32 bits;
    bool valid;
} huffman_table;
size_t huffman_read(huffman_table *t, const u8 *p, size_t n); /* bytes of the description, 0 where it is wrong */
bool huffman_decode(const huffman_table *t, const u8 *p, size_t n, u8 *out, size_t count);

/* --- a frame --- */
enum { MOST_BLOCK = 1 << 17 };
typedef struct frame {
    u8 *out;
    size_t at, room, first; /* first: where this frame's output begins */
    huffman_table huffman;
    fse_table lengths, offsets, matches;
    size_t repeats[3];
    u8 literals[MOST_BLOCK];
    size_t nliterals;
} frame;
/* sequences.c: copies literals and matches as the block says. */
bool run_sequences(frame *f, const u8 *p, size_t n);

#endif
