/* Decoder of LZ4 blocks: literals, and matches in what was written so far. */
#include "image.h"

typedef struct cursor {
    const u8 *p, *end;
} cursor;

/* A length that continues in further bytes while they are 255; ~0 where the input ends. */
static size_t length(cursor *c, size_t n)
{
    u8 more = 255;
    for (bool first = true; (first ? n == 15 : more == 255); first = false) {
        if (c->p == c->end)
            return ~(size_t)0;
        more = *c->p++;
        n += more;
    }
    return n;
}

static bool copy_match(u8 *out, size_t at, size_t room, size_t back, size_t n)
{
    if (!back || back > at || n > room - at)
        return false;
    for (size_t i = 0; i < n; i++) /* byte by byte: the match may reach into what it writes */
        out[at + i] = out[at + i - back];
    return true;
}

s64 lz4_decode(const u8 *in, size_t n, u8 *out, size_t room)
{
    cursor c = { in, in + n };
    size_t at = 0;
    while (c.p < c.end) {
        u8 token = *c.p++;
        size_t literals = length(&c, token >> 4);
        if (literals > (size_t)(c.end - c.p) || literals > room - at)
            return -1;
        memcpy(out + at, c.p, literals);
        c.p += literals;
        at += literals;
        if (c.p == c.end) /* the last sequence has no match */
            return (s64)at;
        if (c.end - c.p < 2)
            return -1;
        size_t back = c.p[0] | (size_t)c.p[1] << 8;
        c.p += 2;
        size_t match = length(&c, token & 15);
        if (match > room || !copy_match(out, at, room, back, match + 4))
            return -1;
        at += match + 4;
    }
    return -1;
}
