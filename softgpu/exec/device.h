/* The device at work: memory, launches, warps. */
#ifndef SG_DEVICE_H
#define SG_DEVICE_H

#include "softgpu/decode/kernel.h"
#include "softgpu/base/mem.h"
#include "softgpu/base/special.h"
#include "softgpu/base/tensor_map.h"

enum { MAX_OBSERVERS = 12 };
struct observers; /* observer.h */
struct watchers;

/* --- memory (memory.c) --- */
typedef struct alloc {
    u64 base, size; /* device addresses */
    u8 *host;
    u32 id;                        /* in the order of allocation */
    bool is_const, freed, in_heap; /* in_heap: by a kernel's malloc */
    bool is_shared;                /* the host's own memory, at the host's address */
    const char *name;              /* of a module's variable, else NULL */
    void *observed[MAX_OBSERVERS]; /* what each observer keeps of it */
} alloc;

enum { HEAP_LIMIT = 8 << 20 }; /* what kernels may take by malloc */
typedef struct memory {
    alloc **live; /* sorted by base */
    int nlive;
    alloc **freed; /* quarantine, newest last */
    int nfreed;
    u64 next, total, used, heap_used;
    u32 next_id;
    const struct observers *observers;
} memory;

void memory_start(memory *m, u64 total, const struct observers *observers);
alloc *memory_alloc(memory *m, u64 size, u64 align);    /* NULL when memory is full */
alloc *memory_share(memory *m, u8 *host, u64 size);     /* NULL where another allocation or a window is there */
bool memory_free(memory *m, u64 base);                  /* shared memory stays the caller's */
alloc *memory_find(const memory *m, u64 address);       /* the allocation that holds the address, or NULL */
const alloc *memory_near(const memory *m, u64 address); /* for messages: live, freed, or the nearest below */

/* --- faults --- */
enum fault {
    FAULT_NONE,
    FAULT_ADDRESS,
    FAULT_MISALIGNED,
    FAULT_TRAP,
    FAULT_BUDGET,
    FAULT_DEADLOCK,
    FAULT_MEMORY,
    FAULT_STACK,
    FAULT_ASSERT,
    FAULT_CALL
};

/* --- warps --- */
enum { MAX_NODES = 1 << 16, PC_NONE = 0x7ffffffe };
enum node_state { NODE_FREE, NODE_RUN, NODE_BARRIER, NODE_COLLECTIVE };

/* A set of lanes that run together. A node with children waits for them at pc, their reconvergence point. */
typedef struct node {
    u32 pc, mask, rpc;
    u8 state, is_frame;
    u16 pending;
    s32 parent;
    u32 func;
    u32 born, spins;
    const call *call; /* of a frame: where it came from, NULL for the kernel's own */
    u32 saved;        /* ... lanes whose registers were put aside */
} node;

/* Stacks of a warp's threads, in kernels that need them (frame.c). */
typedef struct register_save {
    u8 *bytes;
    u32 used, size;
} register_save;
typedef struct thread_stacks {
    u32 top[WARP]; /* offsets in local memory */
    u32 *active;   /* per function the lanes that are in it */
    register_save asides[WARP];
} thread_stacks;

/* Asynchronous copies that are not written yet (late.c). */
typedef struct late_copy {
    const ins *k;
    u64 to;
    u32 group;
    u8 lane, size, bytes[16];
} late_copy;
typedef struct late_copies {
    late_copy *list;
    u32 n, size, groups[WARP]; /* groups that each lane has committed, */
    u32 bulk_groups[WARP];     /* and those of bulk copies */
} late_copies;

typedef struct warp {
    u8 *regs;
    u8 *local;                                /* 32 threads of local memory */
    u8 *specials;                             /* 256 bytes for each special register */
    bool yielded;                             /* waits for other warps: they run first */
    u32 index, lanes, live;                   /* lanes that exist, lanes that have not exited */
    int current;                              /* node, -1 when none can run */
    u32 births, nnodes, capacity, first_free; /* of nodes; those below first_free are in use */
    u64 executed;
    node *nodes;
    thread_stacks *stack;
    late_copies late;
} warp;

typedef struct barrier {
    u32 arrived;
} barrier; /* by bar.arrive, in threads */

enum { BARRIERS = 17 }; /* the last one is the cluster's */
typedef struct cta {
    u32 id[3];
    u64 linear;
    u8 *shared;
    u32 shared_size;
    warp *warps;
    u32 nwarps;
    barrier bars[BARRIERS];
} cta;

struct worker;
typedef struct launch {
    const kernel *k;
    memory *mem;
    u32 grid[3], block[3], dynamic_shared, threads;
    const u8 *params;
    u64 ctas, budget, seed;
    int host_threads;
    struct observers *observers;   /* of the device */
    void *observed[MAX_OBSERVERS]; /* what each observer keeps of the launch */
    bool is_observed;              /* does any of them watch it? */
    void (*execute)(struct worker *W, warp *w);
    u64 workspace; /* of a cooperative launch, whose blocks all run together: its device address, else 0 */
    u32 local_size, local_stride; /* local memory of a thread, and bytes from thread to thread */
} launch;

enum { CACHE_ENTRIES = 64 };
typedef struct worker {
    launch *L;
    cta c;
    alloc *cache[CACHE_ENTRIES];
    enum fault fault, soft_fault; /* soft: an observer reported it, and the launch went on */
    u64 fault_cta;
    bool finished; /* its block of a cooperative launch */
    char message[320];
    struct watchers *watchers; /* NULL in a launch that nobody watches */
    u8 *block;                 /* the memory of all warps */
} worker;

/* warp.c: divergence. What makes nodes needs room for them: four at most, a call one. */
bool warp_reserve(warp *w, u32 n); /* false where MAX_NODES are not enough, or the host has no memory */
void warp_reset(warp *w, u32 lanes, u32 entry, u32 fi);
bool warp_pick(warp *w); /* chooses a node that can run */
void warp_diverge(warp *w, u32 taken, u32 target, u32 fallthrough, u32 rpc);
void warp_arrive(warp *w);                        /* the current node reached its rpc */
void warp_remove(warp *w, u32 lanes, bool whole); /* lanes return (to the frame) or exit (whole) */
void warp_call(warp *w, int from, u32 lanes, u32 entry, const call *c, u32 saved); /* from: the node that calls */
bool warp_yield(warp *w); /* lets other paths run; false when there are none */

/* frame.c: calls and stacks */
enum { STACK_SIZE = 64 << 10 }; /* bytes of a thread */
bool stack_start(warp *w, const kernel *k);
void stack_reset(warp *w, const kernel *k);
void stack_end(warp *w);
u32 frame_base(const kernel *k, const warp *w, u32 fi, u32 lane); /* where its local memory begins */
bool enter_call(struct worker *W, warp *w, const ins *k, const call *c, u32 m,
                u32 *saved); /* false: the stack is full */
void leave_call(struct worker *W, warp *w, const call *c, u32 m, u32 saved);
bool exec_stack(const struct worker *W, warp *w, const ins *k, u8 *R, u32 m);
/* matrix.c */
typedef struct place {
    u32 row, column;
} place;
place wmma_place(u32 rows, u32 columns, u32 lane, u32 index); /* of an element of a lane's fragment */
void exec_mma(const ins *k, u8 *R, u32 m);
void exec_movmatrix(const ins *k, u8 *R, u32 m);
/* wgmma.c */
u64 piece_address(u64 descriptor, bool transposed, u32 line, u32 part); /* of 16 bytes of a matrix in shared memory */
void gather_rows(const group_tile *t, const u8 *R, u8 *out);
void exec_wgmma(const ins *k, u8 *R, const u8 *a, const u8 *b);
/* tensor.c */
typedef struct tensor_walk {
    tensor_map map;
    s64 at[TENSOR_RANK]; /* coordinates of the box */
    u64 shared;          /* its address in shared memory */
    u32 element, rows, pieces;
} tensor_walk;
typedef struct tensor_piece {
    u64 global, shared; /* of the first byte that is inside the tensor, and of the piece */
    u32 from, to;       /* bytes of the piece that are inside */
} tensor_piece;
const char *tensor_start(tensor_walk *t, u32 rank, u64 most); /* NULL, or why the map is of no use */
tensor_piece tensor_piece_at(const tensor_walk *t, u32 row, u32 piece);
void tensor_fill(const tensor_walk *t, u8 piece[16]); /* what is there outside the tensor */
/* mbarrier.c */
u64 mbarrier_complete(u64 old, u32 bytes);                        /* bytes that were awaited have come */
u32 exec_mbarrier(const ins *k, u8 *R, u32 m, u8 *const p[WARP]); /* the lanes whose wait is not over */
/* late.c */
bool late_push(warp *w, late_copy *c); /* into the group that its lane has open; false where there is no room */
void late_reset(warp *w);
/* builtin.c */
void exec_builtin(struct worker *W, warp *w, const ins *k, u32 m);

/* cta.c, launch.c */
bool run_cta(worker *W); /* false where it ended in a fault */
void start_cta(worker *W);
enum step { STEP_ON, STEP_DONE, STEP_FAULT };
enum step step_cta(worker *W); /* each warp until it waits */
bool worker_start(worker *W, launch *L);
void worker_end(worker *W);
u64 permuted(u64 i, u64 n, u64 seed);
enum fault run_launch(launch *L, char *message, size_t size);
void raise_fault(worker *W, enum fault f, const char *format, ...) PRINTF_LIKE(3, 4);
void describe(const worker *W, const warp *w, const ins *k, u32 lane, char *text, size_t size);
void bad_access(worker *W, warp *w, const ins *k, u32 lane, u64 address, u64 bytes, int space, bool outside);
void thread_of(const launch *L, u32 linear, u32 out[3]);

/* The space that a generic address lies in. */
static inline u8 generic_space(u64 address)
{
    u64 at = address - SHARED_WINDOW;
    if (at >= 3 * WINDOW_SIZE)
        return SP_GLOBAL;
    if (at < WINDOW_SIZE)
        return SP_SHARED;
    return at < 2 * WINDOW_SIZE ? SP_LOCAL : SP_PARAM;
}

/* exec_*.c: run the current node of a warp until it blocks, ends, or another node takes over. */
typedef void executor(worker *W, warp *w);
executor exec_plain, exec_checked, exec_plain_avx2, exec_checked_avx2;
executor *choose_executor(bool observed);

/* collective.c */
void exec_collective(worker *W, warp *w, const ins *k, u8 *R, u32 m);
u32 members(const ins *k, const u8 *R, u32 m);
void warp_synced(worker *W, warp *w, const ins *k, u32 m, u32 named, u32 poisoned); /* tells the observers */
/* atomic.c */
void exec_atomic(const ins *k, u8 *R, u32 m, u8 *const p[WARP], bool shared_with_others);
u64 atomic_apply(u32 arg, u64 old, u64 b, u64 c);
/* barrier.c */
bool release_barriers(worker *W);
void barrier_deadlock(worker *W);

#endif
