/* The results of a check's cases that a submission has with it: they must be what the check says they are. */
#include "auditor.h"
#include "kept.h"
#include "conformance/html/html.h"
#include "conformance/run/waivers.h"

#include <string.h>

/* The spec's bits are claimed where every case of the row has reached that level beside the reference. */
static int claims_bits(const node *top, const test_case *c)
{
    const node *of = row_of(top, cot_op_get(c->desc.op)->name, cot_element_name(c->desc.element));
    const char *against = text_at(node_get(top, "run"), "against");
    return !strcmp(text_at(of, "level"), "X") && (!*against || !strcmp(against, "ref"));
}

/* A failure that the result itself tells of. */
static int is_told(const node *top, const test_case *c, const char *id)
{
    const node *of = row_of(top, cot_op_get(c->desc.op)->name, cot_element_name(c->desc.element));
    const node *failures = node_get(of, "failures");
    for (const node *one = failures ? failures->child : NULL; one; one = one->next)
        if (!strcmp(text_at(one, "id"), id))
            return 1;
    return 0;
}

/* Or one that a waiver of the archive forgives, by whatever clause: the check may have found it by the layout or by
 * another run, which cells alone do not show. */
static int is_waived(const auditor *a, const node *top, const kept_ruling *r)
{
    const node *of = row_of(top, cot_op_get(r->c.desc.op)->name, cot_element_name(r->c.desc.element));
    int found = 0;
    for (int i = 0; i < a->files->count && !found && number_at(of, "waived", 0) > 0; i++) {
        const member *one = &a->files->at[i];
        char error[WAIVER_ERROR_SIZE];
        waivers w = { 0 };
        FILE *from = strncmp(one->name, "waivers/", 8) || !one->size ? NULL : fmemopen(one->data, one->size, "r");
        const result failed = { .c = r->c, .v = { .failed = 1 } };
        if (from && !waivers_read_from(from, one->name, &w, error)) {
            for (int k = 0; k < w.count; k++)
                strcpy(w.at[k].clause, "*");
            found = waivers_find(&w, &failed) != NULL;
        }
        if (from)
            fclose(from);
        waivers_free(&w);
    }
    return found;
}

/* A check at level E alone has looked at no bound: one that was asked for that level, or whose backend claims no more.
 * A row that has failures may stand at E because of them. */
static int is_of_edges(const node *top, const node *of)
{
    return !strcmp(text_at(node_get(top, "run"), "level"), "E")
           || (!strcmp(text_at(of, "level"), "E") && number_at(of, "failed", 0) + number_at(of, "waived", 0) == 0);
}

static int is_wrong(const node *top, const kept_ruling *r)
{
    const node *of = row_of(top, cot_op_get(r->c.desc.op)->name, cot_element_name(r->c.desc.element));
    return r->v.failed && (r->v.failed_at == LEVEL_E || !is_of_edges(top, of));
}

static void judge_kept(auditor *a, const member *one, const node *top, cot_backend *reference, kept_ruling *r)
{
    if (kept_judge(one->data, reference, r)) {
        audit_problem(a, "%s cannot be judged", one->name);
        return;
    }
    a->found.kept++;
    a->found.kept_bits += reference != NULL;
    int wrong = is_wrong(top, r);
    if ((wrong || r->other_bits) && is_waived(a, top, r))
        fprintf(a->to, "waived: %s, %s\n", one->name, r->id);
    else if (wrong)
        audit_problem(a, "%s: %s breaks %s, and passed by the check", one->name, r->id,
                      *r->v.clause ? r->v.clause : "its bound");
    else if (r->other_bits)
        audit_problem(a, "%s: %s has other bits than the reference in %lld cells", one->name, r->id,
                      (long long)r->other_bits);
    else
        fprintf(a->to, "judged again: %s, %s, %lld cells, %.6g of the bound%s\n", one->name, r->id,
                (long long)r->v.cells, r->v.worst, reference ? ", the reference's bits" : "");
}

static void audit_one(auditor *a, const member *one, const char *name, const node *top, cot_backend *reference)
{
    kept_ruling r;
    if (kept_read(one->data, one->size, &r))
        audit_problem(a, "%s is no results of a case", one->name);
    else if (!a->cases.asked(node_get(top, "run"), r.id))
        audit_problem(a, "%s: %s was not asked for %s", one->name, name, r.id);
    else if (is_told(top, &r.c, r.id))
        fprintf(a->to, "failed: %s, %s, as %s says\n", one->name, r.id, name);
    else
        judge_kept(a, one, top, claims_bits(top, &r.c) ? reference : NULL, &r);
}

void audit_kept(auditor *a, const char *name, const node *top)
{
    cot_backend *reference;
    cot_error error;
    char folder[2 * TAR_NAME];
    int found = 0;
    snprintf(folder, sizeof folder, "cells/%s/", name + strlen("results/"));
    if (cot_backend_open("ref", NULL, &reference, &error)) {
        audit_problem(a, "the reference cannot be opened: %s", error.message);
        return;
    }
    for (int i = 0; i < a->files->count; i++)
        if (!strncmp(a->files->at[i].name, folder, strlen(folder))) {
            audit_one(a, &a->files->at[i], name, top, reference);
            found++;
        }
    if (!found)
        fprintf(a->to, "cannot: %s has no cells with it that could be judged again\n", name);
    cot_backend_close(reference);
}
