/* Observers: plug-ins that are told what happens on the device, such as checkers and counters. The device knows none of
 * them; a program registers those that it wants, and an observer's slot is its index among them. A launch that nobody
 * watches runs in executors without a single test for observers. */
#ifndef SG_OBSERVER_H
#define SG_OBSERVER_H

#include "device.h"

enum access_kind { ACCESS_LOAD, ACCESS_STORE, ACCESS_ATOMIC };

typedef struct access_event {
    enum access_kind kind;
    int space;       /* never generic; constant memory is global, and k->space tells */
    u32 m;           /* the lanes */
    const u64 *addr; /* of all 32 lanes, as the instruction has them: generic ones lie in a window */
    const u8 *R;
} access_event;

/* bytes from `to` on are written, of which the first `read` come from `from` and the others are zero. A space is 0
 * where the operation does not read, or does not write, memory. */
typedef struct async_event {
    u32 lane;
    int from_space, to_space;
    u64 from, to, bytes, read;
    u32 group;   /* of the lane, from 0 on: it grows by one with every commit */
    u64 signals; /* shared address of the mbarrier that completes it, NO_MBARRIER where a group does */
} async_event;
#define NO_MBARRIER (~(u64)0)

/* Is it one of the two halves of an asynchronous copy? */
static inline bool is_copy(const ins *k) { return k->kind == K_CP_ASYNC || k->kind == K_CP_WRITE || k->kind == K_BULK; }

enum sync_scope { SCOPE_CTA, SCOPE_CLUSTER, SCOPE_GPU };

/* A call or a return: where in local memory each lane's frames begin. */
typedef struct call_event {
    const call *c;
    const u32 *from, *to;
    u32 m, restored; /* the lanes; those whose registers of the callee came back from where they were put aside */
} call_event;

typedef struct bad_access_event {
    u64 address;
    const char *text; /* a whole sentence without the place */
    bool reported;
} bad_access_event;

/* One observer at work in one worker, and its state. A worker runs one block at a time, so what an observer knows of a
 * block belongs to its worker state. */
typedef struct watch {
    const struct observer *by;
    u32 slot;
    worker *W;
    void *device, *launch, *worker;
    u8 *warps;
} watch;

typedef struct observer {
    /* State of each kind, zeroed by the device: for ever, for a launch, for a worker of a launch, for each of its
     * warps. */
    size_t device_size, launch_size, worker_size, warp_size;
    bool parallel; /* may watch several workers at once; each has its own state, the device's and launch's are shared */

    /* Launches. Begin and end of the launch and the end of a worker run alone; false means that there is no memory. */
    bool (*launch_begin)(launch *L, void *device_state, void *launch_state);
    bool (*worker_begin)(watch *o);
    void (*worker_end)(watch *o); /* also where worker_begin failed, or never ran */
    void (*launch_end)(launch *L, void *device_state, void *launch_state);
#define HOOK(name, parameters) void(*name) parameters;
#include "hooks.def"
#undef HOOK

    /* Memory and the driver's calls. An observer keeps state of an allocation in a->observed[slot]; while it does, it
     * is told of writes and copies even when it is off. */
    void (*allocated)(u32 slot, alloc *a);
    void (*released)(void *state);                             /* frees what the observer keeps of an allocation */
    void (*written)(u32 slot, alloc *a, u64 offset, u64 size); /* by the host: a copy or a fill */
    void (*copied)(u32 slot, alloc *to, u64 to_offset, const alloc *from, u64 from_offset, u64 size);
    void (*read_back)(u32 slot, const alloc *a, u64 offset, u64 size); /* to the host */
    void (*refused)(u64 address, const char *text);                    /* a copy, a fill or a free that is wrong */
    void (*leaked)(const alloc *a);                                    /* outlives its context */
    void (*loaded)(const module *m);
} observer;

#define HOOK(name, parameters) HOOK_##name,
enum hook {
#include "hooks.def"
    HOOKS
};
#undef HOOK

/* The observers of a device, which ones are on, and their state for ever. */
typedef struct observers {
    const observer *all[MAX_OBSERVERS];
    u32 count, on; /* on: a bit per slot */
    void *device[MAX_OBSERVERS];
} observers;

/* Calls a hook of every registered observer that has it, where `condition` holds for its slot. */
#define TELL_DEVICE(observers, condition, hook, ...) \
    for (u32 slot = 0; slot < (observers)->count; slot++) \
        if ((condition) && (observers)->all[slot]->hook) \
    (observers)->all[slot]->hook(__VA_ARGS__)
#define IS_ON(observers) ((observers)->on >> slot & 1)

/* observer.c: the observers that are on, in one launch. */
bool observed_launch(const observers *all); /* does any of them watch launches? */
bool parallel_launch(const observers *all); /* do all of them allow several workers? */
bool observers_begin(launch *L);            /* false where there is no memory */
void observers_end(launch *L);
bool watch_worker(worker *W);
void unwatch_worker(worker *W);

/* The observers of one worker, by hook; each list ends with NULL. */
struct watchers {
    watch watches[MAX_OBSERVERS];
    u32 count;
    watch *of[HOOKS][MAX_OBSERVERS + 1];
};

/* Calls a hook of everybody who watches the worker, which must be watched. */
#define TELL(W, hook, ...) \
    for (watch *const *o_ = (W)->watchers->of[HOOK_##hook]; *o_; o_++) \
    (*o_)->by->hook(*o_, __VA_ARGS__)

/* An access whose lanes may lie in several spaces. */
void tell_access(worker *W, warp *w, const ins *k, const u8 *R, u32 m, const u64 *addr, enum access_kind kind);

static inline void *warp_state(const watch *o, const warp *w) { return o->warps + w->index * o->by->warp_size; }
static inline void *alloc_state(const watch *o, const alloc *a) { return a->observed[o->slot]; }

#endif
