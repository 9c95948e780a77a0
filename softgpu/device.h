/* The device at work: memory, launches, warps. */
#ifndef SG_DEVICE_H
#define SG_DEVICE_H

#include "kernel.h"
#include "special.h"
#include "softgpu.h"

/* --- memory (memory.c) --- */
typedef struct alloc {
    u64 base, size;                   /* device addresses */
    u8 *host;
    u32 id;                           /* in the order of allocation */
    bool is_const, freed;
    const char *name;                 /* of a module's variable, else NULL */
    u64 *init;                        /* initcheck: a bit per byte, NULL when not watched */
    struct race_map *race;            /* racecheck: who touched what */
} alloc;

typedef struct memory {
    alloc **live;                     /* sorted by base */
    int nlive;
    alloc **freed;                    /* quarantine, newest last */
    int nfreed;
    u64 next, total, used;
    u32 next_id;
} memory;

void memory_start(memory *m, u64 total);
void memory_clear(memory *m);
alloc *memory_alloc(memory *m, u64 size, u64 align);      /* NULL where there is no room */
bool memory_free(memory *m, u64 base);
alloc *memory_find(const memory *m, u64 address);          /* the allocation that holds the address, or NULL */
const alloc *memory_near(const memory *m, u64 address);    /* for messages: live, freed, or the nearest below */

/* --- faults --- */
enum fault { FAULT_NONE, FAULT_ADDRESS, FAULT_MISALIGNED, FAULT_TRAP, FAULT_BUDGET, FAULT_DEADLOCK, FAULT_MEMORY };

/* --- warps --- */
enum { MAX_NODES = 128, PC_NONE = 0x7ffffffe };
enum node_state { NODE_FREE, NODE_RUN, NODE_BARRIER, NODE_COLLECTIVE };

/* A set of lanes that run together. A node with children waits for them at pc, where its paths meet. */
typedef struct node {
    u32 pc, mask, rpc;
    u8 state, is_frame;
    s16 parent;
    u16 pending;
    u32 func;
    u32 born, spins;
} node;

typedef struct warp {
    u8 *regs;
    u8 *local;                        /* 32 threads of local memory */
    u8 *specials;                     /* 256 bytes for each special register */
    u32 index, lanes, live;           /* lanes that exist, lanes that have not exited */
    int current;                      /* node, -1 when none can run */
    u32 births, nnodes;
    u64 executed;
    node nodes[MAX_NODES];
    u32 *defined;                     /* initcheck: per slot the lanes that are wholly defined, */
    u8 *bytes;                        /* and the defined bytes of the 32 lanes of each slot */
    u64 *local_init;                  /* a bit per byte of local memory */
    u32 epoch;                        /* warp barriers passed */
} warp;

typedef struct barrier { u32 arrived; } barrier;     /* by bar.arrive, in threads */

typedef struct cta {
    u32 id[3];
    u64 linear;
    u8 *shared;
    u32 shared_size;
    warp *warps;
    u32 nwarps;
    barrier bars[16];
    u32 epoch;                        /* barriers passed: accesses on its two sides are ordered */
    u64 *init;                        /* initcheck of shared memory: a bit per byte */
    struct race_map *race;
} cta;

struct worker;
typedef struct launch {
    const kernel *k;
    memory *mem;
    u32 grid[3], block[3], dynamic_shared, threads;
    const u8 *params;
    u64 ctas, budget, seed;
    u32 checks;
    int host_threads;
    bool observed;                    /* checks or counters are on */
    void (*execute)(struct worker *W, warp *w);
    u32 start_time;                   /* racecheck: older records belong to earlier launches */
    u32 local_stride;                 /* bytes of local memory from thread to thread */
} launch;

enum { CACHE_ENTRIES = 64 };
typedef struct worker {
    launch *L;
    cta c;
    alloc *cache[CACHE_ENTRIES];
    enum fault fault, soft_fault;     /* soft: reported by memcheck, and the launch went on */
    u64 fault_cta;
    char message[320];
    softgpuCounters counts;           /* observed launches only */
    u64 *ins_warps, *ins_threads;     /* per instruction */
    u32 clock, released, acquired;    /* racecheck: see racecheck.c */
    u32 *clock_home;                  /* the clock that launches share */
    u32 *cta_release;
    u8 *block;                        /* the memory of all warps */
} worker;

/* warp.c: divergence */
void warp_reset(warp *w, u32 lanes, u32 entry, u32 fi);
bool warp_pick(warp *w);                                   /* chooses a node that can run */
void warp_diverge(warp *w, u32 taken, u32 target, u32 fallthrough, u32 rpc);
void warp_arrive(warp *w);                                 /* the current node reached its rpc */
void warp_remove(warp *w, u32 lanes, bool whole);          /* lanes return (to the frame) or exit (whole) */
void warp_call(warp *w, u32 lanes, u32 entry, u32 fi, u32 back);
bool warp_yield(warp *w);                                  /* lets other paths run; false when there are none */

/* cta.c, launch.c */
bool run_cta(worker *W);
bool worker_start(worker *W, launch *L);
void worker_end(worker *W);
u64 permuted(u64 i, u64 n, u64 seed);
enum fault run_launch(launch *L, char *message, size_t size);
void raise_fault(worker *W, enum fault f, const char *format, ...) PRINTF_LIKE(3, 4);
void describe(const worker *W, const warp *w, const ins *k, u32 lane, char *text, size_t size);
void bad_access(worker *W, warp *w, const ins *k, u32 lane, u64 address, u64 bytes, int space, bool outside);
void thread_of(const launch *L, u32 linear, u32 out[3]);

/* exec_*.c: run the current node of a warp until it blocks, ends, or another node takes over. */
typedef void executor(worker *W, warp *w);
executor exec_plain, exec_checked, exec_plain_avx2, exec_checked_avx2;
executor *choose_executor(bool observed);

/* collective.c */
void exec_collective(worker *W, warp *w, const ins *k, u8 *R, u32 m);
u32 members(const ins *k, const u8 *R, u32 m);
/* atomic.c */
void exec_atomic(const ins *k, u8 *R, u32 m, u8 *const p[WARP], bool shared_with_others);
u64 atomic_apply(u32 arg, u64 old, u64 b, u64 c);
/* barrier.c */
bool release_barriers(worker *W);
void barrier_deadlock(worker *W);

#endif
