/* Draws cases of a check, and keeps what its backend makes of them. */
#include "keep.h"
#include "conformance/archive/kept.h"
#include "conformance/clause/clauses.h"
#include "planned.h"

#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DRAWN = 4 * KEPT_CASES }; /* some of them the backend does not do */

/* Each case that can be kept is among them with the same chance, in whatever order. */
typedef struct lot {
    uint64_t state;
    int64_t seen;
    int count;
    test_case at[DRAWN];
} lot;

static int64_t draw(lot *l, int64_t below)
{
    l->state = l->state * 6364136223846793005u + 1442695040888963407u;
    return (int64_t)((l->state >> 20) % (uint64_t)below);
}

static int offer(void *self, const test_case *c)
{
    lot *l = self;
    if (!kept_can(c))
        return 0;
    int64_t place = draw(l, ++l->seen);
    if (l->count < DRAWN) { /* the newcomer takes any place, and who was there the last */
        l->at[l->count] = l->at[place];
        l->at[place] = *c;
        l->count++;
    } else if (place < DRAWN) {
        l->at[place] = *c;
    }
    return 0;
}

static int keep_lot(members *m, const char *name, cot_backend *backend, const lot *l)
{
    int kept = 0;
    for (int i = 0; i < l->count && kept < KEPT_CASES; i++) {
        char full[2 * TAR_NAME], *bytes = NULL;
        size_t size = 0;
        cot_error error;
        cot_status status = kept_pack(backend, &l->at[i], &bytes, &size, &error);
        if (status && status != COT_UNSUPPORTED)
            cli_fail(0, "%s: a case of it fails now, and has no cells to be packed: %s", name, error.message);
        if (status)
            continue;
        snprintf(full, sizeof full, "cells/%s/%d", name, ++kept);
        int refused = member_add(m, full, bytes, size);
        free(bytes);
        if (refused)
            return cli_fail(EXIT_USAGE, "%s cannot be packed", full);
    }
    return EXIT_GOOD;
}

static int keep_of_run(members *m, const char *name, const node *run)
{
    cot_backend *backend;
    cot_error error = { .message = "" };
    planned p;
    lot *l = calloc(1, sizeof *l);
    int status = planned_read(&p, run);
    if (!status && !l)
        status = cli_fail(EXIT_FAILED, "out of memory");
    if (!status && cli_open(text_at(run, "backend"), text_at(run, "device_option"), &backend, &error))
        cli_fail(0, "%s: its backend is not here, so no cells are packed that could be judged again: %s", name,
                 error.message);
    else if (!status) {
        l->state = (uint64_t)time(NULL) * 0x9e3779b97f4a7c15u;
        selection_visit(&p.s, offer, l);
        status = keep_lot(m, name, backend, l);
        cot_backend_close(backend);
    }
    planned_free(&p);
    free(l);
    return status;
}

int keep_cells(members *m, const char *name, const char *text)
{
    char spec[17];
    size_t at;
    node *top = tree_read(text, &at);
    const node *run = node_get(top, "run");
    int status = EXIT_GOOD;
    snprintf(spec, sizeof spec, "%016llx", (unsigned long long)clauses_digest());
    if (run && !strcmp(text_at(run, "version"), COT_VERSION) && !strcmp(text_at(run, "spec"), spec)
        && !strcmp(text_at(run, "shard"), "1/1"))
        status = keep_of_run(m, name, run);
    else
        cli_fail(0, "%s: is no whole result of this version and spec, so none of its cells are packed", name);
    tree_free(top);
    return status;
}
