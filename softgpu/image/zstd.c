/* Decoder of Zstandard frames (RFC 8878): headers, blocks and literals. Dictionaries are not known, and the checksum at
 * a frame's end is not compared. */
#include "zstd.h"

#define FRAME_MAGIC 0xfd2fb528u
enum { RAW, RLE, COMPRESSED, TREELESS };

static u64 number(const u8 *p, u32 bytes)
{
    u64 v = 0;
    for (u32 i = 0; i < bytes; i++)
        v |= (u64)p[i] << 8 * i;
    return v;
}

/* Four streams: the sizes of the first three, then their bytes; each but the last gives a quarter. */
static bool four_streams(frame *f, const u8 *p, size_t n)
{
    size_t each = (f->nliterals + 3) / 4, at = 6;
    if (n < 6 || 3 * each > f->nliterals)
        return false;
    for (size_t i = 0; i < 4; i++) {
        size_t size = i < 3 ? (size_t)number(p + 2 * i, 2) : n - at;
        size_t count = i < 3 ? each : f->nliterals - 3 * each;
        if (size > n - at || !huffman_decode(&f->huffman, p + at, size, f->literals + i * each, count))
            return false;
        at += size;
    }
    return true;
}

/* Huffman-coded literals; TREELESS ones use the code of the block before. Bytes read, 0 where they are wrong. */
static size_t coded_literals(frame *f, const u8 *p, size_t n)
{
    u32 format = p[0] >> 2 & 3, header = format < 2 ? 3 : format + 2, wide = format < 2 ? 10 : format == 2 ? 14 : 18;
    if (n < header)
        return 0;
    u64 sizes = number(p, header) >> 4;
    f->nliterals = (size_t)(sizes & ((1u << wide) - 1));
    size_t packed = (size_t)(sizes >> wide), tree = 0;
    if (f->nliterals > MOST_BLOCK || packed > n - header)
        return 0;
    if ((p[0] & 3) == COMPRESSED && !(tree = huffman_read(&f->huffman, p + header, packed)))
        return 0;
    const u8 *streams = p + header + tree;
    bool good = format ? four_streams(f, streams, packed - tree)
                       : huffman_decode(&f->huffman, streams, packed - tree, f->literals, f->nliterals);
    return good ? header + packed : 0;
}

static size_t read_literals(frame *f, const u8 *p, size_t n)
{
    if (!n)
        return 0;
    u32 type = p[0] & 3, format = p[0] >> 2 & 3;
    if (type >= COMPRESSED)
        return coded_literals(f, p, n);
    u32 header = format == 1 ? 2 : format == 3 ? 3 : 1;
    if (n < header)
        return 0;
    f->nliterals = (size_t)(number(p, header) >> (header == 1 ? 3 : 4));
    size_t size = type == RLE ? 1 : f->nliterals;
    if (f->nliterals > MOST_BLOCK || size > n - header)
        return 0;
    if (type == RLE)
        memset(f->literals, p[header], f->nliterals);
    else
        memcpy(f->literals, p + header, size);
    return header + size;
}

/* Bytes of the block's content, -1 where it is wrong. */
static s64 read_block(frame *f, const u8 *p, size_t n, u32 type, size_t size)
{
    size_t packed = type == RLE ? 1 : size, literals;
    if (packed > n || (type != COMPRESSED && size > f->room - f->at))
        return -1;
    switch (type) {
    case RAW: memcpy(f->out + f->at, p, size); break;
    case RLE: memset(f->out + f->at, p[0], size); break;
    case COMPRESSED:
        literals = read_literals(f, p, size);
        if (!literals || !run_sequences(f, p + literals, size - literals))
            return -1;
        return (s64)packed;
    default: return -1;
    }
    f->at += size;
    return (s64)packed;
}

/* Bytes of a frame's header, 0 where it is none that can be decoded. */
static size_t read_header(const u8 *p, size_t n, bool *checksum)
{
    static const u8 content[] = { 0, 2, 4, 8 }, dictionary[] = { 0, 1, 2, 4 };
    if (n < 6 || number(p, 4) != FRAME_MAGIC)
        return 0;
    u8 d = p[4];
    bool single = d >> 5 & 1;
    size_t size = 5 + !single + dictionary[d & 3] + (d >> 6 ? content[d >> 6] : single);
    *checksum = d >> 2 & 1;
    return !(d & 0xb) && size <= n ? size : 0; /* no dictionary, and nothing in the reserved bit */
}

static s64 read_frame(frame *f, const u8 *p, size_t n)
{
    bool checksum, last = false;
    size_t at = read_header(p, n, &checksum);
    f->first = f->at;
    f->repeats[0] = 1;
    f->repeats[1] = 4;
    f->repeats[2] = 8;
    f->huffman.valid = f->lengths.valid = f->offsets.valid = f->matches.valid = false;
    if (!at)
        return -1;
    while (!last) {
        if (n - at < 3)
            return -1;
        u32 header = (u32)number(p + at, 3);
        last = header & 1;
        s64 used = read_block(f, p + at + 3, n - at - 3, header >> 1 & 3, header >> 3);
        if (used < 0)
            return -1;
        at += 3 + (size_t)used;
    }
    at += checksum ? 4 : 0;
    return at <= n ? (s64)at : -1;
}

s64 zstd_decode(const u8 *in, size_t n, u8 *out, size_t room)
{
    frame *f = calloc(1, sizeof *f);
    s64 used = f ? 0 : -1;
    if (f) {
        f->out = out;
        f->room = room;
    }
    for (size_t at = 0; used >= 0 && at < n; at += (size_t)used)
        used = read_frame(f, in + at, n - at);
    s64 length = used < 0 ? -1 : (s64)f->at;
    free(f);
    return length;
}
