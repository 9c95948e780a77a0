#include "serve.h"
#include "fence.h"
#include "wire.h"

#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct session {
    const char *name;
    const cot_backend_api *(*find_api)(const char *name);
    cot_backend *backend;
    int own_memory; /* the backend's operands lie in its own memory, or may */
    wire in, out;
} session;

/* ---- frames ------------------------------------------------------------------------------------------------------- */

/* How many of the bytes came before the end. */
static size_t read_all(int from, unsigned char *bytes, size_t size)
{
    size_t got = 0;
    for (ssize_t more = 1; got < size && (more > 0 || (more < 0 && errno == EINTR));) {
        more = read(from, bytes + got, size - got);
        got += more > 0 ? (size_t)more : 0;
    }
    return got;
}

static int write_all(int to, const unsigned char *bytes, size_t size)
{
    for (size_t done = 0; done < size;) {
        ssize_t more = write(to, bytes + done, size - done);
        if (more < 0 && errno != EINTR)
            return -1;
        done += more > 0 ? (size_t)more : 0;
    }
    return 0;
}

typedef enum reading { A_FRAME, THE_END, NO_FRAME } reading;

static reading read_frame(int from, wire *w)
{
    unsigned char head[FRAME_HEAD];
    w->writing = w->bad = 0;
    w->at = 0;
    size_t got = read_all(from, head, sizeof head);
    if (got < sizeof head)
        return got ? NO_FRAME : THE_END;
    w->used = frame_bytes(head);
    return wire_reserve(w, w->used) || read_all(from, w->bytes, w->used) < w->used ? NO_FRAME : A_FRAME;
}

static int write_frame(int to, const wire *w)
{
    unsigned char head[FRAME_HEAD];
    frame_head(w->used, head);
    return w->bad || write_all(to, head, sizeof head) || write_all(to, w->bytes, w->used) ? -1 : 0;
}

/* ---- memory ------------------------------------------------------------------------------------------------------- */

static cot_status refuse(cot_error *error, cot_status status, const char *message)
{
    *error = (cot_error){ .code = status };
    snprintf(error->message, sizeof error->message, "%s", message);
    return status;
}

/* The blocks of a call, where the backend can reach them. */
typedef struct stage {
    session *s;
    remote_call *c;
    void *memory[WIRE_BLOCKS];
} stage;

static cot_status take_memory(stage *g, cot_error *error)
{
    cot_status status = COT_OK;
    for (int64_t i = 0; i < g->c->blocks && !status; i++) {
        size_t bytes = (size_t)g->c->block[i].bytes;
        if (g->s->own_memory)
            status = cot_alloc(g->s->backend, bytes ? bytes : 1, &g->memory[i], error);
        else if (!(g->memory[i] = fence_alloc(bytes)))
            status = refuse(error, COT_INTERNAL, "out of memory");
    }
    return status;
}

static void give_memory_back(stage *g)
{
    for (int64_t i = 0; i < g->c->blocks; i++)
        if (g->memory[i] && g->s->own_memory)
            cot_free(g->s->backend, g->memory[i]);
        else
            fence_free(g->memory[i], (size_t)g->c->block[i].bytes);
}

/* From the message into the backend's memory. The message holds the bytes themselves, one block after the other. */
static cot_status fill_memory(const stage *g, cot_error *error)
{
    cot_status status = COT_OK;
    wire *in = &g->s->in;
    for (int64_t i = 0; i < g->c->blocks && !status; i++) {
        size_t bytes = (size_t)g->c->block[i].bytes;
        if (bytes > in->used - in->at)
            return refuse(error, COT_INTERNAL, "the message ends before its blocks do");
        status = cot_copy_in(g->s->backend, g->memory[i], in->bytes + in->at, bytes, error);
        in->at += bytes;
    }
    return status;
}

static cot_status send_memory(const stage *g, cot_error *error)
{
    cot_status status = COT_OK;
    wire *out = &g->s->out;
    for (int64_t i = 0; i < g->c->blocks && !status; i++) {
        size_t bytes = (size_t)g->c->block[i].bytes;
        if (wire_reserve(out, out->used + bytes))
            return refuse(error, COT_INTERNAL, "out of memory");
        status = cot_copy_out(g->s->backend, out->bytes + out->used, g->memory[i], bytes, error);
        out->used += bytes;
    }
    return status;
}

/* ---- calls -------------------------------------------------------------------------------------------------------- */

/* The descriptor as the caller had it, with the size that it had. */
static cot_desc *sized_desc(const remote_call *c)
{
    enum { MOST = 4096 };
    int64_t growth = c->growth > MOST ? MOST : c->growth;
    cot_desc *desc = calloc(1, sizeof *desc + (size_t)(growth > 0 ? growth : 0));
    if (!desc)
        return NULL;
    *desc = c->desc;
    desc->size = (size_t)((int64_t)sizeof *desc + growth);
    if (growth > 0 && c->unknown)
        ((unsigned char *)desc)[desc->size - 1] = 1;
    return desc;
}

static void *address(const stage *g, place at)
{
    return at.block < 0 ? (void *)(uintptr_t)at.offset : (char *)g->memory[at.block] + at.offset;
}

static void point_views(stage *g, cot_view views[OPERANDS], cot_args *args)
{
    const cot_view **const slots[] = { &args->dy, &args->x, &args->y, &args->a, &args->b, &args->dx, &args->da, &args->db };
    *args = (cot_args){ COT_SIZED(cot_args) };
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!g->c->present[o])
            continue;
        views[o] = g->c->view[o];
        views[o].data = address(g, g->c->place[o]);
        *slots[o - COT_DY] = &views[o];
    }
}

static int places_exist(const remote_call *c)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        if (c->present[o] && c->place[o].block >= c->blocks)
            return 0;
    return c->workspace.block < c->blocks;
}

/* What a caller's floating-point mode is: how it rounds, and whether it keeps subnormals. */
static int mode(void)
{
    volatile float least = FLT_MIN, half = 0.5f, product = least * half; /* volatile: not to be moved past a change of the mode */
    return fegetround() * 2 + (product == 0);
}

static cot_status run_plan(const stage *g, const cot_plan *plan, const cot_args *args, cot_error *error)
{
    const remote_call *c = g->c;
    int before = mode();
    cot_status status = cot_run(plan, NULL, address(g, c->workspace), (size_t)c->workspace_bytes, args, error);
    if (!status)
        status = cot_synchronize(g->s->backend, NULL, error);
    int after = mode();
    fesetenv(FE_DFL_ENV);
    if (!status && after != before)
        return refuse(error, COT_INTERNAL, "run left the caller's floating-point mode changed: it must round and keep subnormals as before");
    return status;
}

/* CHECK and RUN: select, and then what the message asks for. */
static cot_status answer_call(stage *g, int running, cot_error *error)
{
    cot_view views[OPERANDS];
    cot_args args;
    cot_plan *plan = NULL;
    cot_desc *desc = sized_desc(g->c);
    cot_status status = desc ? cot_select(g->s->backend, desc, NULL, &plan, error) : refuse(error, COT_INTERNAL, "out of memory");
    free(desc);
    if (!status)
        status = take_memory(g, error);
    if (!status && running)
        status = fill_memory(g, error);
    if (!status) {
        point_views(g, views, &args);
        status = running ? run_plan(g, plan, &args, error) : cot_can_implement(plan, &args, error);
    }
    cot_plan_free(plan);
    return status;
}

/* ---- answers ------------------------------------------------------------------------------------------------------ */

/* A backend may return a status and leave the error as it was. */
static void put_error(session *s, cot_status status, cot_error error)
{
    if (status && error.code != status)
        refuse(&error, status, "the backend does not say why");
    wire_error(&s->out, &error);
}

static void answer_hello(session *s)
{
    int64_t version = 0, validates = 0;
    char options[WIRE_TEXT], name[WIRE_TEXT];
    cot_error error = { 0 };
    wire_int(&s->in, &version);
    wire_text(&s->in, options);
    cot_backend_close(s->backend);
    s->backend = NULL;
    cot_status status = version == PROTOCOL_VERSION ? cot_backend_open(s->name, *options ? options : NULL, &s->backend, &error)
                                                    : refuse(&error, COT_UNSUPPORTED, "the protocol's version is not 1");
    const cot_backend_api *api = s->backend ? s->find_api(s->name) : NULL;
    s->own_memory = !api || api->alloc;
    validates = api && api->validate;
    version = PROTOCOL_VERSION;
    snprintf(name, sizeof name, "%s", api ? api->name : s->name);
    put_error(s, status, error);
    wire_int(&s->out, &version);
    wire_text(&s->out, name);
    wire_int(&s->out, &validates);
}

static void answer_select(session *s)
{
    remote_call c = { 0 };
    cot_error error = { 0 };
    cot_plan *plan = NULL;
    wire_desc(&s->in, &c);
    cot_desc *desc = sized_desc(&c);
    cot_status status = desc ? cot_select(s->backend, desc, NULL, &plan, &error) : refuse(&error, COT_INTERNAL, "out of memory");
    free(desc);
    put_error(s, status, error);
    if (status)
        return;
    plan_facts facts = { .sku = *cot_plan_sku(plan), .workspace = (int64_t)cot_workspace_size(plan) };
    snprintf(facts.backend, sizeof facts.backend, "%s", facts.sku.backend ? facts.sku.backend : "");
    snprintf(facts.device, sizeof facts.device, "%s", facts.sku.device ? facts.sku.device : "");
    wire_plan(&s->out, &facts);
    cot_plan_free(plan);
}

static void answer_operands(session *s, ask kind)
{
    remote_call c = { 0 };
    cot_error error = { 0 };
    stage g = { .s = s, .c = &c };
    wire_desc(&s->in, &c);
    wire_views(&s->in, &c);
    wire_sizes(&s->in, &c);
    s->in.bad |= !places_exist(&c);
    if (s->in.bad)
        return;
    cot_status status = answer_call(&g, kind == ASK_RUN, &error);
    put_error(s, status, error);
    if (!status && kind == ASK_RUN && (status = send_memory(&g, &error))) {
        wire_start(&s->out, kind);
        put_error(s, status, error);
    }
    give_memory_back(&g); /* before the answer goes: what a broken heap does to it is this call's fault */
}

/* Not 0: the message is not one, and the other side is not to be talked to. */
static int answer(session *s)
{
    int64_t kind = 0;
    wire_int(&s->in, &kind);
    wire_start(&s->out, (ask)kind);
    if (kind != ASK_HELLO && !s->backend)
        return -1;
    switch (kind) {
    case ASK_HELLO: answer_hello(s); break;
    case ASK_SELECT: answer_select(s); break;
    case ASK_CHECK:
    case ASK_RUN: answer_operands(s, (ask)kind); break;
    default: return -1;
    }
    return s->in.bad || s->in.at < s->in.used;
}

int serve(const char *name, const cot_backend_api *(*find_api)(const char *name), int in, int out)
{
    session s = { .name = name, .find_api = find_api };
    int broken = 0;
    reading next = A_FRAME;
    while (!broken && (next = read_frame(in, &s.in)) == A_FRAME)
        broken = answer(&s) || write_frame(out, &s.out);
    cot_backend_close(s.backend);
    wire_free(&s.in);
    wire_free(&s.out);
    return broken || next == NO_FRAME;
}
