/* The sweeps of a submission: every block is there once, and so many of them are judged and computed again. */
#include "auditor.h"
#include "conformance/sweep/run.h"
#include "conformance/sweep/summary.h"

#include <stdlib.h>
#include <string.h>

/* ---- blocks, once more ----------------------------------------------------------------------- */

static uint64_t draw(auditor *a)
{
    a->state = a->state * 6364136223846793005u + 1442695040888963407u;
    return a->state >> 20;
}

static void recompute_block(auditor *a, const char *name, const sweep *s, const block_result *said,
                            cot_backend *reference)
{
    block_result again;
    cot_error error;
    if (sweep_one(reference, s, said->block, &again, NULL, &error))
        audit_problem(a, "%s: block %lld cannot be computed", name, (long long)said->block);
    else if (again.digest != said->digest || again.edges != said->edges || again.cells != said->cells)
        audit_problem(a, "%s: block %lld has other bits than the reference", name, (long long)said->block);
}

/* Of the blocks that are there as many as are asked for, any of them with the same chance and none of them twice. */
static void recompute(auditor *a, const char *name, const collection *c, const sweep *s, cot_backend *reference)
{
    int64_t left = summarize(c, 1, 1).done, all = left, wanted = a->samples < left ? a->samples : left;
    fprintf(a->to, "recomputed: %s, %lld of its %lld block%s\n", name, (long long)wanted, (long long)all,
            all == 1 ? "" : "s");
    for (int64_t block = c->first; wanted; block++) {
        if (!collect_has(c, block) || (int64_t)(draw(a) % (uint64_t)left--) >= wanted)
            continue;
        recompute_block(a, name, s, &c->block[block - c->first], reference);
        a->found.recomputed++;
        wanted--;
    }
}

/* A block's results as the backend gave them, "samples/NAME/BLOCK": judged here, they must make its line. */
static void judge_sample(auditor *a, const member *one, long long block, const collection *c, const sweep *s, int bits)
{
    const block_result *said = block >= 0 && collect_has(c, block) ? &c->block[block - c->first] : NULL;
    block_result again = { 0 };
    if (!said || one->size != sweep_raw_size(s)) {
        audit_problem(a, "%s is no block of its sweep", one->name);
        return;
    }
    if (sweep_judge(s, bits, block, one->data, &again))
        audit_problem(a, "%s cannot be judged", one->name);
    else if (!same_finding(said, &again))
        audit_problem(a, "%s is not what the line of block %lld says", one->name, block);
    else
        fprintf(a->to, "judged again: %s, %lld cells, %lld wrong, %.6g of the bound\n", one->name,
                (long long)again.cells, (long long)again.failed, again.worst);
}

static void judge_samples(auditor *a, const char *name, const collection *c, const sweep *s, int bits)
{
    int found = 0;
    for (int i = 0; i < a->files->count; i++) {
        const member *one = &a->files->at[i];
        long long block;
        size_t length = strlen(name) - strlen("sweeps/");
        if (strncmp(one->name, "samples/", 8) || strncmp(one->name + 8, name + strlen("sweeps/"), length)
            || one->name[8 + length] != '/')
            continue;
        if (sscanf(one->name + 9 + length, "%lld", &block) == 1)
            judge_sample(a, one, block, c, s, bits);
        found++;
    }
    if (!found)
        fprintf(a->to, "cannot: %s has no results with it that could be judged again\n", name);
}

static void audit_claim(auditor *a, const char *name, const collection *c)
{
    char judged[16] = "";
    sweep s = { .heading = "" };
    cot_backend *reference;
    cot_error error;
    heading_word(c->heading, "judged", judged, sizeof judged);
    if (sweep_from_name(c->heading, &s))
        audit_problem(a, "%s is of another version or spec than this program, or of no sweep", name);
    else
        judge_samples(a, name, c, &s, !strcmp(judged, "bits"));
    if (!*s.heading)
        return;
    if (strcmp(judged, "bits"))
        fprintf(a->to, "cannot: %s claims no bits, so no other machine can compute its digests\n", name);
    else if (cot_backend_open("ref", NULL, &reference, &error))
        audit_problem(a, "the reference cannot be opened: %s", error.message);
    else {
        recompute(a, name, c, &s, reference);
        cot_backend_close(reference);
    }
}

/* ---- a sweep --------------------------------------------------------------------------------- */

static int collect_members(collection *c, const members *m, const char *prefix, size_t length)
{
    int status = 0;
    for (int i = 0; i < m->count && !status; i++) {
        const member *one = &m->at[i];
        if (strncmp(one->name, prefix, length) || !one->size)
            continue;
        FILE *from = fmemopen(one->data, one->size, "r");
        status = from ? collect_stream(c, one->name, from) : -1;
        if (from)
            fclose(from);
    }
    return status;
}

/* A sweep of a range, or of a sample, is a part of all pairs. */
static void tell_sweep(auditor *a, const char *name, const collection *c, const summary *s)
{
    char word[5][HEADING_SIZE] = { "" };
    static const char *const keys[] = { "op", "dtype", "blocks", "backend", "device" };
    long long first = 0, last = 0, all = 0;
    for (int i = 0; i < 5; i++)
        heading_word(c->heading, keys[i], word[i], sizeof word[i]);
    sscanf(word[2], "%lld-%lld/%lld", &first, &last, &all);
    int sampled = !strcmp(word[1], "f32"), part = sampled || last - first + 1 < all;
    a->found.parts += part;
    fprintf(a->to, "read: %s, %s %s, backend %s on %s: %lld of %lld blocks, digest %016llx\n", name, word[0], word[1],
            word[3], word[4], (long long)s->done, (long long)s->planned, (unsigned long long)s->digest);
    if (sampled)
        fprintf(a->to, "part: %s is a sample of the 2^64 pairs of f32\n", name);
    else if (part)
        fprintf(a->to, "part: %s is blocks %lld to %lld of 0 to %lld: not all pairs\n", name, first, last, all - 1);
}

void audit_sweep(auditor *a, const char *prefix, size_t length)
{
    collection c = { .files = 0 };
    char name[TAR_NAME], missing[256];
    snprintf(name, sizeof name, "%.*s", (int)length - 1, prefix);
    a->found.sweeps++;
    if (collect_members(&c, a->files, prefix, length) || !*c.heading) {
        audit_problem(a, "%s", *c.error ? c.error : name);
    } else {
        summary s = summarize(&c, 1, 1);
        missing_blocks(&c, 1, 1, missing, sizeof missing);
        tell_sweep(a, name, &c, &s);
        if (*missing)
            audit_problem(a, "%s: blocks are missing: %s", name, missing);
        if (s.failed)
            audit_problem(a, "%s: %lld cells failed", name, (long long)s.failed);
        audit_claim(a, name, &c);
    }
    collect_free(&c);
}
