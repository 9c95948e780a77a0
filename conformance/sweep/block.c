/* Judging a block: the spec's own evaluation decides a cell at once where the result is it, and the exact value says
 * how far off it is. Whatever is left goes to truth. */
#include "block.h"
#include "doubt.h"
#include "expect.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Clause BOUND, as factors. */
typedef struct bound {
    double arithmetic;  /* of the condition */
    double below;       /* what underflow adds */
    double unit, least; /* rounding to the element type: relative, and at least; 0 where it is the compute type */
    double most;        /* from here on a result may be infinite */
} bound;

static const double sure = 1 - RATIO_ERROR;

typedef struct hearing {
    const sweep *s;
    const block_claim *claim;
    bound limits;
    double additions; /* of operand_run */
    int outs;         /* results of a pair */
    expected e;
    float g[RUN], a[RUN], b[RUN], got[2][RUN], want[2][RUN];
    unsigned char doubt[2][RUN];
    block_result *r;
} hearing;

int same_finding(const block_result *a, const block_result *b)
{
    double most = a->worst > 1 ? a->worst : 1;
    return a->block == b->block && a->digest == b->digest && a->cells == b->cells && a->edges == b->edges
           && a->bounded == b->bounded && a->failed == b->failed
           && (a->worst == b->worst || fabs(a->worst - b->worst) <= RATIO_ERROR / 4 * most);
}

block_claim claim_of(const cot_desc *desc, const cot_guarantee *promised)
{
    cot_bound b = cot_bound_under(desc, promised->bit_identical ? COT_ORDER_FOLD : COT_ORDER_NONE); /* of two terms */
    return (block_claim){ promised->bit_identical, b.roundings, b.depth };
}

static bound bound_of(cot_element element, double roundings)
{
    static const bound stored[] = { [COT_F16] = { .unit = 0x1p-11, .least = 0x1p-25, .most = 65000 },
                                    [COT_BF16] = { .unit = 0x1p-8, .least = 0x1p-134, .most = 0x1p124 },
                                    [COT_F32] = { .most = 0x1p124 } };
    bound b = stored[element];
    double ku = roundings * 0x1p-24;
    b.arithmetic = ku / (1 - ku);
    b.below = (roundings + 1) * 0x1p-149;
    return b;
}

/* E has depth * u * summed, as it is and times K: over K, that is a factor of `summed` within the condition. */
static double additions_of(const bound *b, double depth)
{
    return b->arithmetic > 0 ? depth * 0x1p-24 * (1 + b->arithmetic) / b->arithmetic : 0;
}

/* ---- a run of cells, in loops without branches ------------------------------------------------ */

static uint32_t float_bits(float value)
{
    uint32_t bits;
    memcpy(&bits, &value, sizeof bits);
    return bits;
}

static int same_cell(float a, float b) { return (float_bits(a) == float_bits(b)) | ((a != a) & (b != b)); }

/* Error over bound, and -1 where no bound is sure. */
static double ratio_at(const bound *b, double exact, double condition, double got)
{
    double arithmetic = b->arithmetic * condition, rounding = b->unit * (fabs(exact) + arithmetic);
    double whole = arithmetic + b->below + (rounding > b->least ? rounding : b->least);
    return ((condition > 0) & (fabs(exact) < b->most)) ? fabs(got - exact) / whole : -1;
}

static int compare_run(hearing *h, int out)
{
    const bound limits = h->limits;
    const double *exact = h->e.exact[out], *condition = h->e.condition[out];
    const float *got = h->got[out], *want = h->want[out];
    double worst = 0;
    int doubts = 0, edges = 0, bounded = 0;
    for (int i = 0; i < RUN; i++) {
        double ratio = ratio_at(&limits, exact[i], condition[i], (double)got[i]);
        int open = !same_cell(got[i], want[i]) | !(ratio <= sure) | h->e.open[i];
        h->doubt[out][i] = (unsigned char)open;
        doubts += open;
        bounded += ratio >= 0;
        edges += (want[i] == 0) | !(fabsf(want[i]) <= 0x1.fffffep127F);
        worst = ((ratio > worst) & !open) ? ratio : worst;
    }
    h->r->edges += edges;
    h->r->bounded += bounded;
    h->r->worst = worst > h->r->worst ? worst : h->r->worst;
    return doubts;
}

/* ---- what is left ---------------------------------------------------------------------------- */

static uint32_t cell_bits(cot_element element, float value)
{
    uint32_t bits = 0;
    cot_cell_set(element, &bits, (double)value);
    return cot_element_size(element) == 2 ? (uint16_t)bits : bits;
}

static void note_failure(hearing *h, int out, int i, float want)
{
    cot_element element = h->s->desc.element;
    if (h->r->failed++)
        return;
    h->r->first = (block_miss){ .out = (h->outs == 1 ? "x" : "ab")[out],
                                .dy = cell_bits(element, h->g[i]),
                                .a = cell_bits(element, h->a[i]),
                                .b = cell_bits(element, h->b[i]),
                                .got = cell_bits(element, h->got[out][i]),
                                .want = cell_bits(element, want),
                                .clause = doubt_clause(h->s->desc.op) };
}

static cot_status ask_truth(hearing *h, int out, int i)
{
    doubt d = { .desc = &h->s->desc,
                .g = (double)h->g[i],
                .a = (double)h->a[i],
                .b = (double)h->b[i],
                .out = out,
                .got = (double)h->got[out][i],
                .literal = h->want[out][i],
                .open = h->e.open[i],
                .bits = h->claim->bits,
                .roundings = h->claim->roundings,
                .depth = h->claim->depth };
    cot_status status = doubt_settle(&d);
    h->r->close++;
    h->r->worst = d.ratio > h->r->worst ? d.ratio : h->r->worst;
    if (!status && d.wrong)
        note_failure(h, out, i, d.literal);
    return status;
}

static cot_status settle_run(hearing *h, int out)
{
    cot_status status = COT_OK;
    for (int i = 0; i < RUN && !status; i++)
        if (h->doubt[out][i])
            status = ask_truth(h, out, i);
    return status;
}

/* ---- the block ------------------------------------------------------------------------------- */

static void digest_run(hearing *h)
{
    uint64_t digest = h->r->digest;
    for (int i = 0; i < RUN; i++)
        for (int out = 0; out < h->outs; out++) {
            float value = h->got[out][i];
            uint64_t bits = value == value ? float_bits(value) : 0x7fc00000u;
            digest = (digest ^ bits) * 0x9e3779b97f4a7c15u;
            digest ^= digest >> 32;
        }
    h->r->digest = digest;
}

static cot_status hear_run(hearing *h, expect_fn *expect, const void *const operands[3], const void *const results[2],
                           size_t from)
{
    cot_element element = h->s->desc.element;
    size_t skip = from * cot_element_size(element);
    operand_run in = expect_weights(&h->s->desc);
    float *inputs[] = { h->g, h->a, h->b };
    cot_status status = COT_OK;
    for (int i = 0; i < 3; i++)
        widen_run(element, (const char *)operands[i] + skip, inputs[i]);
    in.g = h->g, in.a = h->a, in.b = h->b, in.additions = h->additions;
    expect(&in, &h->e);
    for (int out = 0; out < h->outs; out++) {
        widen_run(element, (const char *)results[out] + skip, h->got[out]);
        round_run(element, h->e.literal[out], h->want[out]);
        if (compare_run(h, out) && !status)
            status = settle_run(h, out);
    }
    digest_run(h);
    return status;
}

cot_status judge_block(const sweep *s, const block_claim *claim, int64_t block, const void *const operands[3],
                       const void *const results[2], block_result *r)
{
    hearing *h = calloc(1, sizeof *h);
    cot_status status = COT_OK;
    if (!h)
        return COT_INTERNAL;
    h->s = s, h->claim = claim, h->r = r, h->outs = results_of(s->desc.op);
    *r = (block_result){ .block = block, .digest = text_digest(""), .cells = (int64_t)BLOCK * h->outs };
    h->limits = bound_of(s->desc.element, claim->roundings);
    h->additions = additions_of(&h->limits, claim->depth);
    for (size_t from = 0; from < BLOCK && !status; from += RUN)
        status = hear_run(h, expect_of(s->desc.op), operands, results, from);
    free(h);
    return status;
}
