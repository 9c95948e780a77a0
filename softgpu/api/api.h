/* State behind the driver API. One lock guards all of it; a launch holds it until it ends. */
#ifndef SG_API_H
#define SG_API_H

#include "api_proto.h"
#include "softgpu/exec/observer.h"
#include "softgpu/softgpu.h"

typedef struct CUfunc_st {
    struct CUfunc_st *next;
    struct CUmod_st *owner;
    kernel *k;
    u32 max_dynamic_shared;
} function_object;

typedef struct CUmod_st {
    struct CUmod_st *next;
    CUcontext ctx;
    module m;
    kernel *kernels;
    int nkernels;
    function_object *functions;
    alloc **vars; /* the memory of each module variable, by index */
} module_object;

typedef struct CUstream_st {
    struct CUstream_st *next;
    CUcontext ctx;
    unsigned flags;
    int priority;
    CUgraph capture;   /* the graph that its work goes to, NULL where it runs */
    bool origin;       /* the capture began here */
    CUgraphNode *tail; /* nodes that the next one depends on */
    size_t ntail;
} stream_object;
typedef struct CUevent_st {
    struct CUevent_st *next;
    CUcontext ctx;
    unsigned flags;
    bool recorded;
    double when;
    CUgraph capture; /* recorded in a stream that captures: stands for these nodes */
    CUgraphNode *nodes;
    size_t nnodes;
} event_object;

typedef struct owned {
    u64 base;
    struct owned *next;
} owned;
typedef struct host_block {
    void *p;
    size_t size;
    bool managed, foreign; /* foreign: the caller's own, registered */
    struct host_block *next;
} host_block;

typedef struct CUctx_st {
    struct CUctx_st *next;
    unsigned flags, refs;
    bool primary;
    CUresult sticky; /* the fault that spoilt it */
    module_object *modules;
    stream_object *streams;
    event_object *events;
    owned *allocs;
    host_block *host;
    u64 limits[16];
    int cache_config;
} context;

enum { SMS = 16 }; /* multiprocessors */

/* What a device of a compute capability has. */
typedef struct capability {
    int cc, threads_per_sm, blocks_per_sm;
    u32 shared_per_sm, shared_optin;
} capability;

typedef struct state {
    bool ready;
    memory mem;
    context *contexts, primary;
    bool primary_active;
    const capability *cap;
    u32 checks; /* the bits of softgpu.h; observers.on follows them */
    observers observers;
    u64 seed, budget;
    int threads;
    bool log;
    u64 fail_at[SOFTGPU_FAIL_KINDS];
    CUgraph graphs; /* all that callers hold */
    CUgraphExec execs;
} state;
extern state sg;

/* api_state.c */
void sg_setup(void);                              /* once: reads the environment */
CUresult enter(void);                             /* locks; the driver must be initialised */
CUresult enter_context(context **ctx);            /* ... and a healthy context be current */
CUresult enter_out(context **c, const void *out); /* ... and there be a place for the answer */
CUresult enter_stream(CUstream s, context **c, const void *out);
CUresult enter_event(CUevent e, context **c, const void *out);
CUresult enter_function(CUfunction f, const void *out);
CUresult leave(CUresult r); /* unlocks and returns r */
CUresult leave_with(CUresult r, const char *format, ...) PRINTF_LIKE(2, 3);
void say(const char *format, ...) PRINTF_LIKE(1, 2); /* sets softgpuLastMessage, and logs */
bool is_context(const context *c);
bool is_module(const module_object *m);
bool is_stream(const context *c, CUstream s);
bool is_event(const context *c, CUevent e);
bool is_function(CUfunction f);
context *current_context(void);
bool injected(int kind);               /* does the caller have to fail now? */
double sg_now(void);                   /* milliseconds */
void forget_context(const context *c); /* from every stack of this thread */
CUresult push_context(context *c);
context *pop_context(void);
void set_context(context *c);

/* api_module.c */
CUresult load_module(context *ctx, const char *text, size_t len, module_object **out, char *log, size_t log_size);
void unload_module(module_object *m);
/* api_host.c */
u8 *shared_block(context *c, size_t size, bool managed); /* NULL where there is no memory */
host_block *find_host_block(u64 p);                      /* of the current context, NULL where there is none */
void free_host_block(host_block *h);
bool free_managed(context *c, u64 p);
/* api_copy.c */
u8 *device_range(u64 address, u64 size, alloc **a); /* host memory behind it, NULL where it is not all there */
/* api_context.c */
void context_clear(context *c);
/* api_checks.c */
void set_checks(u32 checks);
void tell_refused(u64 address, const char *format, ...) PRINTF_LIKE(2, 3);
void tell_leaks(const context *c);
void report_at_exit(void);

#endif
