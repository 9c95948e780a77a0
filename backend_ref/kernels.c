/* The loops, for one instruction set: this file is compiled once for each. Formulas come from the core, each compute
 * type takes its turn, and gcc and clang make vector code of it. */
#include "ref_problem.h"

#include "core/formula/only.h"
#include "core/formula/spec.h"
#include "core/math/half.h"
#include "core/math/math.h"

#include <string.h>
#ifdef __SSE2__
#include <immintrin.h>
#endif

enum {
    LANES = COT_LANES, /* a segment of a scan has as many terms */
    TILE = COT_TILE,
    LEVELS = 4,           /* levels of tiles: enough for 2^31 terms */
    COLUMNS = 2048,       /* lines side by side: runs that are long enough for the memory to stream */
    FOLD_COLUMNS = 1024,  /* lines of a fold side by side: each keeps 32 lanes; 512 are a tenth slower */
    WINNER_COLUMNS = 256, /* lines of cummax or cummin side by side: each keeps a word of marks per segment */
    SLIM_COLUMNS = 128,   /* lines of a recurrence, which keep many numbers each; transposed lines: panels of 32 rows */
    CELLS = 4096,         /* cells of a panel */
    TOGETHER = 4,         /* vectors in the walk down a tile's columns */
    ROUND = 32,           /* tiles of a shared line that a thread takes at a time */
    SLICE = 256,          /* results that are streamed at a time, while the next are computed */
};

/* The bits of the op table's column `needs`. */
enum { X = COT_NEEDS_X, Y = COT_NEEDS_Y, Y_SUMMED = COT_Y_SUMMED };

/* Bytes of the vectors that loops name. */
#ifdef __AVX2__
enum { VECTOR = 32 };
#else
enum { VECTOR = 16 };
#endif

/* A loop that takes a formula as a function pointer: inlined, so that the formula becomes part of the loop. */
#define TEMPLATE static inline __attribute__((always_inline))
#define RECURRENCE_OF(name) X(name##_term), X(name##_weight), X(name##_grad) /* what an op brings to the template */

static inline int64_t smaller(int64_t a, int64_t b) { return a < b ? a : b; }
static inline int64_t larger(int64_t a, int64_t b) { return a > b ? a : b; }
static inline size_t element_size(cot_element element) { return element == COT_F64 ? 8 : element == COT_F32 ? 4 : 2; }

/* A line that is taken tile by tile: it does not fit into a panel, or is a scan, whose tiles depend on each other. */
static inline bool is_long(const ref_problem *p) { return p->lines.n > CELLS || (p->scans && p->lines.n >= TILE); }

/* In a tile of several lines, each of `line` segments: is the k-th the first of its line? They fill a tile, so `line`
 * is a power of 2. */
static inline bool starts_line(int k, int line) { return (k & (line - 1)) == 0; }

/* The threads of a team wait for each other. */
static void team_barrier(int team)
{
    if (team > 1) {
#pragma omp barrier
    }
}

/* Results too large for the caches are written past them: reading them in first would be a third more traffic. */
#ifdef __SSE2__
#if defined __AVX512F__
enum { STREAMED = 64 }; /* bytes at a time */
static void stream_vector(void *to, const void *from) { _mm512_stream_si512(to, _mm512_loadu_si512(from)); }
#elif defined __AVX2__
enum { STREAMED = 32 };
static void stream_vector(void *to, const void *from) { _mm256_stream_si256(to, _mm256_loadu_si256(from)); }
#else
enum { STREAMED = 16 };
static void stream_vector(void *to, const void *from) { _mm_stream_si128(to, _mm_loadu_si128(from)); }
#endif

static void copy_past_caches(char *to, const void *from, size_t bytes)
{
    const char *source = from;
    size_t i = (size_t) - (uintptr_t)to & (STREAMED - 1);
    if (i > bytes)
        i = bytes;
    memcpy(to, source, i);
    for (; i + STREAMED <= bytes; i += STREAMED)
        stream_vector(to + i, source + i);
    memcpy(to + i, source + i, bytes - i);
}

static void settle_stores(void) { _mm_sfence(); }
#else
static void copy_past_caches(char *to, const void *from, size_t bytes) { memcpy(to, from, bytes); }

static void settle_stores(void) {}
#endif

/* Transposes 8 x 4 floats as two blocks of 4 x 4, so that none crosses between a vector's halves, which is what costs
 * most.
 */
#ifdef __AVX2__
static __m256 halves(const float *from, int64_t below)
{
    return _mm256_insertf128_ps(_mm256_castps128_ps256(_mm_loadu_ps(from)), _mm_loadu_ps(from + below), 1);
}

static void turn_wide(const float *from, int64_t pitch, float *to, int64_t to_pitch)
{
    __m256 a = halves(from, 4 * pitch), b = halves(from + pitch, 4 * pitch);
    __m256 c = halves(from + 2 * pitch, 4 * pitch), d = halves(from + 3 * pitch, 4 * pitch);
    __m256 ab = _mm256_unpacklo_ps(a, b), cd = _mm256_unpacklo_ps(c, d);
    __m256 AB = _mm256_unpackhi_ps(a, b), CD = _mm256_unpackhi_ps(c, d);
    _mm256_storeu_ps(to, _mm256_shuffle_ps(ab, cd, 0x44));
    _mm256_storeu_ps(to + to_pitch, _mm256_shuffle_ps(ab, cd, 0xee));
    _mm256_storeu_ps(to + 2 * to_pitch, _mm256_shuffle_ps(AB, CD, 0x44));
    _mm256_storeu_ps(to + 3 * to_pitch, _mm256_shuffle_ps(AB, CD, 0xee));
}
#endif

/* Every family and every kind of sum has loops here: a new one does not compile until it is listed. */
enum { LOOPS_REDUCE = 1, LOOPS_SCAN = 1, LOOPS_BINARY = 1, LOOPS_BINARY_PARAM = 1, LOOPS_SOFTMAX_FAMILY = 1 };
enum { SUMS_NONE = 1, SUMS_FOLD = 1, SUMS_SCAN = 1, SUMS_WINNER = 1, SUMS_RECURRENCE = 1 };
#define OP(family, NAME, name, needs, policies, kind, ...) _Static_assert(LOOPS_##family && SUMS_##kind, #name);
#include "core/ops.def"
#undef OP

#define TWICE "loops.inc"
#include "twice.inc"

static void work(const ref_problem *p, char *memory, int me, int team)
{
    p->element == COT_F64 ? run_part_d(p, memory, me, team) : run_part_f(p, memory, me, team);
}

static size_t bytes_each(const ref_problem *p) { return p->element == COT_F64 ? bytes_each_d(p) : bytes_each_f(p); }

const ref_kernels COT_REF_KERNELS = { COT_REF_ISA, bytes_each, work };
