/* Work that a stream is given: it runs at once, or becomes a node of the graph that the stream captures. */
#ifndef SG_WORK_H
#define SG_WORK_H

#include "api.h"

/* Kinds are numbered as CUgraphNodeType is. */
enum work_kind { WORK_KERNEL, WORK_COPY, WORK_FILL, WORK_HOST, WORK_GRAPH, WORK_EMPTY, WORK_WAIT, WORK_RECORD };

typedef struct kernel_work {
    CUfunction f;
    u32 grid[3], block[3], shared;
    bool cooperative;
    u8 *params; /* as the kernel's parameter memory; owned */
} kernel_work;

/* One side of a copy. at is its first byte; slices are `rows` rows apart. */
typedef struct spot {
    u32 type; /* MEMTYPE_*; of unified memory the address tells */
    u64 at, pitch, rows;
} spot;
typedef struct copy_work {
    spot to, from;
    u64 width, height, depth; /* bytes, rows, slices */
} copy_work;

typedef struct fill_work {
    u64 to, pitch;
    u32 value, size; /* size: of an element */
    u64 width, height;
} fill_work;

typedef struct work {
    int kind;
    union {
        kernel_work kernel;
        copy_work copy;
        fill_work fill;
        struct {
            CUhostFn f;
            void *data;
        } host;
        struct CUgraph_st *graph; /* owned */
        CUevent event;
    } u;
} work;

/* work.c: all are called under the lock. The work's memory is taken over, whatever comes of it. */
CUresult submit(context *c, CUstream s, work w);
CUresult run_work(context *c, const work *w);
bool copy_of_work(const work *from, work *to); /* false where there is no memory */
void clear_work(work *w);
/* api_launch.c */
CUresult make_kernel_work(kernel_work *k, void **params, void **extra); /* the rest is filled in already */
CUresult run_kernel(context *c, const kernel_work *k);
/* api_copy.c */
CUresult run_copy(const copy_work *k);
CUresult run_fill(const fill_work *k);
bool copy_work_of(const CUDA_MEMCPY3D *m, copy_work *k); /* false where arrays are involved */

/* --- graphs (graph.c) --- */
typedef struct CUgraphNode_st {
    struct CUgraph_st *owner;
    struct CUgraphNode_st **deps;
    size_t ndeps, index; /* index: in its graph */
    work w;
} node_object;
typedef struct CUgraph_st {
    struct CUgraph_st *next; /* of all graphs that callers hold */
    node_object **nodes;
    size_t nnodes;
    bool captured; /* still being captured */
} graph_object;
typedef struct CUgraphExec_st {
    struct CUgraphExec_st *next;
    graph_object *graph;   /* a copy */
    node_object **sources; /* the nodes that it was copied from, by index */
    node_object **order;   /* its own nodes, each behind those that it depends on */
} exec_object;

bool is_graph(const graph_object *g);
bool is_node(const node_object *n);
graph_object *graph_new(void);
graph_object *graph_copy(const graph_object *g);
void graph_free(graph_object *g);
void graph_hold(graph_object *g);    /* callers know it from now on */
void graph_destroy(graph_object *g); /* frees one that callers know */
/* Takes the work over; NULL with the work cleared where there is no memory, or a dependency is not of this graph. */
node_object *graph_add(graph_object *g, const CUgraphNode *deps, size_t ndeps, work w);
CUresult graph_run(context *c, const graph_object *g);
bool graph_order(const graph_object *g, node_object **order); /* false where it has a cycle */

/* api_graph.c, for api_exec.c */
CUresult enter_graph(CUgraph g, const void *out);
work graph_fill(const CUDA_MEMSET_NODE_PARAMS *p);
bool is_good_fill(const CUDA_MEMSET_NODE_PARAMS *p);
CUresult node_set_kernel(node_object *n, const CUDA_KERNEL_NODE_PARAMS *p);
CUresult node_set_copy(node_object *n, const CUDA_MEMCPY3D *p);

/* --- capture (capture.c) --- */
bool is_capturing(const context *c, CUstream s);
CUresult capture_work(context *c, CUstream s, work w);
void capture_event(context *c, CUstream s, CUevent e);          /* the event stands for what s has captured so far */
CUresult capture_wait(context *c, CUstream s, const CUevent e); /* s joins the capture of an event */
void forget_capture(stream_object *s);
void abandon_capture(context *c, stream_object *s);

#endif
