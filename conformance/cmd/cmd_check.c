/* cotangent check: runs cases on a backend, in processes of their own, and judges every cell. */
#include "conformance/case/clock.h"
#include "conformance/case/told.h"
#include "conformance/case/words.h"
#include "conformance/clause/clauses.h"
#include "conformance/port/proxy.h"
#include "conformance/run/pool.h"
#include "conformance/report/report.h"
#include "selection.h"
#include "conformance/run/shrink.h"
#include "conformance/run/unchecked.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

enum { HOST_SIZE = 256 };

typedef struct check_request {
    selection which;
    const char *backend, *against, *level, *jobs, *patience, *repeat, *format, *device, *waivers; /* as given */
    char options[128], choices[1024], filters[1024];
    pool_settings settings;
    const report_format *how;
    waivers known;
} check_request;

/* ---- the command line ------------------------------------------------------------------------ */

static int read_numbers(check_request *q)
{
    long long jobs = sysconf(_SC_NPROCESSORS_ONLN), processors = jobs;
    if (q->jobs && parse_integer(q->jobs, 1, 256, &jobs))
        return cli_fail(EXIT_USAGE, "--jobs %s: expected 1 to 256", q->jobs);
    q->settings.jobs = (int)jobs;
    q->settings.brief.threads = jobs < processors ? (int)(processors / jobs) : 1;
    long long repeat = 1;
    if (q->repeat && parse_integer(q->repeat, 1, 1000000, &repeat))
        return cli_fail(EXIT_USAGE, "--repeat %s: expected 1 to 1000000", q->repeat);
    q->settings.brief.repeat = (int)repeat;
    q->settings.brief.patience = CASE_PATIENCE;
    return cli_seconds(q->patience, &q->settings.brief.patience);
}

static const char *level_at(int index) { return index < LEVELS ? level_title((level)index) : NULL; }

static int read_level(check_request *q)
{
    q->settings.brief.level = q->level ? level_find(q->level) : LEVEL_CLAIMED;
    if (q->level && q->settings.brief.level < 0)
        return cli_unknown("level", q->level, level_at, "edges, bound, stable, invariant or bits, or E, B, D, I, X");
    return 0;
}

static const char *format_name(int index)
{
    static const report_format *const formats[] = { &report_text, &report_tap, &report_json, &report_junit };
    return index < 4 ? formats[index]->name : NULL;
}

static int read_format(check_request *q)
{
    static const report_format *const formats[] = { &report_text, &report_tap, &report_json, &report_junit };
    q->how = isatty(STDOUT_FILENO) ? &report_text : &report_tap;
    for (int i = 0; q->format && i < 4; i++)
        if (!strcmp(formats[i]->name, q->format)) {
            q->how = formats[i];
            return 0;
        }
    return q->format ? cli_unknown("format", q->format, format_name, "text, tap, json or junit") : 0;
}

/* For the commands that are printed: whatever the shell would not leave alone is quoted. An option that came several
 * times has its values on lines: commas do as well. */
static void add_choice(char choices[1024], const char *option, const char *value)
{
    static const char safe[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/,.=:+-\n";
    size_t used = strlen(choices), from = used;
    if (!value)
        return;
    const char *quote = *value && value[strspn(value, safe)] == 0 ? "" : "'";
    snprintf(choices + used, 1024 - used, " %s %s%s%s", option, quote, value, quote);
    for (char *at = choices + from; (at = strchr(at, '\n'));)
        *at = ',';
}

/* What chose the cases, but for the range itself. */
static void add_filters(check_request *q)
{
    const selection *s = &q->which;
    add_choice(q->filters, "--op", s->range.op_glob);
    add_choice(q->filters, "--dtype", s->dtypes);
    add_choice(q->filters, "--family", s->range.families);
    add_choice(q->filters, "--layout", s->layouts);
    add_choice(q->filters, "--generator", s->generators);
    add_choice(q->filters, "--clause", s->clauses);
    add_choice(q->filters, "--convention", s->convention);
    add_choice(q->filters, "--policy", s->policy);
    add_choice(q->filters, "--shard", s->part);
    add_choice(q->filters, "--seed", s->seed);
}

static void read_backend(check_request *q)
{
    brief *b = &q->settings.brief;
    add_choice(q->choices, "--backend", q->backend);
    add_choice(q->choices, "--against", q->against);
    add_choice(q->choices, "--level", q->level);
    add_choice(q->choices, "--device", q->device);
    add_choice(q->choices, "--timeout", q->patience);
    add_choice(q->choices, "--repeat", q->repeat);
    b->backend = q->backend ? q->backend : "ref";
    b->against = q->against ? q->against : strcmp(b->backend, "ref") ? "ref" : NULL;
    if (b->against && !strcmp(b->against, "truth"))
        b->against = NULL;
    if (q->device)
        snprintf(q->options, sizeof q->options, "device=%s", q->device);
    b->options = q->device ? q->options : NULL;
}

static int read_backends(const check_request *q)
{
    int status = q->backend ? cli_known_backend(q->backend) : 0;
    return status || !q->against || !strcmp(q->against, "truth") ? status : cli_known_backend(q->against);
}

static int read_waivers(check_request *q)
{
    char error[WAIVER_ERROR_SIZE];
    return q->waivers && waivers_read(q->waivers, &q->known, error) ? cli_fail(EXIT_USAGE, "%s", error) : 0;
}

static int read_request(check_request *q, int argc, char **argv)
{
    const cli_option own[] = {
        { "--backend", "NAME", "a built-in backend, or a shared library by its path (default: ref)", &q->backend,
          NULL },
        { "--device", "D", "the device that the backend is to use, where it has several", &q->device, NULL },
        { "--against", "NAME", "whose bits level X asks for: a backend (default: ref), or truth", &q->against, NULL },
        { "--level", "E|B|D|I|X",
          "how far to judge: edges, bound, stable, invariant, bits (default: as far as the backend claims, op by op)",
          &q->level, NULL },
        { "--jobs", "N", "processes at a time (default: processors)", &q->jobs, NULL },
        { "--timeout", "S", "seconds that a case may take, and a port's calls a third of (default: 60)", &q->patience,
          NULL },
        { "--repeat", "N", "runs of each case with nothing changed, whose bits must agree: finds rare races (level D)",
          &q->repeat, NULL },
        { "--waivers", "FILE", "failures that are known: lines of CASE-GLOB CLAUSE UNTIL REASON", &q->waivers, NULL },
        { "--format", "F", "text, tap, json or junit (default: text on a terminal, else tap)", &q->format, NULL },
    };
    enum { OWN = sizeof own / sizeof *own };
    cli_option options[SELECTION_OPTIONS + OWN + 1] = { { 0 } };
    int status;
    memcpy(options, own, sizeof own);
    selection_options(&q->which, options + OWN);
    if (cli_parse(argc, argv, &cli_check, options, 0, &status) < 0)
        return status ? status : -1;
    read_backend(q);
    add_filters(q);
    if ((status = selection_read(&q->which)) || (status = read_numbers(q)) || (status = read_level(q))
        || (status = read_waivers(q)) || (status = read_backends(q)))
        return status;
    return read_format(q);
}

/* ---- the run --------------------------------------------------------------------------------- */

static volatile sig_atomic_t interrupted;

static void interrupt(int number) { interrupted = number; }

typedef struct run_state {
    report r;
    const report_format *how;
    pool *pool;
    waivers *known; /* NULL: none */
} run_state;

static int promise(void *self, const test_case *c)
{
    report *r = self;
    r->planned++;
    tally_promise(r->tally, c);
    return 0;
}

static void take(void *self, const result *one)
{
    run_state *s = self;
    result r = *one;
    if (r.status != COT_UNSUPPORTED)
        fail_unchecked(&r.c, &r.v);
    r.number = s->r.seen++ * s->r.shards + s->r.shard - 1;
    r.waived = s->known && waivers_find(s->known, &r);
    tally_take(s->r.tally, &r);
    if (r.status == COT_UNSUPPORTED && !r.v.failed)
        undone_take(&s->r.undone, &r);
    if (r.v.failed && !r.waived)
        failures_take(&s->r.failures, &r);
    s->how->one(&s->r, &r);
}

static int give(void *self, const test_case *c) { return pool_judge(((run_state *)self)->pool, c); }

static void ask_what_for(pool *p, group *g)
{
    headline right_for;
    if (!g->told.v.failed)
        return;
    g->asked = g->told.number;
    if (pool_guess(p, &g->told.c, &right_for))
        describe_headline(&right_for, g->right_for);
}

static void make_small(pool *p, group *g) { g->cut = shrink(p, &g->first, &g->least); }

/* At the causes that are printed in full. */
static void look_closer(run_state *s, void (*how)(pool *p, group *g))
{
    failures *f = &s->r.failures;
    for (int i = 0, causes = 0; i < f->group_count && causes < CAUSES_IN_FULL && !interrupted; i++)
        if (failures_cause(f, i) == i && ++causes)
            how(s->pool, &f->groups[i]);
}

static void judge_all(run_state *s, const selection *which, char ended[320])
{
    pool_deliver_to(s->pool, take, s);
    if (!selection_visit(which, give, s))
        pool_drain(s->pool);
    if (interrupted)
        snprintf(ended, 320, "interrupted after %lld of %lld cases", (long long)s->r.seen, (long long)s->r.planned);
    else
        snprintf(ended, 320, "%s", pool_ended(s->pool));
    if (*ended || interrupted)
        return;
    pool_limit(s->pool, s->r.patience);
    if (s->r.shards > 1)
        for (int i = 0; i < s->r.failures.group_count && !interrupted; i++)
            ask_what_for(s->pool, &s->r.failures.groups[i]); /* another part may have the first of its cause */
    else
        look_closer(s, ask_what_for);
    look_closer(s, make_small);
}

static void look_at_terminal(report *r)
{
    struct winsize size = { 0 };
    const char *no_colour = getenv("NO_COLOR"), *term = getenv("TERM");
    int terminal = isatty(STDOUT_FILENO), dumb = !term || !strcmp(term, "dumb");
    r->live = terminal && !dumb;
    r->colour = r->live && !(no_colour && *no_colour);
    r->width = terminal && !ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) && size.ws_col ? size.ws_col : 80;
}

static int exit_code(const report *r)
{
    if (interrupted)
        return 128 + interrupted;
    if (!tally_total(r->tally).cases && !*r->ended)
        return cli_fail(EXIT_UNUSABLE, "nothing was judged: backend %s does none of these cases", r->backend);
    return report_is_good(r) ? EXIT_GOOD : EXIT_FAILED;
}

/* Where it was run: nothing that names the machine. */
static void describe_host(char text[HOST_SIZE])
{
    struct utsname host;
    if (uname(&host))
        memset(&host, 0, sizeof host);
    snprintf(text, HOST_SIZE, "%.60s %.80s %.60s, %ld processors", host.sysname, host.release, host.machine,
             sysconf(_SC_NPROCESSORS_ONLN));
}

/* What a result says of the run beside its numbers. The text of the selection is the caller's to free. */
static int describe_run(report *r, const selection *which, char **chosen)
{
    static char host[HOST_SIZE], spec[17];
    size_t size;
    FILE *to = open_memstream(chosen, &size);
    if (to)
        selection_print(to, which);
    if (told_end(to, chosen))
        return cli_fail(EXIT_FAILED, "out of memory");
    describe_host(host);
    snprintf(spec, sizeof spec, "%016llx", (unsigned long long)clauses_digest());
    r->version = COT_VERSION;
    r->spec = spec;
    r->environment = host;
    r->selection = *chosen;
    return 0;
}

static int run_cases(const check_request *q, run_state *s)
{
    char why[256], ended[320] = "";
    double began = clock_now();
    s->pool = pool_open(&q->settings, why);
    if (!s->pool)
        return cli_fail(interrupted ? 128 + interrupted : EXIT_UNUSABLE, "%s", why);
    s->r.remark = pool_remark(s->pool);
    s->r.device = pool_device(s->pool);
    s->r.ended = ended;
    s->how->begin(&s->r);
    if (!*s->r.trouble)
        judge_all(s, &q->which, ended);
    s->r.seconds = clock_now() - began;
    s->how->end(&s->r);
    fflush(stdout);
    int status = *s->r.trouble ? cli_fail(EXIT_FAILED, "%s", s->r.trouble) : exit_code(&s->r);
    pool_close(s->pool);
    return status;
}

static void take_signals(check_request *q)
{
    q->settings.stop = &interrupted;
    signal(SIGINT, interrupt);
    signal(SIGTERM, interrupt);
}

static int run_selection(check_request *q, run_state *s)
{
    char *chosen = NULL;
    int status = describe_run(&s->r, &q->which, &chosen);
    if (status)
        return status;
    take_signals(q);
    look_at_terminal(&s->r);
    selection_visit(&q->which, promise, &s->r);
    if (selection_is_whole(&q->which))
        tally_promise_range(s->r.tally, &q->which.range);
    status = s->r.planned ? run_cases(q, s) : cli_fail(EXIT_USAGE, "no case matches");
    free(chosen);
    return status;
}

static int run(int argc, char **argv)
{
    static check_request q;
    int status = read_request(&q, argc, argv);
    if (status)
        return status < 0 ? EXIT_GOOD : status;
    if (judge_unusable())
        return cli_fail(EXIT_UNUSABLE, "%s", judge_unusable());
    const brief *b = &q.settings.brief;
    run_state s = { { .program = cli_program,
                      .choices = q.choices,
                      .filters = q.filters,
                      .backend = b->backend,
                      .device_option = q.device,
                      .against = b->against,
                      .level = q.level ? level_name((level)b->level) : "claimed",
                      .full = q.which.range.full,
                      .single = q.which.named_count > 0,
                      .seed = q.which.range.seed,
                      .shard = q.which.shard,
                      .shards = q.which.shards,
                      .patience = b->patience,
                      .waivers = q.waivers ? &q.known : NULL,
                      .whole = selection_is_whole(&q.which) && !q.which.range.op_glob && !q.which.dtypes,
                      .tally = tally_new() },
                    q.how,
                    NULL,
                    q.waivers ? &q.known : NULL };
    if (!s.r.tally)
        return cli_fail(EXIT_FAILED, "out of memory");
    status = run_selection(&q, &s);
    failures_free(&s.r.failures);
    tally_free(s.r.tally);
    selection_free(&q.which);
    waivers_free(&q.known);
    return status;
}

const cli_command cli_check = { "check", "", "Runs cases on a backend and judges every cell", run };
