/* One JSON object, described in doc/suite.md. It holds nothing that differs from run to run. */
#include "conformance/case/generate.h"
#include "conformance/case/shape.h"
#include "report.h"

static void print_pair(const char *key, const char *value)
{
    printf("\"%s\": ", key);
    value ? print_json_string(stdout, value) : (void)printf("null");
}

/* Cells by the reason why they were not judged; zeros are left out. */
static void print_unjudged(const row *t)
{
    int printed = 0;
    for (int i = 0; i < UNJUDGED_REASONS; i++)
        if (t->unjudged[i])
            printf("%s \"%s\": %lld", printed++ ? "," : "", unjudged_at((unjudged_reason)i)->name,
                   (long long)t->unjudged[i]);
}

static void print_counts(const row *t)
{
    printf("\"cases\": %lld, \"failed\": %lld, \"waived\": %lld, \"unsupported\": %lld, \"refusals\": %lld, "
           "\"checks\": %lld, ",
           (long long)t->cases, (long long)t->failed, (long long)t->waived, (long long)t->unsupported,
           (long long)t->refusals, (long long)(t->cells - t->unjudged_cells + t->statuses));
    printf(
        "\"cells\": %lld, \"edge_cells\": %lld, \"nan_cells\": %lld, \"bit_cells\": %lld, \"unjudged_cells\": %lld, ",
        (long long)t->cells, (long long)t->edge_cells, (long long)t->nan_cells, (long long)t->bit_cells,
        (long long)t->unjudged_cells);
    printf("\"open_cells\": %lld, \"unjudged\": {", (long long)t->open_cells);
    print_unjudged(t);
    printf(" }, \"guard_bytes\": %lld, \"statuses\": %lld, \"worst\": ", (long long)t->guard_bytes,
           (long long)t->statuses);
    t->worst - t->worst == 0 ? printf("%.17g", t->worst) : printf("null");
}

/* ---- failures -------------------------------------------------------------------------------- */

static void print_number(const char *key, cot_element element, double number)
{
    number_text t = describe_number(element, number);
    printf("\"%s\": { ", key);
    print_pair("decimal", t.decimal);
    printf(", ");
    print_pair("hex", t.hex);
    printf(", ");
    print_pair("bits", t.bits);
    printf(" }");
}

void print_json_pattern(const pattern *p)
{
    printf(", \"pattern\": { ");
    print_pair("kind", pattern_name(p->kind));
    printf(", \"wrong\": %lld, \"cells\": %lld, \"first\": %lld, \"last\": %lld", (long long)p->wrong,
           (long long)p->cells, (long long)p->first, (long long)p->last);
    printf(", \"from\": %lld, \"to\": %lld, \"step\": %lld, \"line\": %lld, \"last_line\": %lld }", (long long)p->from,
           (long long)p->to, (long long)p->step, (long long)p->line, (long long)p->last_line);
}

void print_json_cell(const verdict *v)
{
    char place[64];
    int printed = 0;
    if (v->operand == COT_NO_OPERAND)
        return;
    describe_place(v, place, sizeof place);
    printf(", ");
    print_pair("cell", place);
    printf(", ");
    print_number("got", v->element, v->got);
    printf(", ");
    print_number("want", v->element, v->want);
    printf(", \"inputs\": { ");
    for (int o = COT_DY; o < COT_DX; o++)
        if (v->has_inputs >> o & 1) {
            printf("%s", printed++ ? ", " : "");
            print_number(cot_operand_name((cot_operand)o), v->element, v->inputs[o]);
        }
    printf(" }");
}

/* What only the first of its kind has. */
static void print_detail(const report *r, const group *g)
{
    char least[CASE_ID_SIZE], repeat[1024], why[WHY_SIZE];
    case_print(&g->least.c, least);
    describe_repeat(r, &g->least.c, repeat, sizeof repeat);
    if (*g->right_for) {
        printf(", ");
        print_pair("right_for", g->right_for);
    }
    printf(", ");
    print_pair("shrunk", least);
    printf(", ");
    describe_why(&g->least.v, why);
    print_pair("why", why);
    print_json_cell(&g->least.v);
    if (g->least.v.pattern.kind)
        print_json_pattern(&g->least.v.pattern);
    printf(", ");
    print_pair("repeat", repeat);
    printf(", \"like_it\": %lld", (long long)g->count);
}

static int same_case(const test_case *a, const test_case *b)
{
    char left[CASE_ID_SIZE], right[CASE_ID_SIZE];
    case_print(a, left);
    case_print(b, right);
    for (int i = 0; left[i] || right[i]; i++)
        if (left[i] != right[i])
            return 0;
    return 1;
}

static void print_failure(const report *r, const miss *m)
{
    char id[CASE_ID_SIZE];
    const group *g = &r->failures.groups[m->group];
    case_print(&m->c, id);
    printf("\n      { ");
    print_pair("id", id);
    printf(", \"level\": \"%s\", ", level_name(m->at));
    print_pair("clause", *g->first.v.clause ? g->first.v.clause : NULL);
    if (same_case(&m->c, &g->first.c))
        print_detail(r, g);
    printf(" }");
}

static void print_failures_of(const report *r, cot_op op, cot_element element)
{
    int printed = 0;
    printf(",\n      \"failures\": [");
    for (int64_t i = 0; i < r->failures.count; i++)
        if (r->failures.all[i].c.desc.op == op && r->failures.all[i].c.desc.element == element) {
            printf("%s", printed++ ? "," : "");
            print_failure(r, &r->failures.all[i]);
        }
    printf("] }");
}

/* ---- rows ------------------------------------------------------------------------------------ */

/* Cases per generator and layout; what is 0 is left out. */
static void print_judged(const report *r, int op, cot_element element)
{
    int generators = 0;
    printf(",\n      \"judged\": {");
    for (int g = 0; generator_at(g); g++) {
        int layouts = 0;
        for (int l = 0; layout_name((case_layout)l); l++) {
            int64_t cases = tally_judged(r->tally, &(combination){ op, element, g, (case_layout)l });
            if (cases && !layouts++)
                printf("%s\"%s\": {", generators++ ? ", " : " ", generator_at(g)->name);
            if (cases)
                printf("%s\"%s\": %lld", layouts > 1 ? ", " : " ", layout_name((case_layout)l), (long long)cases);
        }
        printf("%s", layouts ? " }" : "");
    }
    printf(" }");
}

static void print_row(const report *r, int op, cot_element element)
{
    const row *t = tally_row(r->tally, op, element);
    const cot_op_info *info = cot_op_at((size_t)op);
    printf("    { \"op\": \"%s\", \"dtype\": \"%s\", \"level\": ", info->name, cot_element_name(element));
    t->reached >= 0 && t->reached < LEVELS ? printf("\"%s\"", level_name((level)t->reached)) : printf("null");
    printf(", ");
    print_pair("grade", t->graded_cells ? grade_name(grade_of(t->graded)) : NULL);
    printf(", ");
    print_counts(t);
    print_judged(r, op, element);
    print_failures_of(r, info->op, element);
}

static void print_rows(const report *r)
{
    int printed = 0;
    printf("  \"rows\": [\n");
    for (int op = 0; cot_op_at((size_t)op); op++)
        for (int e = COT_F16; e <= COT_F64; e++) {
            const row *t = tally_row(r->tally, op, (cot_element)e);
            if (t->cases + t->unsupported == 0)
                continue;
            printf("%s", printed++ ? ",\n" : "");
            print_row(r, op, (cot_element)e);
        }
    printf("\n  ] }\n");
}

static void print_hole(void *self, const combination *hole)
{
    int *printed = self;
    printf("%s\"%s/%s/%s/%s\"", (*printed)++ ? ", " : "", cot_op_at((size_t)hole->op)->name,
           cot_element_name(hole->element), layout_name(hole->layout), generator_at(hole->generator)->name);
}

static void print_shape_hole(void *self, const shape_gap *hole)
{
    int *printed = self;
    char name[SHAPE_NAME_SIZE];
    shape_name(hole->kind, name);
    printf("%s\"%s/%s/%s\"", (*printed)++ ? ", " : "", cot_op_at((size_t)hole->op)->name,
           cot_element_name(hole->element), name);
}

static void print_undone(const undone *u)
{
    printf("  \"not_done\": [");
    for (int i = 0; i < u->kinds; i++) {
        char id[CASE_ID_SIZE];
        case_print(&u->at[i].first, id);
        printf("%s{ \"cases\": %lld, ", i ? ", " : " ", (long long)u->at[i].count);
        print_pair("why", u->at[i].why);
        printf(", ");
        print_pair("first", id);
        printf(" }");
    }
    printf(" ],\n");
}

static void print_coverage(const report *r)
{
    coverage c = tally_coverage(r->tally);
    int printed = 0;
    printf("  \"coverage\": { \"promised\": %lld, \"judged\": %lld, \"unsupported\": %lld, \"holes\": [",
           (long long)c.promised, (long long)c.judged, (long long)c.unsupported);
    if (!*r->ended)
        tally_holes(r->tally, print_hole, &printed);
    printf("] },\n");
    c = tally_shapes(r->tally);
    printed = 0;
    printf("  \"shapes\": { \"promised\": %lld, \"judged\": %lld, \"unsupported\": %lld, \"holes\": [",
           (long long)c.promised, (long long)c.judged, (long long)c.unsupported);
    if (!*r->ended)
        tally_shape_holes(r->tally, print_shape_hole, &printed);
    printf("] },\n");
}

/* ---- the whole ------------------------------------------------------------------------------- */

static void begin(report *r) { (void)r; }

static void one(report *r, const result *unused) { (void)r, (void)unused; }

static void end(report *r)
{
    row total = tally_total(r->tally);
    printf("{ \"format\": 1,\n  \"run\": { ");
    print_pair("backend", r->backend);
    printf(", ");
    print_pair("against", r->against);
    printf(", \"level\": \"%s\", \"range\": \"%s\", \"seed\": %llu, \"shard\": \"%d/%d\", \"planned\": %lld, ",
           r->level,
           r->single ? "case"
           : r->full ? "full"
                     : "quick",
           (unsigned long long)r->seed, r->shard, r->shards, (long long)r->planned);
    print_pair("ended", *r->ended ? r->ended : NULL);
    printf(", ");
    print_pair("remark", *r->remark ? r->remark : NULL);
    printf(" },\n  \"good\": %s,\n  \"totals\": { ", report_is_good(r) ? "true" : "false");
    print_counts(&total);
    printf(" },\n");
    print_coverage(r);
    print_undone(&r->undone);
    print_rows(r);
}

const report_format report_json = { "json", begin, one, end };
