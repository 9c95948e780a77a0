/* Fat binaries and their decoders: the same PTX out of every compression, and nothing outside out of broken bytes. */
#include "conformance/tap/tap.h"
#include "image.h"
#include <sys/mman.h>
#include <unistd.h>

typedef struct blob {
    u8 *p;
    size_t n;
} blob;

static blob read_fixture(const char *name)
{
    char path[4096];
    const char *srcdir = getenv("srcdir");
    blob b = { malloc(1 << 20), 0 };
    snprintf(path, sizeof path, "%s/softgpu/image/fixture_%s.fatbin", srcdir ? srcdir : ".", name);
    FILE *f = fopen(path, "rb");
    if (!f)
        BAIL_OUT("cannot read %s", path);
    b.n = fread(b.p, 1, 1 << 20, f);
    fclose(f);
    return b;
}

static void test_compressions(void)
{
    static const char *const names[] = { "none", "lz4", "zstd" };
    char why[300], *plain = NULL;
    size_t sizes[3];
    for (int i = 0; i < 3; i++) {
        blob b = read_fixture(names[i]);
        sizes[i] = b.n;
        char *text = fatbin_ptx(b.p, 80, why, sizeof why);
        ok(text && strstr(text, ".target sm_75") && strstr(text, "_Z9block_sumPKfPfi"), "%s: PTX comes out", names[i]);
        ok(text && (!plain || !strcmp(text, plain)), "%s: the same as without compression", names[i]);
        free(b.p);
        if (i)
            free(text);
        else
            plain = text;
    }
    ok(sizes[1] < sizes[0] && sizes[2] < sizes[1], "and the fixtures are compressed");
    free(plain);
}

static void test_choice(void)
{
    char why[300];
    blob b = read_fixture("zstd");
    ok(!fatbin_ptx(b.p, 70, why, sizeof why) && strstr(why, "compute_75"), "PTX for a newer device is not taken");
    struct {
        int magic, version;
        const u8 *data;
        void *more;
    } wrapper = { 0x466243b1, 1, b.p, NULL };
    char *text = fatbin_ptx(&wrapper, 120, why, sizeof why);
    ok(image_kind(&wrapper) == IMAGE_FATBIN && text, "a wrapper leads to its container");
    free(text);
    free(b.p);
    b = read_fixture("none");
    b.p[16] = 2; /* the entry's kind */
    ok(!fatbin_ptx(b.p, 120, why, sizeof why) && strstr(why, "sm_75") && strstr(why, "-arch=compute_80"),
       "machine code alone: the message names the flag");
    free(b.p);
    ok(image_kind(".version 8.0") == IMAGE_TEXT && image_kind("\177ELF") == IMAGE_ELF, "text and ELF are told apart");
}

/* A container that holds one entry's bytes exactly, so that a sanitizer sees any access beyond. */
static bool decodes(const u8 *in, size_t n, size_t room, bool zstd)
{
    u8 *copy = malloc(n ? n : 1), *out = malloc(room ? room : 1);
    memcpy(copy, in, n);
    s64 got = zstd ? zstd_decode(copy, n, out, room) : lz4_decode(copy, n, out, room);
    free(copy);
    free(out);
    return got == (s64)room;
}

static void test_broken(const char *name, bool zstd)
{
    blob b = read_fixture(name);
    const u8 *entry = b.p + 16, *in;
    u32 header, n, length, bad = 0, good = 0;
    memcpy(&header, entry + 4, 4);
    memcpy(&n, entry + 16, 4);
    memcpy(&length, entry + 56, 4);
    in = entry + header;
    ok(decodes(in, n, length, zstd), "%s: whole", name);
    for (u32 cut = 0; cut < n; cut++)
        bad += decodes(in, cut, length, zstd);
    ok(!bad, "%s: no shorter input gives all of it", name);
    ok(!decodes(in, n, length - 1, zstd) && !decodes(in, n, 0, zstd), "%s: nor fits a smaller buffer", name);
    for (u32 i = 0; i < n * 8; i++) {
        b.p[16 + header + i / 8] ^= (u8)(1 << i % 8);
        good += decodes(in, n, length, zstd);
        b.p[16 + header + i / 8] ^= (u8)(1 << i % 8);
    }
    ok(good < n * 8, "%s: %u of %u flipped bits leave the length as it is, none reaches outside", name, good, n * 8);
    for (u32 at = 0; at < b.n && !zstd; at++) { /* the container's own numbers */
        char why[300];
        u8 saved = b.p[at];
        if (at >= 8 && at < 16)
            continue; /* its size is the caller's promise */
        b.p[at] = (u8)~saved;
        free(image_kind(b.p) == IMAGE_FATBIN ? fatbin_ptx(b.p, 80, why, sizeof why) : NULL);
        b.p[at] = saved;
    }
    free(b.p);
}

/* Frames by hand: blocks as they are, runs, several frames, and what no frame may say. */
static void test_frames(void)
{
    static const u8 raw[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x20, 5, 0x29, 0, 0, 'h', 'e', 'l', 'l', 'o' };
    static const u8 run[] = { 0x28, 0xb5, 0x2f, 0xfd, 0x20, 7, 0x3b, 0, 0, 'x' };
    u8 both[sizeof raw + sizeof run], dictionary[sizeof raw], out[16] = { 0 };
    memcpy(both, raw, sizeof raw);
    memcpy(both + sizeof raw, run, sizeof run);
    ok(zstd_decode(raw, sizeof raw, out, 16) == 5 && !memcmp(out, "hello", 5), "a block as it is");
    ok(zstd_decode(run, sizeof run, out, 16) == 7 && !memcmp(out, "xxxxxxx", 7), "a run");
    ok(zstd_decode(both, sizeof both, out, 16) == 12 && !memcmp(out, "helloxxxxxxx", 12), "one frame after the other");
    memcpy(dictionary, raw, sizeof raw);
    dictionary[4] |= 1;
    ok(zstd_decode(dictionary, sizeof dictionary, out, 16) < 0, "a dictionary is refused");
    static const u8 far[] = { 0x10, 'a', 9, 0, 0x00 }, near[] = { 0x14, 'a', 1, 0, 0x10, 'b' };
    ok(lz4_decode(far, sizeof far, out, 16) < 0, "LZ4: a match before the beginning is refused");
    ok(lz4_decode(near, sizeof near, out, 16) == 10 && !memcmp(out, "aaaaaaaaab", 10), "LZ4: a match of itself");
}

/* An empty text whose next byte is not there. */
static void test_short_text(void)
{
    size_t page = (size_t)sysconf(_SC_PAGESIZE);
    char *two = mmap(NULL, 2 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    bool ready = two != MAP_FAILED && !mprotect(two + page, page, PROT_NONE);
    ok(ready && image_kind(two + page - 1) == IMAGE_TEXT, "of an empty text no byte behind its end is read");
}

int main(void)
{
    plan(NO_PLAN);
    test_short_text();
    test_compressions();
    test_choice();
    test_broken("lz4", false);
    test_broken("zstd", true);
    test_frames();
    return done_testing();
}
