/* Racecheck's score. Every file of softgpu/test/races is the body of a kernel after a published pattern: those of
 * Indigo (irregular codes and their bugs), ScoR (scoped races) and HiRace (accesses within warps, blocks and grids),
 * rewritten from their descriptions. Its first two lines are
 *     // What it shows, in a sentence.
 *     // racy|clean|note: grid N block N
 * and a statement that takes part in a race ends with the comment "!", or "?" where it must not be the only one. A race
 * is found where a report names two statements with "!"; a report that names one with neither is a false alarm. Each
 * runs on zeros and on other numbers, because a check must not depend on them. The table at the end of
 * doc/softgpu-checkers.md must be what comes out; with an argument the program writes it there, into the file that is
 * named. */
#include "conformance/tap/tap.h"
#undef fail
#include "softgpu/api/api_proto.h"
#include "softgpu/base/base.h"
#include "softgpu/softgpu.h"
#include <dirent.h>

enum { WORDS = 8192, MOST_TEXT = 1 << 14 };
enum expected { RACY, CLEAN, NOTE };

static const char prologue[] =
    ".version 8.5\n.target sm_90\n.address_size 64\n"
    ".visible .entry k(.param .u64 p0, .param .u64 p1)\n{\n"
    ".reg .pred %p<8>;\n.reg .b32 %r<32>, %t, %b, %g, %l, %w, %sm;\n.reg .b64 %d<16>, %data, %flag, %mine, %next, "
    "%own2;\n"
    ".shared .align 16 .b8 sh[8192];\n"
    "ld.param.u64 %data, [p0];\nld.param.u64 %flag, [p1];\n"
    "mov.u32 %t, %tid.x;\nmov.u32 %b, %ctaid.x;\nmov.u32 %r0, %ntid.x;\nmad.lo.u32 %g, %b, %r0, %t;\n"
    "and.b32 %l, %t, 31;\nshr.u32 %w, %t, 5;\n"
    "shl.b32 %sm, %t, 2;\nmov.u32 %r0, sh;\nadd.u32 %sm, %sm, %r0;\n"
    "mul.wide.u32 %mine, %g, 4;\nadd.u64 %mine, %mine, %data;\nadd.u64 %next, %mine, 4;\nadd.u64 %own2, %mine, "
    "16384;\n";

typedef struct kernel_case {
    char text[MOST_TEXT], what[200];
    enum expected expected;
    unsigned grid, block;
    bool good;
} kernel_case;

typedef struct outcome {
    bool found, false_alarm, ran;
    size_t notes;
} outcome;

typedef struct score {
    const char *suite;
    int racy, found, clean, false_alarms;
} score;

static bool read_case(const char *directory, const char *name, kernel_case *c)
{
    char path[4096], verdict[16] = "";
    size_t n = (size_t)snprintf(c->text, sizeof c->text, "%s", prologue);
    snprintf(path, sizeof path, "%s/%s", directory, name);
    FILE *f = fopen(path, "rb");
    n += f ? fread(c->text + n, 1, sizeof c->text - n - 20, f) : 0;
    if (f)
        fclose(f);
    const char *body = c->text + strlen(prologue), *second = strchr(body, '\n');
    c->good = f && second && sscanf(body, "// %199[^\n]", c->what) == 1
              && sscanf(second + 1, "// %15[a-z]: grid %u block %u", verdict, &c->grid, &c->block) == 3;
    c->expected = !strcmp(verdict, "racy") ? RACY : !strcmp(verdict, "note") ? NOTE : CLEAN;
    snprintf(c->text + n, sizeof c->text - n, "END:\nret;\n}\n");
    return c->good;
}

/* How the statement of a line is marked: '!', '?' or not at all. */
static char mark_of(const char *text, int line)
{
    for (; line > 1; line--)
        text = strchr(text, '\n') + 1;
    const char *end = strchr(text, '\n');
    return end - text > 4 && !memcmp(end - 4, "// ", 3) ? end[-1] : 0;
}

/* Both parties of a report stand in it as "block (...), thread (...)". */
static bool names_one_thread_twice(const char *text)
{
    const char *one = strstr(text, "block ("), *other = one ? strstr(one + 1, "block (") : NULL;
    const char *end = other ? strchr(strstr(other, "thread ("), ')') : NULL;
    return end && !strncmp(one, other, (size_t)(end + 1 - other));
}

static void judge_reports(const kernel_case *c, outcome *o)
{
    softgpuReport r;
    for (size_t i = 0; !softgpuGetReport(i, &r); i++) {
        char one = r.line ? mark_of(c->text, r.line) : 0, other = r.other_line ? mark_of(c->text, r.other_line) : 0;
        o->notes += r.severity == SOFTGPU_NOTE;
        o->found |= one == '!' && other == '!' && r.severity >= SOFTGPU_WARNING;
        if (one && other && !names_one_thread_twice(r.text))
            continue;
        o->false_alarm = true;
        diag("%s", r.text);
    }
}

static bool launch(const kernel_case *c, bool zeros)
{
    static u32 data[WORDS];
    CUcontext ctx;
    CUmodule m;
    CUfunction f;
    CUdeviceptr memory, flag;
    void *args[] = { &memory, &flag };
    for (u32 i = 0; i < WORDS; i++)
        data[i] = zeros ? 0 : 1000 + i;
    cuCtxCreate_v2(&ctx, 0, 0);
    cuMemAlloc_v2(&memory, sizeof data);
    cuMemAlloc_v2(&flag, 256);
    cuMemcpyHtoD_v2(memory, data, sizeof data);
    cuMemsetD8_v2(flag, 0, 256);
    bool good = !cuModuleLoadData(&m, c->text) && !cuModuleGetFunction(&f, m, "k")
                && !cuLaunchKernel(f, c->grid, 1, 1, c->block, 1, 1, 0, NULL, args, NULL) && !cuCtxSynchronize();
    if (!good)
        diag("%s", softgpuLastMessage());
    cuMemFree_v2(memory);
    cuMemFree_v2(flag);
    cuCtxDestroy_v2(ctx);
    return good;
}

static outcome run(const kernel_case *c, bool zeros)
{
    outcome o = { 0 };
    softgpuClearReports();
    o.ran = launch(c, zeros);
    judge_reports(c, &o);
    return o;
}

static score scores[] = { { "indigo", 0, 0, 0, 0 }, { "scor", 0, 0, 0, 0 }, { "hirace", 0, 0, 0, 0 } };

static void count(const char *name, const kernel_case *c, bool found, bool false_alarm)
{
    for (size_t i = 0; i < COUNT(scores); i++) {
        if (strncmp(name, scores[i].suite, strlen(scores[i].suite)))
            continue;
        scores[i].racy += c->expected == RACY;
        scores[i].found += c->expected == RACY && found;
        scores[i].clean += c->expected != RACY;
        scores[i].false_alarms += false_alarm;
    }
}

static void test_case_file(const char *directory, const char *name, FILE *rows)
{
    static kernel_case c;
    static const char *const verdicts[] = { "race", "none", "note" };
    ok(read_case(directory, name, &c), "%s can be read", name);
    if (!c.good)
        return;
    outcome zeros = run(&c, true), numbers = run(&c, false);
    bool found = zeros.found && numbers.found, false_alarm = zeros.false_alarm || numbers.false_alarm;
    ok(zeros.ran && numbers.ran, "%s: it runs to its end", name);
    ok(!false_alarm, "%s: no false alarm", name);
    if (c.expected == NOTE)
        ok(zeros.notes && numbers.notes && !zeros.found && !numbers.found, "%s: a note and no more", name);
    else
        ok(found == (c.expected == RACY), "%s: %s", name, c.expected == RACY ? "found" : "silent");
    count(name, &c, found, false_alarm || (c.expected == CLEAN && (zeros.found || numbers.found)));
    fprintf(rows, "| %.*s | %s | %s | %s |\n", (int)strcspn(name, "_"), name, c.what, verdicts[c.expected],
            false_alarm                    ? "false alarm"
            : found                        ? "race"
            : zeros.notes && numbers.notes ? "note"
                                           : "none");
}

static int is_body(const struct dirent *d)
{
    const char *dot = strrchr(d->d_name, '.');
    return dot && !strcmp(dot, ".body");
}

static void write_scores(FILE *f)
{
    score all = { "all", 0, 0, 0, 0 };
    fprintf(f, "\n| patterns of | racy | found | missed | race-free | false alarms |\n|---|---|---|---|---|---|\n");
    for (size_t i = 0; i < COUNT(scores); i++) {
        const score *s = &scores[i];
        all = (score){ "all", all.racy + s->racy, all.found + s->found, all.clean + s->clean,
                       all.false_alarms + s->false_alarms };
        fprintf(f, "| %s | %d | %d | %d | %d | %d |\n", s->suite, s->racy, s->found, s->racy - s->found, s->clean,
                s->false_alarms);
    }
    fprintf(f, "| all | %d | %d | %d | %d | %d |\n", all.racy, all.found, all.racy - all.found, all.clean,
            all.false_alarms);
}

static const char mark[] = "<!-- made by softgpu/test/test_races: make tables -->\n";

static char *read_file(const char *name)
{
    FILE *f = fopen(name, "rb");
    char *text = f ? calloc(1, 1 << 20) : NULL;
    if (text)
        text[fread(text, 1, (1 << 20) - 1, f)] = 0;
    if (f)
        fclose(f);
    return text;
}

/* The table stands behind the mark, and ends the file. */
static void settle_table(const char *name, const char *table, bool rewrite)
{
    char *text = read_file(name), *at = text ? strstr(text, mark) : NULL;
    bool same = at && !strcmp(at + strlen(mark), table);
    FILE *f = rewrite && at && !same ? fopen(name, "wb") : NULL;
    if (f) {
        at[strlen(mark)] = 0;
        same = fputs(text, f) >= 0 && fputs(table, f) >= 0;
        same = !fclose(f) && same;
    }
    ok(same, "the table of %s is this one (make tables)", name);
    free(text);
}

static void test_all(const char *directory, FILE *table)
{
    struct dirent **names = NULL;
    int n = scandir(directory, &names, is_body, alphasort);
    ok(n >= 96, "%d kernels in %s", n, directory);
    fprintf(table, "\n| patterns of | what it does | expected | reported |\n|---|---|---|---|\n");
    for (int i = 0; i < n; i++) {
        test_case_file(directory, names[i]->d_name, table);
        free(names[i]);
    }
    free(names);
}

int main(int argc, char **argv)
{
    char directory[3000], doc[3000], *rows = NULL, *table = NULL;
    size_t size;
    const char *top = getenv("srcdir");
    FILE *cases = open_memstream(&rows, &size), *whole = open_memstream(&table, &size);
    plan(NO_PLAN);
    cuInit(0);
    softgpuSetBudget(1 << 20); /* a kernel that hangs fails at once */
    softgpuSetChecks(SOFTGPU_RACECHECK);
    snprintf(directory, sizeof directory, "%s/softgpu/test/races", top ? top : ".");
    snprintf(doc, sizeof doc, "%s/doc/softgpu-checkers.md", top ? top : ".");
    test_all(directory, cases);
    fclose(cases);
    write_scores(whole);
    fputs(rows, whole);
    fclose(whole);
    settle_table(argc > 1 ? argv[1] : doc, table, argc > 1);
    free(rows);
    free(table);
    return done_testing();
}
