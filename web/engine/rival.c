/* A rival: the scene's gradient as somebody else has it, a mutant's or handed over cell by cell, and what the judge
 * says of the line that is looked at. */
#include "bridge.h"
#include "own_line.h"
#include "conformance/case/device_run.h"
#include "conformance/clause/clauses.h"
#include "conformance/describe/describe.h"
#include "conformance/judge/judge_clause.h"
#include "conformance/judge/judge_lines.h"
#include "conformance/judge/walk.h"
#include "conformance/mutant/mutant.h"

#include <stdlib.h>
#include <string.h>

static scene theirs;

/* Outputs of its own, which begin as the scene's. */
static int begin(void)
{
    scene_close(&theirs);
    theirs = web_scene;
    int missing = 0;
    for (int o = COT_DY; o < OPERANDS; o++) {
        cot_view *view = &theirs.view[o];
        theirs.values[o] = NULL;
        if (!view->rank)
            continue;
        const void *shared = view->data;
        view->data = NULL;
        missing |= operand_make(&web_scene.c.desc, (cot_operand)o, view)
                   || !(theirs.values[o] = calloc((size_t)web_scene.n + 1, sizeof(double)));
        if (view->data)
            memcpy(view->data, shared, (size_t)view->length * cot_element_size(view->element));
    }
    return missing;
}

/* A mutant's results of the numbers on the scene. 0, or -1 with `web_error`. */
EXPORT int web_rival_run(const char *mutant_name)
{
    cot_backend *backend = NULL;
    cot_error *error = web_last_error();
    if (begin())
        return -1;
    cot_status status = mutant_open(mutant_name, NULL, &backend, error);
    if (!status)
        status = device_execute(backend, &theirs.c.desc, theirs.view, error);
    cot_backend_close(backend);
    scene_look(&theirs, web_scene.line);
    return status ? -1 : 0;
}

/* Results that are handed over: whole outputs, cell by cell in row-major order. */
EXPORT int web_rival_begin(void) { return begin(); }

EXPORT void web_rival_put(int operand, int index, double value)
{
    if (operand < COT_DX || operand >= OPERANDS || !theirs.view[operand].rank)
        return;
    const cot_view *view = &theirs.view[operand];
    if (index >= 0 && index < view->length)
        cot_cell_set(view->element, (char *)view->data + (size_t)index * cot_element_size(view->element), value);
}

EXPORT double *web_rival_values(int operand)
{
    if (!theirs.values[operand])
        return NULL;
    scene_look(&theirs, web_scene.line);
    return theirs.values[operand];
}

/* ---- what is wrong with it ------------------------------------------------------------------- */

/* Right within its bounds, and other bits than the spec's: where bits are claimed, that is wrong too. */
static void compare_bits(const own_line *l, verdict *v)
{
    walk cells = walk_begin(&l->p, v);
    cells.marks = l->t.marks;
    for (int o = COT_DX; o < OPERANDS; o++)
        for (int64_t i = 0; theirs.values[o] && i < theirs.n; i++) {
            double got = theirs.values[o][i], want = web_scene.values[o][i];
            if (!same_number(got, want)
                && walk_fail(&cells, REASON_OTHER_BITS, "ARITH-ORDER", (cot_operand)o, i, got, want))
                verdict_blame(v, cell_clause(v, LEVEL_X, &l->p));
        }
    walk_end(&cells);
}

static void add_marks(text *t, const own_line *l)
{
    json_open(t, "marks", '{');
    for (int o = COT_DX; o < OPERANDS; o++) {
        if (!l->t.marks[o])
            continue;
        json_open(t, cot_operand_name((cot_operand)o), '[');
        for (int64_t i = 0; i < theirs.n; i++)
            if (l->t.marks[o][i])
                json_integer(t, NULL, i);
        json_close(t, ']');
    }
    json_close(t, '}');
}

/* The sentence of a clause that matters, and the whole of it. */
static void add_clause(text *t, const char *id, int at)
{
    const clause *c = clause_find(id);
    char words[WHY_SIZE] = "";
    int length = c ? sentence_length(c->text + at) : 0;
    if (c && length < (int)sizeof words)
        memcpy(words, c->text + at, (size_t)length);
    json_string(t, "clause", c ? c->id : NULL);
    json_string(t, "sentence", words);
    json_string(t, "text", c ? c->text : NULL);
}

static void add_failure(text *t, const verdict *v)
{
    char why[WHY_SIZE];
    describe_why(v, why);
    json_string(t, "level", level_title(v->failed_at));
    json_string(t, "why", why);
    json_string(t, "of", cot_operand_name(v->operand));
    json_integer(t, "cell", v->index[0]);
    json_number(t, "got", v->got);
    json_number(t, "want", v->want);
    add_clause(t, v->clause, v->sentence);
}

/* The rival's line before the judge: "null" where it cannot be judged. */
EXPORT const char *web_rival_verdict(void)
{
    own_line l;
    verdict v = { 0 };
    text *t = web_answer();
    for (int o = COT_DX; o < OPERANDS; o++)
        if (theirs.values[o])
            web_rival_values(o);
    int broken = own_line_make(&l, &web_scene, theirs.values) || judge_lines(&l.t, LEVEL_B, &v);
    if (!broken && !v.failed)
        compare_bits(&l, &v);
    blame_by_line(&l.t, &v);
    json_open(t, NULL, '{');
    json_integer(t, "failed", v.failed);
    json_integer(t, "cells", v.cells);
    if (v.failed)
        add_failure(t, &v);
    add_marks(t, &l);
    json_close(t, '}');
    own_line_free(&l);
    return broken ? "null" : t->data;
}

EXPORT const char *web_clause(const char *id)
{
    text *t = web_answer();
    json_open(t, NULL, '{');
    add_clause(t, id, 0);
    json_close(t, '}');
    return t->data;
}
