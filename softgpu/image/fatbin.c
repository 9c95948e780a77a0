/* Fat binaries: the container that nvcc embeds, with machine code and PTX for several devices. */
#include "image.h"

enum { WRAPPER_MAGIC = 0x466243b1, KIND_PTX = 1, KIND_ELF = 2, HEADER = 16, LEAST_ENTRY = 0x40 };
#define CONTAINER_MAGIC 0xba55ed50u
enum { FLAG_LZ4 = 0x2000, FLAG_ZSTD = 0x8000 };
#define MOST_TEXT ((u64)1 << 30)

/* One entry of the container. All numbers are little-endian. */
typedef struct entry {
    u32 kind, arch;
    u64 flags, packed, unpacked; /* bytes of the payload, and of its text where that is compressed */
    const u8 *payload;
} entry;

static u64 number(const u8 *p, u32 bytes)
{
    u64 v = 0;
    for (u32 i = 0; i < bytes; i++)
        v |= (u64)p[i] << 8 * i;
    return v;
}

/* Byte by byte: a text may end before its fourth one. */
static bool begins(const void *image, u32 magic)
{
    const u8 *p = image;
    for (u32 i = 0; i < 4; i++)
        if (p[i] != (u8)(magic >> 8 * i))
            return false;
    return true;
}

enum image_kind image_kind(const void *image)
{
    if (begins(image, CONTAINER_MAGIC) || begins(image, WRAPPER_MAGIC))
        return IMAGE_FATBIN;
    return begins(image, 0x464c457f) ? IMAGE_ELF : IMAGE_TEXT;
}

/* The container behind a wrapper, which is a structure of the program: magic, version, pointer. */
static const u8 *unwrap(const u8 *image)
{
    const u8 *data;
    if (number(image, 4) != WRAPPER_MAGIC)
        return image;
    memcpy(&data, image + 8, sizeof data);
    return data;
}

/* Reads the entry at *at; false at the end, or where it does not fit the container. */
static bool next_entry(const u8 **at, const u8 *end, entry *e)
{
    const u8 *p = *at;
    if (end - p < LEAST_ENTRY)
        return false;
    u64 header = number(p + 4, 4), payload = number(p + 8, 8), left = (u64)(end - p), packed = number(p + 16, 4);
    if (header < LEAST_ENTRY || header > left || payload > left - header)
        return false;
    *e = (entry){ .kind = (u32)number(p, 2),
                  .arch = (u32)number(p + 28, 4),
                  .flags = number(p + 40, 8),
                  .unpacked = number(p + 56, 8),
                  .payload = p + header };
    e->packed = packed && packed <= payload ? packed : payload;
    *at = p + header + payload;
    return true;
}

static char *give_up(char *text, char *why, size_t size, const char *reason)
{
    free(text);
    snprintf(why, size, "%s", reason);
    return NULL;
}

static char *unpack(const entry *e, char *why, size_t size)
{
    bool lz4 = e->flags & FLAG_LZ4, zstd = e->flags & FLAG_ZSTD;
    u64 room = lz4 || zstd ? e->unpacked : e->packed;
    char *text = room < MOST_TEXT ? malloc((size_t)room + 1) : NULL;
    if (!text)
        return give_up(NULL, why, size, "the PTX of the fat binary is too large");
    s64 n = (s64)room;
    if (zstd)
        n = zstd_decode(e->payload, (size_t)e->packed, (u8 *)text, (size_t)room);
    else if (lz4)
        n = lz4_decode(e->payload, (size_t)e->packed, (u8 *)text, (size_t)room);
    else
        memcpy(text, e->payload, (size_t)room);
    if (n < 0)
        return give_up(text, why, size, "the PTX of the fat binary cannot be decompressed");
    text[n] = 0;
    return text;
}

static char *explain(char *why, size_t size, int cc, u32 lowest_ptx, u32 machine)
{
    if (lowest_ptx)
        snprintf(why, size, "the fat binary's PTX is for compute_%u and above, the device is %d (SOFTGPU_CC)",
                 lowest_ptx, cc);
    else if (machine)
        snprintf(why, size,
                 "the fat binary holds machine code (sm_%u) and no PTX: compile with -arch=compute_80, or add "
                 "-gencode arch=compute_80,code=compute_80",
                 machine);
    else
        snprintf(why, size, "the fat binary holds no code");
    return NULL;
}

char *fatbin_ptx(const void *image, int cc, char *why, size_t size)
{
    const u8 *p = unwrap(image);
    entry e, best = { 0 };
    u32 lowest = 0, machine = 0;
    if (!p || number(p, 4) != CONTAINER_MAGIC || number(p + 6, 2) < HEADER)
        return give_up(NULL, why, size, "the fat binary is not one");
    const u8 *at = p + number(p + 6, 2), *end = at + number(p + 8, 8);
    while (next_entry(&at, end, &e)) {
        if (e.kind == KIND_ELF)
            machine = e.arch;
        if (e.kind != KIND_PTX)
            continue;
        lowest = !lowest || e.arch < lowest ? e.arch : lowest;
        if (e.arch <= (u32)cc && (!best.payload || e.arch > best.arch))
            best = e;
    }
    return best.payload ? unpack(&best, why, size) : explain(why, size, cc, lowest, machine);
}
