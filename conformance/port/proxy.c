/* A backend table whose functions ask a process at the other end of a socket. */
#include "proxy.h"
#include "child.h"
#include "conformance/case/clock.h"
#include "limits.h"
#include "wire.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct proxy {
    char options[WIRE_TEXT]; /* the first member: open is handed this pointer, and finds the rest behind it */
    char name[WIRE_TEXT];    /* as the user said it */
    char *argv[PROXY_WORDS];
    cot_backend_api api;
    backend_facts backend;
    child child;
    ask late; /* the last question of this kind got no answer in time; 0: they all did */
    wire message;
    block *blocks; /* what alloc gave out */
    int block_count;
    remote_call asked; /* the descriptor that `facts` are about */
    int knows;
    plan_facts facts;
    cot_error refusal; /* code 0: it was not refused */
} proxy;

__attribute__((format(printf, 3, 4))) static cot_status fail(cot_error *error, cot_status status, const char *format,
                                                             ...)
{
    if (!error)
        return status;
    *error = (cot_error){ .code = status };
    va_list list;
    va_start(list, format);
    vsnprintf(error->message, sizeof error->message, format, list);
    va_end(list);
    return status;
}

/* ---- a question and its answer --------------------------------------------------------------- */

static double patience = CASE_PATIENCE, lost;

void call_patience_for(double seconds) { patience = seconds; }

double calls_lost(void) { return lost; }

static double time_limit(const proxy *p, ask kind) { return p->late == kind ? patience / 30 : patience / 3; }

/* The child is lost, and why; it will be started again. */
static cot_status lose(proxy *p, child_state state, ask kind, cot_error *error)
{
    static const char *const names[] = { "", "open", "select", "validate", "run" };
    char how[WIRE_TEXT] = "";
    const char *doing = names[kind];
    double limit = time_limit(p, kind);
    child_end(&p->child, state, how, sizeof how);
    p->late = state == CHILD_LATE ? kind : p->late;
    lost += state == CHILD_LATE ? limit : 0;
    p->knows = 0;
    if (state == CHILD_LATE)
        return fail(error, COT_INTERNAL,
                    "%s: no answer to %s within %g s (a third of --timeout): its process was ended", p->name, doing,
                    limit);
    if (state == CHILD_GONE)
        return fail(error, COT_INTERNAL, "%s: in %s its process %s", p->name, doing, how);
    return fail(error, COT_INTERNAL, "%s: its process does not keep to the protocol in %s", p->name, doing);
}

enum { MOST_WORDS = 8192 }; /* bytes of an answer without its blocks: texts are at most 255 each */

/* An answer is no longer than its question allows: a process cannot make us hold what we have not asked for. */
static child_state exchange(proxy *p, ask kind, size_t blocks)
{
    unsigned char head[FRAME_HEAD];
    wire *w = &p->message;
    double deadline = clock_now() + time_limit(p, kind);
    frame_head(w->used, head);
    child_clock(&p->child);
    child_state state = child_send(&p->child, head, sizeof head, deadline);
    if (!state)
        state = child_send(&p->child, w->bytes, w->used, deadline);
    if (!state)
        state = child_receive(&p->child, head, sizeof head, deadline);
    w->writing = 0;
    w->used = w->at = 0;
    if (state)
        return state;
    size_t bytes = frame_bytes(head);
    w->bad = bytes > MOST_WORDS + blocks || wire_reserve(w, bytes);
    w->used = w->bad ? 0 : bytes;
    return child_receive(&p->child, w->bytes, w->used, deadline);
}

/* Sends the message and reads the answer's status; what follows it, up to so many bytes of blocks, is left in the
 * message. */
static cot_status talk(proxy *p, ask kind, size_t blocks, cot_error *answer, cot_error *error)
{
    int64_t echoed = 0;
    if (p->message.bad)
        return fail(error, COT_INTERNAL, "out of memory");
    child_state state = exchange(p, kind, blocks);
    if (state)
        return lose(p, state, kind, error);
    wire_int(&p->message, &echoed);
    wire_error(&p->message, answer);
    int known = answer->code >= COT_OK && answer->code <= COT_BUFFER_TOO_SMALL && answer->operand >= COT_NO_OPERAND
                && answer->operand <= COT_WORKSPACE;
    if (p->message.bad || echoed != (int64_t)kind || !known)
        return lose(p, CHILD_FINE, kind, error);
    p->late = p->late == kind ? 0 : p->late;
    return COT_OK;
}

/* ---- the child ------------------------------------------------------------------------------- */

static cot_status say_hello(proxy *p, cot_error *error)
{
    int64_t version = PROTOCOL_VERSION;
    cot_error answer;
    wire *w = &p->message;
    wire_start(w, ASK_HELLO);
    wire_int(w, &version);
    wire_text(w, p->options);
    cot_status status = talk(p, ASK_HELLO, 0, &answer, error);
    if (status)
        return status;
    wire_int(w, &version);
    wire_backend(w, &p->backend);
    if (answer.code && error)
        *error = answer;
    if (answer.code)
        return answer.code;
    p->api.validate = p->backend.info.validates ? p->api.validate : NULL;
    return w->bad || version != PROTOCOL_VERSION ? lose(p, CHILD_FINE, ASK_HELLO, error) : COT_OK;
}

/* A child that can be asked: the one there is, or a new one. */
static cot_status be_ready(proxy *p, cot_error *error)
{
    char how[WIRE_TEXT];
    if (child_ours(&p->child))
        return COT_OK;
    child_end(&p->child, CHILD_FINE, how, sizeof how);
    if (child_start(&p->child, (const char *const *)p->argv))
        return fail(error, COT_INTERNAL, "%s: its process cannot be started: %s", p->name, strerror(errno));
    cot_status status = say_hello(p, error);
    if (status)
        child_end(&p->child, CHILD_FINE, how, sizeof how);
    return status;
}

/* ---- memory: here, in whole blocks that travel with every run -------------------------------- */

enum { ALIGNMENT = 64 };

static cot_status alloc(void *self, size_t bytes, void **memory, cot_error *error)
{
    proxy *p = self;
    block *more = realloc(p->blocks, (size_t)(p->block_count + 1) * sizeof *more);
    if (more)
        p->blocks = more;
    *memory = more ? aligned_alloc(ALIGNMENT, (bytes + ALIGNMENT) / ALIGNMENT * ALIGNMENT) : NULL;
    if (!*memory)
        return fail(error, COT_INTERNAL, "out of memory");
    p->blocks[p->block_count++] = (block){ *memory, (int64_t)bytes };
    return COT_OK;
}

static void release(void *self, void *memory)
{
    proxy *p = self;
    for (int i = 0; i < p->block_count; i++)
        if (p->blocks[i].memory == memory) {
            p->blocks[i] = p->blocks[--p->block_count];
            break;
        }
    free(memory);
}

static cot_status copy(void *self, void *to, const void *from, size_t bytes, cot_error *error)
{
    (void)self, (void)error;
    if (bytes)
        memcpy(to, from, bytes);
    return COT_OK;
}

/* ---- calls ----------------------------------------------------------------------------------- */

/* A descriptor from the core, which keeps the size that its caller gave. */
static remote_call call_of(const cot_desc *desc)
{
    remote_call c;
    memset(&c, 0, sizeof c); /* padding too: calls are compared as bytes */
    memcpy(&c.desc, desc, sizeof c.desc);
    c.workspace.block = -1;
    return c;
}

/* One straight from a caller, of whatever size, or NULL: that has no size, and says so (doc/porting.md). */
static remote_call call_of_raw(const cot_desc *desc)
{
    size_t known = sizeof *desc;
    cot_desc whole;
    memset(&whole, 0, known);
    if (!desc) {
        remote_call none = call_of(&whole);
        none.growth = -(int64_t)known;
        none.unknown = 1;
        return none;
    }
    memcpy(&whole, desc, desc->size < known ? desc->size : known);
    remote_call c = call_of(&whole);
    c.growth = (int64_t)desc->size - (int64_t)known;
    for (size_t i = known; i < desc->size && !c.unknown; i++)
        c.unknown = ((const unsigned char *)desc)[i] != 0;
    return c;
}

/* Where an address is: in a block, which then travels along, or nowhere. */
static place find_place(const proxy *p, remote_call *c, const void *address)
{
    const unsigned char *at = address;
    for (int i = 0; i < p->block_count; i++) {
        const block *b = &p->blocks[i];
        if (at < b->memory || at > b->memory + b->bytes)
            continue;
        int64_t sent = 0;
        while (sent < c->blocks && c->block[sent].memory != b->memory)
            sent++;
        if (sent == WIRE_BLOCKS)
            break;
        c->block[sent] = *b;
        c->blocks += sent == c->blocks;
        return (place){ sent, at - b->memory };
    }
    return (place){ -1, (int64_t)(uintptr_t)address };
}

static void put_args(const proxy *p, remote_call *c, const cot_args *args)
{
    for (int o = COT_DY; o < OPERANDS; o++) {
        const cot_view *view = args_view(args, (cot_operand)o);
        c->present[o] = view != NULL;
        if (!view)
            continue;
        c->view[o] = *view;
        c->place[o] = find_place(p, c, view->data);
    }
}

static void put_call(proxy *p, ask kind, remote_call *c)
{
    wire_start(&p->message, kind);
    wire_desc(&p->message, c);
    wire_views(&p->message, c);
    wire_sizes(&p->message, c);
}

/* A process's word is checked like any other input; op, element and family are not its to say (core/plan.c). */
static int is_plan(const plan_facts *facts)
{
    const cot_guarantee *g = &facts->sku.guarantee;
    return facts->workspace >= 0 && g->math >= 0 && g->math <= COT_F64 && g->accumulator >= 0
           && g->accumulator <= COT_F64;
}

/* Asks about a descriptor, once for as long as it stays the same. */
static cot_status select_remote(proxy *p, remote_call c, cot_error *error)
{
    cot_status status = be_ready(p, error);
    if (status)
        return status;
    if (!p->knows || memcmp(&c, &p->asked, sizeof c)) {
        wire_start(&p->message, ASK_SELECT);
        wire_desc(&p->message, &c);
        p->knows = 0;
        if ((status = talk(p, ASK_SELECT, 0, &p->refusal, error)))
            return status;
        if (!p->refusal.code)
            wire_plan(&p->message, &p->facts);
        if (p->message.bad || (!p->refusal.code && !is_plan(&p->facts)))
            return lose(p, CHILD_FINE, ASK_SELECT, error);
        p->asked = c;
        p->knows = 1;
    }
    if (p->refusal.code && error)
        *error = p->refusal;
    return p->refusal.code;
}

static cot_status capabilities(void *self, const cot_desc *desc, cot_sku *sku, cot_error *error)
{
    proxy *p = self;
    cot_status status = select_remote(p, call_of(desc), error);
    if (status)
        return status;
    *sku = p->facts.sku;
    sku->backend = p->backend.name;
    sku->device = p->facts.device;
    return COT_OK;
}

static void describe(void *self, cot_backend_info *info)
{
    const proxy *p = self;
    info->device = p->backend.device;
    info->arch = p->backend.info.arch;
    info->software = p->backend.info.software;
}

static size_t workspace_size(void *self, const cot_desc *desc)
{
    proxy *p = self;
    return select_remote(p, call_of(desc), NULL) ? 0 : (size_t)p->facts.workspace;
}

static cot_status validate(void *self, const cot_desc *desc, const cot_args *args, cot_error *error)
{
    proxy *p = self;
    cot_error answer;
    if (!args)
        return select_remote(p, call_of_raw(desc), error);
    cot_status status = be_ready(p, error);
    if (status)
        return status;
    remote_call c = call_of(desc);
    put_args(p, &c, args);
    put_call(p, ASK_CHECK, &c);
    if ((status = talk(p, ASK_CHECK, 0, &answer, error)))
        return status;
    if (answer.code && error)
        *error = answer;
    return answer.code;
}

static size_t bytes_of_blocks(const remote_call *c)
{
    size_t bytes = 0;
    for (int64_t i = 0; i < c->blocks; i++)
        bytes += (size_t)c->block[i].bytes;
    return bytes;
}

static cot_status take_blocks(proxy *p, remote_call *c, cot_error *error)
{
    wire *w = &p->message;
    if (bytes_of_blocks(c) != w->used - w->at)
        return lose(p, CHILD_FINE, ASK_RUN, error);
    for (int64_t i = 0; i < c->blocks; i++)
        wire_memory(w, c->block[i].memory, c->block[i].bytes);
    return COT_OK;
}

static cot_status run(void *self, cot_stream stream, void *workspace, size_t workspace_bytes, const cot_desc *desc,
                      const cot_args *args, cot_error *error)
{
    proxy *p = self;
    cot_error answer;
    (void)stream;
    cot_status status = be_ready(p, error);
    if (status)
        return status;
    remote_call c = call_of(desc);
    put_args(p, &c, args);
    c.workspace = find_place(p, &c, workspace);
    c.workspace_bytes = (int64_t)workspace_bytes;
    put_call(p, ASK_RUN, &c);
    for (int64_t i = 0; i < c.blocks; i++)
        wire_memory(&p->message, c.block[i].memory, c.block[i].bytes);
    if ((status = talk(p, ASK_RUN, bytes_of_blocks(&c), &answer, error)))
        return status;
    if (answer.code && error)
        *error = answer;
    return answer.code ? answer.code : take_blocks(p, &c, error);
}

/* ---- life ------------------------------------------------------------------------------------ */

static void close_proxy(void *self)
{
    proxy *p = self;
    char how[WIRE_TEXT];
    child_end(&p->child, CHILD_FINE, how, sizeof how);
    wire_free(&p->message);
    for (int i = 0; i < PROXY_WORDS; i++)
        free(p->argv[i]);
    free(p->blocks);
    free(p);
}

static cot_status open_proxy(const char *options, void **self, cot_error *error)
{
    (void)error;
    *self = (void *)(uintptr_t)options; /* proxy_open's */
    return COT_OK;
}

static const cot_backend_api table = { .abi = COT_BACKEND_ABI,
                                       .size = sizeof table,
                                       .open = open_proxy,
                                       .close = close_proxy,
                                       .capabilities = capabilities,
                                       .workspace_size = workspace_size,
                                       .run = run,
                                       .alloc = alloc,
                                       .free = release,
                                       .copy_in = copy,
                                       .copy_out = copy,
                                       .validate = validate,
                                       .describe = describe };

cot_status proxy_open(const char *name, const char *const argv[], const char *options, cot_backend **backend,
                      cot_error *error)
{
    limits most;
    char why[LIMITS_WHY];
    if (limits_read(getenv(LIMITS_VARIABLE), &most, why))
        return fail(error, COT_INVALID_PROBLEM, LIMITS_VARIABLE ": %s", why);
    proxy *p = calloc(1, sizeof *p);
    if (!p)
        return fail(error, COT_INTERNAL, "out of memory");
    p->api = table;
    p->api.name = p->backend.name;
    snprintf(p->name, sizeof p->name, "%s", name);
    snprintf(p->options, sizeof p->options, "%s", options ? options : "");
    cot_status status = COT_OK;
    for (int i = 0; argv[i] && !status; i++)
        if (!(p->argv[i] = strdup(argv[i])))
            status = fail(error, COT_INTERNAL, "out of memory");
    if (!status)
        status = be_ready(p, error);
    if (!status)
        status = cot_backend_from(&p->api, p->options, backend, error);
    if (status)
        close_proxy(p);
    return status;
}
