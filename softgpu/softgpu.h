/* The software device's own interface, beside the driver API: checks, reports, counters, faults. Every function may be
 * called at any time and from any thread; settings apply to the launches that follow. */
#ifndef SOFTGPU_H
#define SOFTGPU_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* --- checks --- */
enum {
    SOFTGPU_MEMCHECK = 1,   /* bounds, use after free, alignment, null */
    SOFTGPU_INITCHECK = 2,  /* values that were never written */
    SOFTGPU_RACECHECK = 4,  /* unordered accesses, shared and global */
    SOFTGPU_SYNCCHECK = 8,  /* barriers and warp operations */
    SOFTGPU_LEAKCHECK = 16, /* allocations that outlive their context */
    SOFTGPU_LINT = 32,      /* contraction: an unqualified mul that feeds an add */
    SOFTGPU_ALL_CHECKS = 63,
    SOFTGPU_COUNTERS = 64, /* not a check: count instructions and memory traffic */
    SOFTGPU_FPCHECK = 128, /* where NaN, infinities and subnormals come from: not among all, for they may be meant */
    SOFTGPU_PROFILE = 512, /* not a check: what every line costs, for the page that the environment names */
    SOFTGPU_WATCH = 1024,  /* not a check: print accesses to some bytes, as the environment says */
    SOFTGPU_TRACE = 256    /* not a check: print what one thread does, as the environment says (doc/softgpu.md) */
};
void softgpuSetChecks(uint32_t checks);
uint32_t softgpuGetChecks(void);
uint32_t softgpuParseChecks(const char *text); /* "all", "memcheck,racecheck", "none"; ~0 for an unknown word */

const char *softgpuCheckName(uint32_t check); /* of one bit; NULL where it is none */

/* --- reports --- */
/* A warning is a bug that this run's values hid; a note tells of something that may well be meant. */
enum { SOFTGPU_NOTE, SOFTGPU_WARNING, SOFTGPU_ERROR };
typedef struct softgpuReport {
    uint32_t check;     /* one of the above */
    const char *kernel; /* "" for reports outside a kernel */
    int line;           /* of the PTX, 0 outside a kernel */
    const char *source; /* file of the source line, NULL without -lineinfo */
    int source_line;
    uint32_t block[3], thread[3];
    uint64_t address; /* 0 where none is involved */
    uint64_t count;   /* how often this report recurred */
    const char *text; /* the whole message */
    int other_line;   /* a race's other party, 0 without one */
    uint32_t other_block[3], other_thread[3];
    const char *other_source; /* as source and source_line are */
    int other_source_line;
    int severity; /* SOFTGPU_NOTE, _WARNING, _ERROR */
} softgpuReport;
size_t softgpuReportCount(void);
int softgpuGetReport(size_t index, softgpuReport *report); /* 0 on success; strings live until softgpuClearReports */
size_t softgpuCountSeverity(int least);                    /* reports that are at least as severe */
void softgpuClearReports(void);
/* All reports, sorted: as lines of text, as JSON or as SARIF 2.1.0. Returns the length like snprintf. */
enum { SOFTGPU_TEXT, SOFTGPU_JSON, SOFTGPU_SARIF };
size_t softgpuReports(int format, char *text, size_t size);

/* --- counters of the launches since the last reset --- */
enum { SOFTGPU_CLASSES = 15, SOFTGPU_MATRIX_TYPES = 8 };
typedef struct softgpuCounters {
    uint64_t launches, ctas, warps, threads;
    uint64_t warp_instructions, thread_instructions; /* PTX instructions, not SASS */
    uint64_t warp_by_class[SOFTGPU_CLASSES], thread_by_class[SOFTGPU_CLASSES];
    uint64_t global_load_requests, global_load_sectors, global_load_ideal_sectors;
    uint64_t global_store_requests, global_store_sectors, global_store_ideal_sectors;
    uint64_t shared_load_requests, shared_load_conflicts;
    uint64_t shared_store_requests, shared_store_conflicts;
    uint64_t local_load_requests, local_store_requests;
    uint64_t branches, divergent_branches, barriers, global_atomics, shared_atomics;
    uint64_t async_copies, async_bytes_read, async_bytes_written; /* cp.async, bulk copies, boxes of tensors */
    uint64_t matrix[SOFTGPU_MATRIX_TYPES]; /* warp instructions that multiply f16 bf16 tf32 f64 fp8 int8 int4 b1 */
} softgpuCounters;
void softgpuGetCounters(softgpuCounters *total);
size_t softgpuLaunchCount(void); /* launches with counters since the last reset */
int softgpuGetLaunch(size_t index, const char **kernel, softgpuCounters *counters); /* the name lives for ever */
void softgpuResetCounters(void);
const char *softgpuClassName(int cls);
/* Writes JSON or a table; returns the length without the terminator, like snprintf. */
size_t softgpuCountersJson(char *text, size_t size);
size_t softgpuCountersTable(char *text, size_t size);

/* How often the PTX line of a kernel ran, over all launches since the last reset. */
typedef struct softgpuLine {
    int line;
    uint64_t warps, threads;
} softgpuLine;
size_t softgpuGetLines(const char *kernel, softgpuLine *lines, size_t capacity);

/* --- execution --- */
void softgpuSetSeed(uint64_t seed);           /* permutes the order of CTAs and warps; 0 is the natural order */
void softgpuSetBudget(uint64_t instructions); /* warp instructions that one warp may run in a launch */
void softgpuSetThreads(int threads);          /* of the host; 0 lets OpenMP choose */
const char *softgpuLastMessage(void);         /* the text behind the last error of this thread */

/* --- fault injection: the n-th call from now of that kind fails, 0 turns it off --- */
enum { SOFTGPU_FAIL_ALLOC, SOFTGPU_FAIL_COPY, SOFTGPU_FAIL_LOAD, SOFTGPU_FAIL_LAUNCH, SOFTGPU_FAIL_KINDS };
void softgpuFail(int kind, uint64_t nth);
int softgpuFlipBit(uint64_t address, int bit); /* in device memory; 0 on success */

#ifdef __cplusplus
}
#endif
#endif
