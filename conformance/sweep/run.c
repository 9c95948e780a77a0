/* The loop of a sweep: several blocks in one call of the backend, then each judged by a thread. */
#include "run.h"
#include "part.h"
#include "conformance/case/clock.h"
#include "conformance/case/device_run.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BATCH = 16 };                     /* blocks: enough for a device, and small enough for a core's cache */
static const double between_looks = 2.0; /* seconds until what others have written is read again */

typedef struct batch {
    int64_t block[BATCH];
    int count;
    char *cells[5]; /* dy, a, b, da, db */
    char *lines[3]; /* softmax: dy, y, dx */
    block_result result[BATCH];
    cot_status status[BATCH];
} batch;

static const cot_operand operands[][5] = { [PAIRS_AB] = { COT_DY, COT_A, COT_B, COT_DA, COT_DB },
                                           [PAIRS_XY] = { COT_DY, COT_X, COT_Y, COT_DX },
                                           [PAIRS_LINE] = { COT_DY, COT_Y, COT_DX } };

static int fail(sweep_run *r, const char *what, const char *why)
{
    snprintf(r->error, sizeof r->error, "%.200s: %.1100s", what, why);
    return -1;
}

/* ---- the backend ----------------------------------------------------------------------------- */

static cot_desc batch_desc(const sweep *s, int count)
{
    cot_desc desc = s->desc;
    desc.shape[0] = count * BLOCK;
    return desc;
}

cot_status sweep_claim(cot_backend *backend, const sweep *s, block_claim *claim, cot_error *error)
{
    cot_plan *plan = NULL;
    cot_status status = cot_select(backend, &s->desc, NULL, &plan, error);
    if (!status)
        *claim = claim_of(&s->desc, cot_precision_guarantee(plan));
    cot_plan_free(plan);
    return status;
}

static void fill_operands(const sweep *s, batch *b)
{
    size_t block = BLOCK * cot_element_size(s->desc.element);
    for (int i = 0; i < b->count; i++)
        block_operands(s, b->block[i], b->cells[0] + (size_t)i * block, b->cells[1] + (size_t)i * block,
                       b->cells[2] + (size_t)i * block);
    memset(b->cells[3], 0xa5, (size_t)b->count * block); /* results that are not written are seen */
    memset(b->cells[4], 0xa5, (size_t)b->count * block);
}

static cot_status call_on(const sweep_run *r, const cot_desc *desc, char *const *cells, int count, cot_error *error)
{
    cot_view views[OPERANDS] = { 0 };
    for (int i = 0; i < count; i++)
        views[operands[pairing_of(desc->op)][i]] = cot_contiguous(desc->element, desc->rank, desc->shape, cells[i]);
    return device_execute(r->backend, desc, views, error);
}

static cot_status call_backend(const sweep_run *r, batch *b, cot_error *error)
{
    cot_desc desc = batch_desc(r->s, b->count);
    cot_element element = desc.element;
    int64_t pairs = desc.shape[0];
    fill_operands(r->s, b);
    if (pairing_of(desc.op) != PAIRS_LINE)
        return call_on(r, &desc, b->cells, 3 + results_of(desc.op), error);
    weave(element, pairs, b->cells[0], b->cells[0], b->lines[0]);
    weave(element, pairs, b->cells[1], b->cells[2], b->lines[1]);
    weave(element, pairs, b->cells[3], b->cells[4], b->lines[2]);
    cot_status status = call_on(r, &desc, b->lines, 3, error);
    unweave(element, pairs, b->lines[2], b->cells[3], b->cells[4]);
    return status;
}

static void judge_batch(const sweep_run *r, const block_claim *claim, batch *b)
{
    size_t block = BLOCK * cot_element_size(r->s->desc.element);
#pragma omp parallel for schedule(dynamic)
    for (int i = 0; i < b->count; i++) {
        const void *at[5];
        for (int k = 0; k < 5; k++)
            at[k] = b->cells[k] + (size_t)i * block;
        b->status[i] = judge_block(r->s, claim, b->block[i], at, at + 3, &b->result[i]);
    }
}

static int do_batch(sweep_run *r, const block_claim *claim, batch *b, part *p)
{
    cot_error error = { 0 };
    int why = 0;
    if (call_backend(r, b, &error))
        return fail(r, cot_backend_about(r->backend)->name, error.message);
    judge_batch(r, claim, b);
    for (int i = 0; i < b->count && !why; i++) {
        if (b->status[i])
            return fail(r, "judging", "out of memory");
        why = part_add(p, &b->result[i]);
    }
    return why ? fail(r, p->path, strerror(why)) : 0;
}

/* ---- blocks ---------------------------------------------------------------------------------- */

typedef struct walk {
    int64_t at, left; /* the next block, and how many are still to be looked at */
    double looked;    /* when the directory was read */
} walk;

static void next_batch(const sweep_run *r, walk *w, batch *b)
{
    for (b->count = 0; w->left && b->count < BATCH; w->left--) {
        if (sweep_is_own(r->s, w->at) && !collect_has(&r->found, w->at))
            b->block[b->count++] = w->at;
        w->at = w->at == r->s->last ? r->s->first : w->at + 1;
    }
}

static int64_t count_own(const sweep_run *r, int only_done)
{
    int64_t count = 0;
    for (int64_t block = r->s->first; block <= r->s->last; block++)
        count += sweep_is_own(r->s, block) && (!only_done || collect_has(&r->found, block));
    return count;
}

static int look(sweep_run *r, walk *w)
{
    if (clock_now() - w->looked < between_looks)
        return 0;
    w->looked = clock_now();
    return collect_path(&r->found, r->directory) ? fail(r, r->found.error, "") : 0;
}

/* Runs in one directory start at different places, so that they meet late. */
static walk begin_walk(const sweep_run *r, int number)
{
    int64_t all = r->s->last - r->s->first + 1;
    return (walk){ r->s->first
                       + (int64_t)((double)all * (number * 0.618033988749895 - (int)(number * 0.618033988749895))),
                   all, clock_now() };
}

static int do_blocks(sweep_run *r, const block_claim *claim, batch *b, part *p)
{
    int64_t planned = count_own(r, 0), done = count_own(r, 1), before = done;
    double began = clock_now();
    walk w = begin_walk(r, p->number);
    int status = 0;
    for (next_batch(r, &w, b); b->count && !status && !(r->stop && *r->stop); next_batch(r, &w, b)) {
        status = do_batch(r, claim, b, p);
        done += b->count;
        if (r->progress)
            r->progress(r->self, done - before, planned - before, clock_now() - began);
        if (!status)
            status = look(r, &w);
    }
    return status;
}

/* ---- the sweep ------------------------------------------------------------------------------- */

static int make_cells(batch *b, const sweep *s)
{
    size_t size = (size_t)BATCH * BLOCK * cot_element_size(s->desc.element);
    for (int i = 0; i < 5; i++)
        if (!(b->cells[i] = malloc(size)))
            return -1;
    for (int i = 0; i < 3 && pairing_of(s->desc.op) == PAIRS_LINE; i++)
        if (!(b->lines[i] = malloc(2 * size)))
            return -1;
    return 0;
}

static void free_batch(batch *b)
{
    for (int i = 0; b && i < 5; i++)
        free(b->cells[i]);
    for (int i = 0; b && i < 3; i++)
        free(b->lines[i]);
    free(b);
}

static int write_blocks(sweep_run *r, const block_claim *claim, batch *b)
{
    part p;
    int why = part_open(&p, r->directory, r->s->heading);
    if (why)
        return fail(r, r->directory, strerror(why));
    int status = do_blocks(r, claim, b, &p);
    why = part_close(&p);
    return why && !status ? fail(r, p.path, strerror(why)) : status;
}

int sweep_blocks(sweep_run *r, const block_claim *claim)
{
    batch *b = calloc(1, sizeof *b);
    if (collect_begin(&r->found, r->s->heading) || !b || make_cells(b, r->s)) {
        free_batch(b);
        return fail(r, r->directory, "out of memory");
    }
    int status = 0;
    if (!access(r->directory, F_OK) && collect_path(&r->found, r->directory))
        status = fail(r, r->found.error, "what is there stays as it is");
    if (!status && count_own(r, 1) < count_own(r, 0))
        status = write_blocks(r, claim, b);
    if (!status && collect_path(&r->found, r->directory))
        status = fail(r, r->found.error, "");
    free_batch(b);
    return status;
}

size_t sweep_raw_size(const sweep *s)
{
    return (size_t)results_of(s->desc.op) * BLOCK * cot_element_size(s->desc.element);
}

cot_status sweep_one(cot_backend *backend, const sweep *s, int64_t block, block_result *again, char *raw,
                     cot_error *error)
{
    batch *b = calloc(1, sizeof *b);
    block_claim claim;
    sweep_run r = { .s = s, .backend = backend };
    size_t size = BLOCK * cot_element_size(s->desc.element);
    cot_status status = b && !make_cells(b, s) ? COT_OK : COT_INTERNAL;
    if (!status)
        status = sweep_claim(backend, s, &claim, error);
    if (!status) {
        b->count = 1;
        b->block[0] = block;
        status = call_backend(&r, b, error);
    }
    if (!status)
        judge_batch(&r, &claim, b);
    for (int i = 0; i < results_of(s->desc.op) && raw && !status; i++)
        memcpy(raw + (size_t)i * size, b->cells[3 + i], size);
    if (b)
        *again = b->result[0];
    status = status ? status : b->status[0];
    free_batch(b);
    return status;
}

cot_status sweep_judge(const sweep *s, int bits, int64_t block, const char *raw, block_result *again)
{
    batch *b = calloc(1, sizeof *b);
    const cot_guarantee promised = { .bit_identical = (uint8_t)bits };
    block_claim claim = claim_of(&s->desc, &promised);
    cot_status status = b && !make_cells(b, s) ? COT_OK : COT_INTERNAL;
    if (!status) {
        const void *operand[] = { b->cells[0], b->cells[1], b->cells[2] };
        const void *kept[] = { raw, raw + BLOCK * cot_element_size(s->desc.element) };
        block_operands(s, block, b->cells[0], b->cells[1], b->cells[2]);
        status = judge_block(s, &claim, block, operand, kept, again);
    }
    free_batch(b);
    return status;
}
