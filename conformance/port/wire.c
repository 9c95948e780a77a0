/* Messages of the protocol, written and read by the same functions. */
#include "wire.h"

#include <stdlib.h>
#include <string.h>

/* ---- bytes ----------------------------------------------------------------------------------- */

int wire_reserve(wire *w, size_t bytes)
{
    if (bytes <= w->capacity)
        return 0;
    size_t capacity = bytes < 2 * w->capacity ? 2 * w->capacity : bytes;
    unsigned char *larger = realloc(w->bytes, capacity);
    w->bad |= !larger;
    if (!larger)
        return -1;
    w->bytes = larger;
    w->capacity = capacity;
    return 0;
}

void wire_memory(wire *w, void *memory, int64_t bytes)
{
    size_t size = (size_t)bytes;
    if (w->writing) {
        if (bytes <= 0 || wire_reserve(w, w->used + size))
            return;
        memcpy(w->bytes + w->used, memory, size);
        w->used += size;
        return;
    }
    w->bad |= bytes < 0 || size > w->used - w->at;
    if (w->bad || !size)
        return;
    memcpy(memory, w->bytes + w->at, size);
    w->at += size;
}

void wire_start(wire *w, ask kind)
{
    int64_t number = kind;
    w->used = w->at = 0;
    w->bad = 0;
    w->writing = 1;
    wire_int(w, &number);
}

void wire_free(wire *w)
{
    free(w->bytes);
    *w = (wire){ 0 };
}

void frame_head(size_t bytes, unsigned char head[FRAME_HEAD])
{
    for (int i = 0; i < FRAME_HEAD; i++)
        head[i] = (unsigned char)((uint64_t)bytes >> 8 * i);
}

size_t frame_bytes(const unsigned char head[FRAME_HEAD])
{
    uint64_t bytes = 0;
    for (int i = 0; i < FRAME_HEAD; i++)
        bytes |= (uint64_t)head[i] << 8 * i;
    return bytes > SIZE_MAX ? SIZE_MAX : (size_t)bytes;
}

/* ---- numbers and text ------------------------------------------------------------------------ */

void wire_int(wire *w, int64_t *value)
{
    unsigned char bytes[8] = { 0 };
    uint64_t bits = (uint64_t)*value;
    for (int i = 0; i < 8; i++)
        bytes[i] = (unsigned char)(bits >> 8 * i);
    wire_memory(w, bytes, 8);
    if (w->writing)
        return;
    bits = 0;
    for (int i = 0; i < 8; i++)
        bits |= (uint64_t)bytes[i] << 8 * i;
    *value = w->bad ? 0 : (int64_t)bits;
}

static void wire_real(wire *w, double *value)
{
    int64_t bits;
    memcpy(&bits, value, sizeof bits);
    wire_int(w, &bits);
    memcpy(value, &bits, sizeof bits);
}

void wire_text(wire *w, char text[WIRE_TEXT])
{
    int64_t length = w->writing ? (int64_t)strlen(text) : 0;
    wire_int(w, &length);
    w->bad |= length < 0 || length >= WIRE_TEXT;
    if (w->bad)
        length = 0;
    wire_memory(w, text, length);
    text[w->bad ? 0 : length] = 0;
}

// clang-format off
/* A field of any integer type. */
#define FIELD(w, field) \
    do { int64_t field_value = (int64_t)(field); wire_int(w, &field_value); (field) = field_value; } while (0)
// clang-format on

/* ---- structs --------------------------------------------------------------------------------- */

void wire_error(wire *w, cot_error *error)
{
    FIELD(w, error->code);
    FIELD(w, error->operand);
    FIELD(w, error->needed);
    FIELD(w, error->got);
    FIELD(w, error->native);
    wire_text(w, error->message);
}
_Static_assert(sizeof((cot_error){ 0 }.message) == WIRE_TEXT, "a message fits");

void wire_desc(wire *w, remote_call *c)
{
    cot_desc *d = &c->desc;
    wire_int(w, &c->growth);
    wire_int(w, &c->unknown);
    FIELD(w, d->op);
    FIELD(w, d->family);
    FIELD(w, d->element);
    FIELD(w, d->rank);
    for (int i = 0; i < COT_MAX_RANK; i++)
        FIELD(w, d->shape[i]);
    FIELD(w, d->axis);
    FIELD(w, d->reverse);
    FIELD(w, d->correction);
    wire_real(w, &d->param);
    wire_memory(w, &d->policies, sizeof d->policies);
}
_Static_assert(sizeof(cot_policies) == 16, "two numbers");

static void wire_view(wire *w, cot_view *view, place *at)
{
    FIELD(w, view->element);
    FIELD(w, view->rank);
    wire_int(w, &at->block);
    wire_int(w, &at->offset);
    FIELD(w, view->length);
    for (int i = 0; i < COT_MAX_RANK; i++)
        FIELD(w, view->shape[i]);
    for (int i = 0; i < COT_MAX_RANK; i++)
        FIELD(w, view->strides[i]);
}

void wire_views(wire *w, remote_call *c)
{
    for (int o = COT_DY; o < OPERANDS; o++) {
        wire_int(w, &c->present[o]);
        if (c->present[o])
            wire_view(w, &c->view[o], &c->place[o]);
    }
}

void wire_sizes(wire *w, remote_call *c)
{
    wire_int(w, &c->blocks);
    w->bad |= c->blocks < 0 || c->blocks > WIRE_BLOCKS;
    for (int64_t i = 0; i < c->blocks && !w->bad; i++) {
        wire_int(w, &c->block[i].bytes);
        w->bad |= c->block[i].bytes < 0;
    }
    wire_int(w, &c->workspace.block);
    wire_int(w, &c->workspace.offset);
    wire_int(w, &c->workspace_bytes);
}

static void wire_guarantee(wire *w, cot_guarantee *g)
{
    FIELD(w, g->math);
    FIELD(w, g->accumulator);
    FIELD(w, g->order);
    wire_real(w, &g->ulp_bound);
    FIELD(w, g->deterministic);
    FIELD(w, g->bit_stable);
    FIELD(w, g->bit_identical);
}

void wire_plan(wire *w, plan_facts *facts)
{
    cot_sku *s = &facts->sku;
    FIELD(w, s->category);
    FIELD(w, s->op);
    FIELD(w, s->element);
    FIELD(w, s->aux_element);
    FIELD(w, s->layouts);
    FIELD(w, s->epilogue);
    FIELD(w, s->arch);
    wire_text(w, facts->backend);
    wire_text(w, facts->device);
    wire_guarantee(w, &s->guarantee);
    FIELD(w, s->software);
    wire_int(w, &facts->workspace);
}

void wire_backend(wire *w, backend_facts *facts)
{
    cot_backend_info *info = &facts->info;
    wire_text(w, facts->name);
    FIELD(w, info->validates);
    if (!w->writing && w->at == w->used)
        return;
    wire_text(w, facts->device);
    FIELD(w, info->arch);
    FIELD(w, info->software);
}
