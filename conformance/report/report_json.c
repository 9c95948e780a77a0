/* One JSON object, described in doc/suite.md. It holds nothing that differs from run to run. */
#include "conformance/case/generate.h"
#include "conformance/case/shape.h"
#include "report.h"

#include <string.h>

static void print_pair(FILE *to, const char *key, const char *value)
{
    fprintf(to, "\"%s\": ", key);
    value ? print_json_string(to, value) : (void)fprintf(to, "null");
}

/* Cells by the reason why they were not judged; zeros are left out. */
static void print_unjudged(FILE *to, const row *t)
{
    int printed = 0;
    for (int i = 0; i < UNJUDGED_REASONS; i++)
        if (t->unjudged[i])
            fprintf(to, "%s \"%s\": %lld", printed++ ? "," : "", unjudged_at((unjudged_reason)i)->name,
                    (long long)t->unjudged[i]);
}

static void print_worst(FILE *to, double worst) { fprintf(to, worst - worst == 0 ? "%.17g" : "null", worst); }

static void print_counts(FILE *to, const row *t)
{
    fprintf(to,
            "\"cases\": %lld, \"failed\": %lld, \"waived\": %lld, \"unsupported\": %lld, \"refusals\": %lld, "
            "\"checks\": %lld, ",
            (long long)t->cases, (long long)t->failed, (long long)t->waived, (long long)t->unsupported,
            (long long)t->refusals, (long long)(t->cells - t->unjudged_cells + t->statuses));
    fprintf(
        to,
        "\"cells\": %lld, \"edge_cells\": %lld, \"nan_cells\": %lld, \"bit_cells\": %lld, \"unjudged_cells\": %lld, ",
        (long long)t->cells, (long long)t->edge_cells, (long long)t->nan_cells, (long long)t->bit_cells,
        (long long)t->unjudged_cells);
    fprintf(to, "\"open_cells\": %lld, \"unjudged\": {", (long long)t->open_cells);
    print_unjudged(to, t);
    fprintf(to, " }, \"guard_bytes\": %lld, \"statuses\": %lld, \"worst\": ", (long long)t->guard_bytes,
            (long long)t->statuses);
    print_worst(to, t->worst);
}

/* ---- failures -------------------------------------------------------------------------------- */

static void print_number(FILE *to, const char *key, cot_element element, double number)
{
    number_text t = describe_number(element, number);
    fprintf(to, "\"%s\": { ", key);
    print_pair(to, "decimal", t.decimal);
    fprintf(to, ", ");
    print_pair(to, "hex", t.hex);
    fprintf(to, ", ");
    print_pair(to, "bits", t.bits);
    fprintf(to, " }");
}

static void print_map(FILE *to, const pattern *p)
{
    char text[PATTERN_BOXES + 1];
    int printed = 0;
    fprintf(to, ", \"map\": {");
    for (int o = COT_DX; o <= COT_DB; o++) {
        pattern_map(p, (cot_operand)o, text);
        if (*text)
            fprintf(to, "%s \"%s\": \"%s\"", printed++ ? "," : "", cot_operand_name((cot_operand)o), text);
    }
    fprintf(to, " }");
}

void print_json_pattern(FILE *to, const pattern *p)
{
    fprintf(to, ", \"pattern\": { ");
    print_pair(to, "kind", pattern_name(p->kind));
    fprintf(to, ", \"wrong\": %lld, \"cells\": %lld, \"first\": %lld, \"last\": %lld", (long long)p->wrong,
            (long long)p->cells, (long long)p->first, (long long)p->last);
    fprintf(to, ", \"from\": %lld, \"to\": %lld, \"step\": %lld, \"line\": %lld, \"last_line\": %lld",
            (long long)p->from, (long long)p->to, (long long)p->step, (long long)p->line, (long long)p->last_line);
    print_map(to, p);
    fprintf(to, " }");
}

void print_json_cell(FILE *to, const verdict *v)
{
    char place[64];
    int printed = 0;
    if (v->operand == COT_NO_OPERAND)
        return;
    describe_place(v, place, sizeof place);
    fprintf(to, ", ");
    print_pair(to, "cell", place);
    fprintf(to, ", ");
    print_number(to, "got", v->element, v->got);
    fprintf(to, ", ");
    print_number(to, "want", v->element, v->want);
    fprintf(to, ", \"inputs\": { ");
    for (int o = COT_DY; o < COT_DX; o++)
        if (v->has_inputs >> o & 1) {
            fprintf(to, "%s", printed++ ? ", " : "");
            print_number(to, cot_operand_name((cot_operand)o), v->element, v->inputs[o]);
        }
    fprintf(to, " }");
}

/* What went wrong, and where. */
static void print_verdict(FILE *to, const verdict *v)
{
    char why[WHY_SIZE];
    describe_why(v, why);
    print_pair(to, "why", why);
    print_json_cell(to, v);
    if (v->pattern.kind)
        print_json_pattern(to, &v->pattern);
}

/* What only the first of its kind has: the smallest case like it, and the case itself where that is another. */
static void print_detail(FILE *to, const report *r, const group *g)
{
    char first[CASE_ID_SIZE], least[CASE_ID_SIZE], repeat[1024];
    case_print(&g->first.c, first);
    case_print(&g->least.c, least);
    describe_repeat(r, &g->least.c, repeat, sizeof repeat);
    print_pair(to, "shrunk", least);
    fprintf(to, ", ");
    print_verdict(to, &g->least.v);
    if (strcmp(first, least)) {
        fprintf(to, ", \"itself\": { ");
        print_verdict(to, &g->first.v);
        fprintf(to, " }");
    }
    fprintf(to, ", ");
    print_pair(to, "repeat", repeat);
}

static void print_failure(FILE *to, const report *r, const miss *m)
{
    static const char *const lost[] = { NULL, "died", "late" };
    char id[CASE_ID_SIZE];
    const group *g = &r->failures.groups[m->group];
    const reason_info *why = reason_at(g->first.v.reason);
    case_print(&m->c, id);
    fprintf(to, "\n      { ");
    print_pair(to, "id", id);
    fprintf(to, ", \"number\": %lld, \"level\": \"%s\", ", (long long)m->number, level_name(m->at));
    print_pair(to, "clause", *g->first.v.clause ? g->first.v.clause : NULL);
    fprintf(to, ", ");
    print_pair(to, "reason", why ? why->name : NULL);
    fprintf(to, ", ");
    print_pair(to, "lost", lost[g->first.lost]);
    if (m->number == g->first.number) {
        fprintf(to, ", ");
        if (g->asked >= 0)
            fprintf(to, "\"asked\": %lld, ", (long long)g->asked);
        if (*g->right_for) {
            print_pair(to, "right_for", g->right_for);
            fprintf(to, ", ");
        }
        g->text ? (void)fputs(g->text, to) : print_detail(to, r, g);
        fprintf(to, ", \"like_it\": %lld", (long long)g->count);
    }
    fprintf(to, " }");
}

static void print_failures_of(FILE *to, const report *r, cot_op op, cot_element element)
{
    int printed = 0;
    fprintf(to, ",\n      \"failures\": [");
    for (int64_t i = 0; i < r->failures.count; i++)
        if (r->failures.all[i].c.desc.op == op && r->failures.all[i].c.desc.element == element) {
            fprintf(to, "%s", printed++ ? "," : "");
            print_failure(to, r, &r->failures.all[i]);
        }
    fprintf(to, "] }");
}

/* ---- rows ------------------------------------------------------------------------------------ */

typedef int64_t count_fn(const tally *t, const combination *which);

/* Cases per generator and layout; what is 0 is left out. */
static void print_squares(FILE *to, const report *r, int op, cot_element element, count_fn *count)
{
    int generators = 0;
    for (int g = 0; generator_at(g); g++) {
        int layouts = 0;
        for (int l = 0; layout_name((case_layout)l); l++) {
            int64_t cases = count(r->tally, &(combination){ op, element, g, (case_layout)l });
            if (cases && !layouts++)
                fprintf(to, "%s\"%s\": {", generators++ ? ", " : " ", generator_at(g)->name);
            if (cases)
                fprintf(to, "%s\"%s\": %lld", layouts > 1 ? ", " : " ", layout_name((case_layout)l), (long long)cases);
        }
        fprintf(to, "%s", layouts ? " }" : "");
    }
}

/* Kinds of shapes by their numbers, as runs: "0-4 7". */
static void print_kinds(FILE *to, const char *key, const report *r, const shape_gap *at, shape_count_fn *count)
{
    int printed = 0;
    fprintf(to, "\"%s\": \"", key);
    for (int k = 0; k < shape_kinds(); k++) {
        int last = k;
        while (last < shape_kinds() && count(r->tally, &(shape_gap){ at->op, at->element, last }))
            last++;
        if (last > k)
            fprintf(to, last - k > 1 ? "%s%d-%d" : "%s%d", printed++ ? " " : "", k, last - 1);
        k = last;
    }
    fprintf(to, "\"");
}

/* What the parts of a run say of it beside sums, so that they can be put together. */
static void print_seen(FILE *to, const report *r, int op, cot_element element)
{
    const shape_gap at = { .op = op, .element = element };
    fprintf(to, ",\n      \"judged\": {");
    print_squares(to, r, op, element, tally_judged);
    fprintf(to, " },\n      \"undone\": {");
    print_squares(to, r, op, element, tally_undone);
    fprintf(to, " },\n      \"shapes\": { ");
    print_kinds(to, "judged", r, &at, tally_shape_judged);
    fprintf(to, ", ");
    print_kinds(to, "undone", r, &at, tally_shape_undone);
    fprintf(to, " }");
}

static void print_graded(FILE *to, const row *t)
{
    fprintf(to, ", \"graded\": { \"cells\": %lld", (long long)t->graded_cells);
    for (int g = 0; g < GRADES; g++) {
        fprintf(to, ", \"%s\": ", grade_name((grade)g));
        print_worst(to, t->graded[g]);
    }
    fprintf(to, " }");
}

static void print_row(FILE *to, const report *r, int op, cot_element element)
{
    const row *t = tally_row(r->tally, op, element);
    const cot_op_info *info = cot_op_at((size_t)op);
    fprintf(to, "    { \"op\": \"%s\", \"dtype\": \"%s\", \"level\": ", info->name, cot_element_name(element));
    t->reached >= 0 && t->reached < LEVELS ? fprintf(to, "\"%s\"", level_name((level)t->reached)) : fprintf(to, "null");
    fprintf(to, ", ");
    print_pair(to, "grade", t->graded_cells ? grade_name(grade_of(t->graded)) : NULL);
    fprintf(to, ", ");
    print_counts(to, t);
    print_graded(to, t);
    print_seen(to, r, op, element);
    print_failures_of(to, r, info->op, element);
}

static void print_rows(FILE *to, const report *r)
{
    int printed = 0;
    fprintf(to, "  \"rows\": [\n");
    for (int op = 0; cot_op_at((size_t)op); op++)
        for (int e = COT_F16; e <= COT_F64; e++) {
            const row *t = tally_row(r->tally, op, (cot_element)e);
            if (t->cases + t->unsupported == 0)
                continue;
            fprintf(to, "%s", printed++ ? ",\n" : "");
            print_row(to, r, op, (cot_element)e);
        }
    fprintf(to, "\n  ] }\n");
}

typedef struct hole_list {
    FILE *to;
    int printed;
} hole_list;

static void print_hole(void *self, const combination *hole)
{
    hole_list *list = self;
    fprintf(list->to, "%s\"%s/%s/%s/%s\"", list->printed++ ? ", " : "", cot_op_at((size_t)hole->op)->name,
            cot_element_name(hole->element), layout_name(hole->layout), generator_at(hole->generator)->name);
}

static void print_shape_hole(void *self, const shape_gap *hole)
{
    hole_list *list = self;
    char name[SHAPE_NAME_SIZE];
    shape_name(hole->kind, name);
    fprintf(list->to, "%s\"%s/%s/%s\"", list->printed++ ? ", " : "", cot_op_at((size_t)hole->op)->name,
            cot_element_name(hole->element), name);
}

static void print_undone(FILE *to, const undone *u)
{
    fprintf(to, "  \"not_done\": [");
    for (int i = 0; i < u->kinds; i++) {
        char id[CASE_ID_SIZE];
        case_print(&u->at[i].first, id);
        fprintf(to, "%s{ \"cases\": %lld, \"number\": %lld, ", i ? ", " : " ", (long long)u->at[i].count,
                (long long)u->at[i].number);
        print_pair(to, "why", u->at[i].why);
        fprintf(to, ", ");
        print_pair(to, "first", id);
        fprintf(to, " }");
    }
    fprintf(to, " ],\n");
}

static void print_cover(FILE *to, const char *key, const coverage *c)
{
    fprintf(to, "  \"%s\": { \"promised\": %lld, \"judged\": %lld, \"unsupported\": %lld, \"holes\": [", key,
            (long long)c->promised, (long long)c->judged, (long long)c->unsupported);
}

static void print_coverage(FILE *to, const report *r)
{
    coverage squares = tally_coverage(r->tally), shapes = tally_shapes(r->tally);
    print_cover(to, "coverage", &squares);
    if (!*r->ended)
        tally_holes(r->tally, print_hole, &(hole_list){ to, 0 });
    fprintf(to, "] },\n");
    print_cover(to, "shapes", &shapes);
    if (!*r->ended)
        tally_shape_holes(r->tally, print_shape_hole, &(hole_list){ to, 0 });
    fprintf(to, "] },\n");
}

/* ---- waivers --------------------------------------------------------------------------------- */

static void print_waivers(FILE *to, const waivers *w)
{
    fprintf(to, "  \"waivers\": [");
    for (int i = 0; w && i < w->count; i++) {
        const waiver *one = &w->at[i];
        fprintf(to, "%s\n    { \"line\": %d, ", i ? "," : "", one->line);
        print_pair(to, "cases", one->glob);
        fprintf(to, ", ");
        print_pair(to, "clause", one->clause);
        fprintf(to, ", ");
        print_pair(to, "until", one->until);
        fprintf(to, ", ");
        print_pair(to, "reason", one->reason);
        fprintf(to, ", \"expired\": %s, \"named\": %lld, \"used\": %lld }", one->expired ? "true" : "false",
                (long long)one->named, (long long)one->used);
    }
    fprintf(to, "],\n");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void begin(report *r) { (void)r; }

static void one(report *r, const result *unused) { (void)r, (void)unused; }

/* Parts of one run have the same words up to its seed. */
static void print_run(FILE *to, const report *r)
{
    const char *pairs[][2] = { { "version", r->version },
                               { "spec", r->spec },
                               { "backend", r->backend },
                               { "device", r->device },
                               { "device_option", r->device_option },
                               { "against", r->against },
                               { "options", r->choices + strspn(r->choices, " ") } };
    fprintf(to, "  \"run\": { ");
    for (size_t i = 0; i < sizeof pairs / sizeof *pairs; i++) {
        print_pair(to, pairs[i][0], pairs[i][1]);
        fprintf(to, ", ");
    }
    fprintf(to, "\"level\": \"%s\", \"range\": \"%s\", \"selection\": %s, \"seed\": %llu, ", r->level,
            r->single ? "case"
            : r->full ? "full"
                      : "quick",
            r->selection, (unsigned long long)r->seed);
    fprintf(to, "\"shard\": \"%d/%d\", \"planned\": %lld, ", r->shard, r->shards, (long long)r->planned);
    print_pair(to, "ended", *r->ended ? r->ended : NULL);
    fprintf(to, ", ");
    print_pair(to, "environment", r->environment);
    fprintf(to, ", ");
    print_pair(to, "remark", *r->remark ? r->remark : NULL);
    fprintf(to, " },\n");
}

static void end(report *r)
{
    FILE *to = r->to ? r->to : stdout;
    row total = tally_total(r->tally);
    fprintf(to, "{ \"format\": 1,\n");
    print_run(to, r);
    fprintf(to, "  \"good\": %s,\n  \"totals\": { ", report_is_good(r) ? "true" : "false");
    print_counts(to, &total);
    fprintf(to, " },\n");
    print_coverage(to, r);
    print_undone(to, &r->undone);
    print_waivers(to, r->waivers);
    print_rows(to, r);
}

const report_format report_json = { "json", begin, one, end };
