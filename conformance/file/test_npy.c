/* .npy files: round trips, what NumPy's three versions look like, and every way to be malformed. A seed makes the fuzz.
 */
#include "npy.h"
#include "npy_header.h"
#include "conformance/case/philox.h"
#include "conformance/tap/tap.h"

#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <unistd.h>

static char directory[] = "/tmp/cotangent-npy-XXXXXX";
static char path[64], other[64];

/* ---- files by hand --------------------------------------------------------------------------- */

static void put(const char *name, const void *bytes, size_t count)
{
    FILE *file = fopen(name, "wb");
    if (!file || fwrite(bytes, 1, count, file) < count || fclose(file))
        BAIL_OUT("cannot write %s", name);
}

static int holds(const char *name, const void *bytes, size_t count)
{
    char there[1024];
    FILE *file = fopen(name, "rb");
    size_t got = file ? fread(there, 1, sizeof there, file) : 0;
    if (file)
        fclose(file);
    return file && got == count && !memcmp(there, bytes, count);
}

static int files_in_directory(void)
{
    char command[128];
    int count = -1;
    snprintf(command, sizeof command, "ls -A %s | wc -l", directory);
    FILE *listing = popen(command, "r");
    if (!listing || fscanf(listing, "%d", &count) != 1)
        count = -1;
    if (listing)
        pclose(listing);
    return count;
}

/* A file of this version around a dictionary; its length. */
static size_t wrap(char *file, int major, const char *dictionary, const void *data, size_t bytes)
{
    size_t length = strlen(dictionary), field = major == 1 ? 2 : 4;
    memcpy(file, NPY_MAGIC, 6);
    file[6] = (char)major;
    file[7] = 0;
    for (size_t i = 0; i < field; i++)
        file[8 + i] = (char)(length >> 8 * i & 255);
    memcpy(file + 8 + field, dictionary, length);
    if (bytes)
        memcpy(file + 8 + field + length, data, bytes);
    return 8 + field + length + bytes;
}

static void put_wrapped(int major, const char *dictionary, const void *data, size_t bytes)
{
    char file[1024];
    put(path, file, wrap(file, major, dictionary, data, bytes));
}

/* ---- good files ------------------------------------------------------------------------------ */

static void round_trip(cot_element element, int rank, const int32_t *shape)
{
    char data[2048], why[NPY_WHY_SIZE] = "";
    cot_view written = cot_contiguous(element, rank, shape, data), read;
    size_t bytes = (size_t)written.length * cot_element_size(element);
    npy_draft draft;
    int failed;
    for (size_t i = 0; i < bytes; i++)
        data[i] = (char)philox_at(1, (uint64_t)rank, i).word[0];
    int bad = npy_draft_write(&draft, path, &written, why) || npy_drafts_keep(&draft, 1, &failed, why);
    npy_draft_drop(&draft);
    bad = bad || npy_read(path, element, &read, why);
    ok(!bad && read.element == element && read.rank == rank && read.length == written.length
           && !memcmp(read.shape, written.shape, sizeof read.shape) && !memcmp(read.data, data, bytes),
       "%s of rank %d comes back, bit for bit%s%s", cot_element_name(element), rank, *why ? ": " : "", why);
    free(read.data);
}

static void test_round_trips(void)
{
    static const int32_t shape[] = { 2, 3, 1, 2, 4, 1, 2, 2 }, empty[] = { 3, 0, 2 };
    for (int e = COT_F16; e <= COT_F64; e++) {
        for (int rank = 1; rank <= COT_MAX_RANK; rank++)
            round_trip((cot_element)e, rank, shape);
        round_trip((cot_element)e, 3, empty);
    }
}

static void test_header(void)
{
    static const int32_t most[] = { INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX,
                                    INT32_MAX, INT32_MAX, INT32_MAX, INT32_MAX },
                         five[] = { 5 };
    char text[NPY_TEXT_SIZE];
    size_t length = npy_header_print(COT_F32, 8, most, text);
    cmp_ok((long long)length, "<=", NPY_TEXT_SIZE, "the longest header fits");
    length = npy_header_print(COT_BF16, 1, five, text);
    ok(length % NPY_ALIGNMENT == 0 && text[length - 1] == '\n',
       "a header is padded to a multiple of 64 and ends its line");
    ok(strstr(text + 10, "{'descr': '<u2', 'fortran_order': False, 'shape': (5,), }") == text + 10,
       "it is what NumPy writes");
}

static const struct {
    int major;
    const char *dictionary, *about;
    // clang-format off
} good[] = {
    { 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }          \n", "version 1.0" },
    { 2, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", "version 2.0" },
    { 3, "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }\n", "version 3.0" },
    { 1, "{\"shape\":(2,3),\"fortran_order\":False,\"descr\":\"<f4\"}", "other quotes, another order, no spaces" },
    { 1, "{'descr': '<f4', 'fortran_order': False, 'shape': (2L, 3L), }\n", "Python 2's extents" },
    { 1, " { 'descr' : '<f4' , 'fortran_order' : False , 'shape' : ( 2 , 3 , ) , } ", "spaces everywhere" },
};
// clang-format on

static void test_good(void)
{
    static const float data[] = { 1, 2, 3, 4, 5, 6 };
    char why[NPY_WHY_SIZE] = "";
    cot_view v;
    for (size_t i = 0; i < sizeof good / sizeof *good; i++) {
        put_wrapped(good[i].major, good[i].dictionary, data, sizeof data);
        int bad = npy_read(path, 0, &v, why);
        ok(!bad && v.element == COT_F32 && v.rank == 2 && v.shape[0] == 2 && v.shape[1] == 3 && v.strides[0] == 3
               && v.strides[1] == 1 && !memcmp(v.data, data, sizeof data),
           "%s%s%s", good[i].about, bad ? ": " : "", bad ? why : "");
        free(v.data);
    }
    put_wrapped(1, "{'descr': '<f4', 'fortran_order': True, 'shape': (2, 3), }\n", data, sizeof data);
    ok(!npy_read(path, COT_F32, &v, why) && v.strides[0] == 1 && v.strides[1] == 2 && v.length == 6,
       "Fortran order is a strided view");
    free(v.data);
}

static void test_big_endian(void)
{
    static const unsigned char data[] = { 0x3F, 0xF0, 0, 0, 0, 0, 0, 0, 0xC0, 0x00, 0, 0, 0, 0, 0, 1 };
    static const double wanted[] = { 1, -0x1.0000000000001p1 };
    char why[NPY_WHY_SIZE];
    cot_view v;
    put_wrapped(1, "{'descr': '>f8', 'fortran_order': False, 'shape': (2,), }\n", data, sizeof data);
    ok(!npy_read(path, COT_F64, &v, why) && !memcmp(v.data, wanted, sizeof wanted), "big-endian cells are swapped");
    free(v.data);
}

/* ---- malformed files ------------------------------------------------------------------------- */

static void refused(const char *says, const char *about)
{
    char why[NPY_WHY_SIZE] = "";
    cot_view v;
    int bad = npy_read(path, 0, &v, why);
    if (!ok(bad && strstr(why, says) && !v.data, "refused: %s", about))
        diag("it said: %s", why);
    free(v.data);
}

#define REST ", 'fortran_order': False, 'shape': (2, 3)}"

static const struct {
    const char *dictionary, *says, *about;
} malformed[] = {
    { "", "expected a dictionary", "an empty header" },
    { "[]", "expected a dictionary", "a header that is a list" },
    { "{'descr': '<f4', 'fortran_order': False}", "no 'shape'", "no shape" },
    { "{'fortran_order': False, 'shape': (2, 3)}", "no 'descr'", "no dtype" },
    { "{'descr': '<f4', 'shape': (2, 3)}", "no 'fortran_order'", "no order" },
    { "{}", "no 'descr'", "no keys at all" },
    { "{'descr': '<f4', 'descr': '<f4'" REST, "a key twice", "a key twice" },
    { "{'descr': '<f4', 'colour': 'red'" REST, "a key that .npy does not know", "an unknown key" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3)", "a comma or }", "a dictionary without its end" },
    { "{'descr': '<f4' 'fortran_order': False, 'shape': (2, 3)}", "a comma or }", "a comma left out" },
    { "{'descr' '<f4'" REST, "a colon", "a colon left out" },
    { "{'descr: 1", "a string that ends", "a string without its end" },
    { "{descr: '<f4'" REST, "a key in quotes", "a key without quotes" },
    { "{'descr': 4" REST, "the dtype as a string", "a dtype that is a number" },
    { "{'descr': '<f4', 'fortran_order': 0, 'shape': (2, 3)}", "True or False", "an order that is a number" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': 6}", "as a tuple", "a shape that is a number" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (6)}", "a comma after the extent",
      "a shape that is a number in brackets" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2 3)}", "a comma after the extent",
      "a shape without commas" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3, 1 1)}", "a comma or )",
      "a shape with one comma too few" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2, x)}", "an extent", "a shape with a name" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2, -3)}", "dimension 1 is negative", "a negative extent" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2147483648, 1)}", "above 2147483647",
      "an extent above 2^31 - 1" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (99999999999999999999999,)}", "above 2147483647",
      "an extent above 2^64" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': ()}", "no dimension", "rank 0" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (1,1,1,1,1,1,1,1,6)}", "more than 8 dimensions", "rank 9" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2147483647, 2147483647, 2147483647)}", "more bytes than",
      "a product of extents above 2^63" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (0, 2147483647, 2147483647, 2147483647)}", "more bytes than",
      "the same, and empty" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (2147483647, 8)}", "ends too soon",
      "64 GiB that are not there" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (7,)}", "needs 28 bytes of cells, 24 are there",
      "a cell too few" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (5,)}", "goes on after its last cell", "a cell too many" },
    { "{'descr': '<f4', 'fortran_order': False, 'shape': (0,)}", "goes on after its last cell",
      "cells in an empty array" },
    { "{'descr': '<i4'" REST, "it holds '<i4', expected '<f2', '<f4' or '<f8'", "whole numbers" },
    { "{'descr': '<f16'" REST, "it holds '<f16'", "long doubles" },
    { "{'descr': '<c8'" REST, "it holds '<c8'", "complex numbers" },
    { "{'descr': 'f4'" REST, "it holds 'f4'", "a dtype without its byte order" },
    { "{'descr': ''" REST, "it holds ''", "a dtype that is empty" },
    { "{'descr': '<f4\033[2J'" REST, "it holds '<f4?[2J'", "a dtype that would clear the screen" },
    { "{'descr': '|O'" REST, "Python objects", "objects" },
    { "{'descr': [('a', '<f4')]" REST, "a structured dtype", "records" },
    { "{'descr': '<u2'" REST, "say --dtype bf16", "uint16 without a word on bf16" },
    { "{'descr': '<f4'" REST " junk", "nothing after the dictionary", "text after the dictionary" },
};

static void test_malformed(void)
{
    static const float data[] = { 1, 2, 3, 4, 5, 6 };
    for (size_t i = 0; i < sizeof malformed / sizeof *malformed; i++) {
        put_wrapped(1, malformed[i].dictionary, data, sizeof data);
        refused(malformed[i].says, malformed[i].about);
    }
    put(path, "", 0);
    refused("not a .npy file", "an empty file");
    put(path, "PK\3\4 a zip archive, such as .npz", 32);
    refused("not a .npy file", "another kind of file");
    put(path, NPY_MAGIC "\4\0 {}", 12);
    refused("version is 4.0, expected 1.0, 2.0 or 3.0", "version 4.0");
    put(path, NPY_MAGIC "\1\1 {}", 12);
    refused("version is 1.1", "version 1.1");
    put(path, NPY_MAGIC "\2\0\xff\xff\xff\xff", 12);
    refused("expected at most 65536", "a header of 4 GiB");
    put(path, NPY_MAGIC "\2\0\1", 9);
    refused("ends within its header", "a length cut short");
    unlink(path);
    refused("No such file", "a file that is not there");
    mkdir(path, 0777);
    refused("Is a directory", "a directory");
    rmdir(path);
}

static void test_wanted(void)
{
    static const float data[] = { 1 };
    static const uint16_t bits[] = { 0x3F80 };
    char why[NPY_WHY_SIZE] = "";
    cot_view v;
    put_wrapped(1, "{'descr': '<f4', 'fortran_order': False, 'shape': (1,), }", data, sizeof data);
    ok(npy_read(path, COT_F64, &v, why) && strstr(why, "it holds '<f4', expected f64"), "f32 where f64 is wanted");
    ok(npy_read(path, COT_BF16, &v, why) && strstr(why, "expected the bits of bf16 as '<u2'"),
       "f32 where bf16 is wanted");
    put_wrapped(1, "{'descr': '<V2', 'fortran_order': False, 'shape': (1,), }", bits, sizeof bits);
    ok(!npy_read(path, 0, &v, why) && v.element == COT_BF16, "bf16 as ml_dtypes writes it, by the file's own word");
    free(v.data);
    put_wrapped(1, "{'descr': '<u2', 'fortran_order': False, 'shape': (1,), }", bits, sizeof bits);
    ok(!npy_read(path, COT_BF16, &v, why) && cot_cell_get(v.element, v.data) == 1,
       "uint16 is bf16 where that is wanted");
    free(v.data);
    ok(npy_read(path, COT_F16, &v, why) && strstr(why, "expected f16"), "and nothing else");
}

/* ---- fuzz: a file may be wrong in any way, and reading it is safe ---------------------------- */

static int survives(const char *file, size_t length)
{
    char why[NPY_WHY_SIZE] = "";
    cot_view v;
    put(path, file, length);
    int bad = npy_read(path, 0, &v, why);
    free(v.data);
    return bad ? *why != 0 : v.rank >= 1 && v.rank <= COT_MAX_RANK;
}

static void test_fuzz(void)
{
    static const float data[] = { 1, 2, 3, 4, 5, 6 };
    enum { ROUNDS = 20000 };
    char file[256], mutant[256];
    size_t length = wrap(file, 1, good[0].dictionary, data, sizeof data);
    int survived = 0, cut = 0;
    for (size_t n = 0; n < length; n++) {
        char why[NPY_WHY_SIZE];
        cot_view v;
        put(path, file, n);
        cut += npy_read(path, 0, &v, why) != 0;
    }
    cmp_ok(cut, "==", (long long)length, "every truncation is refused");
    for (int round = 0; round < ROUNDS; round++) {
        memcpy(mutant, file, length);
        for (uint64_t k = 0; k < 3; k++) {
            philox r = philox_at(7, k, (uint64_t)round);
            static const char likely[] = "0123456789()[]{},:'\"-<>=|LTF \n";
            mutant[r.word[0] % length] = r.word[1] & 1 ? likely[r.word[2] % (sizeof likely - 1)] : (char)r.word[3];
        }
        survived += survives(mutant, length);
    }
    cmp_ok(survived, "==", ROUNDS, "mutants (seed 7) are read or refused with a reason");
}

/* ---- writing --------------------------------------------------------------------------------- */

static float cells[] = { 1, 2, 3 };
static const int32_t three[] = { 3 };

static void test_old_file_stays(void)
{
    char why[NPY_WHY_SIZE] = "", large[4096];
    static const int32_t extent[] = { 1024 };
    struct rlimit limit, tiny;
    npy_draft draft;
    cot_view v = cot_contiguous(COT_F32, 1, extent, large);
    memset(large, 0, sizeof large);
    put(path, "old", 3);
    getrlimit(RLIMIT_FSIZE, &limit);
    tiny = (struct rlimit){ 512, limit.rlim_max };
    signal(SIGXFSZ, SIG_IGN);
    setrlimit(RLIMIT_FSIZE, &tiny);
    int bad = npy_draft_write(&draft, path, &v, why);
    setrlimit(RLIMIT_FSIZE, &limit);
    npy_draft_drop(&draft);
    ok(bad && strstr(why, strerror(EFBIG)), "a device that is full says so");
    ok(holds(path, "old", 3) && files_in_directory() == 1, "the old file stays, and nothing else");
    v = cot_contiguous(COT_F32, 1, three, cells);
    bad = npy_draft_write(&draft, path, &v, why);
    npy_draft_drop(&draft);
    ok(!bad && holds(path, "old", 3) && files_in_directory() == 1, "a draft that is dropped leaves no trace");
}

static void test_bad_targets(void)
{
    static const struct {
        const char *target, *says;
    } bad[] = { { "/nowhere/at/all.npy", "No such file" },
                { "/dev/full", "a device or a pipe" },
                { "/tmp", "a directory" },
                { "/tmp/", "directory" },
                { "/nowhere/", "directory" },
                { "", "No such file" } };
    cot_view v = cot_contiguous(COT_F32, 1, three, cells);
    for (size_t i = 0; i < sizeof bad / sizeof *bad; i++) {
        char why[NPY_WHY_SIZE] = "";
        npy_draft draft;
        if (!ok(npy_draft_write(&draft, bad[i].target, &v, why) && strstr(why, bad[i].says), "not written: \"%s\"",
                bad[i].target))
            diag("it said: %s", why);
        npy_draft_drop(&draft);
    }
}

static int keep_both(const char *first, const char *second, int *failed, char why[NPY_WHY_SIZE], int block_second)
{
    npy_draft drafts[2];
    cot_view v = cot_contiguous(COT_F32, 1, three, cells);
    int bad = npy_draft_write(&drafts[0], first, &v, why);
    bad = npy_draft_write(&drafts[1], second, &v, why) || bad;
    if (block_second)
        mkdir(second, 0777);
    bad = bad || npy_drafts_keep(drafts, 2, failed, why);
    npy_draft_drop(&drafts[0]);
    npy_draft_drop(&drafts[1]);
    if (block_second)
        rmdir(second);
    return bad;
}

static void test_all_or_none(void)
{
    char why[NPY_WHY_SIZE] = "";
    int failed = -1;
    put(path, "old", 3);
    ok(keep_both(path, other, &failed, why, 1) && failed == 1, "a second output that cannot be renamed fails");
    ok(holds(path, "old", 3) && files_in_directory() == 1, "the first is as it was before");
    unlink(path);
    ok(keep_both(path, other, &failed, why, 1) && files_in_directory() == 0, "or is not there, as before");
    ok(keep_both(path, path, &failed, why, 0) && strstr(why, "the same file") && files_in_directory() == 0,
       "two outputs in one file");
    put(path, "old", 3);
    ok(!keep_both(path, other, &failed, why, 0) && files_in_directory() == 2 && !holds(path, "old", 3),
       "two outputs, and no leftovers");
    unlink(path);
    unlink(other);
}

static void test_links(void)
{
    char why[NPY_WHY_SIZE];
    int failed;
    npy_draft draft;
    struct stat link_itself, file;
    cot_view v = cot_contiguous(COT_F32, 1, three, cells);
    put(path, "old", 3);
    chmod(path, 0640);
    if (symlink(path, other))
        BAIL_OUT("no symbolic links in %s", directory);
    ok(!npy_draft_write(&draft, other, &v, why) && !npy_drafts_keep(&draft, 1, &failed, why),
       "a link is written through");
    npy_draft_drop(&draft);
    ok(!lstat(other, &link_itself) && S_ISLNK(link_itself.st_mode) && !stat(path, &file) && file.st_size == 140,
       "it stays a link");
    cmp_ok(file.st_mode & 0777, "==", 0640, "and the file keeps its permissions");
    unlink(other);
    unlink(path);
}

int main(void)
{
    if (!mkdtemp(directory))
        BAIL_OUT("cannot make %s", directory);
    snprintf(path, sizeof path, "%s/a.npy", directory);
    snprintf(other, sizeof other, "%s/b.npy", directory);
    plan(NO_PLAN);
    test_header();
    test_round_trips();
    test_good();
    test_big_endian();
    test_malformed();
    test_wanted();
    test_fuzz();
    unlink(path);
    test_old_file_stays();
    unlink(path);
    test_bad_targets();
    test_all_or_none();
    test_links();
    rmdir(directory);
    return done_testing();
}
