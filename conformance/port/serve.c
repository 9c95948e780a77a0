/* Answering the suite's messages for a backend. */
#include "serve.h"
#include "conformance/case/device_run.h"
#include "fence.h"
#include "transfer.h"
#include "wire.h"

#include <fenv.h>
#include <float.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef struct session {
    const char *name;
    serve_open *open;
    const serve_watch *watch;
    cot_backend *backend;
    wire in, out;
} session;

/* ---- frames ---------------------------------------------------------------------------------- */

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
    return w->bad || write_all(to, head, sizeof head, write) || write_all(to, w->bytes, w->used, write) ? -1 : 0;
}

/* ---- memory ---------------------------------------------------------------------------------- */

static cot_status refuse(cot_error *error, cot_status status, const char *message)
{
    *error = (cot_error){ .code = status };
    snprintf(error->message, sizeof error->message, "%s", message);
    return status;
}

/* A call of the other side. */
typedef struct served_call {
    session *s;
    remote_call *c;
    device_run r; /* its blocks, in their order */
} served_call;

/* A message that runs holds the bytes of all blocks, one after the other; one that only asks has none. */
static cot_status place_blocks(served_call *g, int running, cot_error *error)
{
    cot_status status = COT_OK;
    wire *in = &g->s->in;
    for (int i = 0; i < (int)g->c->blocks && !status; i++) {
        size_t bytes = (size_t)g->c->block[i].bytes;
        if (running && bytes > in->used - in->at)
            return refuse(error, COT_INTERNAL, "the message ends before its blocks do");
        device_block placed = { in->bytes + in->at, bytes, running ? DEVICE_IN | DEVICE_OUT : 0, NULL };
        status = device_place(&g->r, i, placed, error);
        in->at += running ? bytes : 0;
    }
    return status;
}

static cot_status send_blocks(served_call *g, cot_error *error)
{
    wire *out = &g->s->out;
    size_t bytes = 0;
    for (int i = 0; i < (int)g->c->blocks; i++)
        bytes += g->r.block[i].bytes;
    if (wire_reserve(out, out->used + bytes))
        return refuse(error, COT_INTERNAL, "out of memory");
    for (int i = 0; i < (int)g->c->blocks; i++) {
        g->r.block[i].host = out->bytes + out->used;
        out->used += g->r.block[i].bytes;
    }
    return device_fetch(&g->r, error);
}
_Static_assert((int)WIRE_BLOCKS <= (int)DEVICE_BLOCKS, "a message's blocks can be placed");

/* ---- calls ----------------------------------------------------------------------------------- */

/* The caller gave no descriptor at all. */
static int is_null_desc(const remote_call *c) { return c->growth == -(int64_t)sizeof c->desc && c->unknown; }

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

static void *address(const served_call *g, place at)
{
    return at.block < 0 ? (void *)(uintptr_t)at.offset : (char *)g->r.block[at.block].memory + at.offset;
}

static void point_views(served_call *g, cot_view views[OPERANDS], cot_args *args)
{
    *args = (cot_args){ COT_SIZED(cot_args) };
    for (int o = COT_DY; o < OPERANDS; o++) {
        if (!g->c->present[o])
            continue;
        views[o] = g->c->view[o];
        views[o].data = address(g, g->c->place[o]);
        *args_slot(args, (cot_operand)o) = &views[o];
    }
}

static int places_exist(const remote_call *c)
{
    for (int o = COT_DY; o < OPERANDS; o++)
        if (c->present[o] && c->place[o].block >= c->blocks)
            return 0;
    return c->workspace.block < c->blocks;
}

/* So many bytes from a place on lie in its block. No bytes may lie nowhere. */
static int lies_within(const remote_call *c, place at, int64_t bytes)
{
    if (at.block < 0)
        return bytes == 0;
    return at.offset >= 0 && at.offset <= c->block[at.block].bytes && bytes <= c->block[at.block].bytes - at.offset;
}

/* The bytes that a view may touch by its own word, `length` elements, are there. */
static int view_is_there(const remote_call *c, int operand)
{
    const cot_view *view = &c->view[operand];
    int64_t size = (int64_t)cot_element_size(view->element), bytes;
    if (view->length <= 0 || !size)
        return 1; /* the library's own checks refuse it where it must have cells */
    return !__builtin_mul_overflow(view->length, size, &bytes) && lies_within(c, c->place[operand], bytes);
}

/* A call that runs is believed only where its operands and its workspace lie within the blocks that came with it. One
 * that only asks may name any address: refusals are about them, and nothing is touched. */
static cot_status check_places(const remote_call *c, cot_error *error)
{
    const cot_op_info *op = cot_op_get(c->desc.op);
    for (int o = COT_DY; o < OPERANDS; o++)
        if (c->present[o] && op && cot_operand_used(op, (cot_operand)o) && !view_is_there(c, o))
            return refuse(error, COT_INVALID_PROBLEM, "an operand reaches beyond the block of memory that it came in");
    return c->workspace_bytes >= 0 && lies_within(c, c->workspace, c->workspace_bytes)
               ? COT_OK
               : refuse(error, COT_INVALID_PROBLEM, "the workspace reaches beyond the block of memory that it came in");
}

/* What a caller's floating-point mode is: how it rounds, and whether it keeps subnormals. */
static int mode(void)
{
    volatile float least = FLT_MIN, half = 0.5f,
                   product = least * half; /* volatile: not to be moved past a change of the mode */
    return fegetround() * 2 + (product == 0);
}

static cot_status run_plan(const served_call *g, const cot_plan *plan, const cot_args *args, cot_error *error)
{
    char message[sizeof error->message];
    const remote_call *c = g->c;
    const serve_watch *watch = g->s->watch;
    int before = mode();
    if (watch)
        watch->before(cot_plan_sku(plan));
    cot_status status =
        device_call(&g->r, plan, NULL, address(g, c->workspace), (size_t)c->workspace_bytes, args, error);
    int after = mode();
    fesetenv(FE_DFL_ENV);
    int code = watch ? watch->report(message, sizeof message) : 0;
    if (code && !status) {
        status = refuse(error, COT_INTERNAL, message);
        error->native = code;
        return status;
    }
    if (!status && after != before)
        return refuse(error, COT_INTERNAL,
                      "run left the caller's floating-point mode changed: it must round and keep subnormals as before");
    return status;
}

/* CHECK and RUN: select, and then what the message asks for. */
static cot_status answer_call(served_call *g, int running, cot_error *error)
{
    cot_view views[OPERANDS];
    cot_args args;
    cot_plan *plan = NULL;
    cot_desc *desc = sized_desc(g->c);
    cot_status status =
        desc ? cot_select(g->s->backend, desc, NULL, &plan, error) : refuse(error, COT_INTERNAL, "out of memory");
    free(desc);
    if (!status && running)
        status = check_places(g->c, error);
    if (!status)
        status = place_blocks(g, running, error);
    if (!status) {
        point_views(g, views, &args);
        status = running ? run_plan(g, plan, &args, error) : cot_can_implement(plan, &args, error);
    }
    cot_plan_free(plan);
    return status;
}

/* ---- answers --------------------------------------------------------------------------------- */

/* A backend may return a status and leave the error as it was. */
static void put_error(session *s, cot_status status, cot_error error)
{
    if (status && error.code != status)
        refuse(&error, status, "the backend does not say why");
    wire_error(&s->out, &error);
}

static void answer_hello(session *s)
{
    int64_t version = 0;
    char options[WIRE_TEXT];
    backend_facts facts = { 0 };
    cot_error error = { 0 };
    wire_int(&s->in, &version);
    wire_text(&s->in, options);
    cot_backend_close(s->backend);
    s->backend = NULL;
    cot_status status = version == PROTOCOL_VERSION
                            ? s->open(s->name, *options ? options : NULL, &s->backend, &error)
                            : refuse(&error, COT_UNSUPPORTED, "the protocol's version is not 1");
    facts.info = s->backend ? *cot_backend_about(s->backend) : (cot_backend_info){ .name = s->name, .device = "" };
    facts.info.software |= s->watch && s->watch->software();
    snprintf(facts.name, sizeof facts.name, "%s", facts.info.name);
    snprintf(facts.device, sizeof facts.device, "%s", facts.info.device ? facts.info.device : "");
    version = PROTOCOL_VERSION;
    put_error(s, status, error);
    wire_int(&s->out, &version);
    wire_backend(&s->out, &facts);
}

static void answer_select(session *s)
{
    remote_call c = { 0 };
    cot_error error = { 0 };
    cot_plan *plan = NULL;
    wire_desc(&s->in, &c);
    int none = is_null_desc(&c);
    cot_desc *desc = none ? NULL : sized_desc(&c);
    cot_status status = desc || none ? cot_select(s->backend, desc, NULL, &plan, &error)
                                     : refuse(&error, COT_INTERNAL, "out of memory");
    free(desc);
    put_error(s, status, error);
    if (status)
        return;
    plan_facts facts = { .sku = *cot_plan_sku(plan), .workspace = (int64_t)cot_workspace_size(plan) };
    facts.sku.software |= s->watch && s->watch->software();
    snprintf(facts.backend, sizeof facts.backend, "%s", facts.sku.backend ? facts.sku.backend : "");
    snprintf(facts.device, sizeof facts.device, "%s", facts.sku.device ? facts.sku.device : "");
    wire_plan(&s->out, &facts);
    cot_plan_free(plan);
}

static void answer_operands(session *s, ask kind)
{
    remote_call c = { 0 };
    cot_error error = { 0 };
    served_call g = { .s = s, .c = &c, .r = { .backend = s->backend } };
    if (!cot_backend_about(s->backend)->own_memory) { /* then fences can surround what it works on */
        g.r.alloc = fence_alloc;
        g.r.release = fence_free;
    }
    wire_desc(&s->in, &c);
    wire_views(&s->in, &c);
    wire_sizes(&s->in, &c);
    s->in.bad |= !places_exist(&c);
    if (s->in.bad)
        return;
    cot_status status = answer_call(&g, kind == ASK_RUN, &error);
    if (status)
        s->in.at = s->in.used; /* what is refused is not read to its end */
    put_error(s, status, error);
    if (!status && kind == ASK_RUN && (status = send_blocks(&g, &error))) {
        wire_start(&s->out, kind);
        put_error(s, status, error);
    }
    device_free(&g.r); /* before the answer goes: what a broken heap does to it is this call's failure */
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

int serve(const char *name, serve_open *open, const serve_watch *watch, int in, int out)
{
    session s = { .name = name, .open = open, .watch = watch };
    int broken = 0;
    reading next = A_FRAME;
    while (!broken && (next = read_frame(in, &s.in)) == A_FRAME)
        broken = answer(&s) || write_frame(out, &s.out);
    cot_backend_close(s.backend);
    wire_free(&s.in);
    wire_free(&s.out);
    return broken || next == NO_FRAME;
}
