/* Graphs as data: nodes of work, each with those that it depends on. */
#include "work.h"

bool is_graph(const graph_object *g)
{
    for (const graph_object *i = sg.graphs; i; i = i->next)
        if (i == g)
            return true;
    return false;
}

bool is_node(const node_object *n)
{
    for (const graph_object *g = sg.graphs; g; g = g->next)
        for (size_t i = 0; i < g->nnodes; i++)
            if (g->nodes[i] == n)
                return true;
    return false;
}

graph_object *graph_new(void) { return calloc(1, sizeof(graph_object)); }

static void node_free(node_object *n)
{
    if (!n)
        return;
    clear_work(&n->w);
    free(n->deps);
    free(n);
}

void graph_free(graph_object *g)
{
    if (!g)
        return;
    for (size_t i = 0; i < g->nnodes; i++)
        node_free(g->nodes[i]);
    free(g->nodes);
    free(g);
}

static bool all_of(const graph_object *g, const CUgraphNode *deps, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!deps[i] || deps[i]->owner != g)
            return false;
    return true;
}

node_object *graph_add(graph_object *g, const CUgraphNode *deps, size_t ndeps, work w)
{
    node_object *n = all_of(g, deps, ndeps) ? calloc(1, sizeof *n) : NULL;
    node_object **grown = n ? realloc(g->nodes, (g->nnodes + 1) * sizeof *grown) : NULL;
    if (grown)
        g->nodes = grown;
    if (n)
        n->deps = malloc((ndeps + 1) * sizeof(CUgraphNode));
    if (!grown || !n->deps) {
        node_free(n);
        clear_work(&w);
        return NULL;
    }
    n->owner = g;
    n->index = g->nnodes;
    n->w = w;
    n->ndeps = ndeps;
    if (ndeps)
        memcpy(n->deps, deps, ndeps * sizeof(CUgraphNode));
    return g->nodes[g->nnodes++] = n;
}

void graph_hold(graph_object *g)
{
    g->next = sg.graphs;
    sg.graphs = g;
}

void graph_destroy(graph_object *g)
{
    graph_object **at = &sg.graphs;
    while (*at != g)
        at = &(*at)->next;
    *at = g->next;
    graph_free(g);
}

graph_object *graph_copy(const graph_object *g)
{
    graph_object *to = graph_new();
    for (size_t i = 0; to && i < g->nnodes; i++) {
        work w;
        if (!copy_of_work(&g->nodes[i]->w, &w) || !graph_add(to, NULL, 0, w)) {
            graph_free(to);
            return NULL;
        }
    }
    for (size_t i = 0; to && i < g->nnodes; i++) {
        const node_object *from = g->nodes[i];
        node_object *n = to->nodes[i];
        free(n->deps);
        n->deps = malloc((from->ndeps + 1) * sizeof(CUgraphNode));
        if (!n->deps) {
            graph_free(to);
            return NULL;
        }
        n->ndeps = from->ndeps;
        for (size_t j = 0; j < from->ndeps; j++)
            n->deps[j] = to->nodes[from->deps[j]->index];
    }
    return to;
}

static bool is_ready(const node_object *n, const bool *done)
{
    for (size_t i = 0; i < n->ndeps; i++)
        if (!done[n->deps[i]->index])
            return false;
    return true;
}

/* Of the nodes that may run the one that was added first, so that a graph runs in the same order every time. */
bool graph_order(const graph_object *g, node_object **order)
{
    bool *done = calloc(g->nnodes + 1, sizeof *done);
    size_t n = 0, before = 1;
    while (done && n != before) {
        before = n;
        for (size_t i = 0; i < g->nnodes; i++) {
            if (done[i] || !is_ready(g->nodes[i], done))
                continue;
            done[i] = true;
            order[n++] = g->nodes[i];
        }
    }
    free(done);
    return n == g->nnodes;
}

/* A node that fails, or a kernel's fault, ends the graph. */
static CUresult run_in_order(context *c, node_object *const *order, size_t n)
{
    CUresult r = CUDA_SUCCESS;
    for (size_t i = 0; !r && !c->sticky && i < n; i++)
        r = run_work(c, &order[i]->w);
    return r;
}

CUresult graph_run(context *c, const graph_object *g)
{
    node_object **order = malloc((g->nnodes + 1) * sizeof(CUgraphNode));
    CUresult r = !order                  ? CUDA_ERROR_OUT_OF_MEMORY
                 : graph_order(g, order) ? run_in_order(c, order, g->nnodes)
                                         : CUDA_ERROR_INVALID_VALUE;
    free(order);
    return r;
}
